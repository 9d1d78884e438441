// Zapiet as a store has it: what the app answers is read each hour (features/integrations/delivery-days.ts).
import type { Context } from '../../platform/context.ts';

export type DeliveryMethod = 'SHIPPING' | 'LOCAL_DELIVERY' | 'PICKUP';
export interface Slot {
  /** Local times, "09:00". */
  from: string;
  to: string;
  /** Weekdays, 1 Monday to 7 Sunday, on which there is room; absent means all. */
  weekdays?: number[];
  methods?: DeliveryMethod[];
  locationIds?: number[];
}
/** `stores.details.zapiet`: whether the app is installed and connected, and which days (counted from today) and times can be chosen. */
export interface Zapiet {
  appInstalled?: boolean;
  isIntegrated?: boolean;
  minDays?: number;
  maxDays?: number;
  disabledWeekdays?: number[];
  disabledDates?: string[];
  slots?: Slot[];
}

export const zapietOf = (context: Pick<Context, 'store'>): Zapiet => ((context.store.details ?? {}) as { zapiet?: Zapiet }).zapiet ?? {};
/** Whether Zapiet chooses the days of deliveries in a store. */
export const hasZapiet = (context: Pick<Context, 'store'>): boolean => zapietOf(context).isIntegrated === true;
