// What belongs to something that is deleted, reset or disconnected is answered at once, however much there is and whatever is locked of it;
// it goes afterwards, in steps, also where these are broken off.
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { deleteRows } from '../../../../src/server/features/housekeeping/jobs/delete-rows.ts';
import { forgetPoints } from '../../../../src/server/features/integrations/jobs/forget-points.ts';
import { endStreak } from '../../../../src/server/features/streaks/jobs/end-streak.ts';
import { BELONGS_BY } from '../../../../src/server/platform/queue/delete-rows.ts';
import { engines } from '../../../support/database.ts';
import { jobWith } from '../../../support/job.ts';
import { whileLocked } from '../../../support/locks.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const MANY = 3000;
const JOBS = [deleteRows, forgetPoints, endStreak];

interface Way {
  /** Makes what grows, with another one beside it that stays. @returns the input of the call */
  prepare(server: TestServer): Promise<JsonObject>;
  call: string;
  /** A row that another transaction holds meanwhile. */
  held: string;
  /** How many are left, and how many of the other one. */
  left: string;
  other: number;
}
const one = async (server: TestServer, text: string): Promise<number> =>
  Number((await server.services.db.ownerQuery<{ id: number }>(text)).rows[0]?.id);
const document = (server: TestServer, entity: string, data: object): Promise<number> =>
  one(server, `insert into records (store_id, entity, data) values (1, '${entity}', '${JSON.stringify(data)}') returning id`);

const WAYS: Record<string, Way> = {
  'runs of a flow': {
    async prepare(server) {
      const [id, other] = [
        await document(server, 'flow', { name: 'One', status: 'DRAFT' }),
        await document(server, 'flow', { name: 'Two' }),
      ];
      await server.services.db
        .exec(`insert into flow_runs (store_id, flow_id, flow_name, contract_id, event_id, trigger, status, started_at)
        select 1, f, 'Flow', 1, n, 'ORDER_PLACED', 'FAILED', now() from generate_series(1, ${MANY}) n, unnest(array[${id}, ${other}]) f`);
      return { id };
    },
    call: 'automations.delete',
    held: "select 1 from flow_runs r join records g on g.id = r.flow_id where g.entity = 'flow' and g.data ->> 'name' = 'One' limit 1 for update of r",
    left: "select count(*) filter (where data ->> 'name' = 'One') as mine, count(*) filter (where data ->> 'name' = 'Two') as other from flow_runs r join records g on g.entity = 'flow' and g.id = r.flow_id",
    other: MANY,
  },
  'members of a campaign': {
    async prepare(server) {
      const dates = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-02-01T00:00:00Z' };
      const [id, other] = [
        await document(server, 'campaign', { name: 'One', status: 'DRAFT', ...dates }),
        await document(server, 'campaign', { name: 'Two', status: 'DRAFT', ...dates }),
      ];
      await server.services.db.exec(`insert into campaign_members (store_id, campaign_id, contract_id)
        select 1, c, id from contracts, unnest(array[${id}, ${other}]) c where store_id = 1`);
      return { id };
    },
    call: 'campaign-actions.delete',
    held: 'select 1 from campaign_members order by campaign_id limit 1 for update',
    left: "select count(*) filter (where g.data ->> 'name' = 'One') as mine, count(*) filter (where g.data ->> 'name' = 'Two') as other from campaign_members m join records g on g.entity = 'campaign' and g.id = m.campaign_id",
    other: 20,
  },
  'rows of an import': {
    async prepare(server) {
      const make = (name: string) =>
        one(server, `insert into subscription_imports (store_id, file_name, status) values (1, '${name}', 'READY') returning id`);
      const [id, other] = [await make('one.csv'), await make('two.csv')];
      await server.services.db.exec(`insert into subscription_import_rows (store_id, import_id, position, status)
        select 1, i, n, 'PENDING' from generate_series(2, ${MANY + 1}) n, unnest(array[${id}, ${other}]) i`);
      return { id };
    },
    call: 'subscription-imports.delete',
    held: 'select 1 from subscription_import_rows order by import_id limit 1 for update',
    left: 'select count(*) filter (where i.id is null) as mine, count(i.id) as other from subscription_import_rows r left join subscription_imports i on i.id = r.import_id',
    other: MANY,
  },
  'enrollments in a streak': {
    async prepare(server) {
      const [id, other] = [
        await document(server, 'streak', { name: 'One', status: 'DRAFT' }),
        await document(server, 'streak', { name: 'Two' }),
      ];
      await server.services.db
        .exec(`insert into streak_enrollments (store_id, streak_id, streak_name, contract_id, customer_id, length, enrolled_at)
        select 1, case when row_number() over (order by id) > 5 then ${id} else ${other} end, 'Streak', id, coalesce(customer_id, 0), 2, now()
        from contracts where store_id = 1`);
      return { id };
    },
    call: 'streaks.delete',
    held: 'select 1 from streak_enrollments order by id desc limit 1 for update',
    left: "select count(*) filter (where g.data ->> 'name' = 'One') as mine, count(*) filter (where g.data ->> 'name' = 'Two') as other from streak_enrollments e join records g on g.entity = 'streak' and g.id = e.streak_id where state = 'ACTIVE'",
    other: 5,
  },
  'points of a loyalty app': {
    async prepare(server) {
      await server.services.db
        .exec(`insert into integrations (store_id, key, category, status) values (1, 'rise-ai', 'LOYALTY', 'CONNECTED');
        update contracts set loyalty_points = 7, loyalty_points_at = now() where store_id = 1;
        update contracts set loyalty_points = 9, loyalty_points_at = now() + interval '1 hour' where store_id = 1
          and id in (select id from contracts where store_id = 1 order by id limit 2)`);
      return { identifier: 'rise-ai' };
    },
    call: 'integrations.disconnect',
    held: 'select 1 from contracts where store_id = 1 order by id desc limit 1 for update',
    left: 'select count(*) filter (where loyalty_points = 7) as mine, count(*) filter (where loyalty_points = 9) as other from contracts where store_id = 1',
    // What another app has told since.
    other: 2,
  },
};

describe.each(engines)('what grows with its rows (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 20, stores: 1 }, jobs: true, config: { workers: 0 } });
  });
  afterAll(() => server?.close());

  /** Has a call answered while another transaction holds a row, where others have connections of their own. */
  const whileHeld = async (held: string, call: string, input: JsonObject) => {
    const { db } = server.services;
    const work = () => server.call(call, input);
    const answer = db.kind === 'embedded' ? await work() : await whileLocked(db, trx => sql.raw(held).execute(trx), work);
    expect(answer.status, `${call}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer;
  };

  it.each(Object.entries(WAYS))('%s: answered at once, gone in steps, and nothing else with them', async (_, way) => {
    const { db } = server.services;
    const input = await way.prepare(server);
    await whileHeld(way.held, way.call, input);
    const { rows } = await db.ownerQuery<{ name: string; data: object }>(
      `select name, data from pgboss.job where name = any('{${JOBS.map(({ name }) => name).join()}}') order by created_on desc, id limit 1`,
    );
    const job = JOBS.find(({ name }) => name === rows[0]?.name);
    const counted = async () =>
      (await db.ownerQuery<{ mine: number; other: number }>(way.left)).rows.map(({ mine, other }) => [Number(mine), Number(other)])[0];
    const killed = new AbortController();
    const broken = { ...jobWith(killed.signal), progressed: async () => killed.abort() };
    const before = (await counted()) as number[];
    expect(before[0]).toBeGreaterThan(0);
    await job?.run(server.services, rows[0]?.data, broken).catch(() => undefined);
    await job?.run(server.services, rows[0]?.data, jobWith());
    expect(await counted()).toEqual([0, way.other]);
    // Safe to repeat.
    await job?.run(server.services, rows[0]?.data, jobWith());
    expect(await counted()).toEqual([0, way.other]);
  });

  it('upgrades that were put away are shown again at once, and what is put away later counts', async () => {
    const { db } = server.services;
    const putAway = (profile: number) =>
      db.exec(`insert into offer_events (store_id, kind, profile_id, contract_id, happened, place, day, created_at)
        select 1, 'UPGRADE', ${profile}, id, 'DISMISSED', 'PORTAL', current_date, now() from contracts where store_id = 1`);
    const count = async (input: JsonObject = {}) => (await server.call('upgrade-profiles.getDismissedCount', input)).data;
    await putAway(71);
    await putAway(72);
    await whileHeld('select 1 from offer_events limit 1 for update', 'upgrade-profiles.resetDismissTracker', { profileId: 71 });
    expect([await count({ profileId: 71 }), await count({ profileId: 72 })]).toEqual([{ count: 0 }, { count: 20 }]);
    await putAway(71);
    expect(await count({ profileId: 71 })).toEqual({ count: 20 });
    await whileHeld('select 1 from offer_events limit 1 for update', 'upgrade-profiles.resetDismissTracker', {});
    expect([await count(), await count({ profileId: 71 })]).toEqual([{ count: 0 }, { count: 0 }]);
    await putAway(72);
    expect(await count()).toEqual({ count: 20 });
  });

  it('an index leads to the rows that are deleted', async () => {
    for (const [table, column] of Object.entries(BELONGS_BY)) {
      const { rows } = await server.services.db.ownerQuery<{ def: string }>('select indexdef as def from pg_indexes where tablename = $1', [
        table,
      ]);
      expect(
        rows.some(({ def }) => def.includes(`(store_id, ${column}`)),
        `${table} by ${column}`,
      ).toBe(true);
    }
  });
});

/** Tables from which a statement deletes what belongs to something, and why that is never much, or how it is limited. */
const FEW: Record<string, string> = {
  plan_products: 'the products of one selling plan group',
  plan_collections: 'the collections of one selling plan group',
  texts: 'the texts of one language or theme',
  popups: 'one popup of one person',
  stores: 'stores that no one entered, a hundred at a time',
  card_vault_sessions: 'cards of one customer',
  customer_addresses: 'addresses of one customer',
  payment_migrations: 'methods of one customer',
  outbox: 'letters to one customer that wait, or of an import, a page at a time',
  contracts: 'of an import, a page at a time',
  customers: 'of an import, a page at a time',
  subscription_import_rows: 'a page at a time',
  link_events: 'what came with named orders',
  widget_mappings: 'places of one theme',
  mail_blocks: 'addresses of one customer',
  platform_ids: 'those of one page of a reading',
  platform_changes: 'those of one page of a reading',
  platform_differences: 'those of one page of a reading',
  card_setups: 'pages that one customer was led to',
  sso_flows: 'one sign-in that is finished',
  storefront_changes: 'one row for each statement since the last build, a second ago',
};
it('every other statement that deletes has a limit, or there are never many: nothing grows without one', () => {
  const found = ['src/server/features', 'src/server/engine']
    .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`))
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => {
      const text = readFileSync(file, 'utf8');
      return [...text.matchAll(/delete from (\w+)|deleteFrom\('(\w+)'\)|delete from \$\{mine\('(\w+)'\)\}/g)].map(
        found => found[1] ?? found[2] ?? found[3],
      );
    });
  expect([...new Set(found)].filter(table => !(String(table) in FEW))).toEqual([]);
  expect(Object.keys(FEW).filter(table => !found.includes(table) && !['contracts', 'customers'].includes(table))).toEqual([]);
});
