// A subscription that a customer buys in the shop: the shop charges the first order, and the contract goes on from there.
import { anchorOf } from '../../../domain/calendar/anchor.ts';
import { firstDelivery } from '../../../domain/schedule/first-delivery.ts';
import { billingInterval, deliveryInterval } from '../../../domain/selling-plans/selling-plan.ts';
import { invalid } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import { placeCheckout } from '../charging/place-order.ts';
import type { EngineContext } from '../context.ts';
import { syncSchedule } from '../schedule.ts';
import { readSettings } from '../settings.ts';
import { commonPlans, createContract, type NewContract } from './create-contract.ts';
import { t } from '../../../domain/text/t.ts';

export type Purchase = Pick<NewContract, 'customerId' | 'lines' | 'currencyCode' | 'paymentMethodId' | 'address' | 'deliveryType'> & {
  sellingPlanId: number;
};

/**
 * Makes the contract of a purchase at the moment of `context`, its first order paid. Dates follow the plan's anchor, cut-off and what it
 * does
 * before the anchor. `context.source` is Shopify.
 * @throws Refusal 422 where a product is not sold on the plan, or the method can't be charged
 */
export async function checkOut(context: EngineContext, purchase: Purchase): Promise<Aggregate> {
  const plan = (await commonPlans(context, purchase.lines)).find(one => one.plan.lspId === purchase.sellingPlanId)?.plan;
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
  const { subscription, work } = await createContract(context, {
    ...purchase,
    nextBillingDateEpoch: Math.floor(dates.nextChargeAt / 1000),
    sendEmail: true,
  });
  const { contract } = subscription;
  contract.pre_anchor_behavior = plan.recurringDeliveryPolicyPreAnchorBehavior ?? null;
  contract.cut_off_days = plan.recurringDeliveryPolicyCutOff ?? null;
  await work.loadVariants([subscription], true);
  const order = placeCheckout(work, subscription, dates.shipsAt);
  contract.base_at = new Date(dates.baseAt);
  contract.base_cycle = dates.baseCycle;
  syncSchedule(subscription, work.zone);
  await work.conclude();
  contract.origin_order_shopify_id = order.shopify_id;
  await work.flush();
  return subscription;
}
