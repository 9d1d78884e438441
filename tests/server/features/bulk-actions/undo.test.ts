// What a bulk action did is taken back by another one, row by row, where the subscription was not changed since.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';
import { Bulk } from './helpers.ts';

let server: TestServer;
let bulk: Bulk;
let goods: Goods;
beforeAll(async () => {
  server = await startTestServer({ jobs: true, seed: { contracts: 5, stores: 1 } });
  bulk = new Bulk(server);
  goods = await stockGoods(server);
});
afterAll(() => server?.close());

const made = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push((await makeContract(server, goods)).id);
  return ids;
};
const view = async (id: number): Promise<JsonObject> => (await server.call('subscription-contract.read', { id })).data;
/** What a subscription is, without what every change counts up. */
const plain = async (id: number): Promise<JsonObject> => {
  const { version: _version, updated_at: _at, ...rest } = await bulk.contract(id);
  return rest;
};
const undo = async (id: number): Promise<JsonObject> => {
  const answer = await server.call('bulk-actions.undo', { id });
  expect([answer.status, answer.body.message]).toEqual([200, 'It is being undone. You can leave this page.']);
  return bulk.over(Number(answer.data.id));
};

describe('undo of a bulk action', () => {
  it.each([
    ['PAUSE_SUBSCRIPTION', { until: 'INDEFINITE' }],
    ['SKIP_ORDER', { count: 2 }],
    ['ADD_ORDER_NOTE', { note: 'With a ribbon' }],
    ['UPDATE_NOTE', { mode: 'REPLACE', note: 'Ring twice' }],
    ['UPDATE_TAGS', { mode: 'ADD', tags: ['vip'] }],
    ['UPDATE_ATTRIBUTES', { mode: 'ADD', customAttributes: [{ key: 'Gift', value: 'yes' }] }],
  ])('%s leaves subscriptions and their orders as they were', async (key, input) => {
    const [id] = (await made(1)) as [number];
    const orders = async (): Promise<unknown> => (await server.call('subscription-contract.ordersSchedule', { id })).data;
    const [before, ahead] = [await plain(id), await orders()];
    const run = await bulk.run(key, { mode: 'IDS', ids: [id] }, input);
    expect([await plain(id), await orders()]).not.toEqual([before, ahead]);
    expect(run).toMatchObject({ isUndoable: true, actions: expect.arrayContaining(['undo']) });
    const back = await undo(Number(run.id));
    expect(back).toMatchObject({
      status: 'COMPLETED',
      succeeded: 1,
      undoOf: run.id,
      label: `Undo: ${String(run.label)}`,
      isUndoable: false,
    });
    expect([await plain(id), await orders()]).toEqual([before, ahead]);
  });
  it('brings skipped orders back to being skipped', async () => {
    const [id] = (await made(1)) as [number];
    await bulk.run('SKIP_ORDER', { mode: 'IDS', ids: [id] }, { count: 1 });
    const before = await view(id);
    const run = await bulk.run('UNSKIP_ORDER', { mode: 'IDS', ids: [id] }, { count: 1 });
    expect(await undo(Number(run.id))).toMatchObject({ status: 'COMPLETED', succeeded: 1 });
    expect((await view(id)).nextBillingDateEpoch).toBe(before.nextBillingDateEpoch);
  });
  it('leaves alone what was changed since, and what the run did not change; once, and no more', async () => {
    const [a, b, c] = (await made(3)) as [number, number, number];
    await server.call('subscription-contract.updateTags', { id: c, tags: ['vip'] });
    const run = await bulk.run('UPDATE_TAGS', { mode: 'IDS', ids: [a, b, c] }, { mode: 'ADD', tags: ['vip'] });
    expect(run).toMatchObject({ succeeded: 2, skipped: 1 });
    await server.call('subscription-contract.updateNote', { id: b, note: 'Called' });
    const [first, second] = await Promise.all([
      server.call('bulk-actions.undo', { id: run.id as number }),
      server.call('bulk-actions.undo', { id: run.id as number }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const won = first.status === 200 ? first : second;
    const back = await bulk.over(Number(won.data.id));
    const rows = await bulk.rows(Number(back.id));
    expect(rows.map(row => [row.subscriptionId, row.status, row.reason]).sort()).toEqual([
      [a, 'SUCCESS', null],
      [b, 'SKIPPED', 'It was changed since, so it was left as it is.'],
    ]);
    expect([(await view(a)).tags, (await view(b)).tags, (await view(c)).tags]).toEqual([[], ['vip'], ['vip']]);
    const again = await server.call('bulk-actions.undo', { id: run.id as number });
    expect([again.status, again.body.message]).toEqual([409, 'This bulk action was undone already.']);
    const ofUndo = await server.call('bulk-actions.undo', { id: back.id as number });
    expect([ofUndo.status, ofUndo.body.message]).toEqual([409, "This bulk action can't be undone."]);
    expect((await server.call('bulk-actions.read', { id: run.id as number })).data).toMatchObject({ undoneBy: back.id });
  });
  it('does not undo what can only be brought back in part, what has no way back, or what is long over', async () => {
    const [id, other] = (await made(2)) as [number, number];
    await server.call('subscription-contract.skipOrder', { id });
    const paused = await bulk.run('PAUSE_SUBSCRIPTION', { mode: 'IDS', ids: [id] }, { until: 'INDEFINITE' });
    expect((await server.call('bulk-actions.undo', { id: paused.id as number })).body.message).toBe(
      'None of its subscriptions can be brought back exactly as it was. Change them by hand.',
    );
    const cancelled = await bulk.run('CANCEL_SUBSCRIPTION', { mode: 'IDS', ids: [id] }, { cancellationReason: 'Other' });
    expect((await server.call('bulk-actions.undo', { id: cancelled.id as number })).status).toBe(409);
    const noted = await bulk.run('ADD_ORDER_NOTE', { mode: 'IDS', ids: [other] }, { note: 'x' });
    await bulk.query("update bulk_actions set finished_at = finished_at - interval '25 hours' where store_id = 1 and id = $1", [noted.id]);
    const late = await server.call('bulk-actions.undo', { id: noted.id as number });
    expect([late.status, late.body.message]).toEqual([409, 'A bulk action can be undone for a day. This one is over for longer.']);
  });
});
