// Kills processes that run flows at random moments on PostgreSQL: every event is followed once.
// usage: npx tsx tests/torture/flows.ts [--kills 50] [--seed N] [--seconds N]
import { seeded } from '../support/torture/embedded-kill.ts';
import { killFlows } from '../support/torture/flow-kill.ts';
import { endOnPostgres, options } from '../support/torture/torture.ts';

const { seed, time, kills } = options('kills', 50);
console.log(`flows: seed ${seed}, ${kills} kills`);
await endOnPostgres('flows', kills, async at => {
  const found = await killFlows({ ...at, kills, random: seeded(seed), isOver: time.isOver });
  return { done: found.kills, told: `${found.events} events, ${found.kills} kills`, failures: found.failures };
});
