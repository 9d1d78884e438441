// Other plans that all products of a subscription share, each with what its next order comes to.
import { deliveriesPerCharge, deliveryInterval } from '../../../domain/selling-plans/selling-plan.ts';
import { Refusal } from '../../platform/context.ts';
import {
  billingOf,
  deliveryOf,
  findVariants,
  hasFrequency,
  loadAggregates,
  plansOfVariants,
  pricedNext,
  UnitOfWork,
  updateSellingPlan,
} from '../../engine/index.ts';
import type { Thing } from './action.ts';
import type { Portal } from './portal.ts';

/** Each plan is tried for its price, so where the page of it is not open, the first that can be had is enough. */
export async function plans(portal: Portal, isOpen: boolean): Promise<Thing[]> {
  const { subscription, context, say, speech } = portal;
  const ids = subscription.lines.flatMap(line => (line.one_time_added || line.variant_id === null ? [] : line.variant_id));
  const [first = [], ...rest] = [...(await plansOfVariants(context, await findVariants(context, { ids }))).values()];
  const common = first.filter(({ plan }) => rest.every(list => list.some(other => other.plan.lspId === plan.lspId)));
  const seen = new Set<string>();
  const found: Thing[] = [];
  for (const { plan } of common) {
    if (hasFrequency(plan, billingOf(subscription.contract), deliveryOf(subscription.contract))) continue;
    const [every, deliveries] = [speech.every(deliveryInterval(plan)), deliveriesPerCharge(plan) ?? 1];
    if (seen.has(`${every} ${deliveries}`)) continue;
    seen.add(`${every} ${deliveries}`);
    const costs = await costsWith(portal, plan.lspId);
    if (costs === undefined) continue;
    const isPaidAhead = deliveries > 1;
    const said = { deliveries_count: String(deliveries), order_total: costs };
    const values = { ...said, subscription_frequency: every };
    const about = [say('deliveredEvery', values), say(isPaidAhead ? 'portalPlanAhead' : 'portalPlanEach', values)];
    found.push({ sellingPlanId: plan.lspId, isPaidAhead, said, about });
    if (!isOpen) break;
  }
  return found;
}

/** What an order that is charged would come to with a plan: the change is made in memory alone. Undefined where the plan can't be had. */
async function costsWith({ subscription, context, speech }: Portal, sellingPlanId: number): Promise<string | undefined> {
  const work = await UnitOfWork.open(context);
  const [tried] = await loadAggregates(context.trx, context.storeId, [subscription.contract.id], { lock: false });
  if (!tried) return undefined;
  work.add(tried);
  try {
    await updateSellingPlan(work, tried, { sellingPlanId });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
  await work.conclude();
  // Deliveries that are paid already come first and cost nothing: what is asked is what comes after them.
  tried.contract.prepaid_credits = 0;
  const total = pricedNext(tried, work.zone, work.settings.prepaidShippingCharge)?.priced.total ?? tried.contract.total;
  return speech.money(total, subscription.contract.currency_code);
}
