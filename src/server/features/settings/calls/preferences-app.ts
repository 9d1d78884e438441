// The app server's calls about settings: the same settings, and the store's eligibility.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { entriesOf, pagesOf, saveEntries } from '../setting-entries.ts';
import { notFound, type Context, type Reply } from '../../../platform/context.ts';
import { eligibilityOf } from '../../selling-plans/eligibility.ts';

/** The settings of a page (C089, D153). */
export async function read(context: Context, { category, type }: { category: string; type: string }): Promise<JsonObject[]> {
  const [name] = pagesOf(context, category, type);
  if (!name) throw notFound('settings page');
  return entriesOf(context, name);
}

/** Saves some settings of a page (C090). */
export async function update(
  context: Context,
  { category, type, settings }: { category: string; type: string; settings: { key: string; value: JsonValue }[] },
): Promise<Reply> {
  const [name] = pagesOf(context, category, type);
  if (!name) throw notFound('settings page');
  return saveEntries(context, name, settings);
}

/** Whether the store may sell subscriptions, in the shape that S270 reads (C093). */
export async function eligibility(context: Context): Promise<JsonObject> {
  const { isEligible, isPaypalOnly, providers } = eligibilityOf(context.store.details);
  return {
    shop: {
      myshopifyDomain: context.store.myshopify_domain,
      features: { eligibleForSubscriptions: isEligible, legacySubscriptionGatewayEnabled: false },
      paymentProviders: providers,
      isPaypalOnly,
    },
  };
}

/** How far PayPal's approval of recurring charges is (C094). */
export async function paypal(context: Context): Promise<JsonObject> {
  const { paypalStatus, isPaypalOnly, providers } = eligibilityOf(context.store.details);
  return { status: paypalStatus, isPaypalOnly, isActive: providers.some(provider => provider.toLowerCase() === 'paypal express') };
}
