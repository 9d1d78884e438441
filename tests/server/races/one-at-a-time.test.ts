// "Exactly one" and "at most so many" hold for people who save at the same moment: each is raced on PostgreSQL, whose writers do not wait
// by themselves.
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { isOneAtATime } from '../../../src/server/platform/records/one-at-a-time.ts';
import { moduleFiles } from '../../../src/server/platform/modules.ts';
import { engines } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

interface Limit {
  /** Calls that are made at once. */
  calls: () => Promise<[name: string, input: JsonObject][]>;
  /** SQL that counts what there may be so many of. */
  count: string;
  most: number;
}

describe.each(engines.filter(engine => engine === 'postgres'))('at once (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, connections: 12 });
  });
  afterAll(() => server?.close());
  const must = async (name: string, input: JsonObject) => {
    const answer = await server.call(name, input);
    expect([name, answer.status, answer.status < 300 ? '' : answer.body]).toEqual([name, answer.status, '']);
    return answer.data as { id: number };
  };
  const many = (n: number, input: (i: number) => [string, JsonObject]) => Promise.resolve(Array.from({ length: n }, (_, i) => input(i)));
  const records = (entity: string, and = ''): string =>
    `select count(*)::integer as n from records where store_id = 1 and entity = '${entity}' and deleted_at is null ${and}`;
  const drafts = async (table: string, inputs: JsonObject[]): Promise<number[]> => {
    const ids: number[] = [];
    for (const input of inputs) ids.push((await must(`${table}.create`, input)).id);
    return ids;
  };

  const LIMITS: Record<string, Limit> = {
    'the active quick action of a kind': {
      calls: async () => {
        const ids = await drafts(
          'quick-actions',
          [1, 2, 3, 4].map(i => ({ name: `One of ${i}`, type: 'SWAP_PRODUCT', title: 'x', swapVariantIds: [1], swapToVariantId: 2 })),
        );
        return ids.map(id => ['quick-actions.activate', { id }]);
      },
      count: records('quick-action', "and data ->> 'status' = 'ACTIVE' and data ->> 'type' = 'SWAP_PRODUCT'"),
      most: 1,
    },
    'the role for new people': {
      calls: async () => {
        const ids = await drafts(
          'roles',
          [1, 2, 3, 4].map(i => ({ name: `For new people ${i}`, permissions: [] })),
        );
        return ids.map(id => ['roles.makeDefault', { id }]);
      },
      count: records('role', "and (data ->> 'isDefault')::boolean"),
      most: 1,
    },
    webhooks: {
      calls: () => many(25, i => ['webhooks.create', { address: `https://example.com/${i}`, topics: ['subscription/paused'] }]),
      count: 'select count(*)::integer as n from webhooks where store_id = 1',
      most: 20,
    },
    'API tokens': {
      calls: () => many(30, i => ['api-keys.generate', { name: `Token ${i}`, type: 'ADMIN', scopes: { PRODUCTS: 'READ' } }]),
      count: "select count(*)::integer as n from api_tokens where store_id = 1 and status = 'ACTIVE'",
      most: 25,
    },
    'questions in an hour': {
      calls: () => many(14, i => ['help.ask', { subject: `Question ${i}`, message: 'How does it work, and where?' }]),
      count: records('help-request'),
      most: 10,
    },
    'saved views of a person': {
      calls: async () => {
        await server.services.db.ownerQuery(`insert into records (store_id, entity, position, data, updated_by) select 1, 'saved-view', n,
          jsonb_build_object('name', 'View ' || n, 'route', '/x', 'owner', 1001, 'ownerId', 1001), '' from generate_series(1, 198) n`);
        return many(6, i => ['saved-views.create', { name: `Mine ${i}`, route: 'subscriptions', query: '' }]);
      },
      count: records('saved-view'),
      most: 200,
    },
    'own charts of a person': {
      calls: async () => {
        await server.services.db.ownerQuery(`insert into records (store_id, entity, position, data, updated_by) select 1, 'custom-chart', n,
          jsonb_build_object('name', 'Chart ' || n, 'type', 'line', 'metrics', array['revenue'], 'ownerId', 1001), '' from generate_series(1, 98) n`);
        return many(6, i => ['custom-charts.create', { name: `Mine ${i}`, type: 'line', metrics: ['revenue'] }]);
      },
      count: records('custom-chart'),
      most: 100,
    },
    'people of a team': {
      calls: async () => {
        await server.services.db.ownerQuery(`insert into users (store_id, email, first_name, type)
          select 1, 'p' || n || '@example.com', 'P', 'MEMBER' from generate_series(1, 494) n`);
        return many(6, i => ['users.invite', { email: `new${i}@example.com`, firstName: 'New' }]);
      },
      count: 'select count(*)::integer as n from users where store_id = 1 and removed_at is null',
      most: 500,
    },
    'the owner of a store': {
      calls: () => many(2, i => ['users.updateType', { userId: [1002, 1003][i] as number, loopUserType: 'OWNER' }]),
      count: "select count(*)::integer as n from users where store_id = 1 and type = 'OWNER' and removed_at is null",
      most: 1,
    },
  };

  it.each(Object.keys(LIMITS))('%s', async what => {
    const { calls, count, most } = LIMITS[what] as Limit;
    const made = await calls();
    const token = await server.signIn('owner');
    const answers = await Promise.all(made.map(([name, input]) => server.call(name, input, { as: token })));
    const n = async () => (await server.services.db.ownerQuery<{ n: number }>(count)).rows[0]?.n;
    const statuses = answers.map(({ status }) => status);
    expect([what, await n(), statuses]).toEqual([what, most, statuses]);
    expect(answers.some(({ status }) => status < 300)).toBe(true);
    // The one who was late reads so; more than one way leads to the same end only where the last press counts.
    if (what !== 'the role for new people') expect(statuses.filter(status => status >= 400).length).toBeGreaterThan(0);
  });

  it('whatever counts to a limit is let in one at a time', () => {
    const { definitions, registry } = server.services;
    const open: string[] = [];
    for (const { kind, name, path } of moduleFiles()) {
      if (kind !== 'handlers') continue;
      const text = fs.readFileSync(path, 'utf8');
      // A number that was read from rows, beside a limit.
      if (!/rows\[0\][^\n]*(?:>=|<) (?:MOST|MAX)|\.length >= (?:MOST|MAX)/.test(text)) continue;
      const calls = Object.values(definitions.calls).filter(call => call.table === name);
      if (!/oneAtATime\(|lockSetting\(|pg_advisory_xact_lock/.test(text) && !calls.some(call => isOneAtATime(definitions, registry, call)))
        open.push(path);
    }
    expect(open).toEqual([]);
    for (const entity of [
      'webhook',
      'api-token',
      'role',
      'user',
      'quick-action',
      'script-tag',
      'store-language',
      'experiment',
      'shipping-profile',
    ])
      expect([entity, isOneAtATime(definitions, registry, { of: entity })]).toEqual([entity, true]);
  });
});
