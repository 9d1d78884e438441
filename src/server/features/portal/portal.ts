// A subscription as its customer sees it: what there is to say about it, in the customer's language, and what the store lets them do.
import { sql } from 'kysely';
import type { Interval } from '../../../domain/calendar/interval.ts';
import { times, toMinor } from '../../../domain/money/money.ts';
import method from '../../../../schemas/entities/payment-method.json' with { type: 'json' };
import type { PortalPreferencesSettings } from '../../../generated/entities.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import type { Words } from '../../platform/texts/words.ts';
import { spanIn } from '../quick-actions/asked.ts';
import {
  type Aggregate,
  type CustomerContext,
  deliveryOf,
  isGift,
  linesOfOrder,
  loadAggregates,
  methodById,
  type MethodRow,
  nextPlanned,
  onOpenDay,
  presentPiece,
  pricedNext,
  type Say,
  speaking,
  UnitOfWork,
} from '../../engine/index.ts';
import { liveTheme, type Theme } from '../../platform/portal-look/theme.ts';

export interface Portal {
  context: CustomerContext;
  work: UnitOfWork;
  subscription: Aggregate;
  may: PortalPreferencesSettings;
  words: Words;
  speech: Speech;
  say: Say;
  theme: Theme;
  planHas(feature: string): boolean;
}

/** Undefined where the customer has no such subscription; gifts have a page of their own. */
export async function portalOf(context: CustomerContext, customerId: number, contractId: number): Promise<Portal | undefined> {
  const [subscription] = await loadAggregates(context.trx, context.storeId, [contractId], { lock: false });
  if (!subscription || subscription.contract.customer_id !== customerId || isGift(subscription.contract)) return undefined;
  return portalFrom(context, subscription, await liveTheme(context));
}

/** The page of a subscription by a theme. */
export async function portalFrom(context: CustomerContext, subscription: Aggregate, theme: Theme): Promise<Portal> {
  const work = await UnitOfWork.open(context);
  const { words, speech, say } = await speaking(context, subscription.contract.customer_locale, theme);
  const values = valuesOf(work, subscription, speech);
  return {
    context,
    work,
    // With names to be shown: who writes reads it again, locked.
    subscription: { ...subscription, lines: subscription.lines.map(speech.named) },
    may: (await context.setting('portal-preferences')) as PortalPreferencesSettings,
    words,
    speech,
    say: (key, more) => say(key, { ...values, ...more }),
    theme,
    planHas: feature => context.session.plan.features.includes(feature),
  };
}

function valuesOf(work: UnitOfWork, subscription: Aggregate, speech: Speech): Record<string, string> {
  const { store } = work.context;
  const { contract } = subscription;
  const total =
    pricedNext(subscription, work.zone, work.settings.prepaidShippingCharge)?.priced.total ?? contract.next_charge ?? contract.total;
  const next = nextPlanned(subscription, store.timezone);
  const day = next ? speech.day(new Date(next.billingAt)) : '';
  const method = methodById(subscription, contract.payment_method_id);
  return {
    customer_first_name: contract.customer_first_name,
    customer_email: contract.customer_email,
    store_name: store.name,
    store_email: store.email,
    subscription_number: `#${contract.id}`,
    subscription_frequency: speech.every(deliveryOf(contract)),
    next_order_date: day,
    order_date: day,
    delivery_date: next ? speech.day(new Date(onOpenDay(work, next.deliveryAt))) : '',
    deliveries_left: String(contract.prepaid_credits),
    order_total: speech.money(total, contract.currency_code),
    resume_date: contract.resume_at ? speech.day(contract.resume_at) : '',
    card_brand: BRANDS.get(method?.brand ?? null) ?? method?.brand ?? '',
    card_last_digits: method?.last_digits ?? '',
    card_expiry: method?.expiry_month ? `${String(method.expiry_month).padStart(2, '0')}/${method.expiry_year}` : '',
  };
}

const BRANDS = new Map<string | null, string>(method.properties.brand.oneOf.map(one => [one.const, one.title]));
/** "Visa ending in 4242" */
export function cardOf({ say }: Pick<Portal, 'say'>, { brand, last_digits: digits, paypal_account_email: account }: MethodRow): string {
  const kind = BRANDS.get(brand) ?? brand ?? '';
  if (account) return say('paypalLine', { customer_email: account });
  return digits ? say('portalCard', { card: kind, last_digits: digits }) : kind;
}

/** The discounts that came with a code, which a customer entered or could have entered. */
export const codesOf = ({ subscription }: Pick<Portal, 'subscription'>): Aggregate['discounts'] =>
  subscription.discounts.filter(one => one.code && one.rejection_reason === null);

/** "2 weeks", as the language says it. */
export const spanOf = ({ speech }: Pick<Portal, 'speech'>, one: Interval): string => spanIn(speech.language, one);

/** What the products of the next order cost, in the store's currency; `left` counts other quantities of some lines. */
export function productsCost({ context, work, subscription }: Portal, left: ReadonlyMap<number, number> = new Map()): number {
  const cycle = nextPlanned(subscription, work.zone)?.cycle ?? subscription.contract.next_cycle;
  const minor = linesOfOrder(subscription.lines, cycle).reduce(
    (sum, line) => sum + times(presentPiece(subscription, line), left.get(line.id) ?? line.quantity),
    0,
  );
  return inStoreCurrency(context.store, minor, subscription.contract.currency_code);
}

/** The sentence that refuses fewer products than an order must have, or undefined. */
export function tooLittle(portal: Portal, left: ReadonlyMap<number, number>): string | undefined {
  const { context, may, say, speech } = portal;
  const currency = context.store.currency_code;
  const least = toMinor(may.minimumOrderValue ?? '0', currency);
  const after = productsCost(portal, left);
  if (after >= least || after >= productsCost(portal)) return undefined;
  return say('portalMinimum', { minimum_order_value: speech.money(least, currency) });
}

/** Orders that were skipped in a row right before the next one. */
export async function skippedInARow({ context, work, subscription }: Portal): Promise<number> {
  const next = nextPlanned(subscription, work.zone);
  if (!next) return 0;
  const { rows } = await sql<{ cycle: number }>`select cycle from orders where store_id = ${context.storeId}::integer
    and contract_id = ${subscription.contract.id}::bigint and status = 'SKIPPED' and cycle < ${next.cycle}::integer order by cycle desc
    limit 13`.execute(context.trx);
  const gap = rows.findIndex(({ cycle }, i) => cycle !== next.cycle - 1 - i);
  return gap === -1 ? rows.length : gap;
}
