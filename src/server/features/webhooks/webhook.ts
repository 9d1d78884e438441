// What webhooks and their deliveries share: names in the tables, secrets, the row.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { SecretBox } from '../../platform/outgoing/secret-box.ts';
import { readSecret, type writeSecret } from '../../platform/outgoing/secrets.ts';

/** The sender of deliveries to webhooks; the target is the webhook's id. */
export const WEBHOOKS = 'webhooks';
/** For so long a secret that was changed signs as well. */
export const BOTH_SIGN_HOURS = 24;

export type SecretScope = Parameters<typeof writeSecret>[0];

/** Where a webhook's secret is kept; `old`: the one before the last change. */
export const placeOf = (storeId: number, id: number | string, which: 'secret' | 'old' = 'secret') => ({
  storeId,
  table: WEBHOOKS,
  column: which === 'secret' ? 'secret' : 'old_secret',
  id,
});

export interface WebhookRow {
  id: number;
  address: string;
  topics: string[];
  status: 'ON' | 'OFF' | 'FAILED';
  failing_since: Date | null;
  old_secret_until: Date | null;
}

/** A webhook of the store; undefined where there is none. */
export async function findWebhook(trx: Kysely<Tables>, storeId: number, id: number | string): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`select id, address, topics, status, failing_since, old_secret_until from webhooks
    where store_id = ${storeId}::integer and id = ${String(id)}::bigint`.execute(trx);
  return rows[0];
}

/** The secrets that sign at an instant: the present one, and the old one for a while. */
export async function signingSecrets(
  scope: { trx: Kysely<Tables>; secrets: SecretBox },
  storeId: number,
  webhook: Pick<WebhookRow, 'id' | 'old_secret_until'>,
  now: Date,
): Promise<string[]> {
  const isChanging = webhook.old_secret_until !== null && webhook.old_secret_until > now;
  const found = [
    await readSecret(scope, placeOf(storeId, webhook.id)),
    isChanging ? await readSecret(scope, placeOf(storeId, webhook.id, 'old')) : undefined,
  ];
  return found.filter(secret => secret !== undefined);
}
