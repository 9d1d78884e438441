// The product and plans that the editor shows purchase options with, as the storefront's element takes them.
import { toMinor } from '../../../domain/money/money.ts';
import type { PlanOption, PurchaseOptions } from '../../../domain/widgets/purchase-options.ts';

/** D048 to D050: what the example holds. */
interface SamplePlan {
  id: number | null;
  name: string;
  optionLabel: string;
  description: string;
  discountPercent: number | null;
  price: string;
  fullPrice: string;
  deliveriesPerCharge: number;
  isDefault: boolean;
}
interface SampleOption {
  id: string;
  type: 'one-time-purchase' | 'subscription';
  name: string;
  price: string;
  deliveryLabel: string;
  sellingPlan: SamplePlan[];
}
export interface Sample {
  product: { id: number; title: string; image: string | null } | null;
  currencyCode: string;
  purchaseOptions: SampleOption[];
}

/** The example as the element takes it; undefined where there is none. */
export function optionsOfSample({ purchaseOptions, currencyCode }: Sample): PurchaseOptions | undefined {
  const minor = (amount: string): number => toMinor(amount, currencyCode);
  const once = purchaseOptions.find(one => one.type === 'one-time-purchase');
  if (!once) return undefined;
  const price = minor(once.price);
  return {
    price,
    isSoldOut: false,
    groups: purchaseOptions.flatMap(({ type, id, name, deliveryLabel, sellingPlan }) => {
      if (type !== 'subscription') return [];
      const plans = sellingPlan.map((plan, place): PlanOption => {
        const each = minor(plan.price);
        return {
          ...{ id: plan.id ?? -place, name: plan.name, optionLabel: plan.optionLabel, description: plan.description },
          ...{ isDefault: plan.isDefault, deliveriesPerCharge: plan.deliveriesPerCharge, each, full: minor(plan.fullPrice) },
          ...(each < price ? { saved: plan.discountPercent === null ? { amount: price - each } : { percent: plan.discountPercent } } : {}),
        };
      });
      return [{ id: Number(id), name, optionLabel: deliveryLabel, plans }];
    }),
  };
}
