// A session to try rights and facts with.
import type { Access, Permission, Session } from '../../src/contract/types.ts';

export const permission = (permissionKey: string, access: Access, more: Partial<Permission> = {}): Permission => ({
  permissionKey,
  access,
  availableAccessMode: ['READ', 'WRITE'],
  isHidden: false,
  loopModuleKey: 'subscriptions',
  loopFeatureKey: null,
  ...more,
});

export interface Given {
  permissions?: Permission[];
  features?: string[];
  minimumPlans?: Record<string, number>;
  rank?: number;
  scopes?: string[];
  switches?: string[];
  store?: Partial<Session['store']>;
  plan?: Partial<Session['plan']>;
  hasGiftWidget?: boolean;
  user?: Partial<Session['user']>;
}
/** The plan has user_permission unless `features` says otherwise. */
export const session = ({
  permissions = [],
  features = ['user_permission'],
  minimumPlans = {},
  rank = 3,
  scopes = [],
  switches = [],
  store = {},
  plan = {},
  hasGiftWidget = false,
  user = {},
}: Given = {}): Session => ({
  user: {
    userId: 7,
    firstName: 'Ada',
    lastName: 'Lark',
    email: 'ada@example.com',
    loopUserType: 'MEMBER',
    userShopifyId: null,
    myshopifyDomain: 'beans.myshopify.com',
    storeId: 1,
    permissions,
    ...user,
  },
  store: {
    storeId: 1,
    name: 'Beans',
    email: 'hi@example.com',
    myshopify_domain: 'beans.myshopify.com',
    plan_name: 'basic',
    country_name: 'Germany',
    country_code: 'DE',
    currency_code: 'EUR',
    timezone: 'Europe/Berlin',
    shop_owner: 'Ada Lark',
    customer_count: 1,
    order_count: 2,
    createdAt: '2026-01-01T00:00:00Z',
    storefrontWidgetVersion: 2,
    isOnboardingFormComplete: true,
    isDemo: false,
    now: '2026-01-01T00:00:00Z',
    shop_data: {},
    ...store,
  },
  plan: {
    billing_plan_id: 3,
    name: 'Growth',
    fixed_charge: '299.00',
    transaction_charge: '0.75',
    createdAt: '2026-01-01T00:00:00Z',
    features,
    minimumPlans,
    rank,
    ...plan,
  },
  scopes,
  featureSwitches: switches,
  isReferralEligible: false,
  alertCount: 4,
  hasGiftWidget,
});
