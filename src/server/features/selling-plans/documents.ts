// What calls about the store's payment providers answer parts of.
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { eligibilityOf } from './eligibility.ts';

/** Whether the store may sell subscriptions, and how far PayPal's approval of recurring charges is (S270, C093, C094). */
export async function eligibility({ store: row }: RuleContext): Promise<JsonObject> {
  const found = eligibilityOf(row.details);
  return {
    ...found,
    hasPaypal: found.providers.some(provider => provider.toLowerCase() === 'paypal express'),
    myshopifyDomain: row.myshopify_domain,
  };
}
