// Purchase options as shoppers see them: once or by subscription, how often, at which price.
import type { JsonValue } from '../contract/types.ts';
import { formatMoney } from '../domain/money/money.ts';
import { filledIn } from '../domain/text/placeholders.ts';
import type { GroupOption, PlanOption, PurchaseOptions } from '../domain/widgets/purchase-options.ts';
import { h, icon } from './dom.ts';

/** What is chosen: a plan of a group, or none. */
export interface Choice {
  group?: GroupOption | undefined;
  plan?: PlanOption | undefined;
}
export interface PurchaseInput {
  options: PurchaseOptions;
  preferences: Readonly<Record<string, JsonValue>>;
  texts: Readonly<Record<string, string>>;
  currency: string;
  locale: string;
  /** The product can't be bought once. */
  isSubscriptionOnly: boolean;
  /** The form has no button of its own. */
  hasButton: boolean;
  /** What was chosen before: the number of a plan, null for a one-time purchase; undefined: nothing was. */
  before: number | null | undefined;
  /** `isByHand`: a person chose it. */
  onChoose(choice: Choice, isByHand: boolean): void;
  onAdd(): void;
}

/** One of the options: bought once (`group` is absent), or by a group of plans. */
interface Option {
  group?: GroupOption;
  plan?: PlanOption | undefined;
  /** Makes what is seen of it follow what is chosen. */
  paint(isChosen: boolean): void;
  element: HTMLElement;
}

const planAtFirst = ({ plans }: GroupOption, before: number | null | undefined): PlanOption | undefined =>
  plans.find(one => one.id === before) ?? plans.find(one => one.isDefault) ?? plans[0];

/** Whether the merchant wants no widget where there is nothing to choose. */
export const isHidden = ({ options: { groups }, preferences, isSubscriptionOnly }: PurchaseInput): boolean =>
  groups.length === 0 ||
  (preferences.hideWidgetIfOnePlanAvailable === true && isSubscriptionOnly && groups.length === 1 && groups[0]?.plans.length === 1);

/** Draws the options and tells what is chosen, at once and at each change. */
export function purchaseView(input: PurchaseInput): HTMLElement {
  const { options, preferences, texts, before, isSubscriptionOnly } = input;
  const isTick = preferences.layoutType === 'CHECKBOX';
  const groups = isTick ? options.groups.slice(0, 1) : options.groups;
  const subscriptions = groups.map(group => optionOf(input, group, choose));
  const once = isSubscriptionOnly ? [] : [optionOf(input, undefined, choose)];
  const all = preferences.purchaseOptionsOrder === 'ONE_TIME_FIRST' ? [...once, ...subscriptions] : [...subscriptions, ...once];
  const wanted = subscriptions.find(one => before != null && one.group?.plans.some(plan => plan.id === before));
  const byPreference = preferences.purchaseOptionLabel === 'ONE_TIME' ? once[0] : subscriptions[0];
  let chosen = (before === null ? once[0] : wanted) ?? byPreference ?? all[0];
  const button = h('button', { type: 'button', class: 'add', onclick: input.onAdd });
  const soldOut = h('p', { class: 'sold-out', role: 'status', hidden: !options.isSoldOut || input.hasButton }, texts.outOfStockText);

  function choose(option: Option, isOn: boolean): void {
    chosen = isOn ? option : (once[0] ?? option);
    paint(true);
  }
  function paint(isByHand: boolean): void {
    for (const option of all) option.paint(option === chosen);
    button.textContent = buttonText(input, chosen?.group !== undefined);
    button.disabled = options.isSoldOut;
    input.onChoose({ group: chosen?.group, plan: chosen?.plan }, isByHand);
  }

  const shown = isTick && subscriptions.length ? subscriptions : all;
  const view = h(
    'div',
    { class: 'w', part: 'widget' },
    h(
      'div',
      { class: 'box', part: 'box' },
      h(
        'fieldset',
        { 'aria-label': preferences.showPurchaseOptionsLabel === false ? texts.purchaseOptionLabel : undefined },
        preferences.showPurchaseOptionsLabel !== false && h('legend', { class: 'heading' }, texts.purchaseOptionLabel),
        h('div', { class: 'options', 'data-layout': String(preferences.layoutType ?? '') }, ...shown.map(one => one.element)),
      ),
      preferences.showSubscriptionDetailsPopup !== false && howItWorks(texts),
      soldOut,
    ),
    input.hasButton && button,
  );
  paint(false);
  return view;
}

/** The words of the button that adds to the cart. */
export const buttonText = ({ options, texts }: Pick<PurchaseInput, 'options' | 'texts'>, isSubscription: boolean): string =>
  (options.isSoldOut ? texts.outOfStockText : isSubscription ? texts.addSubscriptionToCartButtonText : texts.addToCartButtonText) ?? '';

function optionOf(input: PurchaseInput, group: GroupOption | undefined, choose: (option: Option, isOn: boolean) => void): Option {
  const { options, preferences, texts, currency, locale, before } = input;
  const isTick = preferences.layoutType === 'CHECKBOX';
  const cash = (minor: number): string => formatMoney(minor, currency, locale);
  const radio = h('input', {
    type: isTick ? 'checkbox' : 'radio',
    name: 'option',
    onchange: () => choose(option, radio.checked),
  });
  const badge = h('span', { class: 'badge' });
  const old = h('s', { class: 'before' });
  const now = h('span', { class: 'now' });
  const each = h('span', { class: 'each' });
  const prepaid = h('p', { class: 'prepaid' });
  const description = h('p', { class: 'description' });
  const more = h('div', { class: 'more' }, description, prepaid);
  const option: Option = {
    ...(group ? { group, plan: planAtFirst(group, before) } : {}),
    element: h(
      'div',
      { class: 'option' },
      h(
        'label',
        { class: 'line' },
        radio,
        h('span', { class: 'what' }, h('span', { class: 'name' }, group ? group.name : texts.oneTimePurchaseLabel), badge),
        // Amounts keep their own direction among words of another one.
        h('span', { class: 'price' }, h('bdi', {}, old), ' ', h('bdi', {}, now), each),
      ),
      more,
    ),
    paint(isChosen) {
      const { plan } = option;
      const price = plan?.each ?? options.price;
      const full = Math.max(options.price, options.compareAt ?? 0);
      const isPrepaid = (plan?.deliveriesPerCharge ?? 1) > 1;
      const saysWhole = isPrepaid && preferences.showFullPriceForPrepaidPlans !== false;
      radio.checked = isChosen;
      option.element.toggleAttribute('data-chosen', isChosen);
      badge.textContent =
        plan?.saved && preferences.showDiscountBadgeForSubscription !== false
          ? filledIn(texts.discountBadgeText ?? '', { discount_value: savedWords(plan.saved, cash, locale) })
          : '';
      old.textContent = full > price && preferences.showCompareAtPrice !== false ? cash(full) : '';
      now.textContent = cash(price);
      each.textContent = preferences.hideEachLabel === true || saysWhole ? '' : ` ${texts.priceLabelText ?? ''}`;
      prepaid.textContent = saysWhole
        ? filledIn(texts.prepaidFullPriceText ?? '', {
            prepaid_price: cash(plan?.full ?? 0),
            deliveries_per_charge: (plan?.deliveriesPerCharge ?? 1).toLocaleString(locale),
          })
        : '';
      description.textContent = (group ? plan?.description : texts.oneTimeDescriptionText) ?? '';
      const isOpen = isChosen || preferences.alwaysShowSellingPlanDetails === true;
      description.hidden = !description.textContent || (group !== undefined && !isOpen);
      prepaid.hidden = !isOpen || !saysWhole;
      if (picker) picker.hidden = !isOpen;
      more.hidden = description.hidden && prepaid.hidden && (picker === undefined || picker.hidden);
    },
  };
  const picker = group && pickerOf(input, group, option, () => choose(option, true));
  if (picker) more.prepend(picker);
  return option;
}

/** By language: making one takes a slow phone longer than drawing an option. */
const percents = new Map<string, Intl.NumberFormat>();
function savedWords(saved: NonNullable<PlanOption['saved']>, cash: (minor: number) => string, locale: string): string {
  if (!('percent' in saved)) return cash(saved.amount);
  let percent = percents.get(locale);
  if (!percent) percents.set(locale, (percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 6 })));
  return percent.format(saved.percent / 100);
}

/** By what the frequency is chosen: a list or buttons; words where there is only one. */
function pickerOf(
  { preferences, texts }: PurchaseInput,
  { plans, optionLabel }: GroupOption,
  option: Option,
  chosen: () => void,
): HTMLElement | undefined {
  const label = texts.planSelectorLabelText ?? '';
  const title = h('span', { class: 'plans-label' }, label);
  const take = (plan: PlanOption | undefined): void => {
    option.plan = plan;
    chosen();
  };
  if (plans.length === 1)
    return preferences.showPlanSelectorAsTextIfOnePlanAvailable === false
      ? undefined
      : h('p', { class: 'plans plans-label' }, `${label}: ${plans[0]?.optionLabel ?? ''}`);
  if (preferences.sellingPlanFrequencyOptions === 'BUTTON') {
    const buttons = plans.map(plan => {
      const button = h('button', {
        type: 'button',
        'aria-pressed': String(plan === option.plan),
        onclick: () => {
          for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
          take(plan);
        },
      });
      button.textContent = plan.optionLabel;
      return button;
    });
    return h(
      'div',
      { class: 'plans', role: 'group', 'aria-label': optionLabel || label },
      title,
      h('span', { class: 'buttons' }, ...buttons),
    );
  }
  const list = h(
    'select',
    { 'aria-label': optionLabel || label, onchange: () => take(plans[list.selectedIndex]) },
    ...plans.map(plan => h('option', { value: plan.id, selected: plan === option.plan }, plan.optionLabel)),
  );
  return h('label', { class: 'plans' }, title, h('span', { class: 'list' }, list, icon('M4 6l4 4 4-4')));
}

/** Opens by a press, closes by another one, by Escape, and when the focus leaves. */
function howItWorks({ subscriptionDetailsText, subscriptionDetailsDescription }: Readonly<Record<string, string>>): HTMLElement {
  const details = h(
    'details',
    {
      class: 'how',
      onkeydown: event => {
        if ((event as KeyboardEvent).key === 'Escape' && details.open) close(event);
      },
      onfocusout: event => {
        if (!details.contains((event as FocusEvent).relatedTarget as Node | null)) details.open = false;
      },
    },
    h('summary', {}, subscriptionDetailsText),
    h('p', {}, subscriptionDetailsDescription),
  );
  const close = (event: Event): void => {
    details.open = false;
    event.stopPropagation();
  };
  return details;
}
