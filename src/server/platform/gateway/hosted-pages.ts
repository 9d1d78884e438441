// The port to pages of a payment provider's own: a customer enters a card there, or pays there, and comes back.
import type { GatewayName } from './gateway.ts';
import type { Vaulted } from './card-vault.ts';

/** A page that is to be opened. Repeating it with its `key` (ours, unique) opens no second one while the provider remembers keys. */
export interface NewPage {
  storeId: number;
  gateway: GatewayName;
  key: string;
  /** `reference`: what the provider calls them, where that is known; one that it does not know any more is made new. */
  customer: { reference: string | null; email: string; name: string };
  /** What is paid there (minor units); left out where a card is only stored. */
  payment?: { amount: number; currency: string; what: string };
  /** Until when it is open, at least half an hour; left out, for a day. */
  until?: Date;
  /** Where the customer comes back to: done, or gone without it. */
  doneUrl: string;
  leftUrl: string;
  language: string;
}
/** `reference` and `customer`: what the provider calls the page and the customer; `url`: the page. */
export interface OpenedPage {
  reference: string;
  customer: string;
  url: string;
}
/** A page that was opened before. */
export type KnownPage = Pick<NewPage, 'storeId' | 'gateway' | 'key'> & { reference: string };
/**
 * How a page stands. OPEN: the customer may still go on there, or the provider still works on it; ENDED: nothing came of it, and nothing
 * will. `payment`: what the provider calls the payment that was made there.
 */
export type PageState = { is: 'OPEN'; url: string } | { is: 'ENDED' } | { is: 'DONE'; card: Vaulted; payment: string | null };

/** All of these reject where the provider gives no answer: nothing is known then. @throws NoOutcome, OutgoingError */
export interface HostedPages {
  openPage(page: NewPage): Promise<OpenedPage>;
  pageState(page: KnownPage): Promise<PageState>;
  /** Closes a page, so that nothing comes of it any more; answers how it stands then: it may have been done before. */
  closePage(page: KnownPage): Promise<PageState>;
}
