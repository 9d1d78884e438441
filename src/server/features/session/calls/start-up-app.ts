// The free plan's limit, and the onboarding form.
import type { JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { isOverLimit, subscriptionLimit } from '../../../platform/auth/store-plan.ts';
import { countersOf } from '../../../platform/records/list/totals.ts';

/**
 * S263 to S266, S311: `expired` is true while the store may go on; false means that the limit is exceeded. Counted are subscriptions that
 * can still be charged: active and paused ones. Only a plan with a limit (Free: 50) can be exceeded.
 */
export async function isFreePlanLimitExceeded(context: Context): Promise<JsonValue> {
  const counters = await countersOf(context.trx, context.storeId, 'contracts');
  const count = (counters.get('ACTIVE') ?? 0) + (counters.get('PAUSED') ?? 0);
  return { expired: !isOverLimit(context, count), count, limit: subscriptionLimit(context) ?? null };
}

interface OnboardingForm {
  storeIndustry: string;
  storeBizDetails: string;
  alreadyRunningSubscriptions: 0 | 1;
  previousSubscriptionPlatformName?: string;
  referralSource: string;
}

/** S267: saves the form; saving again overwrites it. The platform is empty when no subscriptions are running. */
export async function onboardingForm(context: Context, input: OnboardingForm): Promise<JsonValue> {
  const before = context.store.onboarding as JsonValue;
  const form = {
    ...input,
    previousSubscriptionPlatformName: input.alreadyRunningSubscriptions === 1 ? (input.previousSubscriptionPlatformName ?? '') : '',
    completedAt: context.now().toISOString(),
  };
  await context.trx
    .updateTable('stores')
    .set({ onboarding: JSON.stringify(form) })
    .where('id', '=', context.storeId)
    .execute();
  await context.log({
    action: 'onboarding.saved',
    category: 'Onboarding',
    description: 'Onboarding form saved',
    entity: 'store',
    entityId: context.storeId,
    before: before ?? null,
    after: form,
  });
  return { isOnboardingFormComplete: true };
}
