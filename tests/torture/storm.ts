// 50,000 subscriptions fall due at once, and the built server that charges them is killed three times: each charged once, each e-mail written once, each event once.
// usage: npx tsx tests/torture/storm.ts [--contracts 86500] [--kills 3] [--seed N] [--seconds N] (needs npm run build)
import { ensureBuild } from '../../scripts/ensure.mjs';
import { chargeStorm } from '../support/torture/charge-storm.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { endOnPostgres, options } from '../support/torture/torture.ts';

const { seed, time, contracts, kills } = options('contracts', 86_500, { kills: 3 });
console.log(`storm: seed ${seed}, ${contracts} subscriptions, ${kills} kills`);
await endOnPostgres(
  'storm',
  kills,
  async at => {
    ensureBuild();
    const found = await chargeStorm({ ...at, contracts, kills, random: seeded(seed), isOver: time.isOver });
    const { due, paid, refused, mails, events, seconds } = found;
    const told =
      `${due} due, ${paid} paid, ${refused} refused, ${mails} e-mails, ${events} events; charged after ${Math.round(seconds.charged)} s, ` +
      `every consumer done after ${Math.round(seconds.delivered)} s; ${found.kills} kills`;
    return { done: found.kills, told, failures: found.failures };
  },
  ['shared_buffers=512MB', 'max_wal_size=4GB'],
);
