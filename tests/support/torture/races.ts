// Everything that can charge a subscription, at it all at once: the billing run, two tabs, a repeated request, bulk actions, a link with a
// reward, the customer's page, a new card, and what would stop the charge. Afterwards the books must agree: with the gateway, the orders,
// the credits, the rewards and the notes of links.
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/types.ts';
import { runBulk } from '../../../src/server/features/bulk-actions/bulk-run.ts';
import { runDue } from '../../../src/server/engine/charging/run-due.ts';
import { linkToken } from '../../../src/server/engine/action-links.ts';
import { inDays, makeContract, stockGoods, type Goods, type Made } from '../../server/features/subscriptions/fixture.ts';
import { buttonsOf, customerBrowser } from '../customer-browser.ts';
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
  'link',
  'link',
  'portal',
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

/**
 * A subscription whose order is due: the first one; for `behind` and `prepaid` three are; for `recovering` its payment has failed and its
 * retry is due too.
 */
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

/** A link that orders now and takes 10 % off, for any subscription of the server. */
async function linksOf(server: TestServer): Promise<(made: Made) => string> {
  const { status, body, data } = await server.call('quick-actions.create', { name: REWARD, type: 'ORDER_NOW', reward: TEN_OFF });
  if (status >= 300) throw new Error(`The link of the races could not be made: ${status} ${JSON.stringify(body)}`);
  await server.call('quick-actions.activate', { id: Number((data as JsonObject).id) });
  const { rows } = await server.services.db.ownerQuery<{ id: number; link_secret: string }>(
    'select id, link_secret from stores where id = 1',
  );
  const store = rows[0] as { id: number; link_secret: string };
  const expiresAt = new Date(Date.now() + 86_400_000);
  return made => `/q/${linkToken(store, { contractId: made.id, what: 'orderNow', expiresAt })}`;
}
const REWARD = 'Order now, 10 % off';
const TEN_OFF = { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '10', orderCount: 1 };

type Browser = ReturnType<typeof customerBrowser>;
/** The address of the first button of a page; one that does nothing where it has none. */
const buttonOf = async (browser: Browser, url: string): Promise<string> => buttonsOf(await browser.open(url))[0] ?? url;

interface Round {
  kind: Kind;
  moves: readonly Move[];
}
export interface RaceOptions {
  seed: number;
  rounds: number;
  isOver?: () => boolean;
  /** What is done in each round; by the seed where it is left out. */
  plan?: readonly Round[];
  /** Makes one thing of a subscription wrong before the books are looked at, to show that the audit sees it. */
  spoil?: (made: Made, round: number) => Promise<void>;
}
const planOf = (seed: number, rounds: number): Round[] =>
  fc.sample(fc.record({ kind: fc.constantFrom(...KINDS), moves: fc.array(fc.constantFrom(...MOVES), { minLength: 2, maxLength: 7 }) }), {
    numRuns: rounds,
    seed,
  });

/**
 * Rounds of random moves on one subscription each, all sent at once. The same seed makes the same rounds; the order in which they meet is
 * the machine's.
 */
export async function raceCharges(
  server: TestServer,
  { seed, rounds, isOver = () => false, plan = planOf(seed, rounds), spoil }: RaceOptions,
): Promise<RaceReport> {
  const { services } = server;
  const goods = await stockGoods(server);
  const linkFor = await linksOf(server);
  const report: RaceReport = { seed, rounds: 0, charges: 0, failures: [] };
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
    // What people look at before anything is done: drafts of bulk actions, and the buttons of customers.
    const bulk = async (move: Move, which: string): Promise<() => Promise<void>> => {
      const draft = await ask(move, 'bulk-actions.create', {
        actionKey: 'CHARGE_ORDER',
        selection: { mode: 'IDS', ids: [made.id] },
        input: { which, keepSchedule: true },
      });
      return () => runDraft(move, draft);
    };
    const runDraft = async (move: Move, draft: JsonObject): Promise<void> => {
      await ask(move, 'bulk-actions.runBulkAction', { id: Number(draft.id), confirmCount: 1 });
      await runBulk(services, { storeId: 1, bulkId: Number(draft.id) }, AbortSignal.timeout(60_000));
    };
    const { data: customer } = await server.call('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(String((customer as JsonObject).portalLink));
    const browser = customerBrowser(() => server.app);
    const pages: Partial<Record<Move, string>> = {
      link: await buttonOf(browser, linkFor(made)),
      portal: await buttonOf(browser, `${pathname}${search}&do=NOW`),
    };
    const press = async (move: 'link' | 'portal'): Promise<void> => {
      const answer = await browser.send(pages[move] as string, 'POST');
      answers.push({ move, status: answer.statusCode === 303 ? 200 : answer.statusCode, body: {} });
      if (/json/.test(String(answer.headers['content-type']))) wrong(`${move} answered JSON: ${answer.body.slice(0, 200)}`);
    };
    const drafts: Partial<Record<Move, (() => Promise<void>)[]>> = {};
    for (const [move, which] of [
      ['bulkOverdue', 'OVERDUE'],
      ['bulkNext', 'NEXT'],
      ['bulkFailed', 'FAILED'],
    ] as const)
      for (const one of moves) if (one === move) (drafts[move] ??= []).push(await bulk(move, which));
    const runNext = (move: Move): Promise<void> => drafts[move]?.shift()?.() ?? Promise.resolve();
    const MAKE: Record<Move, () => Promise<unknown>> = {
      link: () => press('link'),
      portal: () => press('portal'),
      run: () => runDue(services, 1),
      tab: () => ask('tab', 'subscription-contract.chargeNow', { id: made.id, orderId, keepSchedule: true }),
      again: () =>
        Promise.all([1, 2].map(() => ask('again', 'subscription-contract.chargeNow', { id: made.id, orderId }, `${seed}-${round}-again`))),
      bulkOverdue: () => runNext('bulkOverdue'),
      bulkNext: () => runNext('bulkNext'),
      bulkFailed: () => runNext('bulkFailed'),
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
    await spoil?.(made, round);
    const done = new Set(answers.filter(({ status }) => status === 200).map(({ move }) => move));
    report.charges += await audit(server, made, kind, moves, wrong);
    await auditAmounts(server, made, kind, wrong);
    await auditRewards(server, made, wrong);
    await auditStates(server, made, done, wrong);
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
  // Each caller charges the order that was next when they looked: one each, whose next order is weeks ahead. Behind one in recovery that is
  // a second one.
  const isAhead = kind === 'plain' || kind === 'last' || kind === 'declined' || kind === 'recovering';
  const asked = 1 + (kind === 'recovering' && moves.includes('bulkNext') ? 1 : 0);
  if (isAhead && books.paid > asked) wrong(`${books.paid} orders are paid, no more than ${asked} were asked for`);
  if (kind === 'prepaid' && books.paid > asked) wrong(`paid in advance ${books.paid} times, no more than ${asked} were asked for`);
  return books.taken;
}

/**
 * What one charge comes to: two products at 20.00, three deliveries of them at once where they are paid in advance, and 4.95 of shipping
 * once.
 */
const DELIVERIES: Partial<Record<Kind, number>> = { prepaid: 3 };
const PIECES = 2 * 2000;
const SHIPPING = 495;

/**
 * Compares what was to be paid with order, attempt, gateway and ledger, to the minor unit; and that every order is settled as its attempts
 * say.
 */
async function auditAmounts(server: TestServer, { id }: Made, kind: Kind, wrong: (text: string) => void): Promise<void> {
  const { rows } = await server.services.db.ownerQuery<{
    cycle: number;
    status: string;
    is_prepaid_delivery: boolean;
    subtotal: number;
    discount: number;
    shipping: number;
    tax: number;
    total: number;
    currency: string;
    tries: number;
    rewarded: boolean;
    won: { amount: number; currency: string; taken: number | null; takenCurrency: string | null }[] | null;
  }>(
    `select o.cycle, o.status, o.is_prepaid_delivery, o.subtotal::integer as subtotal, o.discount::integer as discount, o.shipping::integer as shipping,
      o.tax::integer as tax, o.total::integer as total, o.currency_code as currency,
      (select count(*) from billing_attempts t where t.store_id = 1 and t.order_id = o.id)::integer as tries,
      coalesce(jsonb_array_length(o.came_with -> 'discountIds'), 0) > 0 as rewarded,
      (select jsonb_agg(jsonb_build_object('amount', t.amount, 'currency', t.currency_code, 'taken', g.amount, 'takenCurrency', g.currency_code))
        from billing_attempts t left join gateway_charges g on g.store_id = t.store_id and g.idempotency_key = t.idempotency_key and g.outcome->>'ok' = 'true'
        where t.store_id = 1 and t.order_id = o.id and t.success) as won
    from orders o where o.store_id = 1 and o.contract_id = $1 order by o.cycle`,
    [id],
  );
  const deliveries = DELIVERIES[kind] ?? 1;
  for (const order of rows) {
    const of = `order ${order.cycle} (${order.status})`;
    const won = order.won ?? [];
    const pieces = PIECES * deliveries;
    const due = order.is_prepaid_delivery ? 0 : pieces - (order.rewarded ? pieces / 10 : 0) + SHIPPING;
    if (order.status !== 'PAID') {
      if (won.length) wrong(`${of} was charged`);
      continue;
    }
    if (order.total !== due) wrong(`${of} comes to ${order.total}, it was to be ${due}`);
    if (order.total !== order.subtotal - order.discount + order.shipping + order.tax)
      wrong(`${of}: its parts don't add up to ${order.total}`);
    if (due === 0 ? order.tries > 0 : won.length !== 1) wrong(`${of} of ${due} was charged ${won.length} times in ${order.tries} tries`);
    for (const one of won)
      if (one.amount !== due || one.taken !== due || one.currency !== order.currency || one.takenCurrency !== order.currency)
        wrong(
          `${of} of ${due} ${order.currency}: the attempt says ${one.amount} ${one.currency}, the gateway took ${one.taken} ${one.takenCurrency}`,
        );
  }
}

/** A reward is there as often as its link was used, which is once at most, and only with an order that was paid. */
async function auditRewards(server: TestServer, { id }: Made, wrong: (text: string) => void): Promise<void> {
  const { rows } = await server.services.db.ownerQuery<{ uses: number; given: number; unpaid: number; kept: number; said: number }>(
    `select (select count(*) from link_events where store_id = 1 and contract_id = $1 and happened = 'CONFIRMED')::integer as uses,
      (select count(*) from orders where store_id = 1 and contract_id = $1 and status = 'PAID' and came_with is not null)::integer as given,
      (select count(*) from orders where store_id = 1 and contract_id = $1 and status <> 'PAID' and came_with is not null)::integer as unpaid,
      (select count(*) from contract_discounts where store_id = 1 and contract_id = $1)::integer as kept,
      (select count(*) from link_events e join orders o on o.store_id = e.store_id and o.id = e.order_id and o.status <> 'PAID'
        where e.store_id = 1 and e.contract_id = $1)::integer as said`,
    [id],
  );
  const [one] = rows;
  if (!one) return;
  if (one.uses > 1 || one.uses !== one.given) wrong(`the link was used ${one.uses} times, ${one.given} orders were paid with its reward`);
  if (one.unpaid || one.kept) wrong(`${one.unpaid} orders that are not paid hold a reward, ${one.kept} discounts are left`);
  if (one.said) wrong('the use of a link stands although its order is not paid');
}

/** The state that the subscription must be in after what was answered with 200, and what belongs to that state. */
async function auditStates(server: TestServer, { id }: Made, done: ReadonlySet<Move>, wrong: (text: string) => void): Promise<void> {
  const {
    rows: [end],
  } = await server.services.db.ownerQuery<{
    status: string;
    isOver: boolean;
    next: boolean | null;
    due: boolean;
    retries: number;
    ahead: number;
    skippedPaid: number;
    recovery: string | null;
    recovering: string | null;
  }>(
    `with o as (select * from orders where store_id = 1 and contract_id = $1)
    select c.status, (c.max_cycles is not null and c.completed_orders >= c.max_cycles) as "isOver", c.next_billing_at is not null as next,
      coalesce(c.next_billing_at <= now(), false) as due, (select count(*) from o where next_retry_at is not null)::integer as retries,
      (select count(*) from o where status = 'SCHEDULED' and cycle < c.next_cycle and next_retry_at is null)::integer as ahead,
      (select count(*) from o join billing_attempts t on t.store_id = 1 and t.order_id = o.id and t.success where o.status = 'SKIPPED')::integer as "skippedPaid",
      c.dunning->>'state' as recovery, (select status from o where id = (c.dunning->>'orderId')::bigint) as recovering
    from contracts c where c.store_id = 1 and c.id = $1`,
    [id],
  );
  if (!end) return;
  const expected = done.has('cancel') ? 'CANCELLED' : end.isOver ? 'EXPIRED' : done.has('pause') ? 'PAUSED' : 'ACTIVE';
  if (end.status !== expected) wrong(`it is ${end.status}, after what was done it must be ${expected}`);
  if (end.next !== (end.status === 'ACTIVE')) wrong(`${end.status}, and ${end.next ? 'an' : 'no'} order is planned`);
  if (end.due) wrong('an order is due and was not placed');
  if (end.retries && end.status !== 'ACTIVE') wrong(`${end.status}, and ${end.retries} orders would be tried again`);
  if (end.ahead) wrong(`${end.ahead} placed orders are neither paid, failed, skipped nor waiting`);
  if (end.skippedPaid) wrong(`${end.skippedPaid} skipped orders were charged`);
  if (end.recovery === 'IN_RECOVERY' && end.recovering !== 'FAILED') wrong(`in recovery for an order that is ${end.recovering}`);
  if (end.recovery === 'RECOVERED' && end.recovering !== 'PAID') wrong(`recovered an order that is ${end.recovering}`);
}
