// Check 20, in short: people who edit the same thing at once. Longer: npm run torture -- editors.
import { expect } from 'vitest';
import { raceEditors } from '../../support/torture/editors.ts';
import { race } from './race.ts';

race(
  'people who edit one thing at once',
  'lose nothing that was saved: of two with one version exactly one wins, the other hears both',
  async (server, seed) => {
    const report = await raceEditors(server, { seed, interleavings: 30 });
    expect(report.failures).toEqual([]);
    expect(report.refused).toBeGreaterThan(10);
  },
);
