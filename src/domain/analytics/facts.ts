// What metrics count: the facts of the database, what of each can be summed up, and what it can be narrowed and split by. Their SQL stands
// in src/server/platform/analytics/facts-sql.ts.

import { later } from '../text/t.ts';

/** count: how many; distinct: how many different; number: a plain sum; money: minor units of a currency. */
export type MeasureKind = 'count' | 'distinct' | 'number' | 'money';
/** flow: happened at an instant; stock: was there from one instant to another; now: is there at this moment. */
export type FactKind = 'flow' | 'stock' | 'now';

/** Where the rows of a fact come from, as pages say it. */
export type FactSource = 'ledger' | 'orders' | 'payments' | 'subscriptions' | 'log' | 'cancellations' | 'offers';

export interface Fact {
  kind: FactKind;
  source: FactSource;
  measures: Readonly<Record<string, MeasureKind>>;
  /** What it can be split by and narrowed to in `when`, besides what every subscription has. */
  columns: readonly string[];
  /** Whether it is about a subscription, so that it has what every subscription has. */
  ofSubscription: boolean;
}

/** What every subscription can be split by and narrowed to. */
export const SUBSCRIPTION_DIMENSIONS = [
  'plan',
  'product',
  'country',
  'frequency',
  'currency',
  'origin',
  'planType',
  'subscriberType',
] as const;
/**
 * What a page may be filtered by: what every subscription has, and columns of some facts. `list`: the name of its choices (C387).
 * `hasNone`: rows without a value are a choice of their own, the empty text.
 */
export const FILTERS = {
  plan: { title: later`Plan`, list: 'plans', isId: true },
  product: { title: later`Product`, list: 'products', isId: true },
  variant: { title: later`Variant`, list: 'variants', isId: true },
  country: { title: later`Country`, list: 'countries' },
  frequency: { title: later`Frequency`, list: 'frequencies' },
  planType: { title: later`Kind of plan`, list: 'plan-types' },
  subscriberType: { title: later`Kind of subscriber`, list: 'subscriber-types' },
  origin: { title: later`Source`, list: 'sources' },
  currency: { title: later`Currency`, list: 'currencies' },
  provider: { title: later`Payment method`, list: 'methods', isOfFact: true },
  brand: { title: later`Card`, list: 'cards', isOfFact: true },
  reason: { title: later`Reason`, list: 'reasons', isOfFact: true, hasNone: true },
  cancelledBy: { title: later`Cancelled by`, list: 'cancelled-by', isOfFact: true },
  offerProfile: { title: later`Profile`, list: 'profiles', isId: true, isOfFact: true },
} as const satisfies Record<string, { title: string; list: string; isId?: true; isOfFact?: true; hasNone?: true }>;
export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
/** Whether a filter is a column of some facts only: figures of others are not narrowed by it. */
export const isOfFact = (name: FilterName): boolean => 'isOfFact' in FILTERS[name];

/** Of the ledger: `running` is what it changes in the number that runs, `mrr` what it changes in monthly recurring revenue. */
const OF_LEDGER = { count: 'count', running: 'number', mrr: 'money', orders: 'number', days: 'number' } as const;
const movement = (columns: readonly string[]): Fact => ({
  kind: 'flow',
  source: 'ledger',
  measures: OF_LEDGER,
  columns: [...columns, 'orderNumber', 'isGift', 'variant'],
  ofSubscription: true,
});
const subscriber = (kind: FactKind, columns: readonly string[] = []): Fact => ({
  kind,
  source: kind === 'now' ? 'subscriptions' : 'ledger',
  measures: { count: 'count' },
  columns,
  ofSubscription: false,
});
const ORDER: Fact = {
  kind: 'flow',
  source: 'orders',
  measures: { count: 'count', customers: 'distinct', subscriptions: 'distinct', revenue: 'money' },
  columns: ['status', 'type', 'isPaidAhead', 'skipReason', 'orderNumber'],
  ofSubscription: true,
};
const ENDED = ['reason', 'cancelledBy', 'sameDay'];

/** Whether rows of a fact can be narrowed by a filter. */
export const takesFilter = (fact: string, name: FilterName): boolean => !isOfFact(name) || (FACTS[fact]?.columns.includes(name) ?? false);

export const FACTS: Readonly<Record<string, Fact>> = {
  // Subscriptions out of the ledger of movements, by the day it began, was cancelled or ended by itself: with the plan, products, country,
  // orders and state of that day. `lost` is cancelled, or ended because it could not be charged; `movement` is everything that happened.
  subscription_started: movement([]),
  subscription_cancelled: movement(ENDED),
  subscription_lost: movement(ENDED),
  subscription_expired: movement([]),
  movement: movement(['happened', 'cancelledBy']),
  // What the ledger comes to: those that run, paused or not, and monthly recurring revenue, which only active ones bring.
  subscription: {
    kind: 'stock',
    source: 'ledger',
    measures: { count: 'count', mrr: 'money' },
    columns: ['orderNumber', 'isGift', 'variant'],
    ofSubscription: true,
  },
  standing_now: { kind: 'now', source: 'ledger', measures: { mrr: 'money' }, columns: ['isGift', 'variant'], ofSubscription: true },
  // Subscriptions as they are.
  subscription_now: {
    kind: 'now',
    source: 'subscriptions',
    measures: { count: 'count', customers: 'distinct', orders: 'number' },
    columns: ['status', 'orderNumber'],
    ofSubscription: true,
  },
  // A customer from the first subscription to the end of the last, gifts left out.
  subscriber_started: subscriber('flow'),
  subscriber_lost: subscriber('flow', ['reason', 'cancelledBy']),
  subscriber: subscriber('stock'),
  subscriber_now: subscriber('now'),
  // What happened to subscriptions: an entry of the log of events.
  event: { kind: 'flow', source: 'log', measures: { count: 'count', customers: 'distinct' }, columns: ['event'], ofSubscription: true },
  // Who wanted to cancel, by the day they began to: what they were shown and whether they stayed.
  cancel_attempt: {
    kind: 'flow',
    source: 'cancellations',
    measures: { count: 'count', customers: 'distinct' },
    columns: [
      'outcome',
      'reason',
      'benefitOutcome',
      'treatmentOutcome',
      'offerOutcome',
      'orderNumber',
      'benefit',
      'offer',
      'benefitShown',
      'offerShown',
    ],
    ofSubscription: true,
  },
  // What became of swaps, upsells and upgrades that subscribers were offered; `revenue` is for one order, `mrr` for a month.
  offer_event: {
    kind: 'flow',
    source: 'offers',
    measures: { count: 'count', customers: 'distinct', quantity: 'number', revenue: 'money', mrr: 'money' },
    columns: ['happened', 'offerKind', 'offerProfile', 'isOnce', 'variant'],
    ofSubscription: true,
  },
  // Orders by the day they were paid, or due where they were not; `revenue` is their total after discounts, with shipping. In cohorts
  // those of a subscriber belong to the month of the first subscription.
  order: ORDER,
  subscriber_order: ORDER,
  // Products of paid orders, and of subscriptions that are active now.
  order_line: {
    kind: 'flow',
    source: 'orders',
    measures: { count: 'count', orders: 'distinct', quantity: 'number', revenue: 'money' },
    columns: ['type', 'variant'],
    ofSubscription: true,
  },
  subscription_line: {
    kind: 'now',
    source: 'subscriptions',
    measures: { count: 'count', subscriptions: 'distinct', quantity: 'number' },
    columns: ['variant'],
    ofSubscription: true,
  },
  // Orders by the day of their first attempt and by how they ended, and every attempt.
  payment: {
    kind: 'flow',
    source: 'payments',
    measures: { count: 'count', amount: 'money' },
    columns: ['fate', 'recovery', 'category', 'brand', 'provider'],
    ofSubscription: true,
  },
  attempt: {
    kind: 'flow',
    source: 'payments',
    measures: { count: 'count', amount: 'money' },
    columns: ['success', 'category', 'isBackup', 'attemptNumber', 'brand', 'provider'],
    ofSubscription: true,
  },
};

/** What a cohort begins with: it holds for all its months. */
export const STARTS: readonly string[] = ['subscription_started', 'subscriber_started'];

/** What a fact can be split by and narrowed to. */
export const dimensionsOf = (fact: string): string[] => {
  const known = FACTS[fact];
  return known ? [...known.columns, ...(known.ofSubscription ? SUBSCRIPTION_DIMENSIONS : [])] : [];
};

/** Everything that some fact can be split by. */
export const ALL_DIMENSIONS: readonly string[] = [...new Set(Object.keys(FACTS).flatMap(dimensionsOf))].sort();

/** Numbers of orders above 10 are grouped by five, those above 50 are one group: each group is called by its first. */
export const LAST_ORDER = 51;

/** How a period is cut: up to 31 days by day, up to 26 weeks by week, else by month. */
export type Grain = 'day' | 'week' | 'month';
export const grainOf = (days: number): Grain => (days <= 31 ? 'day' : days <= 182 ? 'week' : 'month');
