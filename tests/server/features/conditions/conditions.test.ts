// Conditions on subscriptions: the evaluator of one and the SQL of many say the same; the list, bulk selections and the count take them; a
// condition more is one entry.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConditionKind, ConditionRow, ConditionSet } from '../../../../src/contract/conditions.ts';
import { optionsOf } from '../../../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../../src/contract/types.ts';
import { meetsAll } from '../../../../src/domain/conditions/evaluate.ts';
import { CONDITION_FACTS, TAG_FACTS, type FactValue } from '../../../../src/domain/conditions/facts.ts';
import { askedOf, conditionSql, factScope, factsOfContract } from '../../../../src/server/platform/records/conditions/compile.ts';
import { listRecords } from '../../../../src/server/platform/records/list/list.ts';
import type { RuleContext } from '../../../../src/server/platform/records/rules.ts';
import { oneEngine } from '../../../support/database.ts';
import { definitionsWith } from '../../../support/definitions.ts';
import { planSeed } from '../../../support/seed.ts';
import { readerOf } from '../../../support/readers.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const OWN = {
  'schemas/conditions/own.json': {
    $schema: '../meta/conditions.json',
    title: 'Own',
    conditions: {
      SUPPLIER: {
        title: 'Supplier',
        kind: 'choice',
        fact: 'attribute:supplier',
        in: ['list', 'flow'],
        value: {
          type: 'string',
          oneOf: [
            { const: 'local', title: 'Local' },
            { const: 'abroad', title: 'Abroad' },
          ],
        },
      },
    },
  },
};

/** Some values that a condition can be compared with: those that contracts have, and others. */
const pool = (kind: ConditionKind, held: readonly FactValue[]): JsonValue[] => {
  const options = optionsOf(kind.value).map(option => option.value as JsonValue);
  if (options.length) return options;
  if (kind.value.format === 'money')
    return held.flatMap(one => (typeof one === 'number' ? [(one / 100).toFixed(2)] : [])).concat('0', '31.50');
  if (kind.value.type === 'integer')
    return held.flatMap(one => (Array.isArray(one) ? (one as number[]) : typeof one === 'number' ? [one] : [])).concat(1, 2, 7);
  return held.flatMap(one => (Array.isArray(one) ? (one as string[]) : typeof one === 'string' ? [one] : [])).concat('unknown');
};

describe.each(oneEngine)('conditions on %s', engine => {
  let server: TestServer;
  let ids: number[];
  const facts = new Map<number, Record<string, FactValue>>();
  const query = (text: string): Promise<unknown> => server.services.db.ownerQuery(text);
  const catalogue = (): Record<string, ConditionKind> => server.services.definitions.conditions;
  const reading = <T>(read: (context: RuleContext) => Promise<T>): Promise<T> =>
    server.services.db.inStore(1, async trx => {
      const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
      return read(readerOf(server.services, trx, store));
    });
  const names = [...Object.keys(CONDITION_FACTS), 'attribute:supplier'];

  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 60, stores: 2 }, services: { definitions: definitionsWith(OWN) } });
    await query('update stores set details = coalesce(details, \'{}\') || \'{"usdRates": {"EUR": 1.1, "JPY": 0.0067}}\' where id = 1');
    server.services.sessions.forget(1);
    await query(`update contracts set currency_code = (array['USD', 'EUR', 'JPY'])[1 + id % 3],
      tags = case when id % 4 = 0 then '{vip,local}' when id % 4 = 1 then '{VIP}' when id % 8 = 2 then '{ÉLITE}' else '{}' end::text[],
      custom_attributes = case id % 3 when 0 then '[{"key": "supplier", "value": "local"}]' when 1 then '[{"key": "supplier", "value": "abroad"}]' else '[]' end::jsonb,
      product_ids = case when id % 5 = 0 then '{}' else product_ids end where store_id = 1`);
    await query("update customers set tags = case when id % 2 = 0 then '{gold}' else '{}' end::text[] where store_id = 1");
    await reading(async context => {
      ids = (await listRecords(context, context.shape('subscription'), { size: 250 })).records.map(row => Number(row.id));
      const scope = await factScope(context, names);
      for (const id of ids) facts.set(id, (await factsOfContract(context.trx, id, names, scope)) ?? {});
    });
  });
  afterAll(() => server?.close());

  const matching = (set: ConditionSet): Promise<number[]> =>
    reading(async context => {
      const where = await conditionSql(context, set as unknown as JsonObject, catalogue());
      const { records } = await listRecords(context, context.shape('subscription'), { size: 250, ...(where ? { where: [where] } : {}) });
      return records.map(row => Number(row.id)).sort((a, b) => a - b);
    });

  it('the evaluator and the SQL say the same of every subscription, whatever is asked', async () => {
    const row = (kind: ConditionKind): fc.Arbitrary<ConditionRow> => {
      const values = pool(
        kind,
        [...facts.values()].map(one => one[kind.fact] ?? null),
      );
      const one = fc.constantFrom(...values);
      return fc.constantFrom(...kind.operators).chain(({ name, takes }) => {
        const value: fc.Arbitrary<JsonValue> =
          takes === 'one'
            ? one.map(given => (name === 'EVERY_NTH' && given === 0 ? 1 : given))
            : takes === 'two'
              ? fc.tuple(one, one).map(pair => [...pair].sort((a, b) => Number(a) - Number(b)))
              : fc.uniqueArray(one, { minLength: 1, maxLength: 3 });
        return value.map(given => ({ conditionKey: kind.key, operator: name, value: given }));
      });
    };
    const sets: fc.Arbitrary<ConditionSet> = fc.record({
      match: fc.constantFrom('ALL', 'ANY'),
      rows: fc.array(fc.constantFrom(...Object.values(catalogue())).chain(row), { maxLength: 4 }),
    });
    let some = 0;
    await fc.assert(
      fc.asyncProperty(sets, async set => {
        const asked = askedOf(set, catalogue(), 'USD');
        const wanted = ids.filter(id => meetsAll(facts.get(id) ?? {}, asked)).sort((a, b) => a - b);
        if (wanted.length > 0 && wanted.length < ids.length) some++;
        expect(await matching(set)).toEqual(wanted);
      }),
      { numRuns: 150, seed: planSeed() },
    );
    // Sets that divide the subscriptions are what the comparison is about.
    expect(some).toBeGreaterThan(40);
  });

  it('a tag is found however it is written: in another case or composition, with other spaces', async () => {
    const kinds = Object.values(catalogue()).filter(kind => TAG_FACTS.has(kind.fact));
    expect(kinds.map(kind => kind.fact)).toEqual(expect.arrayContaining(['tags', 'customerTags']));
    for (const kind of kinds)
      for (const tag of new Set(ids.flatMap(id => [facts.get(id)?.[kind.fact] ?? []].flat().map(String)))) {
        const operator = kind.operators.find(({ name }) => ['ANY_OF', 'PRESENT', 'IN'].includes(name))?.name ?? '';
        const by = (value: string) => matching({ match: 'ALL', rows: [{ conditionKey: kind.key, operator, value: [value] }] });
        const found = await by(tag);
        expect(found.length, `${kind.key} ${tag}`).toBeGreaterThan(0);
        for (const other of [tag.toUpperCase(), `${tag}\u00a0`, tag.normalize('NFD')])
          expect(await by(other), `${kind.key} ${other}`).toEqual(found);
      }
  });

  it('a condition more is one entry: it works in the list, in a bulk selection and with its count', async () => {
    const conditions = { match: 'ALL', rows: [{ conditionKey: 'SUPPLIER', operator: 'IN', value: ['local'] }] };
    const wanted = ids.filter(id => facts.get(id)?.['attribute:supplier'] === 'local').sort((a, b) => a - b);
    expect(wanted.length).toBeGreaterThan(5);
    const listed = await server.call('subscription-contract.list', { pageSize: 250, filter: { conditions } });
    expect((listed.data as { id: number }[]).map(row => row.id).sort((a, b) => a - b)).toEqual(wanted);
    expect(listed.body.pageInfo?.total).toBe(wanted.length);
    const chosen = await server.call('bulk-actions.entityCount', { selection: { mode: 'FILTER', filter: { conditions } } });
    expect(JSON.stringify(chosen.data)).toContain(`${wanted.length}`);
    const bulk = await server.call('bulk-actions.create', {
      actionKey: 'UPDATE_TAGS',
      selection: { mode: 'FILTER', filter: { conditions, status: ['ACTIVE'] } },
      input: { tags: ['from-near'] },
    });
    const active = wanted.filter(id => facts.get(id)?.status === 'ACTIVE').length;
    expect(bulk.data ?? bulk.body).toMatchObject({ total: active });
    expect((await server.call('conditions.count', { conditions })).data).toEqual({
      count: wanted.length,
      isAbout: false,
      total: ids.length,
    });
    // No conditions reach another store's subscriptions.
    const other = await server.call('conditions.count', { conditions }, { as: await server.signIn('owner', 2) });
    expect(other.data).toMatchObject({ count: 0 });
  });

  it.each([
    [
      { conditionKey: 'SUPLIER', operator: 'IN', value: ['local'] },
      '/conditionKey',
      'There is no condition “SUPLIER” here. Choose one from the list.',
    ],
    [{ conditionKey: 'SUPPLIER', operator: 'GT', value: ['local'] }, '/operator', 'Choose one of: is one of, is none of.'],
    [{ conditionKey: 'SUPPLIER', operator: 'IN', value: ['near'] }, '/value/0', 'Choose one from the list.'],
    [{ conditionKey: 'SUBSCRIPTION_ORDERS', operator: 'BETWEEN', value: [5, 2] }, '/value/1', 'Enter more than the first value.'],
    [{ conditionKey: 'SUBSCRIPTION_ORDERS', operator: 'GTE', value: -1 }, '/value', 'Enter between 0 and 10,000 orders.'],
    [{ conditionKey: 'SUBSCRIPTION_VALUE', operator: 'GTE', value: 'ten' }, '/value', 'Enter an amount, such as "25.00".'],
    [{ conditionKey: 'PRODUCT', operator: 'ANY_OF', value: [] }, '/value', 'Enter a value.'],
    [
      { conditionKey: 'ORDER_NUMBER', operator: 'EQ', value: 3 },
      '/conditionKey',
      'There is no condition “ORDER_NUMBER” here. Choose one from the list.',
    ],
  ])('%j is refused at its place', async (row, at, message) => {
    const { status, body } = await server.call('subscription-contract.list', { filter: { conditions: { match: 'ALL', rows: [row] } } });
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer: `/filter/conditions/rows/0${at}`, message })]]);
  });

  it('no condition asks about what its author may not read: not in the list, a bulk selection or a count', async () => {
    const conditions = { match: 'ALL', rows: [{ conditionKey: 'SUPPLIER', operator: 'IN', value: ['local'] }] };
    const token = await server.signIn('readOnly');
    const open = { bulkActions: 'WRITE', orderNotesAndAttributes: 'NO_ACCESS' };
    const asked = async (rights: JsonObject): Promise<unknown[]> => {
      await server.services.db.ownerQuery('update users set permissions = $1 where store_id = 1 and id = 1004', [JSON.stringify(rights)]);
      server.services.sessions.forget(1);
      const answers = [
        await server.call('subscription-contract.list', { filter: { conditions } }, { as: token }),
        await server.call('bulk-actions.entityCount', { selection: { mode: 'FILTER', filter: { conditions } } }, { as: token }),
        await server.call('conditions.count', { conditions }, { as: token }),
      ];
      return answers.map(({ status, body }) => [status, body.errors?.[0]?.pointer]);
    };
    expect(await asked(open)).toEqual([
      [422, '/filter/conditions/rows/0/conditionKey'],
      [422, '/filter/conditions/rows/0/conditionKey'],
      [422, '/conditions/rows/0/conditionKey'],
    ]);
    expect(await asked({ ...open, orderNotesAndAttributes: 'READ' })).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
    ]);
  });

  it('of many subscriptions a sample tells about how many match', async () => {
    const { rows } = await server.services.db.ownerQuery<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns where table_name = 'contracts'
       and column_name not in ('id', 'shopify_id') and is_generated = 'NEVER'`,
    );
    const columns = rows[0]?.columns ?? '';
    await query(`insert into contracts (id, shopify_id, ${columns}) select 500000 + n, 990000000 + n, ${columns} from contracts,
      generate_series(1, 21000) n where store_id = 1 and id = ${ids[0] ?? 0}`);
    await query("update contracts set country_code = case when id % 4 = 0 then 'SE' else 'US' end where store_id = 1 and id > 500000");
    const { data } = await server.call('conditions.count', {
      conditions: { match: 'ALL', rows: [{ conditionKey: 'SHIPPING_COUNTRY', operator: 'IN', value: ['SE'] }] },
    });
    const { count, isAbout } = data as { count: number; isAbout: boolean };
    expect(isAbout).toBe(true);
    expect(count).toBeGreaterThan(4700);
    expect(count).toBeLessThan(5800);
  });
});
