// Makes the requests of deliveries to connected apps, and notes what their vendors say.
import type { DeliverySender } from '../../../platform/deliveries/sender.ts';
import { SENDER, fullSettings, isThere, rowOf, writeRow } from '../../../platform/integrations/store-integrations.ts';
import { vendorRequest } from '../vendor.ts';

/** Refusals one after the other until the app counts as disconnected. */
const MOST_REFUSALS = 3;
/** Answers for which trying again is of no use; after 401 and 403 connecting again may help. */
const FINAL = new Set([400, 404, 405, 409, 410, 413, 415, 422]);

export const integrations: DeliverySender = {
  name: SENDER,
  async prepare({ trx, store, services }, { target, payload }) {
    const kind = services.definitions.integrations[target];
    const row = await rowOf(trx, store.id, target);
    if (!kind?.events || !isThere(row)) return null;
    const { settings, secrets } = await fullSettings({ trx, secrets: services.secrets }, store.id, kind, row);
    return { request: vendorRequest(kind, kind.events, settings, services.config, payload), secrets };
  },
  isFinal: ({ status }) => FINAL.has(status),
  async tried({ trx, store, services, now }, { target }, { state, answer, error }) {
    const row = await rowOf(trx, store.id, target);
    if (!isThere(row)) return;
    if (state === 'SENT') {
      await writeRow(trx, store.id, target, {
        last_sync_at: now,
        refusals: 0,
        ...(row.status === 'CONNECTED' ? { last_error: null } : {}),
      });
      return;
    }
    if (answer?.status !== 401) {
      await writeRow(trx, store.id, target, { last_error: error ?? null });
      return;
    }
    const refusals = row.refusals + 1;
    const name = services.definitions.integrations[target]?.name ?? target;
    const isOver = refusals >= MOST_REFUSALS;
    await writeRow(trx, store.id, target, {
      refusals,
      last_error: isOver ? `${name} rejected our access. Reconnect.` : (error ?? null),
      ...(isOver ? { status: 'ERROR' } : {}),
    });
  },
};
