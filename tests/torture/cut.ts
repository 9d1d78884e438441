// Check 13: every writing call, each many times, over connections that break anywhere; repeated with its key it has one effect.
// usage: npx tsx tests/torture/cut.ts [--per-call 200] [--seed N] [--seconds N]; DATABASE_URL for PostgreSQL (a database of its own: it is filled with nonsense)
import { cutAndRetry } from '../support/torture/broken-connections.ts';
import { end, options, withServer } from '../support/torture/torture.ts';

const { seed, time, 'per-call': perCall } = options('per-call', 200);
console.log(`cut: seed ${seed}, ${perCall} writes per call`);
await withServer(async server => {
  const report = await cutAndRetry(server, { seed, perCall, isOver: time.isOver });
  end(
    `cut: ${report.writes} writes, ${report.cuts} broken connections`,
    { done: report.writes, of: report.of, unit: 'writes' },
    report.failures,
  );
});
