// What an entry of a subscription's log says beyond its title: what changed, from what to what, in words. Entries of any age and source are
// read; what is not known says nothing rather than something wrong.
import { frequencyLabel, intervalIn } from '../../../domain/calendar/interval.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import { ellipsis } from '../../../domain/text/text.ts';
import { type FailureKey, FAILURE_CATEGORIES } from '../../../domain/recovery/failure-codes.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { country, day, money } from '../../platform/format.ts';
import { intervalWords } from '../../platform/interpolate.ts';
import { t, translated } from '../../../domain/text/t.ts';

export interface EventWords {
  /** "Order 5", "Ethiopia Yirgacheffe": what it was about. */
  about?: string;
  changes: { from?: string; to: string }[];
  /** A sentence more. */
  more?: string;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined);
const number = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const at = (value: JsonValue | undefined, name: string): JsonValue | undefined => (isObject(value) ? value[name] : undefined);
const date = (value: JsonValue | undefined): string | undefined => {
  const epoch = number(value);
  return epoch === undefined ? undefined : day(epoch);
};
const reasonLabel = (value: JsonValue | undefined): string | undefined => {
  const key = text(value);
  const category = FAILURE_CATEGORIES.find(one => one.key === (key as FailureKey));
  return key && (category ? translated(category.label) : key.replaceAll('_', ' '));
};

const often = (value: JsonValue | undefined): string | undefined => {
  const words = text(value);
  const interval = words && intervalIn(words);
  return interval ? frequencyLabel(interval) : words?.toLowerCase();
};

/** Amounts are decimal texts; a bare number counts minor units. */
function amount(value: JsonValue | undefined, currency: string): string | undefined {
  if (typeof value === 'number') return money(toDecimal(value, currency), currency);
  return text(value) && money(value as string, currency);
}
function addressLine(value: JsonValue | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  const parts = [value.address1, value.city, value.zip, typeof value.countryCode === 'string' ? country(value.countryCode) : undefined];
  return parts.filter(part => typeof part === 'string' && part !== '').join(', ') || undefined;
}
function methodLine(value: JsonValue | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  const brand = text(value.brand);
  const name = brand ? brand.charAt(0).toUpperCase() + brand.slice(1) : t`Method`;
  return text(value.lastDigits)
    ? `${name} •••• ${String(value.lastDigits)}`
    : text(value.paypalAccountEmail)
      ? t`PayPal ${String(value.paypalAccountEmail)}`
      : name;
}
const list = (value: JsonValue | undefined): string | undefined =>
  Array.isArray(value)
    ? value.map(item => (isObject(item) ? `${String(item.key)}: ${String(item.value)}` : String(item))).join(', ') || t`nothing`
    : undefined;
const lineName = (value: JsonValue | undefined): string | undefined => {
  const name = text(at(value, 'name'));
  const quantity = number(at(value, 'quantity'));
  return name && (quantity && quantity > 1 ? `${name} × ${quantity}` : name);
};
const shorten = (value: string): string => ellipsis(value, 140);

/** What was arranged for single orders ahead and ended with a change of the whole schedule. */
function endedSentences(ended: JsonValue | undefined): string[] {
  const dates = (what: string): string[] => ((at(ended, what) ?? []) as JsonValue[]).flatMap(one => date(one) ?? []);
  const [skipped, moved] = [dates('skipped'), dates('moved')];
  return [
    ...(skipped.length === 1 ? [t`Skipped for good: the order of ${skipped.join()}.`] : []),
    ...(skipped.length > 1 ? [t`Skipped for good: the orders of ${skipped.join(', ')}.`] : []),
    ...(moved.length === 1 ? [t`Lost its own date: the order moved to ${moved.join()}.`] : []),
    ...(moved.length > 1 ? [t`Lost their own dates: the orders moved to ${moved.join(', ')}.`] : []),
  ];
}

/** "10 % off, in the next 3 orders." */
function discountSize({ type, value, orderLimit }: JsonObject, currency: string): string | undefined {
  const size =
    type === 'FREE_SHIPPING'
      ? t`Free shipping`
      : text(value) === undefined
        ? undefined
        : type === 'PERCENTAGE'
          ? t`${Number(value)}% off`
          : type === 'FIXED_AMOUNT'
            ? t`${String(amount(value, currency))} off`
            : undefined;
  const limit = number(orderLimit);
  if (!size || limit === undefined) return size && `${size}.`;
  return limit === 1 ? t`${size}, in one order.` : t`${size}, in ${limit} orders.`;
}

function chargedSentence(total: string, method: string | undefined, due: string | undefined): string {
  if (due) return method ? t`${total} charged to ${method} for the order due on ${due}.` : t`${total} charged for the order due on ${due}.`;
  return method ? t`${total} charged to ${method}.` : t`${total} charged.`;
}

/** The words for one entry. `currency`: of the subscription, for amounts that name none. */
export function eventWords(key: string, data: JsonObject, currency: string): EventWords {
  const cash = text(data.currencyCode) ?? currency;
  const { before, after } = data;
  const changes: EventWords['changes'] = [];
  const change = (from: string | undefined, to: string | undefined): void => {
    if (to !== undefined && from !== to) changes.push(from === undefined ? { to } : { from, to });
  };
  const sentences: string[] = [];
  const say = (sentence: string | false | undefined): void => {
    if (sentence) sentences.push(sentence);
  };
  // An order is called by its place in the subscription, which its id ends with; the number of its charge is shared by prepaid deliveries.
  const orderId = number(data.orderId);
  const order = orderId === undefined ? (number(data.cycle) ?? number(data.orderNumber)) : orderId % 10_000;
  let about =
    order !== undefined && /^(order|payment|refund|product_.*once|backup_payment_attempted)/.test(key) ? t`Order ${order}` : undefined;

  switch (key) {
    case 'quantity_updated':
      about = text(data.name);
      change(String(at(before, 'quantity') ?? ''), String(at(after, 'quantity') ?? ''));
      break;
    case 'price_updated':
      about = text(data.name);
      change(amount(at(before, 'price'), cash), amount(at(after, 'price'), cash));
      break;
    case 'product_swapped':
    case 'product_swapped_once':
      change(lineName(before), lineName(after));
      break;
    case 'subscription_upgraded': {
      const side = (value: JsonValue | undefined): string | undefined =>
        [lineName(value), amount(at(value, 'price'), cash), often(at(value, 'frequency'))].filter(Boolean).join(', ') || undefined;
      change(side(before), side(after));
      break;
    }
    case 'line_attributes_updated':
      about = text(data.name);
      change(list(before), list(after));
      break;
    case 'note_updated':
    case 'order_note_updated':
      change(text(before) ? `“${shorten(String(before))}”` : t`nothing`, text(after) ? `“${shorten(String(after))}”` : t`nothing`);
      break;
    case 'tags_updated':
    case 'custom_attributes_updated':
      change(list(before), list(after));
      break;
    case 'shipping_price_updated':
      change(amount(before, cash), amount(after, cash));
      say(data.isAutomatic === true && t`Set by the automatic update of shipping prices.`);
      break;
    case 'subscription_rescheduled':
    case 'order_delayed':
      change(date(at(before, 'nextBillingDateEpoch')), date(at(after, 'nextBillingDateEpoch')));
      break;
    case 'order_rescheduled':
      change(date(at(before, 'billingDateEpoch')), date(at(after, 'billingDateEpoch')));
      break;
    case 'selling_plan_updated':
      change(list(at(before, 'plans')), list(at(after, 'plans')));
      break;
    case 'billing_policy_updated': {
      const policy = (side: JsonValue | undefined): string | undefined => {
        const found = at(side, 'deliveryPolicy') ?? at(side, 'billingPolicy');
        return isObject(found) && found.interval ? intervalWords(found) : undefined;
      };
      change(policy(before), policy(after));
      for (const name of ['minCycles', 'maxCycles'] as const) {
        const bound = (side: JsonValue | undefined): string | undefined => {
          const found = at(side, 'billingPolicy');
          if (!isObject(found) || !(name in found)) return undefined;
          const n = number(found[name]);
          if (name === 'minCycles') return n === undefined ? t`no minimum` : n === 1 ? t`minimum 1 order` : t`minimum ${n} orders`;
          return n === undefined ? t`no maximum` : n === 1 ? t`maximum 1 order` : t`maximum ${n} orders`;
        };
        if (bound(before) !== undefined) change(bound(before), bound(after));
      }
      break;
    }
    case 'payment_method_changed':
    case 'backup_payment_method_changed':
    case 'backup_payment_method_created':
      change(methodLine(before), methodLine(after));
      break;
    case 'shipping_address_updated':
    case 'delivery_method_changed':
      change(addressLine(at(before, 'shippingAddress')), addressLine(at(after, 'shippingAddress')));
      if (at(before, 'deliveryPrice') !== at(after, 'deliveryPrice')) {
        const [was, is] = [amount(at(before, 'deliveryPrice'), cash), amount(at(after, 'deliveryPrice'), cash)];
        if (is) say(was ? t`Shipping was ${was}, is now ${is}.` : t`Shipping is now ${is}.`);
      }
      break;
    case 'prepaid_credits_adjusted':
      change(
        number(before) === undefined ? undefined : t`${String(before)} left`,
        number(after) === undefined ? undefined : t`${String(after)} left`,
      );
      say(text(data.reason));
      break;
    case 'subscription_paused': {
      const until = date(at(after, 'resumeDateEpoch'));
      say(until ? t`Resumes on ${until}.` : isObject(after) && t`Until it is resumed.`);
      break;
    }
    case 'subscription_resumed':
    case 'subscription_reactivated': {
      const next = date(at(after, 'nextBillingDateEpoch'));
      say(next && t`Next order on ${next}.`);
      say(data.isByTimer === true && t`Its pause was over.`);
      say(data.byPayment === true && t`A payment succeeded after all.`);
      break;
    }
    case 'payment_disputed':
    case 'dispute_closed': {
      const disputed = amount(data.amount, cash);
      const due = date(data.dueEpoch);
      say(key === 'payment_disputed' && disputed && t`The customer disputes ${disputed} at their bank.`);
      say(due && t`It can be answered until ${due}.`);
      say(data.disputeStatus === 'WON' && t`The store won: the money stays.`);
      say(data.disputeStatus === 'LOST' && t`The store lost: the bank took the money back.`);
      break;
    }
    case 'order_cancelled_in_shop':
    case 'order_refunded_in_shop':
    case 'order_made_in_shop': {
      say(text(data.shopOrder) && t`Its number there is ${String(data.shopOrder)}.`);
      say(key === 'order_refunded_in_shop' && t`Its payment was taken here, so no money went back: refund it here too.`);
      break;
    }
    case 'order_refunded':
    case 'refund_failed': {
      const back = amount(data.amount, cash);
      say(key === 'order_refunded' && back && t`${back} were given back.`);
      say(key === 'refund_failed' && back && t`${back} could not be given back.`);
      say(text(data.message));
      say(text(data.reason) && t`Reason: ${String(data.reason)}.`);
      break;
    }
    case 'subscription_cancelled':
      say(text(data.reason) && t`Reason: ${String(data.reason)}.`);
      say(text(data.comment) && `“${shorten(String(data.comment))}”`);
      break;
    case 'cancellation_averted':
      say(text(data.title) && `“${shorten(String(data.title))}”`);
      say(text(data.reason) && t`Reason: ${String(data.reason)}.`);
      break;
    case 'order_skipped': {
      const on = date(data.dateEpoch);
      say(on && t`It was due on ${on}.`);
      const because = {
        PAYMENT_FAILED: t`Its payment failed.`,
        OUT_OF_STOCK: t`It was out of stock.`,
        NO_PRODUCTS: t`No product was left to send.`,
      }[text(data.reason) ?? ''];
      say(because);
      break;
    }
    case 'order_unskipped': {
      const on = date(data.dateEpoch);
      say(on && t`It is due on ${on} again.`);
      break;
    }
    case 'order_placed': {
      const total = amount(data.total, cash);
      // Charged by hand, its date is that of the charge; the entry of the person says when it was due.
      const [method, due, store] = [
        isObject(data.method) ? methodLine(data.method) : undefined,
        data.trigger === 'MANUAL' && data.recovered !== true ? undefined : date(data.dateEpoch),
        number(data.shopifyOrderNumber),
      ];
      if (about && store !== undefined) about = t`${about}, #${store} in your store`;
      say(
        data.isPrepaidDelivery === true || data.prepaid === true
          ? t`Paid ahead, nothing was charged.`
          : total && chargedSentence(total, method, due),
      );
      say(
        {
          SCHEDULED: t`Charged by the schedule.`,
          RETRY: t`Charged by a retry.`,
          BACKUP: t`Charged to the backup method.`,
          MANUAL: text(data.startedBy) ? t`Charged by hand by ${String(data.startedBy)}.` : t`Charged by hand.`,
          CARD_UPDATE: t`Tried again with the new payment method.`,
        }[text(data.trigger) ?? ''],
      );
      say(data.recovered === true && t`Recovered after failed payments, which took no money.`);
      break;
    }
    case 'order_charged_now': {
      const [due, next] = [date(data.dueEpoch), date(data.nextBillingDateEpoch)];
      say(due && (data.wasFailed === true ? t`Its payment of ${due} had failed.` : t`It was due on ${due}.`));
      say(next && t`Next order on ${next}.`);
      break;
    }
    case 'order_delayed_out_of_stock': {
      const next = date(data.nextCheckEpoch);
      say(next && t`Looked at again on ${next}.`);
      break;
    }
    case 'payment_attempted': {
      const total = amount(data.amount, cash);
      say(total && `${total}.`);
      break;
    }
    case 'payment_attempt_failed':
    case 'payment_failed':
    case 'payment_failed_retry':
    case 'payment_failed_last_retry': {
      const [total, reason, next] = [
        amount(data.amount, cash),
        reasonLabel(data.errorCategory ?? data.category),
        date(data.nextRetryEpoch),
      ];
      say(reason && t`${reason}${total ? `, ${total}` : ''}. Nothing was charged.`);
      say(next && t`Tried again on ${next}.`);
      break;
    }
    case 'subscription_failed': {
      const reason = reasonLabel(data.errorCategory ?? data.category);
      say(reason && `${reason}.`);
      break;
    }
    case 'discount_added':
    case 'discount_removed':
      about = text(data.code) ?? text(data.title);
      say(discountSize(data, cash));
      break;
    case 'order_announced': {
      const on = date(data.dateEpoch);
      say(on && t`It is due on ${on}.`);
      break;
    }
    case 'email_returned':
      say(
        data.returned === 'COMPLAINT'
          ? t`The reader reported it as spam. Nothing more is sent to this address.`
          : data.returned === 'HARD'
            ? t`The address does not exist. Nothing more is sent to it.`
            : t`The mailbox could not take it this time.`,
      );
      break;
    case 'payment_card_expiring': {
      const card = methodLine(data);
      const [month, year] = [number(data.expiryMonth), number(data.expiryYear)];
      say(card && month && year ? t`${card} expires at the end of ${String(month).padStart(2, '0')}/${year}.` : undefined);
      break;
    }
    case 'payment_method_update_requested':
      say(text(data.email) && t`E-mail sent to ${String(data.email)}.`);
      break;
    case 'product_added_subscription':
    case 'product_added_once':
    case 'product_removed':
    case 'product_removed_once':
    case 'one_time_change_undone': {
      about = lineName(data);
      const price = amount(data.price, cash);
      say(price && t`${price} each.`);
      say(text(data.instead) && t`${String(data.instead)} had taken its place.`);
      break;
    }
    case 'subscription_created': {
      const next = date(data.nextBillingDateEpoch);
      say(next && t`First renewal on ${next}.`);
      break;
    }
    default:
      break;
  }
  for (const sentence of endedSentences(data.ended)) say(sentence);
  return { changes, ...(about ? { about } : {}), ...(sentences.length ? { more: sentences.join(' ') } : {}) };
}

/** An icon for an entry, by what it is about. */
export function eventIcon(key: string): string {
  if (/^payment.*failed|^subscription_failed/.test(key)) return 'circle-alert';
  if (/^(payment|backup_payment)/.test(key)) return 'credit-card';
  if (key === 'order_placed') return 'receipt';
  if (key === 'order_skipped' || key === 'order_skipped_out_of_stock') return 'skip-forward';
  if (/rescheduled|delayed|policy/.test(key)) return 'calendar-clock';
  if (key.startsWith('order')) return 'shopping-bag';
  if (key === 'subscription_paused') return 'circle-pause';
  if (key === 'subscription_cancelled') return 'circle-x';
  if (key === 'cancellation_averted') return 'heart-handshake';
  if (/^subscription|marked/.test(key)) return 'repeat';
  if (/^(product|quantity|line_|one_time|bundle)/.test(key)) return 'package';
  if (/^(price|discount)/.test(key)) return 'tag';
  if (/shipping|delivery/.test(key)) return 'truck';
  if (/note/.test(key)) return 'sticky-note';
  if (/tags|attributes/.test(key)) return 'tags';
  return 'clock';
}
