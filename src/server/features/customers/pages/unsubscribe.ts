// The page behind the link of an advertising letter. Mail programs press its button by themselves (RFC 8058): a POST ends the store's
// advertising without a question, however often it comes. Looking at the page changes nothing.
import type { Kysely } from 'kysely';
import type { Tables } from '../../../../generated/tables.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import { escapeHtml, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import { blocksOf } from '../../../platform/mail/blocks.ts';
import { mailPage } from '../../../platform/mail/mail-page.ts';
import { namedMail, type NamedMail } from '../../../platform/mail/mail-token.ts';
import { readMailWords } from '../../../platform/mail/mail-words.ts';
import { phraseOf } from '../../../platform/mail/speech.ts';
import { UNSUBSCRIBE_PATH, type UnsubscribeKey } from '../../../platform/mail/unsubscribe.ts';
import { liveTheme, styleSheetOf } from '../../../platform/portal-look/theme.ts';
import { chooseAdvertising } from '../advertising.ts';

/** Begins advertising again, where it is 1. */
const AGAIN = 'again';

interface Reader extends NamedMail {
  recipient: string;
  language: string;
  store: { name: string; clock_offset_ms: number };
}

/** Whom a link was sent to; undefined for one that is none of ours, or whose reader was erased since. */
async function readerOf({ db }: PageServices, { params }: PageRequest): Promise<Reader | undefined> {
  const mail = await namedMail(db, 'choice', [params.token ?? '']);
  if (!mail) return undefined;
  const { rows } = await db.ownerQuery<{ recipient: string; language: string; name: string; clock_offset_ms: number }>(
    `select o.recipient, o.language, s.name, s.clock_offset_ms from outbox o join stores s on s.id = o.store_id
      where o.store_id = $1 and o.id = $2`,
    [mail.storeId, mail.id],
  );
  const [row] = rows;
  if (!row || row.recipient.endsWith('.invalid')) return undefined;
  const { recipient, language, ...store } = row;
  return { ...mail, recipient, language, store };
}

/** What the page says and offers: to end it, to begin it again, or both are done. */
async function pageFor(
  { definitions }: PageServices,
  trx: Kysely<Tables>,
  { storeId, recipient, language, store }: Reader,
  done: boolean,
): Promise<PageAnswer> {
  const words = await readMailWords({ trx, storeId });
  const say = (key: UnsubscribeKey): string => phraseOf({ words, texts: definitions.texts }, language, key) ?? '';
  const isEnded = (await blocksOf({ trx, storeId }, [recipient])).some(({ reason }) => reason === 'UNSUBSCRIBED');
  const title = say(isEnded ? 'mailUnsubscribedTitle' : done ? 'mailSubscribedTitle' : 'mailUnsubscribeTitle');
  const text = say(isEnded ? 'mailUnsubscribedText' : done ? 'mailSubscribedText' : 'mailUnsubscribeText');
  const button = say(isEnded ? 'mailSubscribeAgainButton' : 'mailUnsubscribeButton');
  return {
    status: 200,
    title,
    language,
    styleSheet: styleSheetOf(await liveTheme({ trx, storeId, definitions })),
    html:
      `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>` +
      `<form method="post" action="?${isEnded ? `${AGAIN}=1` : ''}"><button type="submit"${isEnded ? ' class="second"' : ''}>` +
      `${escapeHtml(button)}</button></form><p class="quiet">${escapeHtml(store.name)}</p>`,
  };
}

export const unsubscribe: PublicPage = mailPage({
  path: UNSUBSCRIBE_PATH,
  readerOf,
  get: (services, reader) => services.db.inStore(reader.storeId, trx => pageFor(services, trx, reader, false), { readOnly: true }),
  post: (services, reader, { query }) =>
    services.db.inStore(reader.storeId, async trx => {
      const { storeId, id, recipient, store } = reader;
      const at = new Date(Date.now() + store.clock_offset_ms);
      const getsAdvertising = query[AGAIN] === '1';
      await chooseAdvertising({ trx, storeId }, { address: recipient, getsAdvertising, source: 'Customer portal', by: '', at, mail: id });
      return pageFor(services, trx, reader, true);
    }),
});
