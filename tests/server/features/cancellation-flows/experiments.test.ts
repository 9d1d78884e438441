// Experiments on a running server: who sees which variant, what is counted, how they end, and their reports.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { endDue } from '../../../../src/server/features/cancellation-flows/experiments.ts';
import { prepareReports } from '../../../../src/server/features/cancellation-flows/reports.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

let server: TestServer;
let goods: Goods;
let benefitId = 0;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 2, stores: 2 }, jobs: true, config: { workers: 0 } });
  goods = await stockGoods(server);
  const words = { title: 'Before you go', bodyHtml: '<p>A</p>', primaryCtaText: 'Stay', secondaryCtaText: 'Go' };
  benefitId = (await must('subscription-benefits.create', { ...words, name: 'Page' })).id;
});
afterAll(() => server?.close());

const call = (name: string, input: JsonObject = {}): Promise<any> => server.call(name, input);
const must = async (name: string, input: JsonObject = {}): Promise<any> => {
  const answer = await call(name, input);
  if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.data;
};
let n = 0;
const begin = (over: JsonObject = {}): Promise<any> =>
  call('subscription-benefits.createExperiment', {
    name: `Try ${++n}`,
    benefitId,
    variant: { title: 'Wait a moment' },
    completionType: 'ATTEMPTS',
    completionValue: 10,
    ...over,
  });
/** Attempts of new subscribers; every third of them stays. */
const attempts = async (count: number): Promise<{ id: number; title: string }[]> => {
  const shown: { id: number; title: string }[] = [];
  for (let i = 0; i < count; i++) {
    const made = await makeContract(server, goods, { nextBillingDateEpoch: inDays(5) });
    const attempt = await must('cancellation-attempts.start', { subscriptionId: made.id });
    shown.push({ id: made.id, title: attempt.benefit.title });
    expect(JSON.stringify(attempt)).not.toContain('variantTag');
    if (i % 3 === 0) await must('cancellation-attempts.answer', { id: attempt.id, step: 'BENEFIT', accepted: true });
  }
  return shown;
};
const job = (at = new Date()): Promise<void> =>
  server.services.db.inStore(1, async trx => {
    await endDue({ trx, storeId: 1 }, at);
    await prepareReports({ trx, storeId: 1 }, at);
  });

it('D058 D085 D086 D267 one runs from its start to its end, customers keep their variant, and the one that is chosen stays', async () => {
  expect((await begin()).body.errors).toMatchObject([{ pointer: '/benefitId' }]);
  await must('subscription-benefits.activate', { id: benefitId });
  expect((await begin({ variant: {} })).body.errors).toMatchObject([
    { pointer: '/variant', message: 'Variant B is identical to the control.' },
  ]);
  const { data: experiment } = await begin();
  expect(experiment.entityType).toBe('CANCELLATION_FLOW_BENEFIT');
  expect(experiment).toMatchObject({ state: 'EXPERIMENT_IN_PROGRESS', controlPercent: 50, control: { title: 'Before you go' } });
  expect((await begin()).body.errors).toMatchObject([{ message: 'An experiment is already running here.' }]);
  expect((await call('subscription-benefits.deactivate', { id: benefitId })).body.message).toBe('Stop the experiment first.');
  expect((await call('experiments.chooseLiveVariant', { id: experiment.id, liveVariant: 'VARIANT' })).status).toBe(409);

  const shown = await attempts(12);
  expect(new Set(shown.map(one => one.title))).toEqual(new Set(['Before you go', 'Wait a moment']));
  const again = await must('cancellation-attempts.flow', { subscriptionId: shown[1]?.id ?? 0 });
  expect(again.benefit.title).toBe(shown[1]?.title);
  const now = await must('experiments.getByExperimentId', { experimentId: experiment.experimentId });
  const { A, B } = now.metrics;
  expect([A.attempts + B.attempts, A.saves + B.saves, now.progress]).toEqual([12, 4, '12 of 10 attempts']);
  const tags = await server.services.db.ownerQuery('select 1 from customers where $1 = any(tags) or $2 = any(tags)', [
    experiment.controlTag,
    experiment.variantTag,
  ]);
  expect(tags.rows.length).toBe(12);
  const changed = { ...now, completionValue: 11 };
  expect((await call('experiments.update', changed)).body.errors).toMatchObject([{ pointer: '/completionValue' }]);
  expect((await call('experiments.update', { ...now, variantPercent: 60 })).body.errors).toMatchObject([{ pointer: '/variantPercent' }]);

  await job();
  const ended = await must('experiments.read', { id: experiment.id });
  expect(ended).toMatchObject({ state: 'EXPERIMENT_COMPLETED', winner: expect.any(String), liveVariant: null });
  expect((await must('cancellation-attempts.flow', { subscriptionId: shown[1]?.id ?? 0 })).benefit.title).toBe('Before you go');
  expect((await call('experiments.terminate', { id: experiment.id })).body.message).toBe('This experiment is not running.');
  await must('experiments.chooseLiveVariant', { id: experiment.id, liveVariant: 'VARIANT' });
  expect((await must('subscription-benefits.read', { id: benefitId })).title).toBe('Wait a moment');
  expect((await call('experiments.chooseLiveVariant', { id: experiment.id, liveVariant: 'CONTROL' })).body.message).toBe(
    'A variant was already chosen.',
  );
});

it('D201 a report is queued, prepared by a job and read as a file; reports are a list with an offset', async () => {
  const [first] = await must('experiments.list');
  const report = await must('experiments.exportReport', { id: first.id });
  expect(report.state).toBe('EXPERIMENT_REPORT_QUEUED');
  expect((await call('experiments.exportReport', { id: first.id })).body.message).toBe('A report is already being prepared.');
  expect((await call('experiments.reportFile', { id: report.id })).status).toBe(409);
  await job();
  expect(await must('experiments.reports', { offset: 0 })).toMatchObject([{ id: report.id, state: 'EXPERIMENT_REPORT_SUCCESS', rows: 12 }]);
  expect(await must('experiments.reports', { offset: 1 })).toEqual([]);
  const { path } = server.services.definitions.calls['experiments.reportFile'] ?? { path: '' };
  const file = await server.request('GET', `/host/v2${path.replace('{id}', String(report.id))}`, { as: 'owner' });
  const lines = file.text.trim().split('\n');
  expect(lines.length).toBe(13);
  expect(lines[1]).toMatch(/^\d+,[AB],(saved|continued),person\d+@mail\.example,/);
});

it('one that is stopped settles on variant A after seven days', async () => {
  const { data: experiment } = await begin({ variant: { title: 'Something else' }, completionType: 'DAYS', completionValue: 30 });
  await must('experiments.terminate', { id: experiment.id });
  expect(await must('experiments.read', { id: experiment.id })).toMatchObject({
    state: 'EXPERIMENT_TERMINATED_BY_MERCHANT',
    winner: 'NONE',
    liveVariant: null,
  });
  await job(new Date(Date.now() + 8 * 86_400_000));
  expect((await must('experiments.read', { id: experiment.id })).liveVariant).toBe('CONTROL');
});

it('what an ended experiment can still put live is not deleted before the choice, and a variant of what is gone is not chosen', async () => {
  const words = { title: 'Stay', bodyHtml: '<p>A</p>', primaryCtaText: 'Stay', secondaryCtaText: 'Go' };
  const { id: page } = await must('subscription-benefits.create', { ...words, name: 'Short-lived' });
  await must('subscription-benefits.activate', { id: page });
  const { data: experiment } = await begin({ benefitId: page, name: 'Undecided' });
  await must('experiments.terminate', { id: experiment.id });
  await must('subscription-benefits.deactivate', { id: page });
  const refused = await call('subscription-benefits.delete', { id: page });
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'The variant of an experiment can still be shown here: “Undecided”. Choose what is shown from now on first.',
  ]);
  // One that went before this was refused.
  await server.services.db.ownerQuery('update records set deleted_at = now() where store_id = 1 and id = $1', [page]);
  expect((await call('experiments.chooseLiveVariant', { id: experiment.id, liveVariant: 'VARIANT' })).body.message).toBe(
    "The benefits page that was tried does not exist any more, so variant B can't be shown.",
  );
  await server.services.db.ownerQuery('update records set deleted_at = null where store_id = 1 and id = $1', [page]);
  await must('experiments.chooseLiveVariant', { id: experiment.id, liveVariant: 'CONTROL' });
  await must('subscription-benefits.delete', { id: page });
});
