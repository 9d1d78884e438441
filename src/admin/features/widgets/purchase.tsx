// Purchase options as shoppers see them: once or by subscription, how often, at which price. Prices follow the rules of domain: a prepaid
// plan is said for each delivery, with the whole price beside it.
import { useId, useState } from 'react';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { formatMoney, toMinor } from '../../../domain/money/money.ts';
import { filledIn } from '../../../domain/text/placeholders.ts';
import { intlLocale, t } from '../../../domain/text/t.ts';

/** D048 to D050: what the example holds. */
export interface SamplePlan {
  id: number | null;
  name: string;
  optionLabel: string;
  discount: string;
  price: string;
  fullPrice: string;
  deliveriesPerCharge: number;
  isDefault: boolean;
}
export interface SampleOption {
  id: string;
  type: 'one-time-purchase' | 'subscription';
  name: string;
  price: string;
  compareAtPrice: string | null;
  deliveryLabel: string;
  description: string;
  sellingPlan: SamplePlan[];
}
export interface Sample {
  product: { id: number; title: string; image: string | null } | null;
  currencyCode: string;
  purchaseOptions: SampleOption[];
}
export interface PartProps {
  preferences: JsonObject;
  texts: JsonObject;
  sample: Sample;
}

export const word = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export function Purchase({ preferences, texts, sample }: PartProps) {
  const id = useId();
  const { purchaseOptions } = sample;
  const isOnceFirst = preferences.purchaseOptionsOrder === 'ONE_TIME_FIRST';
  const options = [...purchaseOptions].sort((a, b) => rank(a, isOnceFirst) - rank(b, isOnceFirst));
  const wanted = preferences.purchaseOptionLabel === 'ONE_TIME' ? 'one-time-purchase' : 'subscription';
  const [chosenId, choose] = useState<string>();
  const chosen = options.find(one => one.id === chosenId) ?? options.find(one => one.type === wanted) ?? options[0];
  const isTick = preferences.layoutType === 'CHECKBOX';
  const shown = isTick ? options.filter(one => one.type === 'subscription').slice(0, 1) : options;
  const once = options.find(one => one.type === 'one-time-purchase');
  const isSubscription = chosen?.type === 'subscription';
  return (
    <>
      {sample.product && (
        <p className="product">
          {sample.product.image && <img src={sample.product.image} alt="" />}
          <span>{sample.product.title}</span>
        </p>
      )}
      <div className="box">
        {preferences.showPurchaseOptionsLabel !== false && <p className="heading">{word(texts.purchaseOptionLabel)}</p>}
        <div className="options" data-layout={word(preferences.layoutType)}>
          {shown.map(option => (
            <Option
              key={option.id}
              {...{ option, preferences, texts, sample, isTick }}
              name={id}
              isChosen={option.id === chosen?.id}
              onChoose={isOn => choose(isOn ? option.id : once?.id)}
            />
          ))}
        </div>
        {preferences.showSubscriptionDetailsPopup !== false && (
          <details className="how">
            <summary>{word(texts.subscriptionDetailsText)}</summary>
            <p>{word(texts.subscriptionDetailsDescription)}</p>
          </details>
        )}
      </div>
      <button type="button" className="add">
        {word(isSubscription ? texts.addSubscriptionToCartButtonText : texts.addToCartButtonText)}
      </button>
    </>
  );
}

const rank = ({ type }: SampleOption, isOnceFirst: boolean): number => ((type === 'one-time-purchase') === isOnceFirst ? 0 : 1);

interface OptionProps extends PartProps {
  option: SampleOption;
  name: string;
  isTick: boolean;
  isChosen: boolean;
  onChoose: (isOn: boolean) => void;
}
function Option({ option, preferences, texts, sample, name, isTick, isChosen, onChoose }: OptionProps) {
  const plans = option.sellingPlan;
  const [planId, choosePlan] = useState<number | null>();
  const plan = plans.find(one => one.id === planId) ?? plans.find(one => one.isDefault) ?? plans[0];
  const cash = (amount: string): string => formatMoney(toMinor(amount, sample.currencyCode), sample.currencyCode, intlLocale());
  const isOnce = option.type === 'one-time-purchase';
  const before = plan?.discount ? option.compareAtPrice : null;
  const isPrepaid = (plan?.deliveriesPerCharge ?? 1) > 1;
  const isOpen = isChosen || preferences.alwaysShowSellingPlanDetails === true;
  const description = isOnce ? word(texts.oneTimeDescriptionText) : option.description;
  return (
    <div className="option" data-chosen={isChosen || undefined}>
      <label className="line">
        <input type={isTick ? 'checkbox' : 'radio'} name={name} checked={isChosen} onChange={event => onChoose(event.target.checked)} />
        <span className="name">{isOnce ? word(texts.oneTimePurchaseLabel) : option.name}</span>
        {plan?.discount && preferences.showDiscountBadgeForSubscription !== false && (
          <span className="badge">{filledIn(word(texts.discountBadgeText), { discount_value: plan.discount })}</span>
        )}
        <span className="price">
          {before && preferences.showCompareAtPrice !== false && <s className="before">{cash(before)}</s>}{' '}
          {cash(plan?.price ?? option.price)}
          {preferences.hideEachLabel !== true && <span className="each"> {word(texts.priceLabelText)}</span>}
        </span>
      </label>
      {description && <p className="description">{description}</p>}
      {isOpen && plan && isPrepaid && preferences.showFullPriceForPrepaidPlans !== false && (
        <p className="prepaid">
          {filledIn(word(texts.prepaidFullPriceText), {
            prepaid_price: cash(plan.fullPrice),
            deliveries_per_charge: String(plan.deliveriesPerCharge),
          })}
        </p>
      )}
      {isOpen && plan && <Plans {...{ plans, plan, preferences, texts }} onChoose={choosePlan} />}
    </div>
  );
}

interface PlansProps extends Pick<PartProps, 'preferences' | 'texts'> {
  plans: SamplePlan[];
  plan: SamplePlan;
  onChoose: (id: number | null) => void;
}
function Plans({ plans, plan, preferences, texts, onChoose }: PlansProps) {
  const label = word(texts.planSelectorLabelText);
  if (plans.length === 1)
    return preferences.showPlanSelectorAsTextIfOnePlanAvailable === false ? null : (
      <p className="plans plans-label">
        {label}: {plan.optionLabel}
      </p>
    );
  if (preferences.sellingPlanFrequencyOptions === 'BUTTON')
    return (
      <div className="plans" role="group" aria-label={label}>
        <span className="plans-label">{label}</span>
        <span className="buttons">
          {plans.map(one => (
            <button key={one.id} type="button" aria-pressed={one === plan} onClick={() => onChoose(one.id)}>
              {one.optionLabel}
            </button>
          ))}
        </span>
      </div>
    );
  return (
    <label className="plans">
      <span className="plans-label">{label}</span>
      <span className="list">
        <select
          aria-label={label || t`Frequency`}
          value={String(plan.id)}
          onChange={event => onChoose(plans.find(one => String(one.id) === event.target.value)?.id ?? null)}
        >
          {plans.map(one => (
            <option key={one.id} value={String(one.id)}>
              {one.optionLabel}
            </option>
          ))}
        </select>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M4 6l4 4 4-4" />
        </svg>
      </span>
    </label>
  );
}
