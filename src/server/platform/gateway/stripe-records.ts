// What is there at a store's Stripe account now: read when an event says that something happened to it.
import type { JsonObject } from '../../../contract/types.ts';
import type { Vaulted } from './card-vault.ts';
import { NoOutcome } from './gateway.ts';
import { amountOfStripe } from './stripe-amount.ts';
import { keyAt, objectOf, type StripeClient, textOf } from './stripe-client.ts';
import { REFUND_MARK } from './stripe-gateway.ts';
import { readCard } from './stripe-pages.ts';

/** `key`: ours, of a refund that was made here; `amount`: minor units. */
export interface KnownRefund {
  reference: string;
  key: string | null;
  status: 'DONE' | 'PENDING' | 'FAILED';
  amount: number;
  currency: string;
}

/** A dispute of a payment; `amount`: minor units, moments in epoch seconds. */
export interface KnownDispute {
  reference: string;
  payment: string;
  amount: number;
  reason: string;
  status: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'CLOSED';
  openedEpoch: number;
  /** Until when the store may answer. */
  dueEpoch: number | null;
}
const DISPUTE_STATES: Readonly<Record<string, KnownDispute['status']>> = {
  needs_response: 'NEEDS_RESPONSE',
  warning_needs_response: 'NEEDS_RESPONSE',
  under_review: 'UNDER_REVIEW',
  warning_under_review: 'UNDER_REVIEW',
  won: 'WON',
  lost: 'LOST',
};

export class StripeRecords {
  readonly #client: StripeClient;
  constructor(client: StripeClient) {
    this.#client = client;
  }

  /** A card as it is now; null: it can't be charged any more. @throws NoOutcome, OutgoingError */
  async card(storeId: number, token: string): Promise<Vaulted | null> {
    const [, customer = '', method = ''] = token.split(':');
    const account = await this.#client.need(storeId);
    const found = await this.#client.ask(account, 'GET', `/v1/payment_methods/${encodeURIComponent(method)}`);
    // One that is detached is of no customer.
    if (!found || textOf(found, 'customer') !== customer) return null;
    return (await readCard(this.#client, account, customer, method)) ?? null;
  }

  /** The method of a mandate, and whether it is in force; undefined where Stripe knows no such mandate. @throws NoOutcome, OutgoingError */
  async mandate(storeId: number, id: string): Promise<{ method: string; isActive: boolean } | undefined> {
    const found = await this.#get(storeId, `/v1/mandates/${encodeURIComponent(id)}`);
    return found && { method: textOf(found, 'payment_method'), isActive: textOf(found, 'status') !== 'inactive' };
  }

  /**
   * The card of a payment that others took in the store's account, where it was stored to be charged without its customer; undefined
   * where it was not. @throws NoOutcome, OutgoingError
   */
  async cardOfPayment(storeId: number, payment: string): Promise<Vaulted | undefined> {
    const account = await this.#client.need(storeId);
    const found = await this.#client.ask(account, 'GET', `/v1/payment_intents/${encodeURIComponent(payment)}`);
    if (!found || textOf(found, 'status') !== 'succeeded' || textOf(found, 'setup_future_usage') !== 'off_session') return undefined;
    return readCard(this.#client, account, textOf(found, 'customer'), textOf(found, 'payment_method'));
  }

  /** All refunds of a payment, those that were made at Stripe too. @throws NoOutcome, OutgoingError */
  async refundsOf(storeId: number, payment: string): Promise<KnownRefund[]> {
    const account = await this.#client.need(storeId);
    const query = new URLSearchParams({ payment_intent: payment, limit: '100' });
    const found = await this.#client.ask(account, 'GET', `/v1/refunds?${query}`);
    const { data = [] } = found ?? {};
    if (!Array.isArray(data)) throw new NoOutcome('Stripe answered no list.');
    const start = keyAt(account, { key: '' });
    return data.map(objectOf).map((one): KnownRefund => {
      const [mark, status] = [textOf(objectOf(one.metadata), REFUND_MARK), textOf(one, 'status')];
      const currency = textOf(one, 'currency').toUpperCase();
      return {
        reference: textOf(one, 'id'),
        key: mark.startsWith(start) ? mark.slice(start.length) : null,
        status: status === 'succeeded' ? 'DONE' : status === 'failed' || status === 'canceled' ? 'FAILED' : 'PENDING',
        amount: amountOfStripe(Number(one.amount), currency),
        currency,
      };
    });
  }

  /** A dispute as it stands; undefined where Stripe knows no such one. @throws NoOutcome, OutgoingError */
  async dispute(storeId: number, id: string): Promise<KnownDispute | undefined> {
    const found = await this.#get(storeId, `/v1/disputes/${encodeURIComponent(id)}`);
    if (!found) return undefined;
    const due = Number(objectOf(found.evidence_details).due_by);
    return {
      reference: textOf(found, 'id'),
      payment: textOf(found, 'payment_intent'),
      amount: amountOfStripe(Number(found.amount), textOf(found, 'currency').toUpperCase()),
      reason: textOf(found, 'reason'),
      // What Stripe prevented, or a warning that is over, is of no consequence.
      status: DISPUTE_STATES[textOf(found, 'status')] ?? 'CLOSED',
      openedEpoch: Number(found.created),
      dueEpoch: due > 0 ? due : null,
    };
  }

  async #get(storeId: number, path: string): Promise<JsonObject | undefined> {
    return this.#client.ask(await this.#client.need(storeId), 'GET', path);
  }
}
