// Brings events of the store to its connected apps: each as a delivery, written down with the step of the cursor.
import type { EventConsumer } from '../../../platform/events/consumer.ts';
import { addDeliveries, type NewDelivery } from '../../../platform/deliveries/deliveries.ts';
import { eventPayload } from '../payload.ts';
import { SENDER, eventsTaken, isThere, rowsOf } from '../../../platform/integrations/store-integrations.ts';

export const integrations: EventConsumer = {
  name: 'integrations',
  keys: ({ integrationEvents }) => new Set(Object.values(integrationEvents).flatMap(({ of }) => of)),
  async handle({ trx, store, services }, event) {
    const { definitions, config } = services;
    const deliveries: NewDelivery[] = [];
    for (const [key, row] of await rowsOf(trx, store.id)) {
      const kind = definitions.integrations[key];
      if (!kind || !isThere(row)) continue;
      for (const { name, of, message } of eventsTaken(definitions, kind)) {
        if (!of.includes(event.key) || row.muted.includes(name)) continue;
        // What it would send in the store's place does not leave where no e-mail may: subscriptions that were imported.
        if (event.messages === 'NONE' && row.instead.includes(name)) continue;
        const payload = await eventPayload(
          trx,
          store,
          config.portalUrl,
          name,
          message === undefined ? undefined : definitions.messages[message]?.gift,
          event,
        );
        if (payload) deliveries.push({ sender: SENDER, target: key, subject: String(event.id), eventId: event.id, topic: name, payload });
      }
    }
    await addDeliveries(trx, store.id, deliveries);
  },
};
