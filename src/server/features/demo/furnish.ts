// What of the demo store needs the keys of this installation: an API token, a webhook with what was sent to it, an own sender domain. Made
// at its first start.
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { recordsFor } from '../../../domain/messages/sender-domain.ts';
import { eventBody, webhookId } from '../../../domain/webhooks/event-body.ts';
import { maskedToken, newApiToken } from '../../platform/auth/api-tokens.ts';
import { hashToken } from '../../platform/auth/tokens.ts';
import { signingKeyOf } from '../../platform/mail/signing.ts';
import { writeSecret } from '../../platform/outgoing/secrets.ts';
import type { Services } from '../../platform/services.ts';
import { placeOf as placeOfToken } from '../api-tokens/kept-token.ts';
import { maskedSecret, newSecret, signedHeaders } from '../webhooks/signature.ts';
import { WEBHOOKS, placeOf } from '../webhooks/webhook.ts';

const HOUR_MS = 3_600_000;
const STORE = 1;
const TOPICS = ['subscription/created', 'subscription/paused', 'subscription/cancelled', 'order/payment_failed'];
const ADDRESS = 'https://erp.fernandember.example/hooks/subscriptions';

/** Marks a store that is to be furnished at its first start. */
export async function furnishLater(trx: Kysely<Tables>, storeId: number): Promise<void> {
  await sql`update stores set details = details || '{"isUnfurnished": true}' where id = ${storeId}::integer`.execute(trx);
}

/** Furnishes the demo store, once. */
export async function furnishDemo(services: Services): Promise<void> {
  const { rows } = await services.db.ownerQuery<{ now: Date }>(
    `update stores set details = details - 'isUnfurnished' where id = ${STORE} and details ->> 'isUnfurnished' = 'true'
      returning now() + clock_offset_ms * interval '1 millisecond' as now`,
  );
  const now = rows[0]?.now;
  if (!now) return;
  await services.db.inStore(STORE, async trx => {
    const store = await trx.selectFrom('stores').select(['email', 'myshopify_domain']).where('id', '=', STORE).executeTakeFirstOrThrow();
    await addToken(services, trx, store.email, now);
    await addDomain(services, trx, store, now);
    await addWebhook(services, trx, store, now);
  });
}

interface Owner {
  email: string;
  myshopify_domain: string;
}
const before = (now: Date, hours: number): Date => new Date(now.getTime() - hours * HOUR_MS);

async function addToken({ secrets }: Services, trx: Kysely<Tables>, email: string, now: Date): Promise<void> {
  const token = newApiToken();
  const { id } = await trx
    .insertInto('api_tokens')
    .values({
      store_id: STORE,
      name: 'Warehouse system',
      scopes: JSON.stringify({ SUBSCRIPTIONS: 'READ', ORDERS: 'READ' }),
      masked_token: maskedToken(token),
      token_hash: hashToken(token),
      created_by: email,
      updated_by: email,
      created_at: before(now, 24 * 120),
      updated_at: before(now, 24 * 120),
      last_used_at: before(now, 2),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeSecret({ trx, secrets }, placeOfToken(STORE, id), token);
}

async function addDomain({ secrets }: Services, trx: Kysely<Tables>, { email, myshopify_domain: shop }: Owner, now: Date): Promise<void> {
  const domain = email.replace(/^.*@/, '');
  const key = await signingKeyOf({ trx, storeId: STORE, secrets }, domain);
  await trx
    .insertInto('email_domains')
    .values({
      store_id: STORE,
      domain,
      from_email: email,
      status: 'PENDING',
      is_default: true,
      records: JSON.stringify(recordsFor(domain, createHash('sha256').update(shop).digest('hex').slice(0, 32), key)),
      last_checked_at: before(now, 1),
      created_at: before(now, 20),
      updated_at: before(now, 1),
    })
    .execute();
}

/** It is switched off: nothing of a demo is sent to an address that does not exist. */
async function addWebhook({ secrets, definitions }: Services, trx: Kysely<Tables>, store: Owner, now: Date): Promise<void> {
  const secret = newSecret();
  const { id } = await trx
    .insertInto('webhooks')
    .values({
      store_id: STORE,
      address: ADDRESS,
      topics: TOPICS,
      status: 'OFF',
      masked_secret: maskedSecret(secret),
      last_delivered_at: before(now, 3),
      created_by: store.email,
      updated_by: store.email,
      created_at: before(now, 24 * 60),
      updated_at: before(now, 2),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeSecret({ trx, secrets }, placeOf(STORE, id), secret);
  const kinds = Object.values(definitions.events).filter(({ webhook }) => webhook && TOPICS.includes(webhook));
  const { rows } = await sql<{ id: number; key: string; contract_id: number; data: JsonObject; source: string; created_at: Date }>`
    select id, key, contract_id, data, source, created_at from events where store_id = ${STORE}
      and key = any(${kinds.map(({ key }) => key)}::text[]) and created_at <= ${before(now, 3)}
      order by created_at desc, id desc limit 40`.execute(trx);
  const sent = rows.toReversed().flatMap((row, i) => {
    const kind = kinds.find(({ key }) => key === row.key);
    if (!kind) return [];
    const at = row.created_at;
    const payload = eventBody(
      kind,
      { id: row.id, contractId: row.contract_id, payload: row.data, source: row.source, at },
      store.myshopify_domain,
    );
    const body = JSON.stringify(payload);
    const isLost = i % 17 === 9;
    const subject = webhookId(row.id);
    return [
      {
        store_id: STORE,
        sender: WEBHOOKS,
        target: String(id),
        subject,
        event_id: row.id,
        topic: kind.webhook as string,
        payload: body,
        state: isLost ? 'FAILED' : 'SENT',
        attempts: isLost ? 24 : 1 + Number(i % 11 === 3),
        request: JSON.stringify({
          method: 'POST',
          url: ADDRESS,
          headers: { 'idempotency-key': subject, ...signedHeaders([secret], subject, Math.floor(at.getTime() / 1000), body) },
          body,
        }),
        answer: JSON.stringify({
          status: isLost ? 503 : 200,
          headers: { 'content-type': 'application/json' },
          body: isLost ? '{"error":"maintenance"}' : '{"received":true}',
          ms: 80 + ((i * 37) % 240),
        }),
        status: isLost ? 503 : 200,
        error: isLost ? 'It answered with status 503.' : null,
        created_at: at,
        next_at: at,
        give_up_at: at,
        finished_at: new Date(at.getTime() + 900),
        keep_until: new Date(now.getTime() + 24 * 20 * HOUR_MS),
      },
    ];
  });
  if (sent.length) await trx.insertInto('deliveries').values(sent).execute();
}
