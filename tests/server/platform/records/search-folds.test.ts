// Searches find letters with and without accents alike, in every list that is searched; the database folds as the code does.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fold, holdsWords } from '../../../../src/domain/text/fold.ts';
import { conditionsOf, searchWords } from '../../../../src/server/platform/records/list/filter.ts';
import { engines } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const NAMES = ['José Groß Núñez', 'JOSÉ GROSS NÚÑEZ', 'Jose\u0301 Groß Nu\u0301n\u0303ez', 'jose gross nunez'];

describe.each(engines)('accents in searches (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 12, stores: 1 } });
  });
  afterAll(() => server?.close());

  it('every list compares what is searched and what was typed folded', async () => {
    const { services } = server;
    const searched = Object.keys(services.definitions.entities)
      .map(name => services.shape(name))
      .filter(shape => shape.hints.search?.length);
    expect(searched.length).toBeGreaterThan(40);
    const wrong: string[] = [];
    for (const shape of searched) {
      // One row with the name in all that is searched: in the folded column where there is one, else in the fields.
      const fields = shape.hints.search!.map(name => shape.fields.get(name)).filter(field => field !== undefined);
      for (const stored of NAMES)
        for (const typed of NAMES) {
          const columns = [...new Set(fields.map(field => (field.inDocument ? 'data' : field.column)))];
          const data = JSON.stringify(Object.fromEntries(fields.map(field => [field.name, stored])));
          const values = columns.map(column =>
            column === 'data' ? sql`${data}::jsonb as data` : sql`${stored}::text as ${sql.ref(column)}`,
          );
          const row =
            shape.has('search') && !shape.isDocument ? sql`select folded(${stored}::text) as search` : sql`select ${sql.join(values)}`;
          const { late } = conditionsOf(shape, undefined, typed, 'USD');
          const { rows } = await services.db.inStore(1, trx =>
            sql<{ found: boolean }>`select ${sql.join(late, sql` and `)} as found from (${row}) r`.execute(trx),
          );
          if (late.length === 0 || rows[0]?.found !== true) wrong.push(`${shape.entity}: ${typed} in ${stored}`);
        }
    }
    expect(wrong).toEqual([]);
  });

  it('every table with a column of searched words has it folded, whichever code writes it', async () => {
    const { db } = server.services;
    const tables = (
      await db.ownerQuery<{ name: string; made: string }>(
        `select c.table_name as name, c.is_generated as made from information_schema.columns c join information_schema.tables t
          on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
          where c.table_schema = 'public' and c.column_name = 'search' order by 1`,
        [],
      )
    ).rows;
    expect(tables.map(table => table.name)).toEqual(expect.arrayContaining(['contracts', 'customers', 'gifts', 'products']));
    for (const { name, made } of tables) {
      if (made === 'ALWAYS') {
        const [{ rule }] = (
          await db.ownerQuery<{ rule: string }>(
            `select pg_get_expr(d.adbin, d.adrelid) as rule from pg_attrdef d
              join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
              where d.adrelid = $1::regclass and a.attname = 'search'`,
            [name],
          )
        ).rows as [{ rule: string }];
        expect(rule).toMatch(/^folded\(/);
      } else {
        await db.ownerQuery(`update ${name} set search = $1`, ['Dr. José Groß']);
        const { rows } = await db.ownerQuery<{ search: string }>(`select distinct search from ${name}`, []);
        expect([name, rows]).toEqual([name, [{ search: 'dr. jose gross' }]]);
      }
    }
  });

  it('finds by the index of trigrams', async () => {
    const { db } = server.services;
    const { parts, starts } = searchWords('Núñez');
    expect([parts, starts]).toEqual([['nunez'], []]);
    // Where a whole table fits one page the planner reads it: it is asked for the way by the index.
    await db.exec(`create function way_of(question text) returns setof text language plpgsql set enable_seqscan = off as $$
      begin return query execute 'explain ' || question; end $$`);
    for (const table of ['contracts', 'customers', 'products', 'gifts']) {
      const { rows } = await db.ownerQuery<{ line: string }>(
        `select line from way_of('select id from ${table} where true' || search_clause($1::text[], $2::text[])) line`,
        [parts, starts],
      );
      expect(rows.map(row => row.line).join('\n')).toContain(`${table}_search`);
    }
  });

  it('the database folds each letter as the code does', async () => {
    const letters: string[] = [];
    for (const [from, to] of [
      [0xa0, 0x590],
      [0xe00, 0xe7f],
      [0x900, 0x97f],
      [0x1e00, 0x2000],
      [0xff01, 0xff5f],
      [0xac00, 0xac40],
    ] as const)
      for (let code = from; code < to; code++)
        if (/\p{Assigned}/u.test(String.fromCodePoint(code))) letters.push(String.fromCodePoint(code));
    const { rows } = await server.services.db.ownerQuery<{ letter: string; folded: string }>(
      'select letter, folded(letter) as folded from unnest($1::text[]) letter',
      [letters],
    );
    expect(rows.filter(row => row.folded !== fold(row.letter)).map(row => [row.letter, row.folded, fold(row.letter)])).toEqual([]);
  });
});

describe('words in lists that are narrowed without the database', () => {
  it('find letters with and without accents alike', () => {
    for (const text of NAMES) for (const typed of NAMES) expect(holdsWords(typed, text)).toBe(true);
    expect(holdsWords('ΟΔΟΣ', 'οδός')).toBe(true);
    expect(holdsWords('', 'x')).toBe(true);
    expect(holdsWords('nunes', ...NAMES)).toBe(false);
  });
});
