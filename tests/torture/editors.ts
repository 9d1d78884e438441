// Check 20: people who edit the same subscription, customer or page at once: exactly one of two wins, the other hears both versions, no saved change is lost.
// usage: npx tsx tests/torture/editors.ts [--interleavings 500] [--seed N] [--seconds N]
import { raceEditors } from '../support/editors.ts';
import { end, onBoth, options } from '../support/torture.ts';

const { seed, time, interleavings } = options('interleavings', 500);
console.log(`editors: seed ${seed}, ${interleavings} interleavings on each database`);
const failures: string[] = [];
const told: string[] = [];
let done = 0;
let of = 0;
await onBoth(time, async (server, kind, { isOver }) => {
  const report = await raceEditors(server, { seed, interleavings, isOver });
  done += report.interleavings;
  of += interleavings;
  told.push(`${report.saved} saved and ${report.refused} refused on ${kind}`);
  failures.push(...report.failures.map(line => `${kind}, ${line}`));
});
end(`editors: ${told.join(', ')}`, { done, of, unit: 'interleavings' }, failures);
