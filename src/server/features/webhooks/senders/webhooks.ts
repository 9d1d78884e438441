// A delivery as a signed request to its webhook; two days of failures switch the webhook off.
import { sql } from 'kysely';
import { signedHeaders } from '../signature.ts';
import { enqueueMail } from '../../../platform/mail/outbox.ts';
import { editsOf, isSwitchedOff, letterOf, MESSAGES } from '../../../platform/mail/message-edits.ts';
import { cancelDeliveries } from '../../../platform/deliveries/deliveries.ts';
import type { DeliveryScope, DeliverySender } from '../../../platform/deliveries/sender.ts';
import { writeLog } from '../../../platform/records/account-log.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import { linkBase } from '../../../engine/index.ts';
import { findWebhook, signingSecrets, WEBHOOKS, type WebhookRow } from '../webhook.ts';

/** A receiver has so long to answer. */
const ANSWER_MS = 5000;
/** Failing for so long switches off: two days, less what a first try may take. */
const OFF_AFTER_MS = 47.5 * 3_600_000;
const MESSAGE = 'ADMIN_WEBHOOK_SWITCHED_OFF';

export const webhooks: DeliverySender = {
  name: WEBHOOKS,

  async prepare({ trx, store, services, now }, { target, subject, payload }) {
    const webhook = await findWebhook(trx, store.id, target);
    if (webhook?.status !== 'ON') return null;
    const secrets = await signingSecrets({ trx, secrets: services.secrets }, store.id, webhook, now);
    const body = JSON.stringify(payload);
    // The time of the world: receivers refuse what is older than some minutes.
    const headers = signedHeaders(secrets, subject, Math.floor(Date.now() / 1000), body);
    return { request: { method: 'POST', url: webhook.address, headers, body, timeoutMs: ANSWER_MS }, secrets };
  },

  async tried({ trx, store, now }, { target }, { state }) {
    const set =
      state === 'SENT' ? sql`last_delivered_at = ${now}, failing_since = null` : sql`failing_since = coalesce(failing_since, ${now})`;
    await sql`update webhooks set ${set} where store_id = ${store.id}::integer and id = ${target}::bigint`.execute(trx);
  },

  async gaveUp(scope, { target }) {
    const { trx, store, now } = scope;
    const webhook = await findWebhook(trx, store.id, target);
    const failing = webhook?.failing_since;
    if (webhook?.status !== 'ON' || !failing || now.getTime() - failing.getTime() < OFF_AFTER_MS) return;
    await sql`update webhooks set status = 'FAILED', version = version + 1, updated_at = ${now}, updated_by = ''
      where store_id = ${store.id}::integer and id = ${webhook.id}::bigint`.execute(trx);
    await cancelDeliveries(trx, store.id, WEBHOOKS, target);
    await tell(scope, webhook);
  },
};

/** A line of the account log, and an e-mail to those who hear of what happens in the store. */
async function tell({ trx, store, services }: DeliveryScope, { id, address }: WebhookRow): Promise<void> {
  const { definitions } = services;
  const at = new Date(Date.now() + store.clock_offset_ms);
  await writeLog(
    trx,
    store.id,
    {
      action: 'webhook.failed',
      category: 'Webhooks',
      description: `The webhook ${address} was switched off: nothing reached it for 48 hours`,
      entity: 'webhook',
      entityId: id,
    },
    { at },
  );
  const read = async (name: string) => (await readSetting({ trx, storeId: store.id, definitions }, name)).data;
  const edit = editsOf(await read(MESSAGES))[MESSAGE];
  const message = definitions.messages[MESSAGE];
  if (!message || isSwitchedOff(message, edit)) return;
  const { storeEmail } = await read('general');
  const named = Array.isArray(storeEmail) ? storeEmail.filter(one => typeof one === 'string' && one !== '') : [];
  const base = linkBase(services.config);
  const link = base === undefined ? null : `${base}/settings/webhooks/${id}`;
  const letter = letterOf(message, edit, { store: { name: store.name, email: store.email }, address, link });
  for (const to of named.length ? named : [store.email])
    await enqueueMail(
      trx,
      store.id,
      { template: MESSAGE, to: String(to), ...letter, dedupeKey: `${MESSAGE}:${id}:${at.getTime()}:${String(to)}` },
      at,
    );
}
