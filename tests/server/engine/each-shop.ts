// A database for a file of engine tests, and in it a shop of its own for each test.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { openTestDatabase, type EngineKind, type TestDatabase } from '../../support/database.ts';
import { Shop } from './shop.ts';

/** Hands each test its shop, whose clock begins at `openedAt` (ISO). Closes the database after the last one. */
export function eachShop(engine: EngineKind, given: (shop: Shop) => void, openedAt = '2026-01-10T15:00:00Z'): { readonly db: Database } {
  let database: TestDatabase;
  let stores = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    given(await Shop.open(database.db, openedAt, { storeId: ++stores }));
  });
  return {
    get db() {
      return database.db;
    },
  };
}
