// The app server's calls about settings: the same settings, the store's eligibility, and updates of all subscriptions.
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { entriesOf, pagesOf, saveEntries } from '../settings/entries.ts';
import { findRun, runWire } from '../bulk/run.ts';
import { startSystem } from '../bulk/system.ts';
import { billingHours, productPrices, shippingPrices, UPDATES } from '../bulk/updates.ts';
import { Reply, notFound, type Context } from '../context.ts';
import { eligibilityOf } from '../selling-plans/eligibility.ts';

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

async function startUpdate(context: Context, kind: string): Promise<Reply> {
  return new Reply(runWire(await startSystem(context, kind)), { message: 'The update has started. It goes on when you leave this page.' });
}

/** Works out the shipping price of every subscription again (C095, D154). One at a time. */
export const updateShippingPrices = (context: Context): Promise<Reply> => startUpdate(context, shippingPrices.kind);
/** Gives every subscription the present prices of its products (C096, D154). One at a time. */
export const updateProductPrices = (context: Context): Promise<Reply> => startUpdate(context, productPrices.kind);
/** Moves the orders of all subscriptions to the billing hour. One at a time. @throws Refusal 409 when no hour is set */
export const updateBillingHour = (context: Context): Promise<Reply> => startUpdate(context, billingHours.kind);

/** How far an update of all subscriptions is, or the latest one (of a kind); null when there never was one. */
export async function updateStatus(context: Context, { runId, kind }: { runId?: number; kind?: string }): Promise<JsonObject | null> {
  const run = await findRun(context, kind ? [kind] : Object.keys(UPDATES), runId);
  if (!run && runId !== undefined) throw notFound('update');
  return run ? runWire(run) : null;
}
