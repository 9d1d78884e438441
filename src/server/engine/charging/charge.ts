// The second half of a charge: the gateway is asked outside of any transaction, and its answer is written down in one of its own.
import { sql } from 'kysely';
import { isOutcome, NoOutcome, type Answer as GatewayAnswer, type Gateway } from '../../platform/gateway/gateway.ts';
import { orderById } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { attempt as tryAgain, type PendingCharge } from './place-order.ts';
import { copyOf, type AttemptRow } from '../rows.ts';
import { isOutage, type Transact } from '../runtime.ts';
import { countCharge, type ChargeOutcome } from '../../platform/metrics/process-metrics.ts';
import type { StoreLog } from '../../platform/db/engine.ts';
import { applyOutcome } from './charge-outcome.ts';
import { nextLookUp } from './look-up.ts';
import { markUnclear } from './unclear-charge.ts';
import { UnitOfWork } from '../unit-of-work.ts';

/** Charges asked for at once. */
const AT_ONCE = 100;

export interface Charged {
  paid: number;
  failed: number;
  unknown: number;
}

/**
 * Takes charges that are written down as PROCESSING through the gateway and settles them; a refused first attempt may go on with the
 * backup method. A charge whose outcome is unknown (the gateway can't be reached, or the provider is still processing it) stays PROCESSING
 * and is looked up later; one that the gateway can't tell about any more waits for a person (`orders.unclear_since`). `clock` DUE dates
 * everything by the charge's own instant, NOW by the store's clock.
 */
export async function takeCharges(
  transact: Transact,
  gateway: Gateway,
  pending: readonly PendingCharge[],
  clock: 'DUE' | 'NOW' = 'NOW',
  log?: StoreLog,
): Promise<Charged> {
  const charged: Charged = { paid: 0, failed: 0, unknown: 0 };
  let round = [...pending];
  while (round.length > 0) {
    const next: PendingCharge[] = [];
    for (let i = 0; i < round.length; i += AT_ONCE) {
      const part = round.slice(i, i + AT_ONCE);
      const outcomes = await Promise.allSettled(part.map(item => counted(take(gateway, item))));
      const answered = part.flatMap((item, index) => {
        const outcome = outcomes[index];
        return outcome?.status === 'fulfilled' ? [{ item, outcome: outcome.value }] : [];
      });
      charged.unknown += part.length - answered.length;
      for (const { outcome } of answered)
        if (outcome === 'UNCLEAR' || !isOutcome(outcome)) charged.unknown++;
        else if (outcome.ok) charged.paid++;
        else charged.failed++;
      if (answered.length) next.push(...(await applySafely(transact, answered, clock, log)));
    }
    round = next;
  }
  return charged;
}

/** The answer, counted for the monitoring of the server. */
async function counted(answer: Promise<Answer>): Promise<Answer> {
  const from = performance.now();
  let outcome: ChargeOutcome = 'unknown';
  try {
    const given = await answer;
    if (given !== 'UNCLEAR') outcome = !isOutcome(given) ? 'waiting' : given.ok ? 'paid' : 'refused';
    return given;
  } finally {
    countCharge(outcome, performance.now() - from);
  }
}

/** UNCLEAR: the gateway does not know the key, and would not know either that it was charged before. */
type Answer = GatewayAnswer | 'UNCLEAR';
type Answered = { item: PendingCharge; outcome: Answer };

/**
 * Charges, and a second time only what the gateway does not know and would still refuse to take twice: a provider forgets keys
 * (`Gateway.keysLive`), so it is looked up first, always. Rejects while the outcome is unknown; a gateway that answers without an outcome
 * after that time leaves it to a person.
 */
async function take(gateway: Gateway, { charge, firstAskedMs, isProcessing }: PendingCharge): Promise<Answer> {
  if (firstAskedMs === undefined) return gateway.charge(charge);
  const isForgotten = firstAskedMs >= gateway.keysLive(charge);
  const known = await gateway.lookup(charge).catch((error: unknown) => {
    if (isForgotten && !isProcessing && error instanceof NoOutcome) return null;
    throw error;
  });
  return known ?? (isForgotten ? 'UNCLEAR' : gateway.charge(charge));
}

/**
 * All answers in one transaction; when one of them can't be written, each in its own, so that it holds up no other. It
 * stays PROCESSING and is tried again later.
 */
async function applySafely(
  transact: Transact,
  answered: readonly Answered[],
  clock: 'DUE' | 'NOW',
  log: StoreLog | undefined,
): Promise<PendingCharge[]> {
  try {
    return await transact(context => applyAll(context, answered, clock));
  } catch (error) {
    if (isOutage(error)) throw error;
    if (answered.length === 1) {
      log?.error(
        { err: error, orderId: answered[0]?.item.orderId },
        'The answer to a charge could not be written; it is tried again later.',
      );
      return [];
    }
    const next: PendingCharge[] = [];
    for (const one of answered) next.push(...(await applySafely(transact, [one], clock, log)));
    return next;
  }
}

/** Writes the answers of the gateway down. Attempts that were settled meanwhile are left alone, so repeating it changes nothing. */
export async function applyAll(context: EngineContext, answered: readonly Answered[], clock: 'DUE' | 'NOW'): Promise<PendingCharge[]> {
  const work = await UnitOfWork.open(context);
  await work.load(
    [...new Set(answered.map(({ item }) => item.contractId))],
    answered.map(({ item }) => item.orderId),
  );
  const { rows } = await sql<AttemptRow>`select * from billing_attempts where store_id = ${context.storeId}::integer
        and id = any(${answered.map(({ item }) => item.attemptId)}::bigint[])`.execute(context.trx);
  for (const row of rows) work.attempts.set(row.id, { row, before: copyOf(row) });
  if (answered.some(({ outcome }) => outcome !== 'UNCLEAR' && isOutcome(outcome) && !outcome.ok)) {
    if (work.settings.dunning.backupPaymentEnabled) await work.reserveAttemptIds(answered.length);
    await work.loadVariants(work.aggregates.values());
  }
  const next: PendingCharge[] = [];
  for (const { item, outcome } of answered) {
    const subscription = work.aggregates.get(item.contractId);
    const order = subscription && orderById(subscription, item.orderId);
    const attempt = work.attempts.get(item.attemptId)?.row;
    if (!subscription || !order || !attempt || attempt.ready || order.status !== 'PROCESSING') continue;
    work.at = clock === 'DUE' ? item.charge.at : context.now();
    if (outcome === 'UNCLEAR') {
      markUnclear(work, subscription, order, attempt);
      continue;
    }
    if (!isOutcome(outcome)) {
      attempt.next_action_url = outcome === 'PENDING' ? null : outcome.waits;
      attempt.look_up_at = nextLookUp(attempt.created_at, context.now());
      continue;
    }
    const further =
      applyOutcome(work, subscription, order, attempt, outcome) === 'TRY_BACKUP' ? tryAgain(work, subscription, order, 'BACKUP') : null;
    if (further) next.push(further);
  }
  await work.flush();
  return next;
}
