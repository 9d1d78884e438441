// Pages of the portal that an action's own file offers (schemas/actions, `in.portal`), with the buttons that can be filled now.
import { stepDate } from '../../../domain/calendar/calendar.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import { fill } from '../../../contract/find.ts';
import { holds } from '../../../contract/validation/condition.ts';
import type { JsonObject, PortalOffer, With } from '../../../contract/types.ts';
import { PORTAL_PAGES } from '../../../generated/actions.ts';
import {
  actionOf,
  billingOf,
  customerForm,
  type Given,
  nameOf,
  nextPlanned,
  orderedNow,
  refusalOf,
  type Status,
  statesOf,
} from '../../engine/index.ts';
import type { Action, Asked, Choice, Thing } from './action.ts';
import { p } from './elements.ts';
import { plans } from './plans.ts';
import { skippedInARow, spanOf, tooLittle, type Portal } from './portal.ts';

type Page = (typeof PORTAL_PAGES)[number];

/** The day of the order after the next one. */
function dayAfter({ subscription, work, speech }: Portal, cycle: number): string {
  const at = nextPlanned(subscription, work.zone)?.billingAt;
  const moved = subscription.orders.find(one => one.cycle === cycle + 1)?.billing_at.getTime();
  return at === undefined ? '' : speech.day(new Date(moved ?? stepDate(at, billingOf(subscription.contract), 1, work.zone)));
}

/**
 * What `each` names, besides lists of spans of time. `isOpen`: for the page that is looked at. For others it counts only whether there is
 * one.
 */
const THINGS: Readonly<Record<string, (portal: Portal, isOpen: boolean) => Thing[] | Promise<Thing[]>>> = {
  plans,
  lines: ({ subscription, may }) =>
    subscription.lines.flatMap((line): Thing[] => {
      // What stands for one order alone, and the parts of a bundle, are not changed here.
      if (line.one_time_added || line.variant_id === null || line.bundle_transaction_id !== null) return [];
      const { id, quantity, variant_id: variantId } = line;
      const most = Math.max(may.maxQuantity ?? 20, 1);
      return [
        {
          ...{ id, variantId, quantity, isInNext: line.one_time_removed_cycle === null },
          ...(quantity > 1 && quantity <= most + 1 ? { fewer: quantity - 1 } : {}),
          ...(quantity < most ? { more: quantity + 1 } : {}),
          name: nameOf(line),
          said: { product_name: nameOf(line) },
        },
      ];
    }),
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
const thingsOf = async (portal: Portal, each: NonNullable<PortalOffer['choices'][number]['each']>, isOpen: boolean): Promise<Thing[]> =>
  typeof each === 'string'
    ? (THINGS[each]?.(portal, isOpen) ?? spans(portal, (portal.may[each as keyof Portal['may']] as Interval[] | undefined) ?? []))
    : spans(portal, each);

/** Limits of the store: the sentence that refuses what would break one. `input` is undefined while it is still to be filled in. */
const LIMITS: Record<
  NonNullable<PortalOffer['unless']>,
  (portal: Portal, thing: Thing, input?: JsonObject) => Promise<string | undefined>
> = {
  async skipsInARow(portal) {
    const most = portal.may.maxConsecutiveSkips ?? 0;
    return most > 0 && (await skippedInARow(portal)) >= most ? portal.say('portalSkipLimit') : undefined;
  },
  async leastProducts(portal, { id, quantity }, input) {
    if (!input) return undefined;
    const left = Number(input.quantity ?? 0);
    if (left === 0 && portal.subscription.lines.filter(one => !one.one_time_added).length === 1) return portal.say('lastProductText');
    return left < Number(quantity) ? tooLittle(portal, new Map([[Number(id), left]])) : undefined;
  },
};

/** Values for parameters; undefined where one of them is not known. */
function filledIn(values: With | undefined, record: JsonObject, row: JsonObject): JsonObject | undefined {
  const input = fill(values, { record, row });
  return Object.keys(input).length < Object.keys(values ?? {}).length ? undefined : input;
}

/** The pages that the preferences leave on and the state allows, each with fields or at least one button. `id`: the one that is open. */
export async function offeredActions(portal: Portal, asked: Asked, id: string | undefined): Promise<Action[]> {
  const { may, subscription, context } = portal;
  const record = may as JsonObject;
  const found: Action[] = [];
  for (const page of PORTAL_PAGES) {
    if (page.while !== undefined && record[page.while] !== true) continue;
    const states = (page.states as readonly Status[] | undefined) ?? statesOf(actionOf(page.action), context.definitions);
    if (!states.includes(subscription.contract.status as Status)) continue;
    const isOpen = page.id === id;
    for (const thing of page.each === undefined ? [{}] : await thingsOf(portal, page.each, isOpen))
      if (holds(page.when, { siblings: thing, root: thing })) found.push(...(await pageFor(portal, page, thing, asked, isOpen)));
  }
  return found;
}

/** A page for one thing, and the further ways to it; nothing where it has neither fields nor buttons. */
async function pageFor(portal: Portal, page: Page, thing: Thing, asked: Asked, isOpen: boolean): Promise<Action[]> {
  const { may, say, speech, subscription, context, work } = portal;
  const { section, order, unless, fields, titleKey, nameKey, askKey, doneKey: done } = page;
  const record = may as JsonObject;
  const state: JsonObject = { status: subscription.contract.status, lastPaymentStatus: subscription.contract.last_payment_status };
  const words = page.labelKeyWhen?.find(({ when }) => holds(when, { siblings: state, root: state }))?.textKey ?? page.labelKey;
  const asking = { definitions: context.definitions, now: work.at, zone: work.zone, say, day: (at: Date): string => speech.day(at) };
  const given = isOpen && asked.of === thing.id ? (asked.given ?? {}) : {};
  const scope = { record, row: thing };
  const filled = fields && customerForm(asking, page.action, fields, given, fill(page.choices[0]?.with, scope), scope);
  const { buttons, values } =
    filled && !filled.input ? { buttons: [] } : await buttonsOf(portal, page, words, isOpen, thing, filled?.input);
  if (buttons.length === 0 && !filled) return [];
  const { action: name } = actionOf(page.action);
  const refusal =
    (unless && (await LIMITS[unless](portal, thing, filled ? filled.input : {}))) ??
    (filled && name !== null ? refusalOf(work, subscription, name) : null);
  const { id: of, said, name: called } = thing;
  const own = { id: page.id, ...(typeof of === 'number' ? { of } : {}), done };
  const question =
    filled?.input && askKey
      ? say(askKey, { ...said, ...filled.given })
      : page.questionKey === undefined && called !== undefined
        ? called
        : say(page.questionKey ?? words, { ...said, ...values });
  return [
    {
      ...{ ...own, label: say(words), question, choices: buttons },
      ...(section === undefined ? {} : { section }),
      ...(order === undefined ? {} : { order }),
      ...(titleKey === undefined ? {} : { title: say(titleKey) }),
      ...(nameKey === undefined ? {} : { name: say(nameKey, said) }),
      ...(refusal === null || refusal === undefined ? {} : { refusal }),
      ...(filled ? { fields: filled.fields, given: filled.given, ...(filled.wrong ? { wrong: filled.wrong } : {}) } : {}),
      ...(filled?.input && !askKey ? { html: filled.summary.map(line => p(line)).join('') } : {}),
    },
    ...(page.ways ?? []).flatMap(({ label, nameKey: read, with: wanted }): Action[] => {
      const fills = filledIn(wanted, record, thing);
      if (!fills) return [];
      const texts = Object.fromEntries(Object.entries(fills).map(([field, value]) => [field, String(value)])) as Given;
      return [{ ...own, ...(order === undefined ? {} : { order }), fills: texts, label, name: say(read, said), question: '', choices: [] }];
    }),
  ];
}

/** The buttons of a page, those whose parameters are known, and the values of the text above them. Those for one thing stand together. */
async function buttonsOf(
  portal: Portal,
  { action, choices }: Page,
  words: string,
  isOpen: boolean,
  thing: Thing,
  filled: JsonObject = {},
): Promise<{ buttons: Choice[]; values?: Record<string, string> | undefined }> {
  const { may, say } = portal;
  const record = may as JsonObject;
  let values: Record<string, string> | undefined;
  const buttons: Choice[] = [];
  for (const each of new Set(choices.map(choice => JSON.stringify(choice.each)))) {
    const alike = choices.filter(choice => JSON.stringify(choice.each) === each);
    for (const { said, about, orderId, ...row } of each === undefined ? [thing] : await thingsOf(portal, alike[0]!.each!, isOpen))
      for (const { when, textKey, with: wanted } of alike) {
        const siblings = { ...record, row };
        const input = holds(when, { siblings, root: siblings }) ? filledIn(wanted, record, row) : undefined;
        if (!input) continue;
        values ??= said;
        const does = { action, input: { ...filled, ...input }, ...(orderId === undefined ? {} : { orderId }) };
        buttons.push({ label: say(textKey ?? words, said), ...(about ? { about } : {}), does });
      }
  }
  return { buttons, values };
}
