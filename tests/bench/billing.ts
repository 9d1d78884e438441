// The billing run: how many due subscriptions are charged in a second, by one worker on each engine and by two on PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/server/config.ts';
import { runDue, type RunResult } from '../../src/server/engine/run.ts';
import { seedStores } from '../../src/server/seed/seed.ts';
import { openServices, type Services } from '../../src/server/services.ts';
import { PostgresCluster } from '../support/postgres.ts';

/** Everything that falls due within the next month, billed at once at its end. */
async function bill(services: Services, workers: number, now: Date): Promise<{ charged: number; seconds: number }> {
  const from = performance.now();
  const results = await Promise.all(Array.from({ length: workers }, (): Promise<RunResult> => runDue(services, 1, { now })));
  const charged = results.reduce((sum, one) => sum + one.paid + one.failed, 0);
  return { charged, seconds: (performance.now() - from) / 1000 };
}

async function report(name: string, services: Services, size: number, workers: number): Promise<void> {
  await seedStores(services.db, { contracts: size, history: 'latest', areas: Object.keys(services.definitions.permissions) });
  const { charged, seconds } = await bill(services, workers, new Date(Date.now() + 30 * 86_400_000));
  const { rows: [doubled] } = await services.db.ownerQuery<{ n: number }>('select count(*) as n from (select order_id from billing_attempts where success group by order_id having count(*) > 1) x');
  console.log(`  ${name.padEnd(34)}${charged.toLocaleString('en').padStart(10)} charged in ${seconds.toFixed(1)} s: ${Math.round(charged / seconds).toLocaleString('en')} a second; charged twice: ${doubled!.n}`);
}

export async function billing(size = 10_000): Promise<void> {
  console.log('\nBilling run');
  for (const workers of [1, 2]) {
    const cluster = await PostgresCluster.create(['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=512MB']);
    const services = await openServices({ ...readConfig({ DATABASE_URL: cluster.url(), PERENNIAL_WORKERS: '0' }), port: 0 });
    try { await report(`PostgreSQL, ${workers === 1 ? 'one worker' : 'two workers'}`, services, size, workers); } finally { await services.close(); await cluster.remove(); }
  }
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  const services = await openServices({ ...readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0' }), port: 0 });
  try { await report('embedded, one worker', services, size, 1); } finally { await services.close(); rmSync(folder, { recursive: true, force: true }); }
}

if (process.argv[1]?.endsWith('billing.ts')) await billing(Number(process.argv[2] ?? 10_000));
