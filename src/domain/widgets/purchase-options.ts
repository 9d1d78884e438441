/** What shoppers choose from for a variant of a product: once, or by which group and plan, at which price. Amounts are minor units. */
import { offerFor, offerOf } from '../selling-plans/offer.ts';
import { localeChain } from '../text/translation.ts';
import type { PublishedGroup, PublishedVariant } from './published.ts';

export interface PlanOption {
  /** The platform's number. */
  id: number;
  name: string;
  optionLabel: string;
  description: string;
  isDefault: boolean;
  deliveriesPerCharge: number;
  /** For each delivery, and what the checkout charges. */
  each: number;
  full: number;
  /** What a delivery is cheaper by: in percent, or an amount; absent where nothing is saved. */
  saved?: { percent: number } | { amount: number };
}
export interface GroupOption {
  id: number;
  name: string;
  /** Above the frequencies, for people who hear the page. */
  optionLabel: string;
  plans: PlanOption[];
}
export interface PurchaseOptions {
  /** Bought once. */
  price: number;
  compareAt?: number | undefined;
  isSoldOut: boolean;
  groups: GroupOption[];
}

/** The options of a variant, in the words of a language where the store has some. */
export function purchaseOptions(
  variant: PublishedVariant,
  groups: readonly PublishedGroup[],
  locale: string,
  primary: string,
): PurchaseOptions {
  const chain = localeChain(locale, primary).filter(one => one !== primary);
  const known = new Map(groups.map(group => [group.id, group]));
  const options = variant.groups.flatMap((id): GroupOption[] => {
    const group = known.get(id);
    if (!group || group.plans.length === 0) return [];
    // The words of the first language of the chain that has any; what it lacks is in the primary language.
    const words = chain.map(one => group.words[one]).find(Boolean);
    return [
      {
        id,
        name: words?.name ?? group.name,
        optionLabel: words?.optionLabel ?? group.optionLabel,
        plans: group.plans.map(({ rule, ...plan }): PlanOption => {
          const known = variant.planPrices?.[String(plan.id)];
          const { each, full, saved } =
            known === undefined
              ? offerOf(variant.price, rule, plan.deliveriesPerCharge)
              : offerFor(variant.price, known, plan.deliveriesPerCharge);
          // A bundle is cheaper than its parts: beside their price stands what bundle and plan take off together.
          const amount = saved + Math.max(0, (variant.compareAt ?? 0) - variant.price);
          return {
            ...plan,
            ...words?.plans?.[String(plan.id)],
            each,
            full,
            ...(saved > 0 ? { saved: rule.type === 'PERCENTAGE' && known === undefined ? { percent: rule.value } : { amount } } : {}),
          };
        }),
      },
    ];
  });
  return { price: variant.price, compareAt: variant.compareAt, isSoldOut: variant.isSoldOut === true, groups: options };
}
