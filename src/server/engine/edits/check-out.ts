// What a customer buys in the shop: the shop charges the first order, and the contract goes on from there.
import { anchorOf } from '../../../domain/calendar/anchor.ts';
import { firstDelivery, type FirstDelivery } from '../../../domain/schedule/first-delivery.ts';
import { billingInterval, deliveryInterval } from '../../../domain/selling-plans/selling-plan.ts';
import { invalid } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import { placeCheckout, type ChargedBy, type PaidAs } from '../charging/place-order.ts';
import type { EngineContext } from '../context.ts';
import { linesOfOrder, priceOrder, type PricedOrder } from '../price.ts';
import type { CustomerRow } from '../rows.ts';
import { syncSchedule } from '../schedule.ts';
import { readSettings } from '../settings.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import type { OfferedPlan } from './catalogue.ts';
import { buildContract, createContract } from './create-contract.ts';
import type { NewContract } from './new-contract.ts';
import { planNamed } from './plan-of-contract.ts';
import { t } from '../../../domain/text/t.ts';

type Basket = Pick<
  NewContract,
  'lines' | 'besides' | 'currencyCode' | 'address' | 'deliveryType' | 'shippedAs' | 'optionCode' | 'phone' | 'discountCodes' | 'note'
>;
export type Purchase = Basket &
  Pick<NewContract, 'customerId' | 'paymentMethodId' | 'askForPaymentMethod'> & {
    sellingPlanId: number;
    charged?: ChargedBy | null;
    /** What was paid in a shop elsewhere, whose word counts for the first order. */
    paidAs?: PaidAs;
  };

/** The plan of a purchase with the dates that it begins with: they follow its anchor, its cut-off and what it does before the anchor. */
async function begin(
  context: EngineContext,
  purchase: Pick<Purchase, 'lines' | 'sellingPlanId' | 'besides'>,
): Promise<{ plan: OfferedPlan['plan']; dates: FirstDelivery }> {
  const plan = await planNamed(context, purchase);
  if (!plan)
    throw invalid([{ pointer: '/sellingPlanId', rule: 'PLAN_DOES_NOT_EXIST', message: t`Not every product is offered on this plan.` }]);
  const { billingHour } = await readSettings(context);
  const anchor = anchorOf({
    anchorType: plan.anchorType ?? null,
    anchorDay: plan.anchorDay ?? null,
    anchorMonth: plan.anchorMonth ?? null,
  });
  const dates = firstDelivery(
    context.now().getTime(),
    {
      billing: billingInterval(plan),
      delivery: deliveryInterval(plan),
      anchor,
      preAnchorBehavior: plan.recurringDeliveryPolicyPreAnchorBehavior ?? 'ASAP',
      cutOffDays: plan.recurringDeliveryPolicyCutOff ?? 0,
    },
    context.store.timezone,
    billingHour,
  );
  return { plan, dates };
}

/**
 * Makes the contract of a purchase at the moment of `context`, its first order paid, with what comes with that order only.
 * `context.source` is Shopify.
 * @throws Refusal 422 where a product is not sold on the plan, or the method can't be charged
 */
export async function checkOut(context: EngineContext, { charged = null, paidAs, ...purchase }: Purchase): Promise<Aggregate> {
  const { plan, dates } = await begin(context, purchase);
  const { subscription, work } = await createContract(context, {
    ...purchase,
    nextBillingDateEpoch: Math.floor(dates.nextChargeAt / 1000),
    sendEmail: true,
  });
  const { contract } = subscription;
  contract.pre_anchor_behavior = plan.recurringDeliveryPolicyPreAnchorBehavior ?? null;
  contract.cut_off_days = plan.recurringDeliveryPolicyCutOff ?? null;
  await work.loadVariants([subscription], true);
  const order = placeCheckout(work, subscription, dates.shipsAt, charged, paidAs);
  contract.base_at = new Date(dates.baseAt);
  contract.base_cycle = dates.baseCycle;
  syncSchedule(subscription, work.zone);
  await work.conclude();
  contract.origin_order_shopify_id = order.shopify_id;
  await work.flush();
  return subscription;
}

/** What a basket costs now, with the subscription that it would become. */
export interface PricedBasket {
  order: PricedOrder;
  subscription: Aggregate;
}

/**
 * Prices a basket as `checkOut` would, and writes nothing. Without a plan its lines are bought once. `deliveryType` LATER leaves the
 * shipping out.
 * @throws Refusal 422 as `checkOut`, with the lines at `/lines/0`, a code at `/code`, the address at `/address`
 */
export async function priceBasket(context: EngineContext, basket: Basket & { sellingPlanId: number | null }): Promise<PricedBasket> {
  const { sellingPlanId, lines, ...rest } = basket;
  const work = await UnitOfWork.open(context);
  const soon = context.now().getTime() + 86_400_000;
  const subscription = await buildContract(
    work,
    {
      ...rest,
      ...(sellingPlanId === null
        ? { lines: lines.map(line => ({ ...line, discountType: 'NONE' as const })), billingPolicy: { interval: 'MONTH', intervalCount: 1 } }
        : { lines, sellingPlanId }),
      nextBillingDateEpoch: Math.floor(
        (sellingPlanId === null ? soon : (await begin(context, { ...basket, sellingPlanId })).dates.nextChargeAt) / 1000,
      ),
      askForPaymentMethod: true,
    },
    { customer: noOne(context), methods: [], source: 'CHECKOUT' },
  );
  return withFirstOrder(work, subscription);
}

/** A subscription that is made in memory, with the order that it begins with. */
export const withFirstOrder = (work: UnitOfWork, subscription: Aggregate): PricedBasket => ({
  order: priceOrder(subscription.contract, subscription.discounts, {
    lines: linesOfOrder(subscription.lines, 1),
    orderNumber: 1,
    isPrepaidDelivery: false,
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  }),
  subscription,
});

/** A customer who is not known yet. */
export const noOne = ({ storeId, now }: EngineContext): CustomerRow => ({
  store_id: storeId,
  id: 0,
  shopify_id: 0,
  email: '',
  first_name: '',
  last_name: '',
  name: '',
  phone: null,
  country_code: '',
  tags: [],
  portal_token: '',
  search: '',
  version: 1,
  created_at: now(),
  updated_at: now(),
  active_subscriptions_count: 0,
  paused_subscriptions_count: 0,
  cancelled_subscriptions_count: 0,
  all_subscriptions_count: 0,
  failing_subscriptions_count: 0,
  subscriber_status: '',
  has_failed_payment: false,
  erased_at: null,
  locale: null,
});
