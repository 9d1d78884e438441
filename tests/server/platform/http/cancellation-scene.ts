// What a store needs so that the calls of its cancellation flow have something to answer: a benefits page, an offer, and their inputs.
import type { JsonObject } from '../../../../src/contract/types.ts';

const words = { title: 'Zzstay', bodyHtml: '<p>Zzstay</p>' };

export async function cancellationScene(
  must: (name: string, input: JsonObject) => Promise<any>,
  one: (text: string, params?: unknown[]) => Promise<number>,
): Promise<Record<string, JsonObject>> {
  const [reason] = (await must('preferences.readActiveReasons', {})) as { id: number }[];
  const reasonId = Number(reason?.id);
  const benefit = (await must('subscription-benefits.create', {
    ...words,
    name: 'Zzbenefit',
    primaryCtaText: 'Stay',
    secondaryCtaText: 'Go',
  })) as { id: number };
  const incentive = (await must('incentives.create', {
    ...words,
    name: 'Zzoffer',
    acceptCtaText: 'Stay',
    rejectCtaText: 'Go',
    reasonIds: [reasonId],
    incentives: [{ action: 'SKIP_ORDER', input: { count: 1 } }],
  })) as { id: number };
  await must('subscription-benefits.activate', { id: benefit.id });
  const experiment = (await must('experiments.create', {
    name: 'Zzexperiment',
    entityType: 'CANCELLATION_FLOW_BENEFIT',
    benefitId: benefit.id,
    variant: { title: 'Zzother' },
    completionValue: 300,
  })) as { id: number; experimentId: string };
  const report = await one(
    `insert into records (store_id, entity, data) values (1, 'experiment-report', jsonb_build_object('experiment', $1::bigint, 'name', 'Zzexperiment',
      'state', 'EXPERIMENT_REPORT_SUCCESS', 'rows', 0, 'upTo', 0, 'keptUntil', to_char(now() + interval '7 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) returning id`,
    [experiment.id],
  );
  const ofBenefit = { bundleId: String(benefit.id), localeStoreId: 'en' };
  return {
    'cancellation-reasons.read': { cancellationReasonId: reasonId },
    'subscription-benefits.read': { id: benefit.id },
    'incentives.read': { id: incentive.id },
    'incentives.guidById': { id: incentive.id },
    'experiments.read': { id: experiment.id },
    'experiments.getByExperimentId': { experimentId: experiment.experimentId },
    'experiments.reportFile': { id: report },
    'multilingual.cancellationBenefit': ofBenefit,
    'multilingual.incentive': { incentiveId: String(incentive.id), localeStoreId: 'en' },
  };
}
