// What links can do: for each kind the states it is for, the ways to do it, and the words it begins with.
import { stepDate } from '../../../domain/calendar/calendar.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import type { Reward } from '../bulk-actions/reward.ts';
import type { LinkKind, OrderedNow } from '../../engine/index.ts';

/** What quick actions and campaigns share. */
export interface Offered {
  id: number;
  name: string;
  type: LinkKind;
  delayOptions?: Interval[];
  maxDaysAhead?: number;
  pauseOptions?: Interval[];
  allowIndefinite?: boolean;
  addVariantIds?: number[];
  addAs?: 'ONE_TIME' | 'RECURRING';
  addDiscount?: number;
  swapVariantIds?: number[];
  swapToVariantId?: number;
  reward?: Reward;
  title?: string;
  description?: string;
  ctaText?: string;
  successText?: string;
  imageUrl?: string;
}
/** One way to do it: a button. Without an action the reward alone is given. */
export interface Choice {
  label: string;
  /** What comes with it, where that is not what all choices bring. */
  reward?: Reward;
  /** What is said when it is done, where that is not what all choices lead to. */
  successText?: string;
  action?: ActionKey;
  input: JsonObject;
  /** What it costs, as the button says it. */
  price?: string;
  /** The order that it charges: no other one, whatever is next when the button is pressed. */
  orderId?: number;
}
/** What choices are made of: the subscription, names and prices of products, and how the customer's language says them. */
export interface Asked {
  nextBillingAt: Date | null;
  variants: ReadonlyMap<number, string>;
  /** Of products that are added, in minor units of the subscription's currency. */
  prices: ReadonlyMap<number, number>;
  /** What is paid by ordering now, and by paying the order whose payment failed last. */
  next?: OrderedNow | undefined;
  failed?: OrderedNow;
  zone: string;
  now: Date;
  say(key: string): string;
  day(at: number): string;
  span(one: Interval): string;
  money(minor: number): string;
}

/** A button that charges one order; none where there is no such order. */
const charging = (label: string, which: string, order: OrderedNow | undefined, { money }: Asked): Choice[] =>
  order ? [{ label, action: 'CHARGE_ORDER', input: { which }, orderId: order.orderId, price: money(order.total) }] : [];

interface Kind {
  /** States of subscriptions that it is for. */
  states: readonly string[];
  /** States in which it was done already. */
  done?: readonly string[];
  /** It brings an order that would not have come, or not now. */
  isRevenue?: true;
  charges?: true;
  words: { title: string; ctaText: string; successText: string };
  choices(offered: Offered, asked: Asked): Choice[];
}

const RUNNING = ['ACTIVE', 'PAUSED'];
const epoch = (at: number): number => Math.floor(at / 1000);
/** Days that are offered at most. */
const DAYS_SHOWN = 8;

function days({ maxDaysAhead = 30 }: Offered, { nextBillingAt, zone, day }: Asked): Choice[] {
  if (!nextBillingAt) return [];
  const step = Math.max(1, Math.ceil(maxDaysAhead / DAYS_SHOWN));
  const found: Choice[] = [];
  for (let ahead = step; ahead <= maxDaysAhead; ahead += step) {
    const at = stepDate(nextBillingAt.getTime(), { interval: 'DAY', intervalCount: ahead }, 1, zone);
    found.push({
      label: day(at),
      action: 'RESCHEDULE',
      input: { mode: 'DATE', nextBillingDateEpoch: epoch(at), scope: 'ALL' },
    });
  }
  return found;
}

export const KINDS: Readonly<Record<LinkKind, Kind>> = {
  SKIP_ORDER: {
    states: ['ACTIVE'],
    words: { title: 'Skip your next order?', ctaText: 'Skip it', successText: 'Your next order is skipped.' },
    choices: ({ ctaText }) => [{ label: ctaText ?? '', action: 'SKIP_ORDER', input: { count: 1 } }],
  },
  DELAY_ORDER: {
    states: ['ACTIVE'],
    words: { title: 'Delay your next order?', ctaText: 'Delay by', successText: 'Your next order comes later.' },
    choices: ({ delayOptions = [], ctaText }, { nextBillingAt, zone, span }) =>
      nextBillingAt
        ? delayOptions.map(one => ({
            label: `${ctaText ?? ''} ${span(one)}`,
            action: 'RESCHEDULE' as const,
            input: { mode: 'DATE', nextBillingDateEpoch: epoch(stepDate(nextBillingAt.getTime(), one, 1, zone)), scope: 'ALL' },
          }))
        : [],
  },
  RESCHEDULE_ORDER: {
    states: ['ACTIVE'],
    words: { title: 'Choose another day for your next order', ctaText: 'Choose', successText: 'Your next order has a new day.' },
    choices: days,
  },
  PAUSE_SUBSCRIPTION: {
    states: ['ACTIVE'],
    done: ['PAUSED'],
    words: { title: 'Pause your subscription?', ctaText: 'Pause for', successText: 'Your subscription is paused.' },
    choices: ({ pauseOptions = [], allowIndefinite, ctaText }, { say, span }) => [
      ...pauseOptions.map(one => ({
        label: `${ctaText ?? ''} ${span(one)}`,
        action: 'PAUSE_SUBSCRIPTION' as const,
        input: { until: 'DURATION', intervalCount: one.intervalCount, intervalType: one.interval },
      })),
      ...(allowIndefinite
        ? [{ label: say('portalPauseOpen'), action: 'PAUSE_SUBSCRIPTION' as const, input: { until: 'INDEFINITE' } }]
        : []),
    ],
  },
  RESUME_SUBSCRIPTION: {
    states: ['PAUSED'],
    done: ['ACTIVE'],
    isRevenue: true,
    words: { title: 'Resume your subscription?', ctaText: 'Resume', successText: 'Your subscription goes on.' },
    choices: ({ ctaText }) => [{ label: ctaText ?? '', action: 'RESUME_SUBSCRIPTION', input: { from: 'INTERVAL' } }],
  },
  WINBACK: {
    states: ['CANCELLED', 'EXPIRED', 'FAILED'],
    done: ['ACTIVE'],
    isRevenue: true,
    words: {
      title: 'Come back to your subscription?',
      ctaText: 'Start again',
      successText: 'Welcome back. Your subscription has started again.',
    },
    choices: ({ ctaText }) => [{ label: ctaText ?? '', action: 'REACTIVATE_SUBSCRIPTION', input: { from: 'INTERVAL' } }],
  },
  ORDER_NOW: {
    states: ['ACTIVE'],
    isRevenue: true,
    charges: true,
    words: { title: 'Order now?', ctaText: 'Order now', successText: 'Your order is placed.' },
    choices: ({ ctaText }, asked) => charging(ctaText ?? '', 'NEXT', asked.next, asked),
  },
  RECOVER_FAILED_PAYMENT: {
    states: ['ACTIVE', 'PAUSED', 'FAILED'],
    isRevenue: true,
    charges: true,
    words: { title: 'Pay your order now?', ctaText: 'Pay now', successText: 'Thank you, your order is paid.' },
    choices: ({ ctaText }, asked) => charging(ctaText ?? '', 'FAILED', asked.failed, asked),
  },
  ADD_PRODUCT: {
    states: RUNNING,
    isRevenue: true,
    words: { title: 'Add something to your order?', ctaText: 'Add', successText: 'It is in your order.' },
    choices: ({ addVariantIds = [], addAs = 'ONE_TIME', addDiscount = 0, ctaText }, { variants, prices, money }) =>
      addVariantIds.flatMap(variantId => {
        const name = variants.get(variantId);
        const cost = prices.get(variantId);
        if (name === undefined || cost === undefined) return [];
        const price: JsonObject =
          addDiscount > 0 ? { discountType: 'PERCENTAGE', discountValue: String(addDiscount) } : { discountType: 'NONE' };
        return [
          {
            label: `${ctaText ?? ''}: ${name}`,
            action: 'ADD_PRODUCT' as const,
            input: { variantId, quantity: 1, type: addAs, ...price },
            price: money(cost),
          },
        ];
      }),
  },
  SWAP_PRODUCT: {
    states: RUNNING,
    words: { title: 'Try something else?', ctaText: 'Swap', successText: 'Your product is swapped.' },
    choices: ({ swapVariantIds = [], swapToVariantId = 0, ctaText }, { variants }) =>
      variants.has(swapToVariantId)
        ? [
            {
              label: `${ctaText ?? ''}: ${variants.get(swapToVariantId)}`,
              action: 'SWAP_PRODUCT',
              input: { variantIds: swapVariantIds, toVariantId: swapToVariantId, quantityRule: 'KEEP', priceRule: 'KEEP' },
            },
          ]
        : [],
  },
  APPLY_DISCOUNT: {
    states: RUNNING,
    words: { title: 'A discount for you', ctaText: 'Take it', successText: 'It is taken off your next order.' },
    choices: ({ ctaText }) => [{ label: ctaText ?? '', input: {} }],
  },
};
