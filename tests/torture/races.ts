// Checks 18 and 19 where they cost money: the billing run, two tabs, bulk actions, a new card and what would stop the charge, all at one subscription at once.
// usage: npx tsx tests/torture/races.ts [--rounds 150] [--seed N] [--seconds N]
import { raceCharges } from '../support/torture/races.ts';
import { endOnBoth, options } from '../support/torture/torture.ts';

const { seed, time, rounds } = options('rounds', 150);
console.log(`races: seed ${seed}, ${rounds} rounds on each database`);
await endOnBoth('races', { of: rounds, unit: 'rounds' }, time, async (server, { isOver }) => {
  const { rounds: done, charges, failures } = await raceCharges(server, { seed, rounds, isOver });
  return { done, told: `${charges} charges`, failures };
});
