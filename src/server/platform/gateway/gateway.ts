// The port to the payment provider. One key is charged at most once, however often it is repeated while the provider remembers it.

/** One charge. `key` is ours and unique per store, order and attempt; `amount` is in minor units; `at` is the store's clock. */
export interface Charge {
  storeId: number;
  key: string;
  token: string;
  amount: number;
  currency: string;
  at: Date;
}

/**
 * What became of a charge. `code` is the platform's error code (payment-recovery: failure codes), `message` its own words;
 * `nextActionUrl` is the page on which the customer confirms the payment (3-D Secure).
 */
export type Outcome = { ok: true; reference: string } | { ok: false; code: string; message: string; nextActionUrl?: string };

export interface Gateway {
  /**
   * How long (ms) a key is remembered after its first charge; Infinity: for ever. Repeated later it may take the money a second time.
   */
  readonly keysLive: number;
  /**
   * Takes the money, or says why not. Repeating a key within `keysLive` answers what the first time answered and moves no money.
   * Rejects only when the outcome is unknown (no connection): then look the key up before it is charged again.
   */
  charge(charge: Charge): Promise<Outcome>;
  /** What became of the key, or null when the gateway does not know it: it never saw it, or forgot it. Rejects without a connection. */
  lookup(question: { storeId: number; key: string }): Promise<Outcome | null>;
}
