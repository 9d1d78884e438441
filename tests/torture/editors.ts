// Check 20: people who edit the same subscription, customer or page at once: exactly one of two wins, the other hears both versions, no saved change is lost.
// usage: npx tsx tests/torture/editors.ts [--interleavings 500] [--seed N]
import { raceEditors } from '../support/editors.ts';
import { end, onBoth, options } from '../support/torture.ts';

const { seed, interleavings } = options('interleavings', 500);
console.log(`editors: seed ${seed}, ${interleavings} interleavings on each database`);
const failures: string[] = [];
const told: string[] = [];
await onBoth(async (server, kind) => {
  const report = await raceEditors(server, { seed, interleavings });
  told.push(`${report.saved} saved and ${report.refused} refused on ${kind}`);
  failures.push(...report.failures.map(line => `${kind}, ${line}`));
});
end(`editors: ${told.join(', ')}`, failures);
