// What a customer may do with a subscription now: each action that the preferences leave on and its state allows, with the ways to do it.
import { addDays, isoDay } from '../../../domain/calendar/calendar.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { buttonFor } from '../cancellation-flows/flow.ts';
import { actionOf, hasDeliveryDays, isUsable, type LineRow, mayDeliverAt, nextPlanned, noonOf, refusalOf } from '../../engine/index.ts';
import type { Action, Asked, Does } from './action.ts';
import { addressed } from './addressed.ts';
import { advertisingAction } from './advertising.ts';
import { boxActions } from './boxes.ts';
import { deliveryAction } from './delivery.ts';
import { takesCards } from './own/takes-cards.ts';
import { offeredActions } from './offered.ts';
import { withPauseFlow } from './pause.ts';
import { cardOf, codesOf, type Portal } from './portal.ts';
import { swapAction } from './swaps.ts';
import { upgradesFor } from './upgrades.ts';
import { upsellsFor } from './upsells.ts';

const OPEN = ['ACTIVE', 'PAUSED', 'FAILED'];
const epoch = (at: number): number => Math.floor(at / 1000);
const doing = (action: ActionKey, input: JsonObject): Does => ({ action, input });

/** Another day for the next order, which is filled in. */
function dateActions({ subscription, work, may, say, speech }: Portal, { given = {} }: Asked): Action[] {
  const { zone } = work;
  const next = nextPlanned(subscription, zone);
  if (subscription.contract.status !== 'ACTIVE' || !next || !may.rescheduleOrder) return [];
  const scope = may.updatesFutureOrders !== false ? 'ALL' : 'NEXT';
  const [first, last] = [1, may.maxDaysAhead ?? 60].map(days => isoDay(addDays(work.at.getTime(), days, zone), zone)) as [string, string];
  const { day } = given;
  const typed = day !== undefined && day >= first && day <= last ? noonOf(day, zone) : undefined;
  // While an app plans the deliveries, only days that it has room on.
  const isPlanned = hasDeliveryDays(work);
  const chosen = typed !== undefined && mayDeliverAt(work, typed) ? typed : undefined;
  const hasRoom = !isPlanned || daysBetween(first, last, zone).some(at => mayDeliverAt(work, at));
  const said = (at: number): string => speech.day(new Date(at));
  const bounds = { least: said(noonOf(first, zone) ?? 0), most: said(noonOf(last, zone) ?? 0) };
  const error = typed === undefined ? say('portalOutOfRange', bounds) : say('zapietDateGone', { delivery_date: said(typed) });
  return [
    {
      ...{ id: 'DATE', section: 'next_order', order: 30 },
      label: say(isPlanned ? 'zapietChange' : 'reschedule'),
      ...(isPlanned ? { title: say('zapietChooseDate') } : {}),
      ...(hasRoom ? {} : { refusal: say('zapietNoDates') }),
      question: chosen === undefined ? say('reschedule') : say('portalMoveTo', { new_date: said(chosen) }),
      fields: [
        {
          ...{ name: 'day', type: 'date', label: say('portalNewDay'), isRequired: true, min: first, max: last },
          value: day ?? isoDay(next.billingAt, zone),
          ...(day !== undefined && chosen === undefined ? { error } : {}),
        },
      ],
      ...(day !== undefined && chosen !== undefined ? { given: { day } } : {}),
      choices:
        chosen === undefined
          ? []
          : [{ label: say('confirm'), does: doing('RESCHEDULE', { mode: 'DATE', nextBillingDateEpoch: epoch(chosen), scope }) }],
      done: isPlanned ? 'zapietDateChanged' : 'rescheduled',
    },
  ];
}

/** Noon of each day from one to another. */
function daysBetween(first: string, last: string, zone: string): number[] {
  const days: number[] = [];
  const end = noonOf(last, zone) ?? 0;
  for (let at = noonOf(first, zone) ?? Infinity; at <= end; at = addDays(at, 1, zone)) days.push(at);
  return days;
}

async function cancelActions({ subscription, context, say }: Portal): Promise<Action[]> {
  if (!OPEN.includes(subscription.contract.status)) return [];
  const button = await buttonFor(context, subscription.contract.id);
  if (button.behavior === 'HIDE_BUTTON') return [];
  // The engine lets no customer go before that: it is said before the first step, not behind the last one.
  const least = subscription.contract.min_cycles ?? 0;
  const left = least - subscription.contract.completed_orders;
  return [
    {
      ...{ id: 'CANCEL', section: 'subscription_actions', order: 40 },
      label: say('cancel'),
      question: say('cancelText'),
      ...(button.behavior === 'SHOW_MESSAGE' ? { refusal: button.message ?? say('portalUnavailable'), isRich: true } : {}),
      ...(button.behavior === 'ALLOW_CANCEL' && left > 0
        ? { refusal: say('minimumOrdersText', { minimum_orders: String(least), remaining_orders: String(left) }) }
        : {}),
      choices: [],
      done: 'cancellationDone',
    },
  ];
}

/** Where it goes, and which of the customer's saved methods pays for it. */
function otherActions(portal: Portal): Action[] {
  const { subscription, work, may, say } = portal;
  const isOpen = ['ACTIVE', 'PAUSED', 'FAILED'].includes(subscription.contract.status);
  const found: Action[] = [];
  if (may.editAddress && isOpen && addressed(subscription))
    found.push({ id: 'ADDRESS', label: say('changeAddress'), question: '', choices: [], done: 'addressSaved' });
  const methods = subscription.methods.filter(one => one.id !== subscription.contract.payment_method_id && isUsable(one, work));
  if (may.updatePaymentMethod && isOpen && methods.length)
    found.push({
      id: 'PAYMENT',
      label: say('portalChangePayment'),
      title: say('choosePaymentMethod'),
      question: say('portalPaymentText'),
      choices: methods.map(one => ({
        label: cardOf(portal, one),
        does: { payBy: one.id },
        ...(one.last_digits ? { done: 'paymentMethodSaved' } : {}),
      })),
      done: 'portalPaymentChanged',
    });
  if (may.updatePaymentMethod && isOpen && takesCards(portal) !== null)
    found.push({ id: 'CARD', label: say('portalAddCard'), question: '', choices: [], done: 'portalPaymentChanged' });
  if (isOpen && (may.applyDiscountCode || (may.removeDiscount && codesOf(portal).length > 0)))
    found.push({
      id: 'DISCOUNT',
      label: say(may.applyDiscountCode ? 'discountPlaceholder' : 'discountRemove'),
      question: '',
      choices: [],
      done: 'discountApplied',
    });
  return found;
}

const swapOf = async (portal: Portal, line: LineRow): Promise<Action[]> =>
  line.one_time_added || !['ACTIVE', 'PAUSED'].includes(portal.subscription.contract.status) ? [] : swapAction(portal, line);

/** An action that the engine would refuse whichever button is pressed says so at once, in place of its buttons. */
function refusedAhead({ work, subscription }: Portal, action: Action): Action {
  if (action.refusal !== undefined || action.choices.length === 0) return action;
  const refusals = action.choices.map(({ does }) => {
    const name = 'action' in does ? actionOf(does.action).action : null;
    return name === null ? null : refusalOf(work, subscription, name);
  });
  const [first] = refusals;
  return first && refusals.every(one => one !== null) ? { ...action, refusal: first } : action;
}

/** Everything that the customer may do now. `id`: the action whose page is open, with all choices; others may have only some of them. */
export async function actionsOf(portal: Portal, asked: Asked = {}, id?: string): Promise<Action[]> {
  const ofLines: Action[] = [];
  for (const line of portal.subscription.lines) ofLines.push(...(await swapOf(portal, line)));
  await portal.work.loadVariants([portal.subscription]);
  const offered: Action[] = [];
  for (const one of await offeredActions(portal, asked, id)) offered.push(one.id === 'PAUSE' ? await withPauseFlow(portal, one) : one);
  return [
    ...offered,
    ...dateActions(portal, asked),
    ...ofLines,
    ...(await boxActions(portal)),
    ...otherActions(portal),
    ...deliveryAction(portal),
    ...(await cancelActions(portal)),
    ...(await upsellsFor(portal)).actions,
    ...(await upgradesFor(portal)).actions,
    await advertisingAction(portal),
  ].map(action => refusedAhead(portal, action));
}
