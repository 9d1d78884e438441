// Check 36: two hundred generated requests for every call: never 5xx, always one form, nothing of our insides.
// usage: npx tsx tests/torture/fuzz.ts [--per-call 200] [--seed N]; DATABASE_URL for PostgreSQL (a database of its own: it is filled with nonsense)
import { fuzz } from '../support/fuzz.ts';
import { end, options, withServer } from '../support/torture.ts';

const { seed, 'per-call': perCall } = options('per-call', 200);
console.log(`fuzz: seed ${seed}, ${perCall} requests per call`);
await withServer(async server => {
  const report = await fuzz(server, { seed, perCall });
  end(`fuzz: ${report.requests} requests, answered ${JSON.stringify(report.answered)}`, report.failures);
});
