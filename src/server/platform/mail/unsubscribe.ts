// How a reader ends the advertising of a store: the link in the foot of a letter and in its headers, and the words of the page behind it.
import { later } from '../../../domain/text/t.ts';
import { mailToken } from './mail-token.ts';

/** Where a letter's reader ends the store's advertising, and begins it again. */
export const UNSUBSCRIBE_PATH = '/mail/unsubscribe/:token';

/** The address of the page for one letter. `base`: the address of the product, without a slash at the end. */
export const unsubscribeLink = (base: string, store: { id: number; link_secret: string }, mail: number): string =>
  base + UNSUBSCRIBE_PATH.replace(':token', mailToken(store.link_secret, 'choice', { storeId: store.id, id: mail }));

/** What the link and the page say, as schemas/texts/emails.json has it, so that it has words in the languages of the product. */
export const UNSUBSCRIBE_WORDS = {
  mailUnsubscribe: later`Get no more advertising by e-mail`,
  mailUnsubscribeTitle: later`Get no more advertising?`,
  mailUnsubscribeText: later`This store then sends you no more advertising.
    E-mails about your orders and subscriptions still arrive.`,
  mailUnsubscribeButton: later`End advertising by e-mail`,
  mailUnsubscribedTitle: later`You get no more advertising`,
  mailUnsubscribedText: later`This store sends you no more advertising.
    E-mails about your orders and subscriptions still arrive.`,
  mailSubscribeAgainButton: later`Get advertising again`,
  mailSubscribedTitle: later`You get advertising again`,
  mailSubscribedText: later`This store may send you advertising again.`,
} as const;
export type UnsubscribeKey = keyof typeof UNSUBSCRIBE_WORDS;
