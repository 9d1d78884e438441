// The three steps to recurring charges by PayPal: it is activated, a selling plan published, PayPal asked and its answer awaited.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalidState, type Context } from '../../../platform/context.ts';
import { paypal } from '../documents.ts';
import type { PaypalStatus } from '../../../../domain/payments/eligibility.ts';
import { t } from '../../../../domain/text/t.ts';

/** After so many days of the store's clock the PayPal of a demo store says yes. */
const DEMO_DAYS = 3;
const ADDED = ['Test gateway', 'PayPal Express'];

interface Details {
  paymentProviders?: string[];
  paypal?: { status?: PaypalStatus; requestedAt?: string };
}

/** Changes what is known of PayPal, one after another, notes it and answers the new status. */
async function change(context: Context, to: PaypalStatus, description: string, next: (details: Details) => Details): Promise<JsonValue> {
  const { trx, storeId } = context;
  const { rows } = await sql<{ details: Details | null }>`select details from stores where id = ${storeId}::integer for update`.execute(
    trx,
  );
  const details = { ...rows[0]?.details, ...next(rows[0]?.details ?? {}) } as JsonObject;
  await sql`update stores set details = ${JSON.stringify(details)}::jsonb where id = ${storeId}::integer`.execute(trx);
  await context.log({
    action: 'paypal.updated',
    category: 'Store',
    description,
    entity: 'store',
    entityId: storeId,
    after: { status: to },
  });
  return paypal(context);
}

/**
 * Activates PayPal Express in a demo store, which has no platform to do it at.
 * @throws Refusal 409 in any other store
 */
export async function connectPaypal(context: Context): Promise<JsonValue> {
  if (!context.store.is_demo) throw invalidState(t`Activate PayPal Express in your store's payment settings, then refresh the status.`);
  const now = await paypal(context);
  if (now.status !== 'NOT_CONNECTED') return now;
  return change(context, 'CONNECTED', 'PayPal Express activated', ({ paymentProviders }) => ({
    paymentProviders: [...new Set([...(paymentProviders ?? []), ...(paymentProviders ? ADDED.slice(1) : ADDED)])],
    paypal: { status: 'CONNECTED' },
  }));
}

/**
 * Asks PayPal for recurring charges; asked again after it was refused. Asking twice changes nothing.
 * @throws Refusal 409 before PayPal Express is active and a selling plan group is published
 */
export async function requestPaypalApproval(context: Context): Promise<JsonValue> {
  const now = (await paypal(context)) as { status: PaypalStatus; isActive: boolean; hasPlan: boolean };
  if (!now.isActive) throw invalidState(t`Activate PayPal Express first.`);
  if (!now.hasPlan) throw invalidState(t`Publish a selling plan first. PayPal looks at what you sell.`);
  if (now.status === 'APPROVED' || now.status === 'APPROVAL_REQUESTED') return paypal(context);
  return change(context, 'APPROVAL_REQUESTED', 'PayPal asked for recurring charges', () => ({
    paypal: { status: 'APPROVAL_REQUESTED', requestedAt: context.now().toISOString() },
  }));
}

/** Reads the status again. The PayPal of a demo store approves after three days of the store's clock. */
export async function refreshPaypal(context: Context): Promise<JsonValue> {
  const now = (await paypal(context)) as { status: PaypalStatus; requestedAtEpoch: number | null };
  const isDue =
    now.status === 'APPROVAL_REQUESTED' &&
    context.store.is_demo &&
    context.now().getTime() / 1000 - (now.requestedAtEpoch ?? 0) >= DEMO_DAYS * 86_400;
  if (!isDue) return now;
  return change(context, 'APPROVED', 'PayPal approved recurring charges', ({ paypal: known }) => ({
    paypal: { ...known, status: 'APPROVED' },
  }));
}
