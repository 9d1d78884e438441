// Writing down that something happened, in the transaction in which it does.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { EventKey, EventPayloads } from '../../../generated/families.ts';
import type { Tables } from '../../../generated/tables.ts';
import { prepared } from '../db/prepared-statements.ts';

/** A row of the table events, before it has an id. Its time is the store's clock. */
export interface EventRow {
  store_id: number;
  contract_id: number | null;
  key: EventKey;
  source: string;
  /** Who: a person's address or the name of a token; "" for the customer and what happens by itself. */
  entity: string;
  data: JsonObject;
  /** Which e-mails may follow. */
  messages: 'ALL' | 'CUSTOMER' | 'NONE';
  created_at: Date;
}

/** Adds events and queues them for the consumers, in one statement. */
export async function addEvents(trx: Kysely<Tables>, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = sql.join(Object.keys(rows[0] as object).map(name => sql.ref(name)));
  await prepared(sql`with added as (
      insert into events (${columns}) select ${columns} from jsonb_populate_recordset(null::events, ${JSON.stringify(rows)}::jsonb)
      returning store_id, id)
    insert into event_queue (store_id, event_id) select store_id, id from added`).execute(trx);
}

/** What is to be said of an event that is not written by a piece of work on contracts. */
export interface Emitted<K extends EventKey> {
  storeId: number;
  contractId: number;
  key: K;
  payload: EventPayloads[K];
  source: string;
  entity: string;
  at: Date;
}
/** Adds one event. */
export const emit = <K extends EventKey>(trx: Kysely<Tables>, event: Emitted<K>): Promise<void> =>
  addEvents(trx, [
    {
      store_id: event.storeId,
      contract_id: event.contractId,
      key: event.key,
      source: event.source,
      entity: event.entity,
      data: event.payload as JsonObject,
      messages: 'ALL',
      created_at: event.at,
    },
  ]);
