// Kills processes that deliver events at random moments on PostgreSQL: each consumer gets each event once.
// usage: npx tsx tests/torture/events.ts [--kills 60] [--seed N] [--seconds N]
import { seeded } from '../support/torture/embedded-kill.ts';
import { killDeliveries } from '../support/torture/event-kill.ts';
import { endOnPostgres, options } from '../support/torture/torture.ts';

const { seed, time, kills } = options('kills', 60);
console.log(`events: seed ${seed}, ${kills} kills`);
await endOnPostgres('events', kills, async at => {
  const found = await killDeliveries({ ...at, kills, random: seeded(seed), isOver: time.isOver });
  return { done: found.kills, told: `${found.events} events, ${found.kills} kills`, failures: found.failures };
});
