// An event that a webhook listens to becomes a delivery, in the transaction in which the consumer moves on: once for each webhook.
import { sql } from 'kysely';
import { eventBody, webhookId } from '../../../../domain/webhooks/event-body.ts';
import { addDeliveries } from '../../../platform/deliveries/deliveries.ts';
import type { EventConsumer } from '../../../platform/events/consumer.ts';
import { WEBHOOKS } from '../webhook.ts';

export const webhooks: EventConsumer = {
  name: WEBHOOKS,
  keys: ({ events }) => new Set(Object.values(events).flatMap(({ key, webhook }) => (webhook ? [key] : []))),
  async handle({ trx, store, services }, event) {
    const kind = services.definitions.events[event.key];
    if (!kind?.webhook) return;
    const { rows } = await sql<{ id: number }>`select id from webhooks
      where store_id = ${store.id}::integer and status = 'ON' and ${kind.webhook} = any(topics)`.execute(trx);
    const payload = rows.length ? eventBody(kind, event, store.myshopify_domain) : {};
    await addDeliveries(
      trx,
      store.id,
      rows.map(({ id }) => ({
        sender: WEBHOOKS,
        target: String(id),
        subject: webhookId(event.id),
        eventId: event.id,
        topic: kind.webhook as string,
        payload,
      })),
    );
  },
};
