// Acceptance: a store of 5,000 subscriptions is charged through Stripe, judged by Stripe's own description, while its workers are killed at
// random moments on PostgreSQL: the books of both sides agree to the minor unit.
// usage: npx tsx tests/torture/stripe.ts [--kills 20] [--contracts 5000] [--seed N] [--seconds N]
import { openDatabase } from '../../src/server/platform/db/database.ts';
import { PostgresCluster, skipPostgres } from '../support/postgres.ts';
import { keepBooks } from '../support/torture/books.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, kills, contracts } = options('kills', 20, { contracts: 5000 });
console.log(`stripe: seed ${seed}, ${contracts} subscriptions, ${kills} kills`);
if (skipPostgres) end('stripe: left out, it needs PostgreSQL', { done: 0, of: 0, unit: 'kills' }, []);
else {
  const cluster = await PostgresCluster.create();
  const url = cluster.url();
  const db = await openDatabase({ database: { kind: 'postgres', url } });
  try {
    const found = await keepBooks({ url, db, contracts, kills, killWithinMs: contracts, random: seeded(seed), isOver: time.isOver });
    end(
      `stripe: ${found.contracts} subscriptions, ${found.kills} kills, ${found.payments} payments of ${found.sum} minor units on both sides`,
      { done: found.kills, of: kills, unit: 'kills' },
      found.failures,
    );
  } finally {
    await db.close();
    await cluster.remove();
  }
}
