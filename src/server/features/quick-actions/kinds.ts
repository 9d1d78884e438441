// The buttons of a link: what its kind offers (schemas/actions, `in.link`), for a subscription as it is now.
import { stepDate } from '../../../domain/calendar/calendar.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import { fill } from '../../../contract/find.ts';
import { holds } from '../../../contract/validation/condition.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { type ActionKey, type LinkKind, LINKS } from '../../../generated/actions.ts';
import type { CustomerForm, OrderedNow, Reward } from '../../engine/index.ts';

/** What quick actions and campaigns share. */
export type Offered = {
  id: number;
  name: string;
  type: LinkKind;
  delayOptions?: Interval[];
  maxDaysAhead?: number;
  pauseOptions?: Interval[];
  allowIndefinite?: boolean;
  addVariantIds?: number[];
  addAs?: 'ONE_TIME' | 'RECURRING';
  addDiscount?: number;
  swapVariantIds?: number[];
  swapToVariantId?: number;
  reward?: Reward;
  /** Of a surprise. */
  rewards?: { chance: number; reward: Reward }[];
  title?: string;
  description?: string;
  ctaText?: string;
  successText?: string;
  imageUrl?: string;
  /** Of campaigns that are sent by e-mail. */
  subject?: string;
  letterText?: string;
};
/** One way to do it: a button. Without an action the reward alone is given. */
export interface Choice {
  label: string;
  /** What comes with it, where that is not what all choices bring. */
  reward?: Reward;
  /** What is said when it is done, where that is not what all choices lead to. */
  successText?: string;
  action?: ActionKey;
  input: JsonObject;
  /** What it costs, as the button says it. */
  price?: string;
  /** The order that it charges: no other one, whatever is next when the button is pressed. */
  orderId?: number;
}
/** What choices are made of: the subscription, names and prices of products, and how the customer's language says them. */
export interface Asked {
  nextBillingAt: Date | null;
  variants: ReadonlyMap<number, string>;
  /** Of products that are added, in minor units of the subscription's currency. */
  prices: ReadonlyMap<number, number>;
  /** What is paid by ordering now, and by paying the order whose payment failed last. */
  next?: OrderedNow | undefined;
  failed?: OrderedNow;
  zone: string;
  now: Date;
  say(key: string): string;
  day(at: number): string;
  span(one: Interval): string;
  money(minor: number): string;
  /** What the customer fills in, of a kind with fields. */
  form?: CustomerForm | undefined;
}

const epoch = (at: number): number => Math.floor(at / 1000);
/** Days that are offered at most. */
const DAYS_SHOWN = 8;

/** What a button is for: what its label and its parameters name, what it costs, and the order that it charges. */
type Thing = JsonObject & { price?: string; orderId?: number };
type Things = (offered: Offered, asked: Asked) => Thing[];

/** Days ahead of the next order, with the moment at which it would come. */
const days: Things = ({ maxDaysAhead = 30 }, { nextBillingAt, zone, day }) => {
  const step = Math.max(1, Math.ceil(maxDaysAhead / DAYS_SHOWN));
  return Array.from({ length: nextBillingAt ? Math.floor(maxDaysAhead / step) : 0 }, (_, i) => {
    const at = stepDate((nextBillingAt as Date).getTime(), { interval: 'DAY', intervalCount: (i + 1) * step }, 1, zone);
    return { day: day(at), date: epoch(at) };
  });
};
/** An order that is charged now; none where there is no such order. */
const charged = (order: OrderedNow | undefined, { money }: Asked): Thing[] =>
  order ? [{ orderId: order.orderId, price: money(order.total) }] : [];
const products: Things = ({ addVariantIds = [], addAs = 'ONE_TIME', addDiscount = 0 }, { variants, prices, money }) =>
  addVariantIds.flatMap(variantId => {
    const [name, cost] = [variants.get(variantId), prices.get(variantId)];
    return name === undefined || cost === undefined
      ? []
      : [{ variantId, name, type: addAs, discountValue: String(addDiscount), price: money(cost) }];
  });
/** Spans of time that the record of the link lists, each with the moment that lies so far behind the next order. */
const spans = (list: readonly Interval[], { nextBillingAt, zone, span }: Asked): Thing[] =>
  list.map(one => ({
    ...one,
    span: span(one),
    ...(nextBillingAt ? { date: epoch(stepDate(nextBillingAt.getTime(), one, 1, zone)) } : {}),
  }));

/** What `each` of a choice names (schemas/actions), besides lists of spans of time. */
const THINGS: Readonly<Record<string, Things>> = {
  days,
  products,
  next: (_offered, asked) => charged(asked.next, asked),
  failed: (_offered, asked) => charged(asked.failed, asked),
  swapTo: ({ swapToVariantId = 0 }, { variants }) =>
    variants.has(swapToVariantId) ? [{ variantId: swapToVariantId, name: variants.get(swapToVariantId) as string }] : [],
};
const thingsOf = (each: string | readonly Interval[], offered: Offered, asked: Asked): Thing[] =>
  typeof each === 'string'
    ? (THINGS[each]?.(offered, asked) ?? spans((offered[each as keyof Offered] as Interval[] | undefined) ?? [], asked))
    : spans(each, asked);

/** The buttons of a link: as its kind says in schemas/actions, with what is offered and the subscription as it is now. */
export function choicesOf(offered: Offered, asked: Asked): Choice[] {
  const { action, choices } = LINKS[offered.type];
  if (asked.form && !asked.form.input) return [];
  const record = { ...offered, ctaText: offered.ctaText ?? '' } as JsonObject;
  return choices
    .filter(({ when }) => holds(when, { siblings: record, root: record, facts: {} }))
    .flatMap(({ each, label: words = '{ctaText}', textKey, with: values }) =>
      (each === undefined ? [{} as Thing] : thingsOf(each, offered, asked)).flatMap(({ price, orderId, ...row }) => {
        const input = fill(values, { record, row });
        if (Object.keys(input).length < Object.keys(values ?? {}).length) return [];
        const label = textKey === undefined ? String(fill({ words }, { record, row }).words) : asked.say(textKey);
        return [
          {
            label,
            ...(values ? { action } : {}),
            input: { ...asked.form?.input, ...input },
            ...(orderId === undefined ? {} : { orderId }),
            ...(price === undefined ? {} : { price }),
          },
        ];
      }),
    );
}
