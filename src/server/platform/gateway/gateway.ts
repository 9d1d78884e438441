// The port to whoever takes the money. One key is charged at most once, however often it is asked for.

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
   * Takes the money, or says why not. Repeating a key answers what the first time answered and moves no money.
   * Rejects only when the outcome is unknown (no connection): then look the key up later, or charge again under it.
   */
  charge(charge: Charge): Promise<Outcome>;
  /** What became of the key, or null when the gateway never saw it. */
  lookup(question: { storeId: number; key: string }): Promise<Outcome | null>;
}
