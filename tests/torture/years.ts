// Check 23: ten years of random subscriptions, half of them through random actions, half left alone and compared with an independent model.
// usage: npx tsx tests/torture/years.ts [--contracts 2000] [--seed N]; DATABASE_URL for PostgreSQL (a database of its own)
import { simulateYears } from '../server/engine/years.ts';
import { end, options, withDatabase } from '../support/torture.ts';

const { seed, contracts } = options('contracts', 2000);
// A store has settings of its own: at least eight kinds of them in a long run, and many contracts that fall due together in each.
const PER_STORE = Math.max(100, Math.ceil(contracts / 8));
const failures: string[] = [];
let orders = 0, charges = 0;
await withDatabase(async db => {
  console.log(`years: seed ${seed}, ${contracts} contracts over ten years each, on ${db.kind}`);
  for (let storeId = 1; (storeId - 1) * PER_STORE < contracts; storeId++) {
    try {
      const result = await simulateYears(db, { seed: seed + storeId - 1, storeId, contracts: Math.min(PER_STORE, contracts - (storeId - 1) * PER_STORE), years: 10, progress: line => console.log(line) });
      orders += result.orders;
      charges += result.charges;
    } catch (error) {
      failures.push(`${(error as Error).message}${(error as Error).cause ? `\n${String((error as { cause?: unknown }).cause)}` : ''}`);
    }
  }
});
end(`years: ${orders} orders, ${charges} charges`, failures);
