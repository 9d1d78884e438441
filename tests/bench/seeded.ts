// A PostgreSQL with many subscriptions in 50 stores (the first holds 30 percent), made once and kept in a folder when one is named.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/server/platform/config.ts';
import { seedStores, type SeedOptions } from '../../src/server/features/demo/seed.ts';
import { openServices, type Services } from '../../src/server/platform/services.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { manyTimes } from './many-times.ts';

export interface SeededOptions {
  contracts: number;
  /** A folder to keep the database in; without one it is removed at the end. */
  keep?: string | undefined;
  /** `latest` writes one order and two events of each subscription, `whole` all of them. */
  history?: SeedOptions['history'];
  /** The subscriptions are written once for so many of them, and copied by SQL: a large database in minutes. */
  times?: number;
}

/** Runs `work` over the seeded database. @throws Error when the folder holds another number of subscriptions, or another length of history */
export async function withSeeded<T>(
  { contracts, keep, history = 'latest', times = 1 }: SeededOptions,
  work: (services: Services, url: string) => Promise<T>,
): Promise<T> {
  const marker = keep === undefined ? undefined : join(keep, 'seeded.json');
  const isSeeded = marker !== undefined && existsSync(marker);
  if (isSeeded) {
    const there = JSON.parse(readFileSync(marker, 'utf8')) as { contracts: number; history?: string };
    if (there.contracts !== contracts || (there.history ?? 'latest') !== history)
      throw new Error(
        `${keep} holds ${there.contracts} subscriptions with their ${there.history ?? 'latest'} history, not ${contracts} with the ${history} one. Choose another folder.`,
      );
  } else if (keep !== undefined) rmSync(keep, { recursive: true, force: true });
  const cluster = await PostgresCluster.create(['shared_buffers=2GB', 'work_mem=32MB', 'random_page_cost=1.1', 'max_wal_size=8GB'], keep);
  const config = { ...readConfig({ DATABASE_URL: cluster.url(), PERENNIAL_WORKERS: '0' }), port: 0 };
  let services: Services | undefined;
  try {
    services = await openServices(config);
    if (!isSeeded) {
      const from = performance.now();
      let said = 0;
      await seedStores(services.db, {
        contracts: Math.round(contracts / times),
        stores: 50,
        history,
        areas: Object.keys(services.definitions.permissions),
        progress: (done, total) => {
          if (done - said < 50_000) return;
          said = done;
          console.log(`  seeded ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
        },
      });
      await manyTimes(services, times, text => console.log(`  copied ${text}`));
      console.log(`  seeding ${contracts.toLocaleString('en')} subscriptions took ${Math.round((performance.now() - from) / 1000)} s`);
      if (marker) writeFileSync(marker, JSON.stringify({ contracts, history }));
    }
    await services.db.exec('vacuum analyze');
    await describe(services);
    return await work(services, cluster.url());
  } finally {
    await services?.close();
    await cluster.remove();
  }
}

/** Says how large the tables are, and how busy the machine is. */
export async function describe(services: Services): Promise<void> {
  const {
    rows: [sizes],
  } = await services.db.ownerQuery<{
    n: number;
    stores: number;
    most: number;
    orders: number;
    events: number;
    heap: string;
    indexes: string;
    whole: string;
  }>(`select (select count(*) from contracts) as n, (select count(*) from stores) as stores,
    (select count(*) from contracts where store_id = 1) as most, (select count(*) from orders) as orders, (select count(*) from events) as events,
    pg_size_pretty(pg_relation_size('contracts')) as heap, pg_size_pretty(pg_indexes_size('contracts')) as indexes, pg_size_pretty(pg_database_size(current_database())) as whole`);
  if (!sizes) return;
  const n = (value: number): string => value.toLocaleString('en');
  console.log(
    `  ${n(sizes.n)} subscriptions in ${sizes.stores} stores, the largest ${n(sizes.most)}; ${n(sizes.orders)} orders, ${n(sizes.events)} events; table ${sizes.heap}, its indexes ${sizes.indexes}, database ${sizes.whole}; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
}
