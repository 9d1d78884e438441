// Lists write their rows as JSON at once: byte by byte the same as the records that reads, writes and handlers make of a row.
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inJson } from '../../../../src/server/platform/db/json-rows.ts';
import { readingOf, recordText } from '../../../../src/server/platform/records/list/row-serializer.ts';
import { toRecord, type EntityMapping } from '../../../../src/server/platform/records/entity-mapping.ts';
import { oneEngine } from '../../../support/database.ts';
import { randomFrom, type Random } from '../../../support/random.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const TEXTS = [
  '',
  'Ann Lee',
  'say "hi"',
  'back\\slash',
  '\u0001\u0008\t\n\u000b\f\r\u001f',
  '\u007f\u0080\u009f',
  'a\u2028b\u2029c',
  '😀 👩‍👩‍👧',
  'é e\u0301 ø ﷽',
  '\uffff\ufeff',
  '</script>',
  'null',
  '{}',
  '[1]',
  '0',
  'x'.repeat(5000),
];
const WHOLES = ['0', '1', '-1', '42', '999999999999999', '1000000000000000', '-9007199254740991', '9007199254740991'];
const INSTANTS = [
  '2026-11-22 14:39:24.123456+00',
  '2026-11-22 14:39:24.1+00',
  '2026-11-22 14:39:24+00',
  '2026-02-28 23:59:59.999999+00',
  '1969-12-31 23:59:59.999+00',
  '1970-01-01 00:00:00+00',
  '0001-01-01 00:00:00+00',
  '0099-12-31 23:59:59.5+00',
  '9999-12-31 23:59:59.999999+00',
  '12026-01-01 00:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  '2026-03-29 02:30:00+02',
  'infinity',
  '-infinity',
];
const JSONS = ['null', 'true', '-0', '1e3', '12.50', '"a\\u2028\\"b"', '[]', '{}', '{"b": [1, 2.50, null, {"": "é😀"}], "a": "\\n"}'];
/** By the types of the columns, as PostgreSQL calls them. */
const VALUES: Record<string, readonly string[]> = {
  text: TEXTS,
  bigint: WHOLES,
  integer: ['0', '7', '-2147483648', '2147483647'],
  smallint: ['0', '-32768', '32767'],
  boolean: ['true', 'false'],
  numeric: ['0', '12.50', '-0.000001', '100000000000000000000000', 'NaN'],
  'double precision': ['0', '0.1', '1e21', 'NaN', 'Infinity'],
  real: ['0.5'],
  'timestamp with time zone': INSTANTS,
  'timestamp without time zone': ['2026-11-22 14:39:24.123'],
  date: ['2026-11-22', '0001-01-01', '12026-01-01', 'infinity'],
  'time without time zone': ['09:30:00'],
  jsonb: JSONS,
  'text[]': ['{}', '{a}', '{"b,c","d\\"e",NULL,"","😀","\u2028"}', '{{a},{b}}'],
  bytea: ['\\x00ff'],
  uuid: ['11111111-2222-3333-4444-555555555555'],
  inet: ['10.0.0.1'],
  'bigint[]': ['{}', '{1}', '{1,-2,9007199254740991}', '{NULL,3}', '{{1},{2}}'],
  'integer[]': ['{}', '{7,1}', '{NULL}', '{{1,2},{3,4}}'],
  'smallint[]': ['{}', '{7,1}'],
};

describe.each(oneEngine)('rows of lists as JSON (%s)', engine => {
  let server: TestServer;
  let types: Map<string, string>;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 120, stores: 1 } });
    const { rows } = await server.services.db.ownerQuery<{
      name: string;
      type: string;
    }>(`select c.relname || '.' || a.attname as name, format_type(a.atttypid, null) as type
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and a.attnum > 0 and not a.attisdropped`);
    types = new Map(rows.map(({ name, type }) => [name, type]));
  });
  afterAll(() => server?.close());

  /** A document with some of the members that the entity has, whatever they are for. */
  const documentOf = (shape: EntityMapping, random: Random): string =>
    `{${shape.all
      .filter(field => field.inDocument && random.chance(0.7))
      .map(field => `${JSON.stringify(field.name)}: ${random.pick(JSONS)}`)
      .join(', ')}}`;
  /** The entity's table with one row that it might not let in. */
  const tableOf = (shape: EntityMapping, random: Random): RawBuilder<unknown> =>
    sql.join(
      [...types]
        .filter(([name]) => name.startsWith(`${shape.table}.`))
        .map(([name, type]) => {
          const column = name.slice(shape.table.length + 1);
          const values = VALUES[type];
          if (!values) throw new Error(`Name values for columns of the type ${type}, which ${name} has.`);
          const value =
            column === 'currency_code'
              ? random.pick(['USD', 'JPY', 'KWD'])
              : shape.isDocument && column === 'data'
                ? documentOf(shape, random)
                : random.chance(0.2)
                  ? null
                  : random.pick(values);
          return sql`${value}::${sql.raw(type)} as ${sql.ref(column)}`;
        }),
    );

  it('writes any row of any entity as JSON.stringify writes its record', async () => {
    const { db, definitions } = server.services;
    const random = randomFrom(20_261_122);
    const compared: string[] = [];
    for (const [entity, schema] of Object.entries(definitions.entities)) {
      if (!schema['x-record']) continue;
      const shape = server.services.shape(entity);
      if (shape.key.inDocument) continue; // a part of other documents, without rows of its own
      const reading = readingOf(shape, () => true);
      for (let round = 0; round < 40; round++) {
        const table = sql`(select ${tableOf(shape, random)}) as r`;
        const [
          {
            rows: [row],
          },
          {
            rows: [json],
          },
        ] = await db.asOwner(trx =>
          Promise.all([
            sql<Record<string, unknown>>`select r.* from ${table}`.execute(trx),
            inJson(sql`select null, null, ${reading.columns} from ${table}`).execute(trx),
          ]),
        );
        expect(recordText(reading, json!, 'EUR'), `${entity}, round ${round}`).toBe(JSON.stringify(toRecord(shape, row!, 'EUR')));
      }
      compared.push(entity);
    }
    expect(compared).toEqual(expect.arrayContaining(['subscription', 'customer', 'product', 'order', 'saved-view', 'selling-plan-group']));
  });

  it('refuses numbers that JSON would change, as rows that are parsed do', async () => {
    const { db } = server.services;
    for (const value of ['9007199254740993', '-9007199254740993']) {
      await expect(db.asOwner(trx => inJson(sql`select ${value}::bigint`).execute(trx))).rejects.toThrow('too large');
      await expect(db.asOwner(trx => inJson(sql`select array[1, ${value}::bigint]`).execute(trx))).rejects.toThrow('too large');
    }
  });

  it('answers a list in the envelope that it had, with what stands beside the list', async () => {
    const { db } = server.services;
    const odd = TEXTS.filter(text => text !== '' && text.length < 200);
    await db.inStore(1, async trx => {
      for (const [i, name] of odd.entries())
        await sql`update customers set first_name = ${name} where id = (select id from customers order by id desc offset ${i} limit 1)`.execute(
          trx,
        );
    });
    const { body, data } = await server.call('customers.list', { pageSize: 50 });
    expect(Object.keys(body)).toEqual(['success', 'message', 'code', 'data', 'pageInfo']);
    const names = (data as { firstName: string }[]).map(customer => customer.firstName);
    for (const name of odd) expect(names).toContain(name);
  });

  it('carries what lists have of a record, and the whole record where one is read', async () => {
    const { listFields: row = [] } = server.services.definitions.entities.subscription?.['x-record'] ?? {};
    const {
      data: [first],
    } = await server.call('subscription-contract.list', { pageSize: 1 });
    expect(Object.keys(first as object).sort()).toEqual(['id', 'version', 'imageUrl', ...row].sort());
    const { data: record } = await server.call('subscription-contract.read', { id: first.id });
    for (const name of [...row, 'note', 'billingInterval', 'pausedAt', 'deliveryPrice'])
      expect(Object.keys(record as object)).toContain(name);
    for (const name of row) expect([name, record[name]]).toEqual([name, first[name]]);
  });
});
