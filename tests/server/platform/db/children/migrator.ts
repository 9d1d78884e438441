// A process that migrates a database and says what it did. usage: migrator.ts <postgres address | data folder> <folder of migrations>
import { openEmbedded } from '../../../../../src/server/platform/db/embedded/embedded-engine.ts';
import { migrate, readMigrations } from '../../../../../src/server/platform/db/migrate.ts';
import { openPostgres } from '../../../../../src/server/platform/db/postgres-engine.ts';

const [where, folder] = process.argv.slice(2);
const engine = where!.startsWith('postgres:')
  ? await openPostgres({ url: where!, statementMs: 4500 })
  : await openEmbedded({ folder: where!, upkeep: false });
try {
  process.send!({ started: true });
  process.send!({ applied: await engine.session(client => migrate(client, { migrations: readMigrations(folder) })) });
} catch (error) {
  process.send!({ failed: (error as Error).message });
} finally {
  await engine.close();
  process.disconnect();
}
