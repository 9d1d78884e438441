// The plan and the schedule that a new contract follows: of all its products, of what comes besides them, or a policy of its own.
import { multipleOf, type Interval } from '../../../domain/calendar/interval.ts';
import { t } from '../../../domain/text/t.ts';
import { invalid } from '../../platform/context.ts';
import type { EngineContext } from '../context.ts';
import { findVariants, plansOfVariants, scheduleOfPlan, type OfferedPlan } from './catalogue.ts';
import type { NewContract } from './new-contract.ts';
import type { BillingPolicy } from './frequency.ts';
import type { VariantChoice } from './line-prices.ts';

/** What the schedule of a new contract follows: a plan of all its products, or a policy of its own. */
export async function policyFor(context: EngineContext, input: NewContract): Promise<{ billing: BillingPolicy; delivery: Interval }> {
  if (input.sellingPlanId) {
    const plan = await planNamed(context, { ...input, sellingPlanId: input.sellingPlanId });
    if (!plan)
      throw invalid([
        {
          pointer: '/sellingPlanId',
          rule: 'PLAN_DOES_NOT_EXIST',
          message: t`Not every product is offered on this plan. Choose another one, or a frequency of its own.`,
        },
      ]);
    return scheduleOfPlan(plan);
  }
  const billing = input.billingPolicy;
  if (!billing) throw invalid([{ pointer: '/billingPolicy', rule: 'required', message: t`Choose a selling plan or a frequency.` }]);
  if (input.paysAhead && (!input.deliveryPolicy || multipleOf(billing, input.deliveryPolicy) === 1))
    throw invalid([
      {
        pointer: '/deliveryPolicy',
        rule: 'BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE',
        message: t`A prepaid subscription is delivered more often than it is charged. Choose a shorter interval here, or charge less
          often.`,
      },
    ]);
  return { billing, delivery: input.deliveryPolicy ?? { interval: billing.interval, intervalCount: billing.intervalCount } };
}

/** The lines of every order. */
export const repeated = <L extends { isOneTime?: boolean }>(lines: readonly L[]): L[] => lines.filter(line => !line.isOneTime);

/** The plan of all products, of those by which each is offered; undefined where one of them is not. What comes besides names its own. */
export async function planNamed(
  context: EngineContext,
  { lines, sellingPlanId, besides }: Pick<NewContract, 'lines' | 'besides'> & { sellingPlanId: number },
): Promise<OfferedPlan['plan'] | undefined> {
  const own = repeated(lines);
  const offered = besides?.offered?.plan;
  if (offered && offered.lspId !== sellingPlanId) return undefined;
  return offered && own.length === 0 ? offered : (await commonPlans(context, own)).find(one => one.plan.lspId === sellingPlanId)?.plan;
}

/** The plans that all products are offered on. */
export async function commonPlans(context: EngineContext, choices: readonly VariantChoice[]): Promise<OfferedPlan[]> {
  const variants = await findVariants(context, {
    ids: choices.flatMap(one => one.variantId ?? []),
    shopifyIds: choices.flatMap(one => one.variantShopifyId ?? []),
  });
  const [first = [], ...rest] = [...(await plansOfVariants(context, variants)).values()];
  return first.filter(({ plan }) => rest.every(list => list.some(other => other.plan.lspId === plan.lspId)));
}
