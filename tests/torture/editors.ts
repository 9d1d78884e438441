// Check 20: people who edit the same subscription, customer or page at once: exactly one of two wins, the other hears both versions, no saved change is lost.
// usage: npx tsx tests/torture/editors.ts [--interleavings 500] [--seed N] [--seconds N]
import { raceEditors } from '../support/torture/editors.ts';
import { endOnBoth, options } from '../support/torture/torture.ts';

const { seed, time, interleavings } = options('interleavings', 500);
console.log(`editors: seed ${seed}, ${interleavings} interleavings on each database`);
await endOnBoth('editors', { of: interleavings, unit: 'interleavings' }, time, async (server, { isOver }) => {
  const { interleavings: done, saved, refused, failures } = await raceEditors(server, { seed, interleavings, isOver });
  return { done, told: `${saved} saved and ${refused} refused`, failures };
});
