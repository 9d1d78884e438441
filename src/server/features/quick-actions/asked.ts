// What the choices of a link are made of: the subscription as it is now, what it would pay, and how its customer's language says it.
import { sql } from 'kysely';
import type { Interval } from '../../../domain/calendar/interval.ts';
import type { Definitions } from '../../../contract/types.ts';
import { Refusal, type Store } from '../../platform/context.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import {
  type Aggregate,
  chargeAgain,
  type EngineContext,
  findVariants,
  loadAggregates,
  mailSpeech,
  orderById,
  orderedNow,
  pieceInCharge,
  priceVariant,
  UnitOfWork,
  nameOfVariant,
} from '../../engine/index.ts';
import type { Asked, Offered } from './kinds.ts';

/** A subscription as links look at it; nothing of it is locked or changed. */
export interface Subject {
  work: UnitOfWork;
  subscription: Aggregate;
  /** The order whose payment failed last, as far as it is unpaid. */
  failedId: number | undefined;
}

/** Undefined for a subscription that is not there. */
export async function subjectOf(context: EngineContext, contractId: number): Promise<Subject | undefined> {
  const { trx, storeId } = context;
  const { rows } = await sql<{ id: number }>`select id from orders where store_id = ${storeId}::integer
    and contract_id = ${contractId}::bigint and status = 'FAILED' order by cycle desc limit 1`.execute(trx);
  const failedId = rows[0]?.id;
  const [subscription] = await loadAggregates(trx, storeId, [contractId], {
    lock: false,
    orderIds: failedId === undefined ? [] : [failedId],
  });
  return subscription && { work: await UnitOfWork.open(context), subscription, failedId };
}

/** How the customer's language says days, amounts and spans of time. */
export const speakingTo = async (context: EngineContext, definitions: Definitions, language: string): Promise<Speech> =>
  (await mailSpeech({ ...context, store: context.store as Store, definitions })).speech(language);

/** "1 week", "2 weeks", as a language says it. */
export const spanIn = (language: string, { interval, intervalCount }: Interval): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: interval.toLowerCase(), unitDisplay: 'long' }).format(intervalCount);

/** Names of variants that are still sold, by their ids, as `speech` names them. */
export async function namesOf(
  { trx, storeId }: EngineContext,
  ids: readonly number[],
  speech: Pick<Speech, 'named'>,
): Promise<Map<number, string>> {
  type Row = { id: number; product_id: number; product_title: string; title: string };
  const { rows } = await sql<Row>`select v.id, p.id as product_id, p.title as product_title, v.title from variants v
    join products p on p.store_id = v.store_id and p.id = v.product_id
    where v.store_id = ${storeId}::integer and v.id = any(${[...ids]}::bigint[]) and v.deleted_at is null and p.deleted_at is null`.execute(
    trx,
  );
  return new Map(rows.map(row => [row.id, nameOfVariant(speech.named(row))]));
}

/** Prices of products that a link adds, in minor units of the subscription's currency; one that has none there is left out. */
async function pricesOf({ work, subscription }: Subject, { addVariantIds = [], addDiscount = 0 }: Offered): Promise<Map<number, number>> {
  const prices = new Map<number, number>();
  if (addVariantIds.length === 0) return prices;
  const discount =
    addDiscount > 0 ? { discountType: 'PERCENTAGE' as const, discountValue: String(addDiscount) } : { discountType: 'NONE' as const };
  for (const variant of await findVariants(work.context, { ids: addVariantIds }))
    try {
      const { price, basePrice, policy } = await priceVariant(work, subscription, variant, discount);
      const line = { price, base_price: basePrice, pricing_policy: policy as never, price_is_manual: false };
      prices.set(variant.id, pieceInCharge(line, subscription.contract.completed_orders + 1, 1, subscription.contract.currency_code));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  return prices;
}

/** What choices are made of. `say` gives the store's words by their keys. */
export async function askedOf(
  subject: Subject,
  offered: Offered,
  { variants, speech, say, form }: Pick<Asked, 'variants' | 'say' | 'form'> & { speech: Speech },
): Promise<Asked> {
  const { work, subscription, failedId } = subject;
  const { currency_code: currency, next_billing_at: nextBillingAt } = subscription.contract;
  const { prepaidShippingCharge } = work.settings;
  const failed = failedId === undefined ? undefined : orderById(subscription, failedId);
  return {
    nextBillingAt,
    zone: work.zone,
    now: work.at,
    variants,
    prices: await pricesOf(subject, offered),
    next: orderedNow(subscription, work.zone, prepaidShippingCharge),
    ...(failed ? { failed: { orderId: failed.id, total: chargeAgain(subscription, failed, prepaidShippingCharge) } } : {}),
    say,
    form,
    day: at => speech.day(new Date(at)),
    span: one => spanIn(speech.language, one),
    money: minor => speech.money(minor, currency),
  };
}
