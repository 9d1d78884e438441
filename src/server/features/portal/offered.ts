// Pages of the portal that an action's own file offers (schemas/actions, `in.portal`), with the buttons that can be filled now.
import { stepDate } from '../../../domain/calendar/calendar.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import { fill } from '../../../contract/find.ts';
import { holds } from '../../../contract/validation/condition.ts';
import type { JsonObject, PortalOffer } from '../../../contract/types.ts';
import { PORTAL_PAGES } from '../../../generated/actions.ts';
import { actionOf, billingOf, customerForm, nextPlanned, orderedNow, refusalOf, type Status, statesOf } from '../../engine/index.ts';
import type { Action, Asked, Choice } from './action.ts';
import { p } from './elements.ts';
import { skippedInARow, spanOf, type Portal } from './portal.ts';

/** What a button is for: what its parameters name, the values of its texts, and the order that it charges. */
type Thing = JsonObject & { said?: Record<string, string>; orderId?: number };

/** The day of the order after the next one. */
function dayAfter({ subscription, work, speech }: Portal, cycle: number): string {
  const at = nextPlanned(subscription, work.zone)?.billingAt;
  const moved = subscription.orders.find(one => one.cycle === cycle + 1)?.billing_at.getTime();
  return at === undefined ? '' : speech.day(new Date(moved ?? stepDate(at, billingOf(subscription.contract), 1, work.zone)));
}

/** What `each` of a choice names, besides lists of spans of time. */
const THINGS: Readonly<Record<string, (portal: Portal) => Thing[]>> = {
  next(portal) {
    const next = nextPlanned(portal.subscription, portal.work.zone);
    return next ? [{ said: { next_order_date: dayAfter(portal, next.cycle) } }] : [];
  },
  skipped: ({ subscription: { orders, contract }, work }) =>
    orders.some(one => one.status === 'SKIPPED' && one.cycle >= contract.next_cycle && one.billing_at > work.at) ? [{}] : [],
  due({ subscription, work, speech }) {
    const due = orderedNow(subscription, work.zone, work.settings.prepaidShippingCharge);
    return due ? [{ said: { order_total: speech.money(due.total, subscription.contract.currency_code) }, orderId: due.orderId }] : [];
  },
};

/** Each with its words, and with the moment that lies so far behind the next order. */
function spans(portal: Portal, list: readonly Interval[]): Thing[] {
  const { zone } = portal.work;
  const next = nextPlanned(portal.subscription, zone);
  return list.map(one => ({
    ...one,
    said: { duration: spanOf(portal, one) },
    ...(next ? { date: Math.floor(stepDate(next.billingAt, one, 1, zone) / 1000) } : {}),
  }));
}
const thingsOf = (portal: Portal, each: NonNullable<PortalOffer['choices'][number]['each']>): Thing[] =>
  typeof each === 'string'
    ? (THINGS[each]?.(portal) ?? spans(portal, (portal.may[each as keyof Portal['may']] as Interval[] | undefined) ?? []))
    : spans(portal, each);

/** The pages that the preferences leave on and the state allows, each with fields or at least one button. `id`: the one that is open. */
export async function offeredActions(portal: Portal, { given = {} }: Asked, id: string | undefined): Promise<Action[]> {
  const { may, say, speech, subscription, context, work } = portal;
  const record = may as unknown as JsonObject;
  const state: JsonObject = { status: subscription.contract.status, lastPaymentStatus: subscription.contract.last_payment_status };
  const found: Action[] = [];
  const asking = { definitions: context.definitions, now: work.at, zone: work.zone, say, day: (at: Date): string => speech.day(at) };
  for (const page of PORTAL_PAGES) {
    const { action, titleKey, doneKey: done, section, order, states, unless, while: on, fields, ...texts } = page;
    const words =
      texts.labelKeyWhen?.find(({ when }) => holds(when, { siblings: state, root: state, facts: {} }))?.textKey ?? texts.labelKey;
    if (on !== undefined && record[on] !== true) continue;
    const inStates = (states as readonly Status[] | undefined) ?? statesOf(actionOf(action), context.definitions);
    if (!inStates.includes(subscription.contract.status as Status)) continue;
    const filled = fields && customerForm(asking, action, fields, page.id === id ? given : {});
    const { buttons, values } = filled && !filled.input ? { buttons: [] } : buttonsOf(portal, page, words, filled?.input);
    if (buttons.length === 0 && !filled) continue;
    const most = may.maxConsecutiveSkips ?? 0;
    const isFull = unless === 'skipsInARow' && most > 0 && (await skippedInARow(portal)) >= most;
    const name = actionOf(action).action;
    const refusal = isFull ? say('portalSkipLimit') : filled && name !== null ? refusalOf(work, subscription, name) : null;
    found.push({
      ...{ id: page.id, section, order, label: say(words), question: say(texts.questionKey ?? words, values), choices: buttons, done },
      ...(titleKey === undefined ? {} : { title: say(titleKey) }),
      ...(refusal === null ? {} : { refusal }),
      ...(filled ? { fields: filled.fields, given: filled.given, ...(filled.wrong ? { wrong: filled.wrong } : {}) } : {}),
      ...(filled?.input ? { html: filled.summary.map(line => p(line)).join('') } : {}),
    });
  }
  return found;
}

/** The buttons of a page, those whose parameters are known, and the values of the text above them. */
function buttonsOf(
  portal: Portal,
  { action, choices }: (typeof PORTAL_PAGES)[number],
  words: string,
  filled: JsonObject = {},
): { buttons: Choice[]; values?: Record<string, string> | undefined } {
  const { may, say } = portal;
  const record = may as unknown as JsonObject;
  let values: Record<string, string> | undefined;
  const buttons = choices
    .filter(({ when }) => holds(when, { siblings: record, root: record, facts: {} }))
    .flatMap(({ each, textKey, with: given }) =>
      (each === undefined ? [{} as Thing] : thingsOf(portal, each)).flatMap(({ said, orderId, ...row }): Choice[] => {
        const input = fill(given, { record, row });
        if (Object.keys(input).length < Object.keys(given ?? {}).length) return [];
        values ??= said;
        const does = { action, input: { ...filled, ...input }, ...(orderId === undefined ? {} : { orderId }) };
        return [{ label: say(textKey ?? words, said), does }];
      }),
    );
  return { buttons, values };
}
