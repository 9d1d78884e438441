// How the reader of a letter ends letters of its kind: the link in its foot and in its headers (RFC 8058).
import { t } from '../../../domain/text/t.ts';
import type { MessageKind } from '../../../contract/types.ts';
import { inLanguage } from '../languages.ts';
import { mailToken } from './mail-token.ts';
import { unsubscribeLink } from './unsubscribe.ts';

/** Where a person of the team ends the weekly letter of a chart for themselves. */
export const END_CHART_PATH = '/mail/end-chart/:token';

interface LetterToEnd {
  /** The address of the product, without a slash at the end. */
  base: string;
  store: { id: number; link_secret: string };
  /** Row of the outbox. */
  mail: number;
  language: string;
  /** A phrase of schemas/texts/emails.json in the store's words. */
  say(key: string): string;
}

/** The link that ends letters of a kind, with its words; undefined for letters that have no end. */
export function endingOf(
  kind: Pick<MessageKind, 'purpose' | 'ends'> | undefined,
  { base, store, mail, language, say }: LetterToEnd,
): { href: string; words: string } | undefined {
  if (kind?.purpose === 'advertising') return { href: unsubscribeLink(base, store, mail), words: say('mailUnsubscribe') };
  if (kind?.ends !== 'chart') return undefined;
  const token = mailToken(store.link_secret, 'chart', { storeId: store.id, id: mail });
  return { href: base + END_CHART_PATH.replace(':token', token), words: inLanguage(language, () => t`Do not send me this chart any more`) };
}
