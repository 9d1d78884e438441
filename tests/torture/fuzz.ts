// Check 36: two hundred generated requests for every call: never 5xx, always one form, nothing of our insides.
// usage: npx tsx tests/torture/fuzz.ts [--per-call 200] [--seed N] [--seconds N]; DATABASE_URL for PostgreSQL (a database of its own: it is filled with nonsense)
import { fuzz } from '../support/torture/fuzz.ts';
import { end, options, withServer } from '../support/torture/torture.ts';

const { seed, time, 'per-call': perCall } = options('per-call', 200);
console.log(`fuzz: seed ${seed}, ${perCall} requests per call`);
await withServer(async server => {
  const report = await fuzz(server, { seed, perCall, isOver: time.isOver });
  end(
    `fuzz: ${report.requests} requests, answered ${JSON.stringify(report.answered)}`,
    { done: report.requests, of: report.of, unit: 'requests' },
    report.failures,
  );
});
