// What follows events: a file in a feature's consumers/ that exports its name, the kinds it wants, and what it does with one.
import type { Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../context.ts';
import type { Config } from '../config.ts';
import type { StoreLog } from '../db/engine.ts';
import type { EntityMapping } from '../records/entity-mapping.ts';

/** An event as consumers get it. Its time is the store's clock. */
export interface StoredEvent {
  id: number;
  key: string;
  contractId: number | null;
  source: string;
  entity: string;
  payload: JsonObject;
  /** Which e-mails may follow. */
  messages: 'ALL' | 'CUSTOMER' | 'NONE';
  at: Date;
}

/** Where a consumer works: the transaction in which it also moves on. */
export interface EventScope {
  trx: Kysely<Tables>;
  store: Store;
  services: { readonly definitions: Definitions; readonly config: Config; readonly log: StoreLog; shape(entity: string): EntityMapping };
}

export interface EventConsumer {
  /** Its name in the tables; never changed. */
  name: string;
  /** Events of one step, which is one transaction; 100 where it does not say. */
  batch?: number;
  /** It changes subscriptions, so a store's clock that is moved waits for it before what is due next; the others follow by themselves. */
  changesSubscriptions?: boolean;
  /** The kinds of events it wants; all others pass it by. */
  keys(definitions: Definitions): ReadonlySet<string>;
  /**
   * The effect of one event, in the database alone: it commits together with the step of the cursor, so it happens exactly once. What
   * leaves the database is written down here (an outbox, a delivery) and sent by a job, with the event's id as its key. An error takes it
   * back and puts the event on the failure list.
   */
  handle(scope: EventScope, event: StoredEvent): Promise<void>;
}
