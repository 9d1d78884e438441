// Bundled by a test and run by plain Node: opens an embedded database twice and says what it read and how long opening took.
import { sql } from 'kysely';
import { openDatabase } from '../../../../../src/server/platform/db/database.ts';
import { scratch } from '../scratch.ts';

const times: number[] = [];
for (const name of ['first', 'second']) {
  const started = performance.now();
  const db = await openDatabase({ database: { kind: 'embedded' }, dataFolder: process.argv[2]!, migrations: scratch });
  times.push(Math.round(performance.now() - started));
  const { rows } = await db.inStore(1, async trx => {
    await sql`INSERT INTO things (store_id, name) VALUES (1, ${name})`.execute(trx);
    return sql<{ name: string }>`SELECT name FROM things ORDER BY name`.execute(trx);
  });
  if (name === 'second')
    console.log(JSON.stringify({ names: rows.map(row => row.name), times, megabytes: Math.round(process.memoryUsage().rss / 2 ** 20) }));
  await db.close();
}
