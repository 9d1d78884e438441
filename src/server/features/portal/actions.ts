// What a customer may do with a subscription now: each action that the preferences leave on and its state allows, with the ways to do it.
import { addDays, isoDay } from '../../../domain/calendar/calendar.ts';
import { deliveriesPerCharge, deliveryInterval } from '../../../domain/selling-plans/selling-plan.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { buttonFor } from '../cancellation-flows/flow.ts';
import { Refusal } from '../../platform/context.ts';
import {
  actionOf,
  billingOf,
  deliveryOf,
  findVariants,
  hasDeliveryDays,
  hasFrequency,
  isUsable,
  type LineRow,
  loadAggregates,
  mayDeliverAt,
  nameOf,
  nextPlanned,
  noonOf,
  plansOfVariants,
  pricedNext,
  refusalOf,
  UnitOfWork,
  updateSellingPlan,
} from '../../engine/index.ts';
import type { Action, Asked, Choice, Does } from './action.ts';
import { addressed } from './addressed.ts';
import { advertisingAction } from './advertising.ts';
import { boxActions } from './boxes.ts';
import { deliveryAction } from './delivery.ts';
import { takesCards } from './own/takes-cards.ts';
import { offeredActions } from './offered.ts';
import { withPauseFlow } from './pause.ts';
import { cardOf, codesOf, tooLittle, type Portal } from './portal.ts';
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

/**
 * How often, and what that costs: each plan that all products share, with what its next order comes to. Each is tried for that, so where
 * the page of it is not open, the first that can be had is enough.
 */
async function frequency(portal: Portal, isOpen: boolean): Promise<Action[]> {
  const { subscription, context, may, say, speech } = portal;
  if (!may.editBillingDeliverySchedule || !['ACTIVE', 'PAUSED'].includes(subscription.contract.status)) return [];
  const ids = subscription.lines.flatMap(line => (line.one_time_added || line.variant_id === null ? [] : line.variant_id));
  const [first = [], ...rest] = [...(await plansOfVariants(context, await findVariants(context, { ids }))).values()];
  const common = first.filter(({ plan }) => rest.every(list => list.some(other => other.plan.lspId === plan.lspId)));
  const seen = new Set<string>();
  const choices: Choice[] = [];
  for (const { plan } of common) {
    if (hasFrequency(plan, billingOf(subscription.contract), deliveryOf(subscription.contract))) continue;
    const [every, deliveries] = [speech.every(deliveryInterval(plan)), deliveriesPerCharge(plan) ?? 1];
    if (seen.has(`${every} ${deliveries}`)) continue;
    seen.add(`${every} ${deliveries}`);
    const costs = await costsWith(portal, plan.lspId);
    if (costs === undefined) continue;
    const values = { subscription_frequency: every, deliveries_count: String(deliveries), order_total: costs };
    choices.push({
      about: [say('deliveredEvery', values), say(deliveries > 1 ? 'portalPlanAhead' : 'portalPlanEach', values)],
      label: deliveries > 1 ? say('portalPlanPay', values) : say('changeFrequency'),
      does: doing('UPDATE_SELLING_PLAN', { sellingPlanId: plan.lspId }),
    });
    if (!isOpen) break;
  }
  if (choices.length === 0) return [];
  return [{ id: 'FREQUENCY', label: say('changeFrequency'), question: say('deliveredEvery'), choices, done: 'frequencyChanged' }];
}

/** What an order that is charged would come to with a plan: the change is made in memory alone. Undefined where the plan can't be had. */
async function costsWith({ subscription, context, speech }: Portal, sellingPlanId: number): Promise<string | undefined> {
  const work = await UnitOfWork.open(context);
  const [tried] = await loadAggregates(context.trx, context.storeId, [subscription.contract.id], { lock: false });
  if (!tried) return undefined;
  work.add(tried);
  try {
    await updateSellingPlan(work, tried, { sellingPlanId });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
  await work.conclude();
  // Deliveries that are paid already come first and cost nothing: what is asked is what comes after them.
  tried.contract.prepaid_credits = 0;
  const total = pricedNext(tried, work.zone, work.settings.prepaidShippingCharge)?.priced.total ?? tried.contract.total;
  return speech.money(total, subscription.contract.currency_code);
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

function lineActions(portal: Portal, line: LineRow, asked: Asked): Action[] {
  const { subscription, may, say } = portal;
  const { id, variant_id: variantId, bundle_transaction_id: bundle } = line;
  // What stands for one order alone, and the parts of a bundle, are not changed here.
  if (line.one_time_added || variantId === null || bundle !== null || !['ACTIVE', 'PAUSED'].includes(subscription.contract.status))
    return [];
  const name = { product_name: nameOf(line) };
  const found: Action[] = [];
  if (may.changeQuantity) {
    const most = Math.max(may.maxQuantity ?? 20, 1);
    const { quantity } = asked.of === id ? (asked.given ?? {}) : {};
    const wanted = /^\d{1,3}$/.test(quantity ?? '') ? Number(quantity) : 0;
    const isRight = wanted >= 1 && wanted <= most;
    const little = isRight && wanted < line.quantity ? tooLittle(portal, new Map([[id, wanted]])) : undefined;
    found.push({
      id: 'QUANTITY',
      of: id,
      label: say('quantityLabel'),
      question: isRight ? say('portalQuantityAsk', { ...name, quantity: String(wanted) }) : nameOf(line),
      fields: [
        {
          ...{ name: 'quantity', type: 'number', label: say('quantityLabel'), isRequired: true, min: '1', max: String(most) },
          value: quantity ?? String(line.quantity),
          ...(quantity !== undefined && !isRight ? { error: say('portalOutOfRange', { least: '1', most: String(most) }) } : {}),
        },
      ],
      ...(isRight ? { given: { quantity: String(wanted) } } : {}),
      ...(little ? { refusal: little } : {}),
      choices: isRight ? [{ label: say('confirm'), does: doing('UPDATE_QUANTITY', { variantId, quantity: wanted }) }] : [],
      done: 'saved',
    });
    // The same with one more or less filled in.
    const by = (to: number, label: string, key: string): Action[] =>
      to < 1 || to > most
        ? []
        : [
            {
              id: 'QUANTITY',
              of: id,
              fills: { quantity: String(to) },
              label,
              name: say(key, name),
              question: '',
              choices: [],
              done: 'saved',
            },
          ];
    found.push(...by(line.quantity - 1, '−', 'a11yDecreaseQuantity'), ...by(line.quantity + 1, '+', 'a11yIncreaseQuantity'));
  }
  const isLast = subscription.lines.filter(one => !one.one_time_added).length === 1;
  const refusal = isLast ? say('lastProductText') : tooLittle(portal, new Map([[id, 0]]));
  const remove = (key: 'REMOVE_ONCE' | 'REMOVE', label: string, once: boolean): Action => ({
    id: key,
    of: id,
    label,
    question: once ? `${nameOf(line)}: ${label}` : say('removeProductConfirm', name),
    ...(refusal ? { refusal } : {}),
    ...(once ? {} : { name: say('a11yRemoveProduct', name) }),
    choices: [{ label, does: doing('REMOVE_PRODUCT', { variantId, once }) }],
    done: 'saved',
  });
  const isOut = line.one_time_removed_cycle !== null;
  if (may.removeOnce && !isOut && subscription.contract.status === 'ACTIVE')
    found.push(remove('REMOVE_ONCE', say('portalRemoveOnce'), true));
  if (may.removeForGood) found.push(remove('REMOVE', say('removeProduct'), false));
  return found;
}

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
  for (const line of portal.subscription.lines) ofLines.push(...lineActions(portal, line, asked), ...(await swapOf(portal, line)));
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
    ...(await frequency(portal, id === 'FREQUENCY')),
    ...(await cancelActions(portal)),
    ...(await upsellsFor(portal)).actions,
    ...(await upgradesFor(portal)).actions,
    await advertisingAction(portal),
  ].map(action => refusedAhead(portal, action));
}
