// What the server answers: the session, errors, pages; and a problem of a definition.
import type { Access, JsonObject } from './schema.ts';

export type Permission = {
  permissionKey: string;
  access: Access;
  availableAccessMode: ('READ' | 'WRITE')[];
  isHidden: boolean;
  loopModuleKey: string;
  loopFeatureKey: string | null;
  label?: string;
  /** What the module is called. */
  moduleTitle?: string;
  dependsOn?: string[];
};
export type SessionUser = {
  userId: number;
  firstName: string;
  lastName: string;
  email: string;
  loopUserType: 'ADMIN' | 'MEMBER' | 'OWNER' | 'LOOP_USER';
  userShopifyId: number | null;
  myshopifyDomain: string;
  storeId: number;
  permissions: Permission[];
};
export type Session = {
  user: SessionUser;
  store: {
    storeId: number;
    name: string;
    email: string;
    myshopify_domain: string;
    plan_name: string;
    country_name: string;
    country_code: string;
    currency_code: string;
    timezone: string;
    shop_owner: string;
    customer_count: number;
    order_count: number;
    createdAt: string;
    storefrontWidgetVersion: number;
    isOnboardingFormComplete: boolean;
    isDemo: boolean;
    /** Where its shoppers buy, before "/products/…": a path of the server or an address; absent where they can't. */
    storefrontUrl?: string;
    now: string;
    shop_data: JsonObject;
  };
  /** `minimumPlans`: plan feature -> rank of the lowest plan that has it (S230). */
  plan: {
    billing_plan_id: number;
    name: string;
    fixed_charge: string;
    transaction_charge: string;
    createdAt: string;
    features: string[];
    minimumPlans: Record<string, number>;
    rank: number;
  };
  scopes: string[];
  featureSwitches: string[];
  isReferralEligible: boolean;
  alertCount: number;
  /** The admin is previewed as people of this role see it; nothing can be changed meanwhile. */
  rolePreview?: { id: number; name: string };
  hasGiftWidget: boolean;
  /** Another app that keeps points of customers is connected. */
  hasLoyaltyApp?: true;
  /** The store has more than one language, so that the tabs of languages get their place before they are read. */
  hasLanguages?: true;
  /** The product's standard texts for customers in the primary language of the store, by the English ones; absent where that is English. */
  standardTexts?: Record<string, string>;
  /** The language of the admin that the person chose, by its code. */
  language?: string;
  /** Which banners will be there, so that they stand in the first drawing and move nothing; the calls of the banners decide. */
  banners?: { isFreePlanLimitExceeded: boolean; isEligible: boolean; isPaypalPending?: true; rejectedApps?: string[]; isQuiet?: true };
};

// --- answers ---

export type FieldError = {
  pointer: string;
  rule: string;
  message: string;
};
/** Every refusal has this form. */
export type ErrorAnswer = {
  success: false;
  code: string;
  message: string;
  requestId: string;
  errors?: FieldError[];
  /** A write with an old version: what the server has now. */
  conflict?: { current: JsonObject; version: number; yourVersion: number; changedBy?: string; changedAt?: string };
};
export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  nextCursor?: string | null;
  previousCursor?: string | null;
  total?: number;
  /** the total is a floor: "10,000+" */ totalIsCapped?: boolean;
}

/** One mistake in a definition file. */
export interface Problem {
  file: string;
  line: number;
  column: number;
  pointer: string;
  message: string;
  suggestion?: string;
}
