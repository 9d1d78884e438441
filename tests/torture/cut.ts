// Check 13: every writing call, each many times, over connections that break anywhere; repeated with its key it has one effect. The seed is printed.
// usage: npx tsx tests/torture/cut.ts [--per-call 200] [--seed N]; DATABASE_URL for PostgreSQL (a database of its own: it is filled with nonsense)
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/server/store/database.ts';
import { cutAndRetry } from '../support/cut.ts';
import { serve } from '../support/serve.ts';

const { values } = parseArgs({ options: { 'per-call': { type: 'string', default: '200' }, seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) } } });
const seed = Number(values.seed);
console.log(`cut: seed ${seed}, ${values['per-call']} writes per call`);
const url = process.env['DATABASE_URL'];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-cut-'));
const db = await openDatabase(url ? { database: { kind: 'postgres', url } } : { database: { kind: 'embedded' }, dataFolder: folder });
const server = await serve({ db, remove: async () => { await db.close(); fs.rmSync(folder, { recursive: true, force: true }); } }, { seed: { contracts: 200, stores: 2 }, jobs: true, config: { workers: 0 } });
try {
  const report = await cutAndRetry(server, { seed, perCall: Number(values['per-call']) });
  console.log(`cut: ${report.writes} writes, ${report.cuts} broken connections, ${report.failures.length} wrong`);
  for (const failure of report.failures.slice(0, 20)) console.log(failure);
  if (report.failures.length > 0) process.exitCode = 1;
} finally {
  await server.close();
}
