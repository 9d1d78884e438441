// Kills processes that deliver events at random moments on PostgreSQL: each consumer gets each event once.
// usage: npx tsx tests/torture/events.ts [--kills 60] [--seed N] [--seconds N]
import { openDatabase } from '../../src/server/platform/db/database.ts';
import { PostgresCluster, skipPostgres } from '../support/postgres.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { killDeliveries } from '../support/torture/event-kill.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, kills } = options('kills', 60);
console.log(`events: seed ${seed}, ${kills} kills`);
if (skipPostgres) end('events: left out, it needs PostgreSQL', { done: 0, of: 0, unit: 'kills' }, []);
else {
  const cluster = await PostgresCluster.create();
  const url = cluster.url();
  const db = await openDatabase({ database: { kind: 'postgres', url } });
  try {
    const found = await killDeliveries({ url, db, kills, random: seeded(seed), isOver: time.isOver });
    end(`events: ${found.events} events, ${found.kills} kills`, { done: found.kills, of: kills, unit: 'kills' }, found.failures);
  } finally {
    await db.close();
    await cluster.remove();
  }
}
