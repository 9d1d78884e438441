// The demo store that the build leaves beside the server, and when a start takes it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findReadyMade, makeReadyMade } from '../../../../src/server/features/demo/ready-made.ts';
import { seedStores } from '../../../../src/server/features/demo/seed.ts';
import { openDatabase, type Database } from '../../../../src/server/platform/db/database.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 5, 1, 12);
const AREAS = ['subscriptionDetails', 'sellingPlans'];

describe('the ready-made demo store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-test-'));
  let file = '';
  beforeAll(async () => {
    file = await makeReadyMade({ folder, areas: AREAS, contracts: 40, seed: 3, now: NOW });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const config = { demo: true, demoSize: 40, seed: 3 };
  const opened = async <T>(begin: string | undefined, work: (db: Database) => Promise<T>): Promise<T> => {
    const data = mkdtempSync(join(tmpdir(), 'perennial-test-'));
    const db = await openDatabase({ database: { kind: 'embedded' }, dataFolder: data, upkeep: false, begin });
    try {
      return await work(db);
    } finally {
      await db.close();
      rmSync(data, { recursive: true, force: true });
    }
  };
  /** Everything that a person would see of the subscriptions, their orders and events. */
  const content = async (db: Database): Promise<unknown> =>
    (
      await db.ownerQuery(`select (select count(*)::int from stores) as stores, (select count(*)::int from orders) as orders, (select count(*)::int from events) as events,
    (select json_agg(json_build_array(id, status, next_billing_at, total) order by id) from contracts) as contracts`)
    ).rows;

  test('holds what seeding the same store on the same day writes', async () => {
    const seeded = await opened(undefined, async db => {
      await seedStores(db, { contracts: 40, seed: 3, areas: AREAS, now: NOW });
      return content(db);
    });
    expect(await opened(file, content)).toEqual(seeded);
  });

  test('goes on with new numbers and survives being closed and opened', async () => {
    const data = mkdtempSync(join(tmpdir(), 'perennial-test-'));
    const open = (begin?: string): Promise<Database> =>
      openDatabase({ database: { kind: 'embedded' }, dataFolder: data, upkeep: false, begin });
    try {
      let db = await open(file);
      const before = await db.ownerQuery<{ id: number }>('select max(id)::int as id from customers');
      await db.ownerQuery(
        "insert into customers (store_id, shopify_id, email, first_name, last_name, portal_token, search, created_at, updated_at) values (1, 77, 'new@example.com', 'New', 'One', repeat('a', 32), 'new', now(), now())",
      );
      await db.close();
      db = await open();
      const after = await db.ownerQuery<{ id: number }>('select max(id)::int as id from customers');
      await db.close();
      expect(after.rows[0]!.id).toBeGreaterThan(before.rows[0]!.id);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });

  test('is taken on its day only, for the very store that is wanted', () => {
    expect(findReadyMade(config, folder, NOW)).toBe(file);
    expect(findReadyMade(config, folder, NOW + 11 * HOUR)).toBe(file);
    expect(findReadyMade(config, folder, NOW + 12 * HOUR)).toBeUndefined();
    expect(findReadyMade(config, folder, NOW - HOUR)).toBeUndefined();
    for (const other of [{ demo: false }, { demoSize: 41 }, { demoSize: 4 }, { seed: 4 }])
      expect(findReadyMade({ ...config, ...other }, folder, NOW), JSON.stringify(other)).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
