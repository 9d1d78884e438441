// Databases for processes that work side by side outside of the test runner.
import { Client } from 'pg';
import { findPostgres, PostgresCluster, skipPostgres } from './postgres.ts';

/**
 * Lends `count` empty databases: that of DATABASE_URL if there is one (for all), else of a PostgreSQL that is started for them and removed afterwards.
 * Where none is installed the addresses are undefined, which stands for embedded databases.
 */
export async function withDatabaseAddresses<T>(
  count: number,
  work: (addresses: (string | undefined)[], kind: 'postgres' | 'embedded') => Promise<T>,
): Promise<T> {
  const given = process.env['DATABASE_URL'];
  if (given)
    return work(
      Array.from({ length: count }, () => given),
      'postgres',
    );
  if (skipPostgres || !findPostgres())
    return work(
      Array.from({ length: count }, () => undefined),
      'embedded',
    );
  const cluster = await PostgresCluster.create(['jit=off', 'max_wal_size=1GB', 'checkpoint_timeout=30min']);
  try {
    const client = new Client({ connectionString: cluster.url() });
    await client.connect();
    // An ordinary user owns them, as in production: row-level security does not bind the administrator.
    await client.query('CREATE ROLE perennial_owner LOGIN CREATEROLE');
    const names = Array.from({ length: count }, (_, n) => `torture_${n + 1}`);
    for (const name of names) await client.query(`CREATE DATABASE ${name} OWNER perennial_owner TEMPLATE template0`);
    await client.end();
    return await work(
      names.map(name => cluster.url(name, 'perennial_owner')),
      'postgres',
    );
  } finally {
    await cluster.remove();
  }
}
