// The session from the calls that the specification lists, for a back end that has no call for all of it. Each failure has the
// consequence that the specification gives it: only what the frame cannot do without lets the start fail.
import type { JsonObject, Session, SessionUser } from '../../../contract/types.ts';

type Plan = Session['plan'];
interface Billing {
  features?: string[];
  active_plan?: Partial<Plan>;
}

/** Makes a call and gives its data; rejects with a CallError. */
export type Ask = (name: string, input?: JsonObject) => Promise<unknown>;

/** What another back end may leave unsaid about a store. */
const unsaid = (): Session['store'] => ({
  storeId: 0,
  name: '',
  email: '',
  myshopify_domain: '',
  plan_name: '',
  country_name: '',
  country_code: '',
  currency_code: 'USD',
  timezone: 'UTC',
  shop_owner: '',
  customer_count: 0,
  order_count: 0,
  createdAt: '',
  storefrontWidgetVersion: 1,
  isOnboardingFormComplete: true,
  isDemo: false,
  now: new Date().toISOString(),
  shop_data: {},
});

/**
 * Asks for the person and the plan first (S160), then for the store (S172), each group at once. Rejects when one of these can't be had;
 * what the start can do without is reported to `failed` and left at its default: no switches (S294), no referral (S295).
 */
export async function assembleSession(call: Ask, failed: (error: unknown, source: string) => void): Promise<Session> {
  const ask = <T>(name: string, input: JsonObject = {}): Promise<T> => call(name, input) as Promise<T>;
  const orElse = <T>(source: string, fallback: T, request: Promise<T>): Promise<T> =>
    request.catch((error: unknown) => {
      failed(error, source);
      return fallback;
    });
  const switches = orElse(
    'featureSwitches',
    [],
    ask<{ featureSwitches: string[] }>('plan.featureSwitches').then(data => data.featureSwitches),
  );
  const isReferralEligible = orElse(
    'checkReferralEligibility',
    false,
    ask<{ isEligible: boolean }>('store.checkReferralEligibility').then(data => data.isEligible),
  );
  const [user, { scopes }, features, [billing]] = await Promise.all([
    ask<SessionUser>('start-up.user'),
    ask<{ scopes: string[] }>('start-up-app.readScopes'),
    ask<{ key: string; min_plan: number }[]>('plan.allFeatures'),
    ask<Billing[]>('start-up-app.fetchBilling'),
  ]);
  const domain = user.myshopifyDomain;
  const [widget, settings, onboarding, shop] = await Promise.all([
    ask<{ storefrontWidgetVersion?: number }>('start-up-app.snippetVersion', { domain }),
    ask<Partial<Session['store']>>('start-up-app.storeSettings', { myshopify_domain: domain }),
    ask<{ isOnboardingFormComplete: boolean }>('start-up-app.onboardingStatus'),
    orElse<Partial<Session['store']>>('shopData', {}, ask('store.shopData')),
  ]);
  const plan = billing?.active_plan ?? {};
  return {
    user,
    store: {
      ...unsaid(),
      ...shop,
      ...settings,
      storeId: user.storeId,
      storefrontUrl: `https://${domain}`,
      storefrontWidgetVersion: widget.storefrontWidgetVersion ?? 1,
      isOnboardingFormComplete: onboarding.isOnboardingFormComplete,
    },
    plan: {
      billing_plan_id: plan.billing_plan_id ?? 0,
      name: plan.name ?? '',
      fixed_charge: plan.fixed_charge ?? '0.00',
      transaction_charge: plan.transaction_charge ?? '0.00',
      createdAt: plan.createdAt ?? '',
      features: billing?.features ?? [],
      minimumPlans: Object.fromEntries(features.map(one => [one.key, one.min_plan])),
      rank: plan.rank ?? plan.billing_plan_id ?? 0,
    },
    // No call of the specification that is known by its path says these two; without them there is no badge, and no gifts by a widget.
    scopes,
    featureSwitches: await switches,
    isReferralEligible: await isReferralEligible,
    alertCount: 0,
    hasGiftWidget: false,
  };
}
