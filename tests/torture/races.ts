// Checks 18 and 19 where they cost money: the billing run, two tabs, bulk actions, a new card and what would stop the charge, all at one subscription at once.
// usage: npx tsx tests/torture/races.ts [--rounds 150] [--seed N] [--seconds N]
import { raceCharges } from '../support/races.ts';
import { end, onBoth, options } from '../support/torture.ts';

const { seed, time, rounds } = options('rounds', 150);
console.log(`races: seed ${seed}, ${rounds} rounds on each database`);
const failures: string[] = [];
const told: string[] = [];
let done = 0;
let of = 0;
await onBoth(time, async (server, kind, { isOver }) => {
  const report = await raceCharges(server, { seed, rounds, isOver });
  done += report.rounds;
  of += rounds;
  told.push(`${report.charges} charges on ${kind}`);
  failures.push(...report.failures.map(line => `${kind}, ${line}`));
});
end(`races: ${told.join(', ')}`, { done, of, unit: 'rounds' }, failures);
