// The two things that can be changed about the order schedule, by the keys under which other places name them.
import { later } from '../text/t.ts';

/** Action key -> what it changes, and the call that saves it. */
export const ORDER_SCHEDULE_ACTIONS: Readonly<Record<string, { title: string; path: string }>> = {
  orderSchedule: { title: later`Change the order schedule`, path: '/api/merchant/orderSchedule' },
  deliveryDateField: { title: later`Change the delivery date field`, path: '/api/merchant/deliveryDateField' },
};

/** The action of a key; any other key is an error in these words (S309). */
export function orderScheduleAction(key: string): { title: string; path: string } {
  const action = Object.hasOwn(ORDER_SCHEDULE_ACTIONS, key) ? ORDER_SCHEDULE_ACTIONS[key] : undefined;
  if (!action) throw new Error(`Invalid action key: ${key}`);
  return action;
}
