// A store that charges through Stripe, whose billing workers are killed at random moments: the books of both sides, and what differs.
import { once } from 'node:events';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { startVendorSimulator } from '../../../src/server/features/demo/vendor-simulator.ts';
import { Shop } from '../../server/engine/shop.ts';
import { startWorker } from '../program.ts';
import { connectStripe, gatewaysAt } from '../stripe-charges.ts';
import { startStripeJudge } from '../stripe-judge.ts';

const FIRST = '2026-02-01T14:00:00Z';
const DUE = '2026-02-01T14:01:00Z';
/** Subscriptions whose card is declined: one in so many. */
const DECLINED = 10;
/** How long a worker lives at most, for each subscription: so one of them may be through. */
const LIFE_MS = 1;
const WORKER = new URL('../../server/engine/worker.ts', import.meta.url).pathname;

export interface Books {
  kills: number;
  /** Payments and their sum (minor units), as both sides agree. */
  payments: number;
  sum: number;
  failures: string[];
}

/** One line of a book: the provider's name of a payment, its amount (minor units) and currency. */
interface Entry {
  reference: string;
  amount: number;
  currency: string;
}
const asText = ({ reference, amount, currency }: Entry): string => `${reference} ${amount} ${currency}`;

async function inParts<In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const found: Out[] = [];
  for (let i = 0; i < all.length; i += 20) found.push(...(await Promise.all(all.slice(i, i + 20).map(work))));
  return found;
}

/** Makes the store, kills its workers and compares. PostgreSQL only: `url` is that of `db`. */
export async function keepBooks(given: {
  url: string;
  db: Database;
  contracts: number;
  kills: number;
  random: () => number;
  isOver: () => boolean;
}): Promise<Books> {
  const { url, db, contracts, random } = given;
  const vendors = await startVendorSimulator();
  // Stripe's own description stands between: a request that Stripe would not take is a mistake.
  const judge = await startStripeJudge(vendors.url);
  const shop = await Shop.open(db, '2026-01-10T15:00:00Z', { gateway: one => gatewaysAt(one, judge.url) });
  await connectStripe(db, shop.storeId);
  const ids = Array.from({ length: contracts }, (_, i) => i);
  await inParts(ids, i =>
    shop.contract({
      first: FIRST,
      token: `moved_stripe:cus_${i}:pm_${i}${i % DECLINED === 0 ? '_decline-insufficient_funds' : ''}`,
      lines: [{ variantId: i % 3 === 0 ? 4 : 2, quantity: 1 + (i % 3), discountType: 'NONE' }],
    }),
  );
  let kills = 0;
  for (; kills < given.kills && !given.isOver(); kills++) {
    const worker = await startWorker(WORKER, [url, String(shop.storeId), DUE, judge.url, '25']);
    const gone = once(worker, 'exit');
    await Promise.race([gone, new Promise(resolve => setTimeout(resolve, random() * contracts * LIFE_MS))]);
    worker.kill('SIGKILL');
    await gone;
  }
  shop.now = new Date(DUE);
  for (let again = 0; again < 2; again++) await shop.run({ isStart: true });

  const failures = judge.mistakes.slice(0, 5).map(mistake => `A request that Stripe would not take: ${mistake}`);
  const { rows: orders } = await db.ownerQuery<{ status: string; attempts: number; n: number }>(
    'select status, attempts, count(*)::integer as n from orders where store_id = $1 group by 1, 2',
    [shop.storeId],
  );
  const declined = ids.filter(i => i % DECLINED === 0).length;
  for (const [status, n] of [
    ['PAID', contracts - declined],
    ['FAILED', declined],
  ] as const) {
    const found = orders.filter(one => one.status === status && one.attempts === 1).reduce((sum, one) => sum + one.n, 0);
    if (found !== n) failures.push(`${found} orders are ${status} after one try, not ${n}: ${JSON.stringify(orders)}`);
  }
  const { rows: here } = await db.ownerQuery<Entry>(
    `select a.gateway_reference as reference, a.amount::float8 as amount, lower(a.currency_code) as currency
      from billing_attempts a where a.store_id = $1 and a.success and a.gateway = 'STRIPE'`,
    [shop.storeId],
  );
  const there = (
    await inParts(ids, async i => {
      const answer = await fetch(`${vendors.url}/stripe/v1/payment_intents?customer=cus_${i}&limit=100`);
      const { data } = (await answer.json()) as { data: { id: string; amount: number; currency: string; status: string }[] };
      return data.filter(one => one.status === 'succeeded').map(({ id, amount, currency }) => ({ reference: id, amount, currency }));
    })
  ).flat();
  const [ours, theirs] = [new Set(here.map(asText)), new Set(there.map(asText))];
  failures.push(
    ...[...ours].filter(one => !theirs.has(one)).map(one => `Here and not at Stripe: ${one}`),
    ...[...theirs].filter(one => !ours.has(one)).map(one => `At Stripe and not here: ${one}`),
  );
  if (here.length !== ours.size || there.length !== theirs.size) failures.push('A payment stands in a book twice.');
  const sumOf = (book: readonly Entry[]): number => book.reduce((sum, one) => sum + one.amount, 0);
  if (sumOf(here) !== sumOf(there)) failures.push(`${sumOf(here)} came in here, ${sumOf(there)} at Stripe.`);
  const { rows: totals } = await db.ownerQuery<{ sum: number }>(
    "select coalesce(sum(total), 0)::float8 as sum from orders where store_id = $1 and status = 'PAID'",
    [shop.storeId],
  );
  if (totals[0]?.sum !== sumOf(here)) failures.push(`Orders come to ${totals[0]?.sum}, their payments to ${sumOf(here)}.`);
  await judge.close();
  await vendors.close();
  return { kills, payments: here.length, sum: sumOf(here), failures };
}
