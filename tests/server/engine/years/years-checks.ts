// What must be true of simulated stores: at every moment, of the books at the end, and of untouched subscriptions.
import { DateTime } from 'luxon';
import { sql } from 'kysely';
import { toMinor } from '../../../../src/domain/money/money.ts';
import { group, type Aggregate } from '../../../../src/server/engine/aggregate.ts';
import type { OrderLine } from '../../../../src/server/engine/price.ts';
import type { AttemptRow, ContractRow, OrderRow } from '../../../../src/server/engine/rows.ts';
import { upcomingOrders } from '../../../../src/server/engine/schedule.ts';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { modelLife, type Stretch, type Terms } from './model.ts';

/** Counts what is checked, and complains about the first thing that is wrong. */
export class Proof {
  checks = 0;
  readonly #where: () => string;
  /** `where` names seed, store and moment. */
  constructor(where: () => string) {
    this.#where = where;
  }
  /** @throws Error when it is not so */
  must(isSo: boolean, told: () => string): void {
    this.checks++;
    if (!isSo) throw new Error(`${this.#where()}: ${told()}`);
  }
}

/** What must hold whenever everything that is due has run. */
export async function checkMoment(db: Database, storeId: number, now: Date, proof: Proof): Promise<void> {
  const { rows } = await db.inStore(storeId, trx =>
    sql<{ what: string; n: number }>`
    select 'active contracts with an order that is due and not placed' as what, count(*) as n from contracts where store_id = ${storeId} and status = 'ACTIVE' and next_billing_at <= ${now}
    union all select 'retries that are due and not made', count(*) from orders where store_id = ${storeId} and next_retry_at <= ${now}
    union all select 'pauses that are over', count(*) from contracts where store_id = ${storeId} and status = 'PAUSED' and resume_at <= ${now}
    union all select 'charges without an answer', count(*) from orders where store_id = ${storeId} and status = 'PROCESSING'
    union all select 'attempts without an answer', count(*) from billing_attempts where store_id = ${storeId} and not ready
    union all select 'ended contracts with a next order', count(*) from contracts where store_id = ${storeId} and status in ('CANCELLED', 'EXPIRED', 'FAILED') and (next_billing_at is not null or base_at is not null)
    union all select 'retries of contracts that do not run', count(*) from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id where o.store_id = ${storeId} and o.next_retry_at is not null and c.status <> 'ACTIVE'
    union all select 'contracts beyond their last order', count(*) from contracts where store_id = ${storeId} and max_cycles is not null and completed_orders > max_cycles
    union all select 'active contracts that are over', count(*) from contracts where store_id = ${storeId} and status = 'ACTIVE' and max_cycles is not null and completed_orders >= max_cycles and prepaid_credits = 0`.execute(
      trx,
    ),
  );
  for (const { what, n } of rows) proof.must(Number(n) === 0, () => `${n} ${what}`);
}

interface Credit {
  id: number;
  contract_id: number;
  type: string;
  credits: number;
  balance_after: number;
  order_id: number | null;
}
/** Everything that a store wrote down. */
export interface Books {
  contracts: ContractRow[];
  orders: OrderRow[];
  attempts: AttemptRow[];
  credits: Credit[];
  charges: { idempotency_key: string; amount: number; currency_code: string; outcome: unknown }[];
  /** What the log says about orders. */
  told: { key: string; orderId: number }[];
  stockLeft: Map<number, number>;
}

/** Reads the books, each table once. */
export const readBooks = (db: Database, storeId: number): Promise<Books> =>
  db.asOwner(async trx => {
    const { rows: told } = await sql<{
      key: string;
      orderId: number;
    }>`select key, (data->>'orderId')::bigint as "orderId" from events where store_id = ${storeId}::integer and key in ('order_charged_now', 'order_placed')`.execute(
      trx,
    );
    const variants = await trx.selectFrom('variants').select(['id', 'inventory_quantity']).where('store_id', '=', storeId).execute();
    return {
      contracts: await trx.selectFrom('contracts').selectAll().where('store_id', '=', storeId).orderBy('id').execute(),
      orders: (await trx
        .selectFrom('orders')
        .selectAll()
        .where('store_id', '=', storeId)
        .orderBy('contract_id')
        .orderBy('cycle')
        .execute()) as OrderRow[],
      attempts: (await trx
        .selectFrom('billing_attempts')
        .selectAll()
        .where('store_id', '=', storeId)
        .orderBy('id')
        .execute()) as AttemptRow[],
      credits: await trx
        .selectFrom('credit_transactions')
        .select(['id', 'contract_id', 'type', 'credits', 'balance_after', 'order_id'])
        .where('store_id', '=', storeId)
        .orderBy('id')
        .execute(),
      charges: await trx
        .selectFrom('gateway_charges')
        .select(['idempotency_key', 'amount', 'currency_code', 'outcome'])
        .where('store_id', '=', storeId)
        .execute(),
      told,
      stockLeft: new Map(variants.map(row => [row.id, row.inventory_quantity])),
    };
  });

/** The books against the gateway, the ledger, the stock (`stock`: what there was) and themselves. */
export function checkBooks(books: Books, stock: ReadonlyMap<number, number>, zone: string, proof: Proof): void {
  const { orders, attempts, charges, contracts } = books;
  const byKey = new Map(attempts.map(attempt => [attempt.idempotency_key, attempt]));
  let taken = 0;
  for (const charge of charges) {
    const attempt = byKey.get(charge.idempotency_key);
    const { ok } = charge.outcome as { ok: boolean };
    if (ok) taken += charge.amount;
    proof.must(attempt !== undefined, () => `the gateway charged ${charge.idempotency_key}, which our books don't know`);
    proof.must(
      attempt?.amount === charge.amount && attempt.currency_code === charge.currency_code && attempt.success === ok,
      () => `books and gateway differ on ${charge.idempotency_key}: ${attempt?.amount} ${attempt?.success} against ${charge.amount} ${ok}`,
    );
  }
  const earned = orders.filter(order => order.status === 'PAID').reduce((sum, order) => sum + order.total, 0);
  proof.must(taken === earned, () => `the gateway took ${taken}, the paid orders cost ${earned}`);
  const byHand = new Set(books.told.filter(one => one.key === 'order_charged_now').map(one => one.orderId));
  const told = group(
    books.told.filter(one => one.key === 'order_placed'),
    one => one.orderId,
  );
  const keys = new Set(charges.map(charge => charge.idempotency_key));
  for (const attempt of attempts)
    proof.must(
      !attempt.success || keys.has(attempt.idempotency_key),
      () => `attempt ${attempt.idempotency_key} succeeded without the gateway`,
    );
  const tries = group(attempts, attempt => attempt.order_id);
  const placed = group(orders, order => order.contract_id);
  const ledgers = group(books.credits, entry => entry.contract_id);
  for (const order of orders) {
    const own = tries.get(order.id) ?? [];
    const paid = own.filter(attempt => attempt.success);
    proof.must(paid.length <= 1, () => `order ${order.id} was charged ${paid.length} times`);
    proof.must(
      order.status !== 'PAID' || order.total === 0 || paid.length === 1,
      () => `order ${order.id} counts as paid and was never charged`,
    );
    proof.must(order.status === 'PAID' || paid.length === 0, () => `order ${order.id} was charged and is ${order.status}`);
    proof.must(
      order.status !== 'PAID' || order.skip_reason === null,
      () => `order ${order.id} was skipped (${order.skip_reason}) and charged all the same`,
    );
    proof.must(
      !paid[0] || paid[0].amount === order.total,
      () => `order ${order.id} cost ${order.total} and was charged ${paid[0]?.amount}`,
    );
    proof.must(
      (told.get(order.id)?.length ?? 0) === (order.status === 'PAID' ? 1 : 0),
      () => `order ${order.id} is ${order.status} and was announced as placed ${told.get(order.id)?.length ?? 0} times`,
    );
    checkTries(order, own, proof);
    checkTotals(order, proof);
  }
  for (const contract of contracts)
    checkContract(contract, placed.get(contract.id) ?? [], ledgers.get(contract.id) ?? [], byHand, zone, proof);
  const sold = new Map<number | null, number>();
  for (const order of orders)
    if (order.status === 'PAID')
      for (const line of order.lines as OrderLine[]) sold.set(line.variantId, (sold.get(line.variantId) ?? 0) + line.quantity);
  for (const [variantId, had] of stock)
    proof.must(
      books.stockLeft.get(variantId) === had - (sold.get(variantId) ?? 0),
      () => `variant ${variantId}: ${had} minus ${sold.get(variantId) ?? 0} sold is not ${books.stockLeft.get(variantId)}`,
    );
}

/**
 * Tries are counted through, none comes before its order is due, none after the money was taken, and the backup is tried once: right after
 * the first try.
 */
function checkTries(order: OrderRow, tries: readonly AttemptRow[], proof: Proof): void {
  for (const [i, attempt] of tries.entries()) {
    const before = tries[i - 1];
    proof.must(attempt.attempt_number === i + 1, () => `order ${order.id}: its try ${i + 1} is counted as ${attempt.attempt_number}`);
    proof.must(
      !before || (before.created_at <= attempt.created_at && !before.success),
      () => `order ${order.id}: try ${i + 1} follows one that ${before?.success ? 'took the money' : 'is later'}`,
    );
    proof.must(
      attempt.trigger !== 'SCHEDULED' || attempt.created_at >= order.billing_at,
      () => `order ${order.id} of ${order.billing_at.toISOString()} was charged at ${attempt.created_at.toISOString()}`,
    );
    proof.must(
      !attempt.is_backup ||
        (i === 1 &&
          before?.created_at.getTime() === attempt.created_at.getTime() &&
          before.payment_method_id !== attempt.payment_method_id),
      () => `order ${order.id}: its backup was charged as try ${i + 1}`,
    );
  }
}

/** No cycle is lost, no date runs backwards, and charges and credits are counted as they happened. */
function checkContract(
  contract: ContractRow,
  own: readonly OrderRow[],
  ledger: readonly Credit[],
  byHand: ReadonlySet<number>,
  zone: string,
  proof: Proof,
): void {
  const cycles = new Set(own.map(order => order.cycle));
  // A schedule that ends with an order skipped further ahead goes on after that one: what lay before it was never to be placed.
  const isEndedWith = (cycle: number): boolean =>
    own.filter(order => order.cycle > cycle).toSorted((a, b) => a.cycle - b.cycle)[0]?.status === 'SKIPPED';
  for (let cycle = 1; cycle < contract.next_cycle; cycle++)
    proof.must(
      cycles.has(cycle) || isEndedWith(cycle),
      () => `contract ${contract.id} lost its cycle ${cycle} of ${contract.next_cycle - 1}`,
    );
  const paid = own.filter(order => order.status === 'PAID' && !order.is_prepaid_delivery);
  proof.must(
    paid.length === contract.completed_orders,
    () => `contract ${contract.id} counts ${contract.completed_orders} orders, ${paid.length} are paid`,
  );
  const numbers = paid.map(order => order.order_number).sort((a, b) => a - b);
  proof.must(
    numbers.every((number, i) => number === i + 1),
    () => `contract ${contract.id}: its paid orders bear the numbers ${numbers.join(', ')}`,
  );
  let last = { at: 0, day: '' };
  for (const order of own) {
    if (order.status === 'SKIPPED' || order.cycle >= contract.next_cycle) continue;
    const here = { at: order.billing_at.getTime(), day: DateTime.fromJSDate(order.billing_at, { zone }).toISODate() ?? '' };
    // Only a person may charge a second order on the same day.
    proof.must(
      here.at >= last.at && (here.day > last.day || byHand.has(order.id)),
      () => `contract ${contract.id}: order ${order.cycle} of ${order.billing_at.toISOString()} follows one of ${last.day}`,
    );
    last = here;
  }
  let balance = 0;
  for (const entry of ledger) {
    balance += entry.credits;
    proof.must(
      balance === entry.balance_after && balance >= 0,
      () => `contract ${contract.id}: ledger entry ${entry.id} says ${entry.balance_after}, the sum is ${balance}`,
    );
  }
  if (!ledger.some(entry => entry.type === 'ADJUSTED')) checkLedger(own, ledger, proof);
  proof.must(
    balance === contract.prepaid_credits,
    () => `contract ${contract.id} has ${contract.prepaid_credits} credits, the ledger ${balance}`,
  );
}

/** Every charge of a prepaid contract finds no delivery left and pays for several, every delivery uses one up. */
function checkLedger(orders: readonly OrderRow[], ledger: readonly Credit[], proof: Proof): void {
  const byOrder = group(ledger, entry => entry.order_id);
  for (const order of orders) {
    const entries = byOrder.get(order.id) ?? [];
    const told = entries.map(entry => `${entry.type} ${entry.credits}`).join(', ');
    const isRight =
      order.status !== 'PAID'
        ? entries.length === 0
        : order.is_prepaid_delivery
          ? told === 'CONSUMED -1'
          : entries.length === 0 ||
            (entries.length === 2 &&
              entries[0]?.type === 'ADDED' &&
              entries[0].credits > 1 &&
              entries[0].balance_after === entries[0].credits &&
              entries[1]?.type === 'CONSUMED' &&
              entries[1].credits === -1);
    proof.must(
      isRight,
      () =>
        `order ${order.id} (${order.status}${order.is_prepaid_delivery ? ', paid in advance' : ''}) stands in the ledger as ${told || 'nothing'}`,
    );
    if (order.status === 'PAID' && order.is_prepaid_delivery)
      proof.must(
        order.subtotal ===
          (order.lines as OrderLine[])
            .filter(line => line.isOneTimeAdded)
            .reduce((sum, line) => sum + toMinor(line.total, order.currency_code), 0),
        () => `order ${order.id} was paid in advance and costs ${order.subtotal}`,
      );
  }
}

function checkTotals(order: OrderRow, proof: Proof): void {
  const lines = order.lines as OrderLine[];
  const minor = (text: string): number => toMinor(text, order.currency_code);
  const sum = (pick: (line: OrderLine) => number): number => lines.reduce((total, line) => total + pick(line), 0);
  proof.must(sum(line => minor(line.total)) === order.subtotal, () => `order ${order.id}: its lines don't add up to ${order.subtotal}`);
  for (const line of lines) {
    proof.must(
      minor(line.price) * line.quantity === minor(line.total),
      () => `order ${order.id}: ${line.quantity} x ${line.price} is not ${line.total}`,
    );
    proof.must(
      minor(line.total) - line.discounts.reduce((total, part) => total + minor(part.amount), 0) === minor(line.discountedPrice),
      () => `order ${order.id}: the discounts of line ${line.lineId} don't add up`,
    );
  }
  const offLines = order.subtotal - sum(line => minor(line.discountedPrice));
  const offShipping = order.discount - offLines;
  proof.must(
    offShipping >= 0 && offShipping <= order.shipping,
    () => `order ${order.id}: ${offShipping} off a shipping of ${order.shipping}`,
  );
  proof.must(
    order.subtotal - order.discount + order.shipping === order.total && order.total >= 0,
    () => `order ${order.id}: ${order.subtotal} - ${order.discount} + ${order.shipping} is not ${order.total}`,
  );
}

/** An untouched contract has exactly the orders, attempts, amounts, credits and state of its model, no more and no fewer. */
export function checkWatched(
  subscription: Aggregate,
  own: readonly OrderRow[],
  tries: readonly AttemptRow[],
  terms: Terms,
  stretches: readonly Stretch[],
  now: Date,
  proof: Proof,
): void {
  const model = modelLife(terms, stretches, now.getTime());
  const { contract } = subscription;
  const attempts = group(tries, attempt => attempt.order_id);
  const orders = own.filter(order => order.cycle < contract.next_cycle);
  const time = (at: number | null): string => (at === null ? 'none' : new Date(at).toISOString());
  const differ = (what: string, is: unknown, wanted: unknown): void => {
    proof.must(
      String(is) === String(wanted),
      () => `contract ${contract.id}, untouched (${JSON.stringify(terms)}): ${what} is ${String(is)} and must be ${String(wanted)}`,
    );
  };
  for (const [i, wanted] of model.orders.entries()) {
    const order = orders[i];
    const name = `order ${wanted.cycle}`;
    differ(
      name,
      order ? `cycle ${order.cycle} of ${time(order.billing_at.getTime())}` : 'missing',
      `cycle ${wanted.cycle} of ${time(wanted.billingAt)}`,
    );
    if (!order) return;
    differ(`${name}, its delivery`, time(order.delivery_at.getTime()), time(wanted.deliveryAt));
    if (order.status === 'PAID') {
      const local = (at: number): string => DateTime.fromMillis(at, { zone: terms.zone }).toFormat('yyyy-MM-dd');
      differ(
        `${name}, its tags`,
        order.tags.filter(tag => / \d{4}-/.test(tag)).join('; '),
        `Deliver ${local(wanted.deliveryAt)}; Charged ${local(wanted.billingAt)}`,
      );
      differ(
        `${name}, its date field`,
        (order.custom_attributes as { key: string; value: string }[]).map(one => `${one.key} ${one.value}`).join('; '),
        `Delivery date ${local(wanted.deliveryAt)}`,
      );
    }
    differ(`${name}, its state`, order.status, wanted.status);
    differ(`${name}, paid in advance`, order.is_prepaid_delivery, wanted.isPrepaidDelivery);
    if (order.status === 'PAID') differ(`${name}, its number`, order.order_number, wanted.number);
    differ(`${name}, its total`, order.total, wanted.total);
    differ(`${name}, its next try`, time(order.next_retry_at?.getTime() ?? null), time(wanted.retryAt));
    const told = (one: { at: number; methodId: number | null; amount: number; ok: boolean; isBackup: boolean; isRetry: boolean }): string =>
      `${time(one.at)} ${one.isBackup ? 'backup' : one.isRetry ? 'retry' : 'first'} ${one.methodId} ${one.amount} ${one.ok ? 'paid' : 'refused'}`;
    const made = (attempts.get(order.id) ?? []).map(row =>
      told({
        at: row.created_at.getTime(),
        methodId: row.payment_method_id,
        amount: row.amount,
        ok: row.success === true,
        isBackup: row.is_backup,
        isRetry: row.trigger === 'RETRY',
      }),
    );
    differ(`${name}, its charges`, made.join('; '), wanted.attempts.map(told).join('; '));
  }
  if (contract.status === 'ACTIVE' && terms.method.token === 'tok_success') checkShown(subscription, terms, stretches, now, proof);
  differ('the number of orders', orders.length, model.orders.length);
  differ('the state', contract.status, model.status);
  differ('the number of charges', contract.completed_orders, model.charges);
  differ('the deliveries left', contract.prepaid_credits, model.credits);
  differ('the next order', time(contract.next_billing_at?.getTime() ?? null), time(model.nextAt));
}

/** The orders ahead that people are shown are those that the model sees coming, if every charge succeeds. */
export function checkShown(subscription: Aggregate, terms: Terms, stretches: readonly Stretch[], now: Date, proof: Proof): void {
  const year = DateTime.fromJSDate(now, { zone: terms.zone }).plus({ months: 12 }).toMillis();
  const told = (cycle: number, number: number, at: number, isPrepaidDelivery: boolean): string =>
    `${cycle} as number ${number} on ${new Date(at).toISOString()}${isPrepaidDelivery ? ', paid in advance' : ''}`;
  const shown = upcomingOrders(subscription, terms.zone, now).map(order =>
    told(order.cycle, order.orderNumber, order.billingAt, order.isPrepaidDelivery),
  );
  const model = modelLife({ ...terms, method: { ...terms.method, token: 'tok_success' } }, stretches, year)
    .orders.filter(order => order.cycle >= subscription.contract.next_cycle)
    .slice(0, 10)
    .map(order => told(order.cycle, order.number, order.billingAt, order.isPrepaidDelivery));
  // The very next order is shown however far ahead it is.
  proof.must(
    shown.slice(0, Math.max(1, model.length)).join('; ') === (model.length ? model : shown.slice(0, 1)).join('; ') &&
      shown.length <= Math.max(1, model.length),
    () => `contract ${subscription.contract.id} shows the orders ${shown.join('; ')}, and must show ${model.join('; ')}`,
  );
}
