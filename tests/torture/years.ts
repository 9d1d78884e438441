// Decades of random subscriptions: `tsx tests/torture/years.ts [contracts] [first seed]`. Stops at the first book that is wrong, with its seed.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/server/store/database.ts';
import { simulateYears } from '../server/engine/years.ts';

const PER_STORE = 100;
const wanted = Number(process.argv[2] ?? 2000);
const first = Number(process.argv[3] ?? Math.floor(Math.random() * 1_000_000_000));
const url = process.env['DATABASE_URL'];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-years-'));
const db = await openDatabase(url ? { database: { kind: 'postgres', url } } : { database: { kind: 'embedded' }, dataFolder: folder });
console.log(`years: ${wanted} contracts over ten years each, on ${db.kind}, first seed ${first}`);
try {
  for (let done = 0, storeId = 1; done < wanted; done += PER_STORE, storeId++) {
    await simulateYears(db, { seed: first + storeId - 1, storeId, contracts: PER_STORE, years: 10, progress: line => console.log(line) });
  }
  console.log('years: no order was charged twice, none lost, no date ran backwards, every total adds up.');
} finally {
  await db.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
