// The port to the payment provider. One key is charged at most once, however often it is repeated while the provider remembers it.

/** The gateways there are: that of the test cards, which moves no money, and accounts that stores have at providers. */
export type GatewayName = 'TEST' | 'STRIPE';

/** One charge. `key` is ours and unique per store, order and attempt; `amount` is in minor units; `at` is the store's clock. */
export interface Charge {
  storeId: number;
  key: string;
  /** The gateway that is called for it, first and later. */
  gateway: GatewayName;
  token: string;
  amount: number;
  currency: string;
  at: Date;
  /** Of a charge at which the customer is present: where their bank leads them back to. Without it a bank that wants them is a refusal. */
  backUrl?: string;
}

/**
 * What became of a charge. `code` is the platform's error code (payment-recovery: failure codes), `message` its own words;
 * `nextActionUrl` is the page on which the customer confirms the payment (3-D Secure).
 */
export type Outcome = { ok: true; reference: string } | { ok: false; code: string; message: string; nextActionUrl?: string };

/** PENDING: the provider has the charge and is still processing it; it is looked up later (bank debits take days). */
export type Answer = Outcome | 'PENDING' | Waiting;

/** The customer is to confirm the charge at this address, and comes back; it is looked up later, and ended where they don't. */
export interface Waiting {
  waits: string;
}
export const isOutcome = (answer: Answer): answer is Outcome => typeof answer === 'object' && 'ok' in answer;

/** Money that is given back. `key`: ours, unique per refund; `reference`: the gateway's name of the charge; `amount`: minor units. */
export interface Refund {
  storeId: number;
  key: string;
  gateway: GatewayName;
  reference: string;
  amount: number;
  currency: string;
  at: Date;
}

/** What became of a refund; `message`: the provider's own words. PENDING as for charges. */
export type RefundAnswer = { ok: true; reference: string } | { ok: false; message: string } | 'PENDING';

/** The gateway answered, but not what became of the charge: it may have been made or not. */
export class NoOutcome extends Error {}

export interface Gateway {
  /**
   * How long (ms) a key is remembered after its first charge; Infinity: for ever. Repeated later it may take the money a second time.
   */
  keysLive(charge: Pick<Charge, 'gateway'>): number;
  /**
   * Takes the money, or says why not. Repeating a key within `keysLive` answers what the first time answered and moves no money.
   * Rejects only when the outcome is unknown (no connection): then look the key up before it is charged again.
   */
  charge(charge: Charge): Promise<Answer>;
  /**
   * What became of the key, or null when the gateway does not know it: it never saw it, or forgot it. Rejects without a connection.
   * @throws NoOutcome
   */
  lookup(charge: Charge): Promise<Answer | null>;
}

/** What gives money back. */
export interface Refunding extends Pick<Gateway, 'keysLive'> {
  /** Gives back a charge, or a part of it. Repeating a key within `keysLive` gives nothing back a second time. Rejects as `charge` does. */
  refund(refund: Refund): Promise<RefundAnswer>;
  /** What became of a refund, among all of its charge; null when there is none of the key. Rejects as `lookup` does. */
  lookupRefund(refund: Refund): Promise<RefundAnswer | null>;
}

/**
 * Whether a store takes the cards of the test gateway: what they pay moves no money, so a store that charges through a provider of its own
 * must not count it as paid.
 */
export const takesTestCards = ({ charges_through, is_demo }: { charges_through: readonly string[]; is_demo: boolean }): boolean =>
  is_demo || charges_through.length === 0;

/** Where a store takes new cards: on the page of a provider that it charges through, with test cards, or not at all. */
export const takesCardsBy = (store: { charges_through: readonly string[]; is_demo: boolean }): GatewayName | null =>
  store.charges_through.includes('STRIPE') ? 'STRIPE' : takesTestCards(store) ? 'TEST' : null;

/**
 * The gateway that a method is charged through, by its token and the providers that the store charges through. Null: none may charge it.
 * A demo charges moved methods at the test gateway, which stands in for the provider of before.
 */
export function gatewayOf(
  token: string,
  { charges_through, is_demo }: { charges_through: readonly string[]; is_demo: boolean },
): GatewayName | null {
  const [, provider] = /^moved_([a-z_]+):/.exec(token) ?? [];
  if (provider === undefined) return takesTestCards({ charges_through, is_demo }) ? 'TEST' : null;
  if (provider === 'stripe' && charges_through.includes('STRIPE')) return 'STRIPE';
  return is_demo ? 'TEST' : null;
}

/** A gateway with all that it does. */
export type FullGateway = Gateway & Refunding;
