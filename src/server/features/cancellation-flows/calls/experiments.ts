// What only experiments have besides the verbs: choosing the variant that stays, and the file of a report.
import { sql } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import { inLine, invalidState, type Context, type Reply } from '../../../platform/context.ts';
import { needRow, recordOf, updateRow, viewOfWritten } from '../../../platform/records/record-repository.ts';
import { changesOf, type Experiment } from '../experiments.ts';
import { reportFile as fileOf } from '../reports.ts';
import { t } from '../../../../domain/text/t.ts';

/**
 * Settles an experiment that has ended (D086): variant B takes the place of A, or goes.
 * @throws Refusal 404; 409 while it runs, after a choice, after seven days, or where what was tried is gone and B should take its place
 */
export async function chooseLiveVariant(
  context: Context,
  { id, liveVariant }: { id: number; liveVariant: 'CONTROL' | 'VARIANT' },
): Promise<JsonObject> {
  const shape = context.shape('experiment');
  const row = await needRow(context, shape, id, { lock: true });
  const record = recordOf(context, shape, row);
  const experiment = record as Experiment;
  if (experiment.state === 'EXPERIMENT_IN_PROGRESS') throw invalidState(t`Stop the experiment first.`);
  if (experiment.liveVariant) throw invalidState(t`A variant was already chosen.`);
  if (experiment.chooseUntil && new Date(experiment.chooseUntil) < context.now())
    throw invalidState(t`The time to choose a variant is over.`);
  if (liveVariant === 'VARIANT') {
    const put = await sql`update records set data = data || ${JSON.stringify(changesOf(experiment))}::jsonb, version = version + 1,
        updated_at = ${context.now()}::timestamptz, updated_by = ${context.user.email}
      where store_id = ${context.storeId}::integer and id = ${experiment.benefitId ?? experiment.incentiveId ?? 0}::bigint
        and entity = ${experiment.benefitId === undefined ? 'incentive' : 'subscription-benefit'} and deleted_at is null`.execute(
      context.trx,
    );
    if (Number(put.numAffectedRows ?? 0) === 0)
      throw invalidState(
        experiment.entityType === 'CANCELLATION_OFFER'
          ? t`The offer that was tried does not exist any more, so variant B can't be shown.`
          : t`The benefits page that was tried does not exist any more, so variant B can't be shown.`,
      );
  }
  const written = await updateRow(context, shape, row, { ...record, liveVariant });
  await context.log({
    action: 'experiment.chooseLiveVariant',
    category: 'Experiments',
    entity: 'experiment',
    entityId: String(id),
    description: `Variant ${liveVariant === 'VARIANT' ? 'B' : 'A'} of "${experiment.name}" was chosen`,
  });
  return viewOfWritten(context, shape, written);
}

export const reportFile = inLine('exports', (context: Context, { id }: { id: number }): Promise<Reply> => fileOf(context, id));
