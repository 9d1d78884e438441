/** What a plan makes of a price at the checkout: the one calculation behind product pages, the editor's example and its preview. */
import { chargePrice, type PriceRule } from '../money/pricing.ts';

export interface Offer {
  /** Minor units for each delivery, rounded half up: a prepaid price is shown for one delivery (D050). */
  each: number;
  /** Minor units that the checkout charges. */
  full: number;
  /** Minor units that a delivery costs less than without the plan; 0 or less where nothing is saved. */
  saved: number;
}

/** The price of one unit under a plan, from the price without it (minor units) and the plan's rule. */
export const offerOf = (price: number, rule: PriceRule, deliveriesPerCharge: number): Offer =>
  offerFor(price, chargePrice(price, rule, deliveriesPerCharge), deliveriesPerCharge);

/** The same where it is known what the checkout charges, as of a bundle. */
export function offerFor(price: number, full: number, deliveriesPerCharge: number): Offer {
  const each = Math.round(full / deliveriesPerCharge);
  return { each, full, saved: price - each };
}
