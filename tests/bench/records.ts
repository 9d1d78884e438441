// What the page of a subscription reads, over HTTP with every check on, beside the very statements it ran, sent again by the bare driver in the same run.
// usage: npm run bench -- records [--contracts 1000000] [--rounds 60] [--history whole|latest] [--keep FOLDER]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { JsonObject } from '../../src/contract/types.ts';
import type { Services } from '../../src/server/platform/services.ts';
import { median, percentile, print, type Line } from './numbers.ts';
import { serve } from './over-http.ts';
import { recorder } from './recorder.ts';
import { withSeeded } from './seeded.ts';

/** The reads of a record page, in the order in which it asks for them. */
const CALLS: { name: string; input: (one: Picked) => JsonObject }[] = [
  { name: 'subscription-contract.read', input: one => ({ id: one.id }) },
  { name: 'subscription-contract.ordersSchedule', input: one => ({ id: one.id }) },
  { name: 'subscription-contract.ordersHistory', input: one => ({ id: one.id, limit: 10 }) },
  { name: 'subscription-contract.activity', input: one => ({ id: one.id, limit: 25 }) },
  { name: 'subscription-contract.customerDetails', input: one => ({ id: one.id }) },
  { name: 'backup-payment-method.available', input: one => ({ subscriptionShopifyId: one.shopifyId }) },
  { name: 'subscription-contract.credits', input: one => ({ id: one.id, limit: 10 }) },
  { name: 'subscription-contract.availableDeliveryOptions', input: one => ({ id: one.id }) },
];
interface Picked {
  id: number;
  shopifyId: number;
}
const LIMIT = 50;

async function measure(services: Services, url: string, rounds: number): Promise<Line[]> {
  const { during } = recorder();
  const bare = new Client({ connectionString: url });
  await bare.connect();
  const http = await serve(services);
  try {
    // Subscriptions from all over the store, those with a long past among them.
    const { rows: picked } = await services.db.ownerQuery<Picked>(
      'select id, shopify_id as "shopifyId" from contracts where store_id = 1 order by md5(id::text) limit $1',
      [rounds],
    );
    const lines: Line[] = [];
    for (const call of CALLS) {
      const ours: number[] = [],
        inside: number[] = [],
        floor: number[] = [];
      for (const one of picked) {
        // Once before, so that both find the rows in memory.
        const { statements } = await during(() => http.ask(call.name, call.input(one)));
        const from = performance.now();
        const { ms } = await during(() => http.ask(call.name, call.input(one)));
        const between = performance.now();
        for (const { text, values } of statements) await bare.query(text, values);
        ours.push(between - from);
        inside.push(ms);
        floor.push(performance.now() - between);
      }
      lines.push({
        name: call.name,
        bare: median(floor),
        inside: median(inside),
        ours: median(ours),
        p95: percentile(ours, 95),
        ok: median(ours) <= LIMIT,
      });
    }
    return lines;
  } finally {
    await http.close();
    await bare.end();
  }
}

if (process.argv[1]?.endsWith('records.ts')) {
  const { values } = parseArgs({
    options: {
      contracts: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '60' },
      history: { type: 'string', default: 'whole' },
      keep: { type: 'string' },
    },
  });
  const size = Number(values.contracts);
  const lines = await withSeeded(
    { contracts: size, keep: values.keep, history: values.history === 'latest' ? 'latest' : 'whole' },
    (services, url) => measure(services, url, Number(values.rounds)),
  );
  print(
    `Page of a subscription, PostgreSQL, ${size.toLocaleString('en')} subscriptions (goal: median at most ${LIMIT} ms; load of the machine ${loadavg()[0]?.toFixed(1)})`,
    lines,
  );
  if (lines.some(line => !line.ok)) process.exitCode = 1;
}
