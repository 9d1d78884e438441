// The start-up calls of the app server: store, plan, scopes, the free plan's limit, and the onboarding form.
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import type { Context } from '../context.ts';
import { isOverLimit, subscriptionLimit } from '../plans.ts';
import { countersOf } from '../verbs/totals.ts';
import { session } from './start-up.ts';

interface Details {
  widgetStatus?: string;
}
const detailsOf = (context: Context): Details => (context.store.details ?? {}) as Details;

/** S276: the version of the storefront widget; 1 unless the store has the newer library. */
export async function snippetVersion(context: Context): Promise<JsonValue> {
  return { storefrontWidgetVersion: context.store.storefront_widget_version, widgetStatus: detailsOf(context).widgetStatus ?? 'ACTIVE' };
}

/** S277: the store with what the platform says about it. */
export async function storeSettings(context: Context): Promise<JsonValue> {
  const { store } = (await session(context)) as unknown as { store: JsonObject };
  const { name, email, myshopify_domain, plan_name, country_name, shop_owner, customer_count, order_count, createdAt, shop_data } =
    store as Record<string, JsonValue>;
  return {
    name,
    email,
    myshopify_domain,
    plan_name,
    country_name,
    shop_owner,
    customer_count,
    order_count,
    createdAt,
    shop_data,
  } as JsonObject;
}

/** S278. */
export async function onboardingStatus(context: Context): Promise<JsonValue> {
  return { isOnboardingFormComplete: context.store.onboarding !== null };
}

/** S257: settings[0] holds the features and the active plan. */
export async function fetchBilling(context: Context): Promise<JsonValue> {
  const { features, billing_plan_id, name, fixed_charge, transaction_charge, createdAt, rank } = context.session.plan;
  return [{ features, active_plan: { billing_plan_id, name, fixed_charge, transaction_charge, createdAt, rank } }];
}

/** S254: data.scopes. */
export async function readScopes(context: Context): Promise<JsonValue> {
  return { scopes: context.store.scopes };
}

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
