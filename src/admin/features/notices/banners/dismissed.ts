// The payment banner that a person put away: it rests until its 30 days are others altogether.
import type { Period } from '../../../../domain/calendar/plain-days.ts';
import type { Session } from '../../../../contract/types.ts';

type Person = Pick<Session['user'], 'storeId' | 'userId'>;
const keyOf = ({ storeId, userId }: Person): string => `perennial.payments.${storeId}.${userId}`;

/** Whether the banner over these days was put away in this browser. */
export function isPaymentsDismissed(person: Person, { startDate }: Pick<Period, 'startDate'>): boolean {
  try {
    const until = localStorage.getItem(keyOf(person)) ?? '';
    return until !== '' && until >= startDate;
  } catch {
    return false;
  }
}

export function dismissPayments(person: Person, { endDate }: Pick<Period, 'endDate'>): void {
  try {
    localStorage.setItem(keyOf(person), endDate);
  } catch {
    /* no storage: for this visit only */
  }
}
