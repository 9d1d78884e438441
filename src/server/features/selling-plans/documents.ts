// What calls about the store's payment providers answer parts of.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { eligibilityOf, PAYPAL } from '../../../domain/payments/eligibility.ts';

/** Whether the store may sell subscriptions, and by which payment providers (S270, C093). */
export async function eligibility({ store: row }: RuleContext): Promise<JsonObject> {
  const found = eligibilityOf(row);
  return {
    ...found,
    hasPaypal: found.providers.some(provider => provider.toLowerCase() === 'paypal express'),
    myshopifyDomain: row.myshopify_domain,
  };
}

/** How far PayPal's approval of recurring charges is: which of the three steps are done (C094). Read each time: it changes. */
export async function paypal(context: Pick<RuleContext, 'trx' | 'storeId'>): Promise<JsonObject> {
  const { rows } = await sql<{ details: JsonObject | null; charges_through: string[]; there: boolean }>`select details, charges_through,
      exists (select 1 from records
      where store_id = ${context.storeId}::integer and entity = 'selling-plan-group' and deleted_at is null
        and data ->> 'status' = 'ACTIVE') as there from stores where id = ${context.storeId}::integer`.execute(context.trx);
  const details = (rows[0]?.details ?? {}) as { paypal?: { requestedAt?: string } };
  const { isPaypalOnly, paypalStatus, providers } = eligibilityOf({ details, charges_through: rows[0]?.charges_through ?? [] });
  const { requestedAt } = details.paypal ?? {};
  return {
    status: paypalStatus,
    isPaypalOnly,
    isActive: providers.some(provider => provider.toLowerCase() === PAYPAL),
    hasPlan: rows[0]?.there ?? false,
    requestedAtEpoch: requestedAt === undefined ? null : Math.floor(Date.parse(requestedAt) / 1000),
  };
}
