// Webhooks: the secret shown and changed, deliveries sent again, samples.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { sampleEvent } from '../../../../domain/webhooks/event-body.ts';
import { maskedSecret, newSecret } from '../signature.ts';
import type { JsonObject, Schema } from '../../../../contract/types.ts';
import { refuseUse } from '../../../platform/auth/grants.ts';
import { invalidState, notFound, Reply, type Context } from '../../../platform/context.ts';
import { addDeliveries, sendAgain } from '../../../platform/deliveries/deliveries.ts';
import { readSecret, writeSecret } from '../../../platform/outgoing/secrets.ts';
import { BOTH_SIGN_HOURS, findWebhook, placeOf, WEBHOOKS, type WebhookRow } from '../webhook.ts';
import { later, t } from '../../../../domain/text/t.ts';

async function needWebhook({ trx, storeId }: Context, id: number | string): Promise<WebhookRow> {
  const found = await findWebhook(trx, storeId, id);
  if (!found) throw notFound(later`webhook`);
  return found;
}
/** Its secret is for people who may see what it hears. @throws Refusal 403 */
const mayHear = (context: Context, { topics }: WebhookRow): void =>
  refuseUse(context, context.definitions.entities.webhook as Schema, { topics });
const needOn = ({ status }: WebhookRow): void => {
  if (status !== 'ON') throw invalidState(t`This webhook is off. Switch it on first.`);
};
const logged = (context: Context, action: string, { id, address }: WebhookRow, what: string): Promise<void> =>
  context.log({ action: `webhook.${action}`, category: 'Webhooks', description: `${what} ${address}`, entity: 'webhook', entityId: id });

/** The secret of a webhook. Every look at it is a line of the account log. @throws Refusal 404 */
export async function reveal(context: Context, { id }: { id: number }): Promise<Reply> {
  const webhook = await needWebhook(context, id);
  mayHear(context, webhook);
  const secret = await readSecret(context, placeOf(context.storeId, id));
  if (secret === undefined) throw notFound(later`secret`);
  await logged(context, 'revealed', webhook, 'The secret was shown of the webhook');
  return new Reply({ id, secret }, { once: ['secret'] });
}

/** A new secret; the one before signs as well for a day. @throws Refusal 404 */
export async function rotate(context: Context, { id }: { id: number }): Promise<Reply> {
  const { trx, storeId } = context;
  const webhook = await needWebhook(context, id);
  mayHear(context, webhook);
  const before = await readSecret(context, placeOf(storeId, id));
  const secret = newSecret();
  if (before !== undefined) await writeSecret(context, placeOf(storeId, id, 'old'), before);
  await writeSecret(context, placeOf(storeId, id), secret);
  const masked = maskedSecret(secret);
  await sql`update webhooks set masked_secret = ${masked}, version = version + 1,
      old_secret_until = now() + make_interval(hours => ${BOTH_SIGN_HOURS})
    where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
  await logged(context, 'rotated', webhook, 'The secret was changed of the webhook');
  return new Reply({ id, maskedSecret: masked, secret }, { once: ['secret'] });
}

/** Sends a delivery once more, taken or not. @throws Refusal 404; 409 while it is on its way or its webhook is off */
export async function resend(context: Context, { deliveryId }: { deliveryId: number }): Promise<JsonObject> {
  const { trx, storeId } = context;
  const { rows } = await sql<{ target: string }>`select target from deliveries
    where store_id = ${storeId}::integer and sender = ${WEBHOOKS} and id = ${deliveryId}::bigint`.execute(trx);
  if (!rows[0]) throw notFound(later`delivery`);
  const webhook = await needWebhook(context, rows[0].target);
  needOn(webhook);
  if ((await sendAgain(trx, storeId, { sender: WEBHOOKS, ids: [deliveryId] })) === 0)
    throw invalidState(t`This delivery is on its way already.`);
  return { id: deliveryId, state: 'PENDING' };
}

/** Sends everything again that a webhook did not get. @throws Refusal 404, 409 while the webhook is off */
export async function resendFailed(context: Context, { id }: { id: number }): Promise<JsonObject> {
  const webhook = await needWebhook(context, id);
  needOn(webhook);
  const count = await sendAgain(context.trx, context.storeId, { sender: WEBHOOKS, target: String(id), states: ['FAILED', 'CANCELLED'] });
  return { id, count };
}

/** Sends an event as it might be. @throws Refusal 404, 409 while the webhook is off */
export async function sendSample(context: Context, { id, topic }: { id: number; topic: string }): Promise<JsonObject> {
  const webhook = await needWebhook(context, id);
  needOn(webhook);
  const kind = Object.values(context.definitions.events).find(one => one.webhook === topic);
  if (!kind) throw notFound(later`event`);
  const sample = `sample_${randomUUID()}`;
  await addDeliveries(context.trx, context.storeId, [
    {
      sender: WEBHOOKS,
      target: String(id),
      subject: sample,
      topic,
      payload: { ...sampleEvent(kind, context.store.myshopify_domain, context.now(), sample), isSample: true },
    },
  ]);
  return { id, topic };
}
