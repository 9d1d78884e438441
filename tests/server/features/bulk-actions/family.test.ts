// One file and one engine function make an action: a call with its dialog, a bulk action, and something that code can run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { ACTIONS } from '../../../../src/server/engine/actions/catalogue.ts';
import { runAction, type ActionResult } from '../../../../src/server/engine/actions/run-action.ts';
import { transactIn } from '../../../../src/server/engine/runtime.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods } from '../subscriptions/fixture.ts';
import { Bulk } from './helpers.ts';

let server: TestServer;
let bulk: Bulk;
let ids: number[];
beforeAll(async () => {
  server = await startTestServer({ jobs: true, seed: { contracts: 5, stores: 1 } });
  bulk = new Bulk(server);
  const goods = await stockGoods(server);
  ids = [];
  for (let i = 0; i < 4; i++) ids.push((await makeContract(server, goods)).id);
});
afterAll(() => server?.close());
const noteOf = async (id: number): Promise<string> => String((await bulk.contract(id)).next_order_note);

describe('a note on the next order', () => {
  it('is a call with its button on the record, and takes the next order and no other', async () => {
    const [id] = ids as [number];
    const { definitions } = server.services;
    const button = definitions.resources['subscriptions/[id]']?.actions?.find(one => one.call === 'subscription-contract.addOrderNote');
    expect(button).toMatchObject({ title: 'Add a note to the next order', prompt: ['note'], undo: 'subscription-contract.addOrderNote' });
    const answer = await server.call('subscription-contract.addOrderNote', { id, note: ' With a ribbon ' });
    expect(answer.data).toMatchObject({ id, nextOrderNote: 'With a ribbon' });
    const charged = await server.call('subscription-contract.chargeNow', { id, orderId: Number((answer.data as JsonObject).nextOrderId) });
    expect([charged.status, charged.data.nextOrderNote]).toEqual([200, '']);
    const orders = await bulk.query<{ note: string }>(
      "select note from orders where store_id = 1 and contract_id = $1 and note like '%With a ribbon'",
      [id],
    );
    expect(orders).toHaveLength(1);
  });
  it('is a bulk action with a preview, by the parameters of its call', async () => {
    const [, ...three] = ids;
    const { data } = await server.call('bulk-actions.config', { key: 'ADD_ORDER_NOTE' });
    expect((data.fields as JsonObject[]).map(field => field.key)).toEqual(['note']);
    const selection = { mode: 'IDS' as const, ids: three };
    const preview = await server.call('bulk-actions.preview', { actionKey: 'ADD_ORDER_NOTE', selection, input: { note: 'Ribbon' } });
    expect((preview.data.rows as JsonObject[])[0]?.changes).toEqual([{ title: 'Note on the next order', before: 'none', after: 'Ribbon' }]);
    const run = await bulk.run('ADD_ORDER_NOTE', selection, { note: 'Ribbon' });
    expect(run).toMatchObject({ status: 'COMPLETED', succeeded: 3 });
    expect(await Promise.all(three.map(noteOf))).toEqual(['Ribbon', 'Ribbon', 'Ribbon']);
  });
});

describe('running an action from code', () => {
  const run = (key: Parameters<typeof runAction>[1], id: number, params: JsonObject): Promise<ActionResult> =>
    transactIn(
      server.services,
      1,
    )(engine =>
      runAction({ ...engine, definitions: server.services.definitions }, key, id, params, { source: 'Flow', noteData: { flowId: 'f1' } }),
    );
  it('does it, notes it, and tells it in a sentence', async () => {
    const id = ids[1] as number;
    const result = await run('ADD_ORDER_NOTE', id, { note: 'By a flow' });
    expect(result).toMatchObject({
      status: 'DONE',
      sentence: 'Add a note to the next order: Note on the next order from Ribbon to By a flow.',
    });
    const [event] = await bulk.query<{ source: string; data: JsonObject }>(
      "select source, data from events where store_id = 1 and contract_id = $1 and key = 'order_note_updated' order by id desc limit 1",
      [id],
    );
    expect(event).toMatchObject({ source: 'Flow', data: { flowId: 'f1', after: 'By a flow' } });
  });
  it('leaves alone what the engine refuses, and says why', async () => {
    const id = ids[2] as number;
    expect(await run('RESUME_SUBSCRIPTION', id, {})).toMatchObject({ status: 'SKIPPED', changes: [] });
    expect(await run('ADD_ORDER_NOTE', 999_999_999, { note: 'x' })).toMatchObject({
      status: 'SKIPPED',
      sentence: 'This subscription does not exist any more.',
    });
    await expect(run('ADD_ORDER_NOTE', id, {})).rejects.toThrow();
    await expect(run('UPDATE_ATTRIBUTES', id, { mode: 'ADD', customAttributes: [] })).rejects.toThrow('Enter at least one attribute.');
  });
});

it('every action that is offered has its file, and every place its list', () => {
  const { definitions } = server.services;
  // An action of the record, or of a page of the portal that is code, is done by its call.
  const isOffered = (one: { in: object }): boolean => Object.keys(one.in).some(place => place !== 'record' && place !== 'portal');
  const offered = Object.values(definitions.actions).filter(isOffered);
  expect([...ACTIONS.values()].filter(isOffered).map(one => one.key)).toEqual(offered.map(one => one.key));
  const ofFlows = Object.values(definitions.actions).filter(one => one.in.flow);
  expect(ofFlows.map(one => one.key)).toContain('ADD_ORDER_NOTE');
});
