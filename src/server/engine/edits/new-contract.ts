// What a new contract is made of, as the team, a checkout, an import or the API gives it.
import type { Interval } from '../../../domain/calendar/interval.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Address } from '../../../domain/places/address.ts';
import type { ShippedAs } from '../delivery/contract-delivery.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { OfferedPlan } from './catalogue.ts';
import type { NewDiscount } from './discounts.ts';
import type { BillingPolicy } from './frequency.ts';
import type { Pricing, VariantChoice } from './line-prices.ts';

/** Lines that a feature adds to a new contract, with the plan that they are sold by; null: they are bought once. */
export interface Besides {
  offered: OfferedPlan | null;
  add(work: UnitOfWork, subscription: Aggregate): Promise<void>;
}

export type NewContract = {
  customerId?: number;
  customerShopifyId?: number;
  lines: (VariantChoice &
    Pricing & {
      quantity?: number;
      price?: string;
      attributes?: { key: string; value: string }[];
      /** It comes with the first order only, at its full price. */
      isOneTime?: boolean;
    })[];
  /** A selling plan that all products are offered on: frequency, day, minimum, maximum and prices. Without one `billingPolicy` counts. */
  sellingPlanId?: number | null;
  /** What comes with it besides `lines`, such as bundles: it is added after them. */
  besides?: Besides;
  billingPolicy?: BillingPolicy;
  deliveryPolicy?: Interval;
  /** One charge pays for several deliveries: `deliveryPolicy` says how often they come. */ paysAhead?: boolean;
  nextBillingDateEpoch: number;
  currencyCode?: string;
  /** Null: none yet. The customer is then asked for one by e-mail (`askForPaymentMethod`). */
  paymentMethodId?: number | null;
  askForPaymentMethod?: boolean;
  /** A saved address of the customer, instead of `address`. */
  addressId?: number | null;
  /** A discount code of the store, or one by hand. */
  discount?: NewDiscount & { kind?: 'NONE' | 'CODE' | 'MANUAL' };
  /** LATER: not chosen yet, for what is only priced. */
  deliveryType?: 'SHIPPING' | 'PICKUP' | 'LOCAL_DELIVERY' | 'LATER';
  address?: Address;
  /** Chosen in a shop elsewhere, whose word counts: nothing of it is looked up here. */
  shippedAs?: ShippedAs | null;
  optionCode?: string;
  phone?: string;
  instructions?: string;
  deliveryPrice?: string;
  discountCodes?: string[];
  note?: string;
  customAttributes?: { key: string; value: string }[];
  tags?: string[];
  sendEmail?: boolean;
};
