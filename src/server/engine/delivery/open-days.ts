// Days on which Zapiet has room, while it plans the deliveries of a store: what it says stands in the store's details.
import { addDays, dayNumber, dayOf } from '../../../domain/calendar/calendar.ts';
import { canDeliver, daysUntilOpen, type DeliveryDays } from '../../../domain/schedule/delivery-days.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

type Scope = Pick<UnitOfWork, 'context' | 'zone' | 'at'>;

function zapietOf({ context }: Scope): DeliveryDays | undefined {
  const { zapiet } = (context.store.details ?? {}) as { zapiet?: DeliveryDays & { isIntegrated?: boolean } };
  return zapiet?.isIntegrated === true ? zapiet : undefined;
}
const dayIn = (at: number, zone: string): number => dayNumber(dayOf(at, zone));

/** Whether an app plans the deliveries of the store. */
export const hasDeliveryDays = (scope: Scope): boolean => zapietOf(scope) !== undefined;

/** Whether a delivery may be moved to a moment (ms) from now on. */
export function mayDeliverAt(scope: Scope, at: number): boolean {
  const zapiet = zapietOf(scope);
  return !zapiet || canDeliver(zapiet, dayIn(scope.at.getTime(), scope.zone), dayIn(at, scope.zone));
}

/** The moment (ms) of a delivery: as planned, or on the next open day at the same time. */
export function onOpenDay(scope: Scope, plannedAt: number): number {
  const zapiet = zapietOf(scope);
  const later = zapiet ? daysUntilOpen(zapiet, dayIn(plannedAt, scope.zone)) : 0;
  return later === 0 ? plannedAt : addDays(plannedAt, later, scope.zone);
}
