// 50,000 subscriptions fall due at once, and the built server that charges them is killed three times: each charged once, each e-mail written once, each event once.
// usage: npx tsx tests/torture/storm.ts [--contracts 86500] [--kills 3] [--seed N] [--seconds N] (needs npm run build)
import { openDatabase } from '../../src/server/platform/db/database.ts';
import { PostgresCluster, skipPostgres } from '../support/postgres.ts';
import { chargeStorm } from '../support/torture/charge-storm.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, contracts, kills } = options('contracts', 86_500, { kills: 3 });
console.log(`storm: seed ${seed}, ${contracts} subscriptions, ${kills} kills`);
if (skipPostgres) end('storm: left out, it needs PostgreSQL', { done: 0, of: 0, unit: 'kills' }, []);
else {
  const { ensureBuild } = await import('../../scripts/ensure.mjs');
  ensureBuild();
  const cluster = await PostgresCluster.create(['shared_buffers=512MB', 'max_wal_size=4GB']);
  const url = cluster.url();
  const db = await openDatabase({ database: { kind: 'postgres', url } });
  try {
    const found = await chargeStorm({ url, db, contracts, kills, random: seeded(seed), isOver: time.isOver });
    const { due, paid, refused, mails, events, seconds } = found;
    end(
      `storm: ${due} due, ${paid} paid, ${refused} refused, ${mails} e-mails, ${events} events; charged after ${Math.round(seconds.charged)} s, every consumer done after ${Math.round(seconds.delivered)} s; ${found.kills} kills`,
      { done: found.kills, of: kills, unit: 'kills' },
      found.failures,
    );
  } finally {
    await db.close();
    await cluster.remove();
  }
}
