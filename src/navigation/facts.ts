// The facts that conditions may name (@store.widgetVersion), computed from the session. An "or" over the
// session is a fact here, not a condition.
import plans from '../../schemas/common/plans.json' with { type: 'json' };
import special from '../../schemas/common/special.json' with { type: 'json' };
import type { FactDefinition, JsonValue, Session } from '../contract/types.ts';
import { accessOf } from '../contract/access.ts';

/** S249: the plans that are marked in the plan table. */
const FLAGGED_PLANS: readonly string[] = plans.plans.filter(plan => plan.flagged).map(plan => plan.name);

/** S246, S247, S248: on the list, on the plus or the partner-test plan, or a demo store. */
export const isSpecialStore = ({ store }: { store: Pick<Session['store'], 'myshopify_domain' | 'plan_name' | 'isDemo'> }): boolean =>
  special.stores.includes(store.myshopify_domain) || special.storePlans.includes(store.plan_name) || store.isDemo;
/** The store may sell gifts: special by domain or plan, or the plan feature gift_subscription. */
const giftQualifies = (session: Session): boolean => isSpecialStore(session) || accessOf(session).planHas('gift_subscription');
/** S140: may sell gifts, and granted every scope that gifts need: enough to set up the first gift widget. */
const giftReady = (session: Session): boolean => giftQualifies(session) && accessOf(session).scopes(special.giftScopes);
/** S056, S057, S140: ready for gifts, and has a gift widget or is a partner's test store. */
const giftVisible = (session: Session): boolean =>
  giftReady(session) && (session.hasGiftWidget || session.store.plan_name === 'partner_test');

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
  'store.hasShop': s => s.store.storefrontUrl?.startsWith('/') === true,
  'store.isFirstDay': s => s.store.customer_count === 0 && s.store.order_count === 0,
  'store.isSpecial': isSpecialStore,
  'store.isOnboarded': s => s.store.isOnboardingFormComplete,
  'plan.id': s => s.plan.billing_plan_id,
  'plan.name': s => s.plan.name,
  'plan.rank': s => s.plan.rank,
  'plan.features': s => s.plan.features,
  'plan.isFlagged': s => FLAGGED_PLANS.includes(s.plan.name),
  'gift.qualifies': giftQualifies,
  'gift.ready': giftReady,
  'gift.visible': giftVisible,
  'referral.isEligible': s => s.isReferralEligible,
  'apps.hasLoyalty': s => s.hasLoyaltyApp === true,
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
