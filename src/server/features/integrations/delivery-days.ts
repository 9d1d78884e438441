// The days on which an app that plans deliveries has room: read when it is connected and each hour, and stored with the store. Orders are
// moved and placed by them.
import { sql } from 'kysely';
import { dayNumber, dayOf } from '../../../domain/calendar/calendar.ts';
import { daysOfCalendar } from '../../../domain/schedule/app-calendar.ts';
import type { Services } from '../../platform/services.ts';
import { fullSettings, isThere, rowOf } from '../../platform/integrations/store-integrations.ts';
import { OutgoingError } from '../../platform/outgoing/outgoing.ts';
import { parsed, vendorRequest } from './vendor.ts';

type Asking = Pick<Services, 'db' | 'definitions' | 'secrets' | 'outgoing' | 'config'>;

/** Reads the days of all stores, or of one. An app that gives no calendar leaves the days of before until the next run. */
export async function readDeliveryDays(services: Asking, only?: number, signal?: AbortSignal): Promise<void> {
  for (const kind of Object.values(services.definitions.integrations)) {
    const { deliveryDays } = kind;
    if (!deliveryDays) continue;
    const { rows: stores } = await services.db.ownerQuery<{ id: number }>(
      `select store_id as id from integrations where status = 'CONNECTED' and key = $1
        and ($2::integer is null or store_id = $2) order by 1`,
      [kind.key, only ?? null],
    );
    for (const { id: storeId } of stores) {
      signal?.throwIfAborted();
      const calendar = await services.db.inStore(storeId, async trx => {
        const row = await rowOf(trx, storeId, kind.key);
        const store = await trx.selectFrom('stores').select(['myshopify_domain', 'timezone']).where('id', '=', storeId).executeTakeFirst();
        if (!isThere(row) || !store) return undefined;
        const { settings } = await fullSettings({ trx, secrets: services.secrets }, storeId, kind, row);
        return {
          zone: store.timezone,
          request: vendorRequest(kind, deliveryDays, settings, services.config, { store: { domain: store.myshopify_domain } }),
        };
      });
      if (!calendar) continue;
      try {
        const { status, body } = await services.outgoing.send(calendar.request);
        const days = status < 300 ? daysOfCalendar(parsed(body), dayNumber(dayOf(Date.now(), calendar.zone))) : undefined;
        if (days)
          await services.db.inStore(storeId, trx =>
            sql`update stores set details = jsonb_set(details, '{zapiet}', (details -> 'zapiet') - '{minDays,maxDays}'::text[]
              || ${JSON.stringify(days)}::jsonb) where id = ${storeId}::integer and details -> 'zapiet' is not null`.execute(trx),
          );
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error;
      }
    }
  }
}
