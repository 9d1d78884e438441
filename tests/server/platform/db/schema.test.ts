// The product's own schema, on both engines: every table that has a store hides the rows of other stores.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../../support/database.ts';

/** A value of a type, different for each store. */
const value = (type: string, store: number): string =>
  ({
    integer: `${store}`,
    bigint: `${store}`,
    smallint: `${store}`,
    numeric: `${store}`,
    boolean: 'true',
    text: `'x${store}'`,
    bytea: `'\\x0${store}'`,
    jsonb: `'{"store": ${store}}'`,
    date: "'2024-01-01'",
    'timestamp with time zone': "'2024-01-01Z'",
  })[type] ?? `'{}'::${type}`;

describe.each(engines)('the schema on %s', kind => {
  let test: TestDatabase;
  let db: Database;
  let tables: {
    name: string;
    secured: boolean;
    policies: number;
    columns: { name: string; type: string; required: boolean; generated: boolean }[];
  }[];
  beforeAll(async () => {
    test = await openTestDatabase(kind);
    ({ db } = test);
    tables = (
      await db.ownerQuery<(typeof tables)[number]>(`
      SELECT c.relname AS name, c.relrowsecurity AS secured, (SELECT count(*) FROM pg_policy WHERE polrelid = c.oid) AS policies,
        jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'required', a.attnotnull,
          'generated', a.atthasdef OR a.attidentity <> '') ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.oid ORDER BY 1`)
    ).rows;
  });
  afterAll(() => test.remove());
  const ofStores = () => tables.filter(({ columns }) => columns.some(({ name }) => name === 'store_id'));

  it('secures every table that has a store', () => {
    expect(ofStores().length).toBeGreaterThan(20);
    expect(
      ofStores()
        .filter(({ secured, policies }) => !secured || policies === 0)
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('shows a store its own rows only, whatever is asked, in every table', async () => {
    // One row of each of two stores in every table; what refers to other tables or is checked is switched off for the filling.
    await db.asOwner(async trx => {
      const { rows: checks } = await sql<{ drop: string }>`
        SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f') ORDER BY contype DESC`.execute(trx);
      for (const { drop } of checks) await sql.raw(drop).execute(trx);
      for (const store of [1, 2]) {
        for (const { name, columns } of ofStores()) {
          const given = columns.filter(column => column.name === 'store_id' || (column.required && !column.generated));
          await sql
            .raw(
              `INSERT INTO ${name} (${given.map(column => `"${column.name}"`).join(', ')}) VALUES (${given.map(column => (column.name === 'store_id' ? store : value(column.type, store))).join(', ')})`,
            )
            .execute(trx);
        }
      }
    });
    for (const { name } of ofStores()) {
      const seen = async (store: number) =>
        (
          await db.inStore(store, trx => sql<{ store_id: number }>`SELECT * FROM ${sql.table(name)}`.execute(trx), { readOnly: true })
        ).rows.map(row => row.store_id);
      expect(new Set(await seen(1)), name).toEqual(new Set([1]));
      expect(new Set(await seen(2)), name).toEqual(new Set([2]));
      expect(await seen(3), name).toEqual([]);
      // A change without a filter touches no foreign row: either it is not granted, or it touches its own rows only.
      await db
        .inStore(1, trx => sql`DELETE FROM ${sql.table(name)}`.execute(trx))
        .catch((error: { code?: string }) => expect(error.code, name).toBe('42501'));
      expect(await seen(2), name).not.toEqual([]);
    }
  });

  it('shows a store only itself in the list of stores', async () => {
    const ids = await db.asOwner(async trx =>
      (
        await sql<{ id: number }>`
      INSERT INTO stores (myshopify_domain, name, email) VALUES ('a.myshopify.example', 'A', 'a@mail.example'), ('b.myshopify.example', 'B', 'b@mail.example') RETURNING id`.execute(
          trx,
        )
      ).rows.map(({ id }) => id),
    );
    for (const id of ids) expect((await db.inStore(id, trx => sql`SELECT id FROM stores`.execute(trx))).rows).toEqual([{ id }]);
  });

  it('gives the role for calls no table that has no store, but the ones for signing in and the list of stores', () => {
    // event_epoch is one number for the whole database; the role may ask for it by a function, and has no right to the table.
    expect(tables.filter(({ columns }) => !columns.some(({ name }) => name === 'store_id')).map(({ name }) => name)).toEqual([
      'event_epoch',
      'login_attempts',
      'perennial_migrations',
      'stores',
    ]);
  });
});
