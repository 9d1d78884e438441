// Checks 18 and 19 where they cost money: the billing run, two tabs, bulk actions, a new card and what would stop the charge, all at one subscription at once.
// usage: npx tsx tests/torture/races.ts [--rounds 150] [--seed N]
import { raceCharges } from '../support/races.ts';
import { end, onBoth, options } from '../support/torture.ts';

const { seed, rounds } = options('rounds', 150);
console.log(`races: seed ${seed}, ${rounds} rounds on each database`);
const failures: string[] = [];
const told: string[] = [];
await onBoth(async (server, kind) => {
  const report = await raceCharges(server, { seed, rounds });
  told.push(`${report.charges} charges on ${kind}`);
  failures.push(...report.failures.map(line => `${kind}, ${line}`));
});
end(`races: ${told.join(', ')}`, failures);
