// Check 21 for alerts and selling plan groups: every call that changes one in every state, and what the checks find meanwhile. What is allowed moves, all
// else is refused and changes nothing.
import { beforeAll, describe, expect, it } from 'vitest';
import { sellingPlanGroup } from '../../../../src/domain/codecs/selling-plan-group.ts';
import { checkOf } from '../../../../src/server/features/alerts/catalogue.ts';
import { runCheck, scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { group } from '../selling-plans/plans.ts';

describe.each(oneEngine)('states on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 1 }, jobs: true, config: { workers: 0 } });
  beforeAll(async () => {
    await sql('update payment_methods set expiry_year = 2090 where expiry_year is not null');
  });
  const sql = async <R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await at.server.services.db.ownerQuery<R & object>(text, values)).rows;

  describe('of alerts', () => {
    const STATES = ['OPEN', 'RESOLVING', 'RESOLVED'] as const;
    type State = (typeof STATES)[number];
    const check = () =>
      at.server.services.db.inStore(1, async trx => {
        const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
        const found = checkOf('EXPIRED_METHODS');
        if (!found) throw new Error('There is no such check.');
        return runCheck(scopeOf(trx, store, new Date(), at.server.services.definitions.plans), found);
      });
    const call =
      (key: string, input: JsonObject) =>
      async (id: number): Promise<boolean> => {
        const answer = await at.server.call(`alerts.${key}`, { ...(key === 'watch' ? {} : { id }), ...input });
        if (answer.status !== 200) expect([key, answer.status, answer.body.code]).toEqual([key, 409, 'INVALID_STATE']);
        return answer.status === 200;
      };
    /** Where each leads; a state that is not named stays. `trouble`: whether an expired card is still there when it happens. */
    const EVENTS: Record<
      string,
      { does(id: number): Promise<boolean>; to: Partial<Record<State, State>>; refuses?: true; trouble: boolean }
    > = {
      startResolution: { does: call('startResolution', {}), to: { OPEN: 'RESOLVING' }, refuses: true, trouble: true },
      markResolved: { does: call('markResolved', {}), to: { OPEN: 'RESOLVED' }, refuses: true, trouble: true },
      refresh: { does: call('refresh', {}), to: { OPEN: 'OPEN' }, refuses: true, trouble: true },
      'refresh when it is over': { does: call('refresh', {}), to: { OPEN: 'RESOLVED' }, refuses: true, trouble: false },
      'switched off': {
        does: call('watch', { typeKey: 'EXPIRED_METHODS', isOn: false }),
        to: { OPEN: 'RESOLVED', RESOLVING: 'RESOLVED' },
        trouble: true,
      },
      'a check that finds it': {
        does: async () => {
          await check();
          return true;
        },
        to: {},
        trouble: true,
      },
      'a check that finds nothing': {
        does: async () => {
          await check();
          return true;
        },
        to: { OPEN: 'RESOLVED' },
        trouble: false,
      },
    };
    const bring = async (state: State): Promise<{ id: number; method: number }> => {
      await at.server.services.db.exec(
        'delete from alert_logs; delete from alerts; delete from alert_types; delete from bulk_action_rows; delete from bulk_actions',
      );
      await sql('update payment_methods set expiry_year = 2090');
      const { methods } = await at.make();
      await sql('update payment_methods set expiry_year = 2020 where id = $1', [methods[0]]);
      const id = (await check())?.id as number;
      if (state === 'RESOLVING') expect((await at.server.call('alerts.startResolution', { id })).status).toBe(200);
      if (state === 'RESOLVED') expect((await at.server.call('alerts.markResolved', { id })).status).toBe(200);
      await sql("update alerts set last_checked_at = now() - interval '10 minutes'");
      return { id, method: methods[0] as number };
    };
    const stand = async (): Promise<unknown> => [
      await sql('select * from alerts order by id'),
      await sql('select * from alert_logs order by id'),
      await sql('select id, status, version from bulk_actions order by id'),
    ];

    it.each(Object.entries(EVENTS).flatMap(([name, event]) => STATES.map(state => [name, state, event] as const)))(
      'D087 D088 %s, %s',
      async (_name, state, { does, to, refuses, trouble }) => {
        const { id, method } = await bring(state);
        if (!trouble) await sql('update payment_methods set expiry_year = 2090 where id = $1', [method]);
        const before = await stand();
        const went = await does(id);
        const [{ status } = { status: '' }] = await sql<{ status: string }>('select status from alerts where id = $1', [id]);
        expect(status).toBe(to[state] ?? state);
        expect(went).toBe(to[state] !== undefined || !refuses);
        if (!went) expect(await stand()).toEqual(before);
      },
    );
  });

  describe('of selling plan groups', () => {
    const STATES = ['DRAFT', 'ACTIVE', 'DELETED'] as const;
    type State = (typeof STATES)[number];
    const CALLS: Record<string, { call: string; to: Partial<Record<State, State>> }> = {
      publish: { call: 'publish', to: { DRAFT: 'ACTIVE' } },
      unpublish: { call: 'unpublish', to: { ACTIVE: 'DRAFT' } },
      delete: { call: 'delete', to: { DRAFT: 'DELETED', ACTIVE: 'DELETED' } },
      update: { call: 'update', to: { DRAFT: 'DRAFT', ACTIVE: 'ACTIVE' } },
    };
    let made = 0;
    it.each(Object.values(CALLS).flatMap(({ call, to }) => STATES.map(state => [call, state, to] as const)))(
      'D056 D057 %s, %s',
      async (call, state, to) => {
        const input = group({ name: `States ${++made}`, merchantCode: `states-${made}` });
        const { lspgId } = (await at.server.call('selling-plan-groups.create', input)).data as { lspgId: number };
        if (state === 'ACTIVE') expect((await at.server.call('selling-plan-groups.publish', { lspgId })).status).toBe(200);
        const opened = sellingPlanGroup.decode((await at.server.call('selling-plan-groups.read', { lspgId })).data) as JsonObject;
        if (state === 'DELETED') expect((await at.server.call('selling-plan-groups.delete', { lspgId })).status).toBe(200);
        const stand = (): Promise<unknown> =>
          sql("select data, version, deleted_at, updated_at from records where entity = 'selling-plan-group' and id = $1", [lspgId]);
        const before = await stand();
        const answer = await at.server.call(
          `selling-plan-groups.${call}`,
          call === 'update' ? { ...opened, name: `Changed ${made}` } : { lspgId },
        );
        const [{ status, version } = { status: '', version: 0 }] = await sql<{ status: string; version: number }>(
          "select data->>'status' as status, version from records where entity = 'selling-plan-group' and id = $1",
          [lspgId],
        );
        expect(status).toBe(to[state] ?? state);
        if (to[state] === undefined) {
          expect([answer.status, answer.body.code]).toEqual(state === 'DELETED' ? [404, 'NOT_FOUND'] : [409, 'INVALID_STATE']);
          expect(await stand()).toEqual(before);
        } else expect([answer.status, version > 1]).toEqual([200, true]);
      },
    );
  });
});
