// What the demo knows of one subscription: the sale that it begins with, and all that happened to it until today.
// Moments in milliseconds, amounts in minor units of the customer's currency.
import type { SeedGroup, SeedPlan } from './plans.ts';
import type { DayNumber } from './days.ts';

export interface SoldVariant {
  productId: number;
  variantId: number;
  productTitle: string;
  variantTitle: string;
  sku: string;
  image: string;
  price: number;
  grams: number;
}
export interface SoldLine {
  variant: SoldVariant;
  quantity: number;
}
export interface Sale {
  group: SeedGroup;
  groupId: number;
  plan: SeedPlan;
  planId: number;
  lines: SoldLine[];
  startedOn: DayNumber;
  minutes: number;
  /** The day the customer's card expired, or null while it is good. */
  cardExpiredOn: DayNumber | null;
}

export interface PastOrder {
  cycle: number;
  number: number;
  at: number;
  scheduledAt: number;
  status: 'PAID' | 'FAILED' | 'SKIPPED';
  type: 'CHECKOUT' | 'RECURRING';
  credit: boolean;
  subtotal: number;
  shipping: number;
  total: number;
  prices: number[];
  skipReason: string | null;
  failures: { at: number; code: string; category: string; message: string }[];
  paidAt: number | null;
  nextRetryAt: number | null;
}
export interface Event {
  at: number;
  key: string;
  source: string;
  entity: string;
  data: Record<string, unknown>;
}
export interface Life {
  status: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | 'EXPIRED' | 'FAILED';
  orders: PastOrder[];
  events: Event[];
  baseAt: number;
  baseCycle: number;
  nextCycle: number;
  nextAt: number | null;
  completed: number;
  credits: number;
  resumeAt: number | null;
  endedAt: number | null;
  reason: string | null;
  comment: string | null;
  source: string | null;
  failedInARow: number;
  deliveriesPerCharge: number;
  marked: boolean;
  updatedAt: number;
  createdAt: number;
  shipping: number;
}
