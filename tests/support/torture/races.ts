// Everything that can charge a subscription, at it all at once: the billing run, two tabs, a repeated request, bulk actions, a new card, and what would stop
// the charge. Afterwards the books must agree: with the gateway, with the orders, with the credits.
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/types.ts';
import { runBulk } from '../../../src/server/features/bulk-actions/bulk-run.ts';
import { runDue } from '../../../src/server/features/subscriptions/engine/charging/run-due.ts';
import { inDays, makeContract, stockGoods, type Goods, type Made } from '../../server/features/subscriptions/fixture.ts';
import type { TestServer } from '../serve.ts';

const KINDS = ['plain', 'prepaid', 'last', 'declined', 'recovering', 'behind'] as const;
type Kind = (typeof KINDS)[number];
const MOVES = [
  'run',
  'run',
  'tab',
  'tab',
  'again',
  'bulkOverdue',
  'bulkNext',
  'bulkFailed',
  'newMethod',
  'newCard',
  'skip',
  'pause',
  'cancel',
] as const;
type Move = (typeof MOVES)[number];

export interface RaceReport {
  seed: number;
  /** Rounds that were raced. */ rounds: number;
  charges: number;
  failures: string[];
}

const KIND_INPUT: Record<Kind, JsonObject & { tokens?: string[] }> = {
  plain: {},
  behind: { billingPolicy: { interval: 'DAY', intervalCount: 2 } },
  last: {},
  prepaid: { billingPolicy: { interval: 'DAY', intervalCount: 6 }, deliveryPolicy: { interval: 'DAY', intervalCount: 2 } },
  declined: { tokens: ['tok_decline_card_declined', 'tok_success'] },
  recovering: { tokens: ['tok_decline_insufficient_funds', 'tok_success'] },
};

/** A subscription whose order is due: the first one; for `behind` and `prepaid` three are; for `recovering` its payment has failed and its retry is due too. */
async function bring(server: TestServer, goods: Goods, kind: Kind): Promise<Made> {
  const { db } = server.services;
  const made = await makeContract(server, goods, { nextBillingDateEpoch: inDays(3), ...KIND_INPUT[kind] });
  const since = kind === 'behind' || kind === 'prepaid' ? '5 days' : '1 minute';
  await db.ownerQuery(
    `update contracts set base_at = now() - interval '${since}', next_billing_at = now() - interval '${since}' where store_id = 1 and id = $1`,
    [made.id],
  );
  if (kind === 'last') await db.ownerQuery('update contracts set max_cycles = 1 where store_id = 1 and id = $1', [made.id]);
  if (kind === 'declined')
    await db.ownerQuery('update contracts set backup_payment_method_id = $2 where store_id = 1 and id = $1', [made.id, made.methods[1]]);
  if (kind === 'recovering') {
    await runDue(server.services, 1);
    await db.ownerQuery(
      "update orders set next_retry_at = now() - interval '1 minute' where store_id = 1 and contract_id = $1 and next_retry_at is not null",
      [made.id],
    );
  }
  return made;
}

/** Rounds of random moves on one subscription each, all sent at once. The same seed makes the same rounds; the order in which they meet is the machine's. */
export async function raceCharges(
  server: TestServer,
  { seed, rounds, isOver = () => false }: { seed: number; rounds: number; isOver?: () => boolean },
): Promise<RaceReport> {
  const { services } = server;
  const goods = await stockGoods(server);
  const report: RaceReport = { seed, rounds: 0, charges: 0, failures: [] };
  const plan = fc.sample(
    fc.record({ kind: fc.constantFrom(...KINDS), moves: fc.array(fc.constantFrom(...MOVES), { minLength: 2, maxLength: 7 }) }),
    { numRuns: rounds, seed },
  );
  for (const [round, { kind, moves }] of plan.entries()) {
    if (isOver()) break;
    report.rounds++;
    const made = await bring(server, goods, kind);
    const answers: { move: Move; status: number; body: JsonObject }[] = [];
    const orderId = made.id * 10_000 + 1;
    const ask = async (move: Move, name: string, input: JsonObject, key?: string): Promise<JsonObject> => {
      const answer = await server.call(name, input, { key: key ?? `${seed}-${round}-${answers.length}-${Math.random()}` });
      answers.push({ move, status: answer.status, body: answer.body });
      return answer.data as JsonObject;
    };
    const bulk = async (move: Move, which: string): Promise<void> => {
      const draft = await ask(move, 'bulk-actions.create', {
        actionKey: 'CHARGE_ORDER',
        selection: { mode: 'IDS', ids: [made.id] },
        input: { which, keepSchedule: true },
      });
      await ask(move, 'bulk-actions.runBulkAction', { id: Number(draft.id), confirmCount: 1 });
      await runBulk(services, { storeId: 1, bulkId: Number(draft.id) }, AbortSignal.timeout(60_000));
    };
    const MAKE: Record<Move, () => Promise<unknown>> = {
      run: () => runDue(services, 1),
      tab: () => ask('tab', 'subscription-contract.chargeNow', { id: made.id, orderId, keepSchedule: true }),
      again: () =>
        Promise.all([1, 2].map(() => ask('again', 'subscription-contract.chargeNow', { id: made.id, orderId }, `${seed}-${round}-again`))),
      bulkOverdue: () => bulk('bulkOverdue', 'OVERDUE'),
      bulkNext: () => bulk('bulkNext', 'NEXT'),
      bulkFailed: () => bulk('bulkFailed', 'FAILED'),
      newMethod: () =>
        ask('newMethod', 'subscription-contract-app.updatePaymentMethod', {
          id: made.id,
          customerPaymentMethodId: made.methods[1] as number,
        }),
      async newCard() {
        const session = await ask('newCard', 'card-vault.session', {
          number: '4242424242424242',
          name: 'Ann Lee',
          expiry: '12/90',
          verificationCode: '123',
        });
        await ask('newCard', 'payments.updateCustomerCard', { paymentMethodId: made.methods[0] as number, sessionId: String(session.id) });
      },
      skip: () => ask('skip', 'subscription-contract.skipOrder', { id: made.id, orderId }),
      pause: () => ask('pause', 'subscription-contract.pause', { id: made.id, until: 'INDEFINITE' }),
      cancel: () => ask('cancel', 'subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' }),
    };
    const wrong = (text: string): void => {
      report.failures.push(`round ${round}, ${kind}, ${moves.join(' + ')}: ${text}`);
    };
    try {
      await Promise.all(moves.map(move => MAKE[move]()));
    } catch (error) {
      wrong(String(error));
    }
    await runDue(services, 1, { isStart: true });
    for (const { move, status, body } of answers)
      if (status >= 500 || (status >= 400 && ![404, 409, 422].includes(status)))
        wrong(`${move} answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    const repeated = answers.filter(({ move }) => move === 'again').map(({ status, body }) => `${status} ${JSON.stringify(body)}`);
    if (new Set(repeated).size > moves.filter(move => move === 'again').length)
      wrong(`one key was answered in two ways: ${[...new Set(repeated)].map(text => text.slice(0, 200)).join(' and ')}`);
    report.charges += await audit(server, made, kind, moves, wrong);
  }
  return report;
}

interface Books {
  paid: number;
  counted: number;
  open: number;
  credits: number;
  ledger: number;
  max: number | null;
  taken: number;
  known: number;
  twice: number;
  most: number;
  numbers: number;
}

/** Compares contract, orders, attempts, credits and the gateway. Gives how many charges the gateway took. */
async function audit(server: TestServer, { id }: Made, kind: Kind, moves: readonly Move[], wrong: (text: string) => void): Promise<number> {
  const {
    rows: [books],
  } = await server.services.db.ownerQuery<Books>(
    `
    with o as (select * from orders where store_id = 1 and contract_id = $1), t as (select * from billing_attempts where store_id = 1 and contract_id = $1),
      g as (select g.* from gateway_charges g where g.store_id = 1 and g.outcome->>'ok' = 'true' and g.idempotency_key in (select idempotency_key from t))
    select (select count(*) from o where status = 'PAID' and not is_prepaid_delivery)::integer as paid, c.completed_orders as counted, (select count(*) from o where status = 'PROCESSING')::integer as open,
      c.prepaid_credits as credits, (select coalesce(sum(credits), 0) from credit_transactions where store_id = 1 and contract_id = $1)::integer as ledger, c.max_cycles as max,
      (select count(*) from g)::integer as taken, (select count(*) from t where success)::integer as known,
      (select count(*) from (select 1 from t where success group by order_id having count(*) > 1) x)::integer as twice,
      (select coalesce(max(n), 0) from (select count(*) as n from t where not ready group by order_id) x)::integer as most,
      (select count(*) - count(distinct order_number) from o where status = 'PAID' and not is_prepaid_delivery)::integer as numbers
    from contracts c where c.store_id = 1 and c.id = $1`,
    [id],
  );
  if (!books) {
    wrong('the subscription is gone');
    return 0;
  }
  if (books.open || books.most) wrong(`${books.open} orders are still being charged`);
  if (books.twice) wrong('an order was paid twice');
  if (books.taken !== books.known) wrong(`the gateway took ${books.taken} charges, the books have ${books.known}`);
  if (books.counted !== books.paid) wrong(`${books.paid} orders are paid, the subscription counts ${books.counted}`);
  if (books.numbers) wrong('two paid orders have one number');
  if (books.credits !== books.ledger || books.credits < 0) wrong(`${books.credits} credits, the ledger has ${books.ledger}`);
  if (books.max !== null && books.counted > books.max) wrong(`${books.counted} orders of at most ${books.max} were charged`);
  // Whoever names one order, or says "overdue", charges no other: one each for the plain ones, whose next order is weeks ahead. Only "the next one" goes beyond.
  const isAhead = kind === 'plain' || kind === 'last' || kind === 'declined' || kind === 'recovering';
  const asked = 1 + moves.filter(move => move === 'bulkNext').length;
  if (isAhead && books.paid > asked) wrong(`${books.paid} orders are paid, no more than ${asked} were asked for`);
  if (kind === 'prepaid' && books.paid > asked) wrong(`paid in advance ${books.paid} times, no more than ${asked} were asked for`);
  return books.taken;
}
