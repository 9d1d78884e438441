// Checks 18, 19 and 25 where they cost money: all ways to charge a subscription at once. Longer: npm run torture -- races.
import { expect } from 'vitest';
import { raceCharges } from '../../support/torture/races.ts';
import { race } from './race.ts';

race('all ways to charge at once', 'take the money once, and the books agree', async (server, seed) => {
  const report = await raceCharges(server, { seed, rounds: 24 });
  expect(report.failures).toEqual([]);
  expect(report.charges).toBeGreaterThan(5);
});
