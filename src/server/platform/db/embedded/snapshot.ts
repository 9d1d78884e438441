// A ready-made database with the newest schema and no rows: an embedded database starts from it in a fraction of the time that
// creating and migrating one takes.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbedded } from './embedded-engine.ts';
import { migrate, migrationsHash, readMigrations, type Migration } from '../migrate.ts';
import { queueTables } from '../../queue/queue.ts';
import { pack } from './tarball.ts';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The version of an installed package. */
function versionOf(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name);
  const root = entry.slice(0, entry.lastIndexOf(path.join('node_modules', name)) + path.join('node_modules', name).length);
  return (JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** The name of the snapshot for these migrations and these versions of the engine and the queue, `empty-<hash>.tar.gz`. */
export function snapshotName(migrations: readonly Migration[]): string {
  const parts = ['2', versionOf('@electric-sql/pglite'), versionOf('pg-boss'), migrationsHash(migrations)];
  return `empty-${createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16)}.tar.gz`;
}

/** Creates a database, migrates it and writes it to `file`. Takes some seconds; done by the build. */
export async function makeSnapshot(file: string, migrations: readonly Migration[] = readMigrations()): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-snapshot-'));
  try {
    const engine = await openEmbedded({ folder, upkeep: false });
    await engine
      .session(async client => {
        await migrate(client, { migrations });
        await client.query(queueTables());
        // No second database is created in here, and the templates for one are half of the files that a first start has to write.
        await client.query("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
        for (const template of ['template0', 'template1']) await client.query(`DROP DATABASE ${template}`);
        await client.query('VACUUM (ANALYZE)');
        await client.query('CHECKPOINT');
      })
      .finally(() => engine.close());
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await pack(path.join(folder, 'db'), file);
    // Snapshots of schemas long gone are of no use to anybody.
    const others = fs
      .readdirSync(path.dirname(file))
      .filter(name => /^empty-\w+\.tar\.gz$/.test(name))
      .map(name => path.join(path.dirname(file), name));
    for (const old of others
      .map(name => ({ name, at: fs.statSync(name).mtimeMs }))
      .sort((a, b) => b.at - a.at)
      .slice(6))
      fs.rmSync(old.name, { force: true });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The folder where snapshots made on the way are kept: `.cache` of the project, or the system's when that is not ours to write. */
function cacheFolder(): string {
  for (let folder = here; path.dirname(folder) !== folder; folder = path.dirname(folder)) {
    if (!fs.existsSync(path.join(folder, 'package.json'))) continue;
    const cache = path.join(folder, '.cache');
    try {
      fs.mkdirSync(cache, { recursive: true });
      fs.accessSync(cache, fs.constants.W_OK);
      return cache;
    } catch {
      break;
    }
  }
  return path.join(os.tmpdir(), `perennial-cache-${os.userInfo().username}`);
}

/** The snapshot for these migrations: from the build beside the bundle, else from the cache, else made now and kept there. */
export async function findSnapshot(migrations: readonly Migration[] = readMigrations()): Promise<string> {
  const name = snapshotName(migrations);
  const built = path.join(here, name);
  if (fs.existsSync(built)) return built;
  const cached = path.join(cacheFolder(), name);
  if (!fs.existsSync(cached)) await makeSnapshot(cached, migrations);
  return cached;
}
