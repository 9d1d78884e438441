// The facts that conditions may name (@store.widgetVersion), computed from the session. An "or" over the session is a fact here, not a condition.
import type { FactDefinition, JsonValue, Session } from './types.ts';
import { accessOf } from './access.ts';

/** Stores treated as special whatever their plan (S246); the demo store is another (S248). */
const SPECIAL_DOMAINS: readonly string[] = ['perennial-partners.myshopify.com'];
const SPECIAL_PLANS = ['plus', 'shopify_plus', 'partner-test', 'partner_test'];
const FLAGGED_PLANS = ['Plus Trial', 'Developer Preview'];

/** S246, S247, S248: on the list, on the plus or the partner-test plan, or a demo store. */
export const isSpecialStore = ({ store }: Session): boolean => SPECIAL_DOMAINS.includes(store.myshopify_domain) || SPECIAL_PLANS.includes(store.plan_name) || store.isDemo;
/** The store may sell gifts: special by domain or plan, or the plan feature gift_subscription. */
const giftQualifies = (session: Session): boolean => isSpecialStore(session) || accessOf(session).planHas('gift_subscription');

/** Name -> value. schemas/common/session.json describes each; check.ts keeps the two lists the same. */
export const FACTS: Record<string, (session: Session) => JsonValue> = {
  'user.id': s => s.user.userId,
  'user.email': s => s.user.email,
  'user.type': s => s.user.loopUserType,
  'store.id': s => s.store.storeId,
  'store.domain': s => s.store.myshopify_domain,
  'store.planName': s => s.store.plan_name,
  'store.currency': s => s.store.currency_code,
  'store.country': s => s.store.country_code,
  'store.timezone': s => s.store.timezone,
  'store.widgetVersion': s => s.store.storefrontWidgetVersion ?? 1,
  'store.isDemo': s => s.store.isDemo,
  'store.isSpecial': isSpecialStore,
  'store.isOnboarded': s => s.store.isOnboardingFormComplete,
  'plan.id': s => s.plan.billing_plan_id,
  'plan.name': s => s.plan.name,
  'plan.rank': s => s.plan.rank,
  'plan.features': s => s.plan.features,
  'plan.isFlagged': s => FLAGGED_PLANS.includes(s.plan.name),
  'gift.qualifies': giftQualifies,
  'gift.visible': s => giftQualifies(s) && (s.hasGiftWidget || s.store.plan_name === 'partner_test'),
  'referral.isEligible': s => s.isReferralEligible,
  'alerts.count': s => s.alertCount,
  switches: s => s.featureSwitches,
  scopes: s => s.scopes,
};

/** The facts of a session by name, of those the definitions describe. */
export function factsOf(session: Session, definitions: Record<string, FactDefinition>): Record<string, JsonValue> {
  const facts: Record<string, JsonValue> = {};
  for (const name of Object.keys(definitions)) {
    const compute = FACTS[name];
    if (compute) facts[name] = compute(session);
  }
  return facts;
}
