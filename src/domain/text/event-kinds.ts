// What the log of a subscription can be narrowed to: entries by what they are about, which follows from their keys. A
// charge is a matter of payments and of orders.
import { later } from './t.ts';

export interface EventKind {
  id: string;
  title: string;
  /** A regular expression over keys, for JavaScript and PostgreSQL alike. */ keys: string;
}

export const EVENT_KINDS: readonly EventKind[] = [
  {
    id: 'payments',
    title: later`Payments`,
    keys: '^(payment|dispute|charge_|refund_|order_refunded|backup_payment|order_placed|order_charged_now|order_partially_billed)',
  },
  { id: 'orders', title: later`Orders`, keys: '^order|rescheduled$' },
  {
    id: 'products',
    title: later`Products and prices`,
    keys: '^(product|quantity|price|line_|discount|one_time|bundle|shipping_price|prepaid|selling_plan)',
  },
  { id: 'status', title: later`Status`, keys: '^(subscription_(?!rescheduled)|cancellation|marked|unmarked|billing_policy)' },
  {
    id: 'details',
    title: later`Details`,
    keys: '^(note|tags|custom_attributes|shipping_address|delivery|customer_portal|flow|bulk|shopify|quick_action|advertising|email)',
  },
  { id: 'rewards', title: later`Streaks and gifts`, keys: '^(streak|gift)_' },
];

/** The keys of a kind; undefined for a kind that there is none of. */
export const keysOfKind = (id: string | undefined): string | undefined => EVENT_KINDS.find(kind => kind.id === id)?.keys;
