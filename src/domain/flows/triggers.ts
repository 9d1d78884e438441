// What sets a flow off: each trigger stands for some kinds of events (schemas/events).
import type { EventKey } from '../../generated/families.ts';
import { later } from '../text/t.ts';

export const TRIGGERS = {
  SUBSCRIPTION_CREATED: { title: later`Subscription created`, detail: later`After the checkout.`, events: ['subscription_created'] },
  ORDER_PLACED: { title: later`Order placed`, detail: later`A recurring order was paid and placed.`, events: ['order_placed'] },
  PRODUCTS_MODIFIED: {
    title: later`Products changed`,
    detail: later`A product was added, removed, swapped, or its quantity changed.`,
    events: [
      'product_added_subscription',
      'product_added_once',
      'product_removed',
      'product_removed_once',
      'product_swapped',
      'product_swapped_once',
      'quantity_updated',
    ],
  },
  PAYMENT_FAILED: { title: later`Payment failed`, detail: later`An attempt to charge failed.`, events: ['payment_attempt_failed'] },
  SUBSCRIPTION_STATUS_CHANGED: {
    title: later`Status changed`,
    detail: later`Paused, resumed, cancelled or reactivated.`,
    events: ['subscription_paused', 'subscription_resumed', 'subscription_cancelled', 'subscription_reactivated'],
  },
} as const satisfies Record<string, { title: string; detail: string; events: readonly EventKey[] }>;
export type Trigger = keyof typeof TRIGGERS;

const BY_EVENT = new Map<string, Trigger>(
  (Object.keys(TRIGGERS) as Trigger[]).flatMap(trigger => TRIGGERS[trigger].events.map((key): [string, Trigger] => [key, trigger])),
);
export const triggerOf = (eventKey: string): Trigger | undefined => BY_EVENT.get(eventKey);
export const FLOW_EVENTS: ReadonlySet<string> = new Set(BY_EVENT.keys());
