// Who makes requests of deliveries: a file in a feature's senders/ that exports its name and how a delivery becomes a request.
import type { Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Config } from '../config.ts';
import type { Store } from '../context.ts';
import type { StoreLog } from '../db/engine.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import type { OutgoingAnswer, OutgoingRequest } from '../outgoing/outgoing.ts';

/** A row of the table deliveries, as senders get it. */
export interface Delivery {
  id: number;
  sender: string;
  target: string;
  /** What it is about, once for each target; of an event its id. Also the idempotency key that the receiver sees. */
  subject: string;
  eventId: number | null;
  /** A word for what it says: subscription_paused. */
  topic: string;
  payload: JsonObject;
  /** Counting this one. */
  attempts: number;
  createdAt: Date;
  /** After this no other try follows. */
  giveUpAt: Date;
}

/** What came of a try. `answer` is missing where none came; `error` says why it does not count as taken. */
export interface Outcome {
  state: 'SENT' | 'PENDING' | 'FAILED';
  answer?: OutgoingAnswer;
  error?: string;
}

/** Where a sender works: a transaction of the delivery's store. */
export interface DeliveryScope {
  trx: Kysely<Tables>;
  store: Store;
  services: { readonly definitions: Definitions; readonly config: Config; readonly log: StoreLog; readonly secrets: SecretBox };
  /** The real time: vendors have no other. What is sent about the store has the store's clock. */
  now: Date;
}

export interface DeliverySender {
  /** Its name in the table; never changed. */
  name: string;
  /**
   * The request of a try, signed as of now, in a transaction that ends before it leaves. Null: the target is gone or wants no more; the
   * delivery is cancelled. `secrets` are texts that are shown nowhere: they are taken out of what is kept of request and answer. The header
   * `idempotency-key` is added with the delivery's subject where the sender gives none.
   */
  prepare(scope: DeliveryScope, delivery: Delivery): Promise<{ request: OutgoingRequest; secrets?: readonly string[] } | null>;
  /** Whether an answer means that it was taken; by default any of 200 to 299. */
  isTaken?(answer: OutgoingAnswer): boolean;
  /** Whether trying again is no use; by default never, so that all is tried for two days. */
  isFinal?(answer: OutgoingAnswer): boolean;
  /** After each try, in the transaction that notes its outcome. */
  tried?(scope: DeliveryScope, delivery: Delivery, outcome: Outcome): Promise<void>;
  /** After the last try of a delivery that was never accepted, in the same transaction, after `tried`. */
  gaveUp?(scope: DeliveryScope, delivery: Delivery, outcome: Outcome): Promise<void>;
}
