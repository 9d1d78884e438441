// Skips the orders of the days on which a customer is away.
import { dayNumber, dayOf } from '../../../../domain/calendar/calendar.ts';
import { t } from '../../../../domain/text/t.ts';
import { orderIdOf } from '../../aggregate.ts';
import * as details from '../../edits/details.ts';
import { skipWithoutMail } from '../../edits/orders.ts';
import { mailSkipped } from '../../mails.ts';
import { upcomingOrders } from '../../schedule.ts';
import { skip, type ActionCode } from '../action.ts';
import { action as skipOrder } from './skip-order.ts';

interface Hold {
  /** Days (epoch seconds); both belong to it. */
  from: number;
  until: number;
  note?: string;
}
const LONGEST_DAYS = 92;
/** Orders further ahead can't be acted on. */
const AHEAD = 200;
const LONGEST_NOTE = 5000;

export const action: ActionCode<Hold> = {
  alsoNeeds: ({ note }) => (note ? ['orderNotesAndAttributes'] : []),
  undoing: {
    action: 'unSkipOrder',
    remember: (work, was, subscription) => ({
      ...skipOrder.undoing?.remember(work, was, subscription),
      before: was.contract?.note ?? '',
      after: subscription.contract.note,
    }),
    apply: (work, subscription, was) => {
      skipOrder.undoing?.apply(work, subscription, was);
      if (subscription.contract.note === was.after) details.updateNote(work, subscription, { note: String(was.before) });
    },
  },
  // Both are noon of their day, and an hour may be added or left out between them.
  check: ({ from, until }) =>
    until < from || Math.round((until - from) / 86_400) > LONGEST_DAYS
      ? [{ pointer: '/until', rule: 'date', message: t`Choose a day on or after the first one, at most ${LONGEST_DAYS} days later.` }]
      : [],
  apply: (work, subscription, { from, until, note = '' }) => {
    const dayAt = (at: number): number => dayNumber(dayOf(at, work.zone));
    const [first, last] = [dayAt(from * 1000), dayAt(until * 1000)];
    const isWithin = (at: number): boolean => dayAt(at) >= first && dayAt(at) <= last;
    const { id } = subscription.contract;
    const [one, ...others] = upcomingOrders(subscription, work.zone, work.at, AHEAD)
      .filter(({ status, billingAt }) => status === 'SCHEDULED' && isWithin(billingAt))
      .map(({ cycle }) => skipWithoutMail(work, subscription, { orderId: orderIdOf(id, cycle) }));
    if (!one) throw skip(t`No order comes in these days.`);
    mailSkipped(work, subscription, one, ...others);
    const whole = `${subscription.contract.note}\n${note}`.trim();
    if (whole.length > LONGEST_NOTE) throw skip(t`A note can have at most 5,000 characters.`);
    if (note) details.updateNote(work, subscription, { note: whole });
  },
};
