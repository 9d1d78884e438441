// Check 5: 500 people, each with a step a second (80 % lists, 15 % records, 5 % changes): nothing fails, memory and p99 at the end are those of the start.
// usage: npm run torture -- soak [--minutes 30]; by hand: npx tsx tests/torture/soak.ts [--minutes 30] [--contracts 1000000] [--people 500] [--keep FOLDER]
import { parseArgs } from 'node:util';
import { overload, prepare } from '../bench/load.ts';
import { withSeeded } from '../bench/seeded.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    contracts: { type: 'string', default: '1000000' },
    people: { type: 'string', default: '500' },
    keep: { type: 'string' },
    seed: { type: 'string' },
  },
});
const { ensureBuild } = await import('../../scripts/ensure.mjs');
ensureBuild();
const isMet = await withSeeded({ contracts: Number(values.contracts), keep: values.keep, history: 'latest' }, async (services, url) =>
  overload(
    await prepare(services),
    { DATABASE_URL: url },
    { people: Number(values.people), seconds: Number(values.minutes) * 60, think: 1000 },
  ),
);
console.log(
  `soak: ${values.minutes === '1' ? 'one minute' : `${values.minutes} minutes`}, ${isMet ? 'every goal met' : 'a goal was missed'}`,
);
if (!isMet) process.exitCode = 1;
