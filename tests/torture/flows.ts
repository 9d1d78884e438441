// Kills processes that run flows at random moments on PostgreSQL: every event is followed once.
// usage: npx tsx tests/torture/flows.ts [--kills 50] [--seed N] [--seconds N]
import { openDatabase } from '../../src/server/platform/db/database.ts';
import { PostgresCluster, skipPostgres } from '../support/postgres.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { killFlows } from '../support/torture/flow-kill.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, kills } = options('kills', 50);
console.log(`flows: seed ${seed}, ${kills} kills`);
if (skipPostgres) end('flows: left out, it needs PostgreSQL', { done: 0, of: 0, unit: 'kills' }, []);
else {
  const cluster = await PostgresCluster.create();
  const url = cluster.url();
  const db = await openDatabase({ database: { kind: 'postgres', url } });
  try {
    const found = await killFlows({ url, db, kills, random: seeded(seed), isOver: time.isOver });
    end(`flows: ${found.events} events, ${found.kills} kills`, { done: found.kills, of: kills, unit: 'kills' }, found.failures);
  } finally {
    await db.close();
    await cluster.remove();
  }
}
