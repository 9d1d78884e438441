// A visit of a gift's page: who comes by a link of theirs, and the gift in the words and the look of the store.
import { sql } from 'kysely';
import type { Words } from '../../../platform/texts/words.ts';
import { inLanguage } from '../../../platform/languages.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import type { PageAnswer } from '../../../platform/http/public-pages.ts';
import type { Speech } from '../../../platform/mail/speech.ts';
import {
  type Aggregate,
  giftLinkGoodFor,
  type GiftRow,
  hasPortal,
  loadAggregates,
  nextPlanned,
  ordersLeft,
  type Transact,
  transactIn,
  UnitOfWork,
  asCustomer,
  speaking,
  type CustomerContext,
  type Say,
} from '../../../engine/index.ts';
import { liveTheme, styleSheetOf, type Theme } from '../../../platform/portal-look/theme.ts';

export interface Visit {
  giftId: number;
  transact: Transact;
  /** How long ago or ahead (ms) the link ends, by the clock of its store. */
  goodFor(now: Date): number;
}
export interface Visited {
  context: CustomerContext;
  work: UnitOfWork;
  gift: GiftRow;
  subscription: Aggregate;
  words: Words;
  speech: Speech;
  say: Say;
  theme: Theme;
}

const numberOf = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

/** Who comes by a link that was genuine once; undefined for all others. */
export async function visitOf(services: PageServices, { params, query }: PageRequest): Promise<Visit | undefined> {
  const id = numberOf(params.gift);
  const { rows } = await services.db.ownerQuery<{ store_id: number; id: number; portal_token: string }>(
    'select store_id, id, portal_token from gifts where store_id = any(array(select id from stores)) and id = $1',
    [id],
  );
  for (const row of rows) {
    const goodFor = (now: Date): number | undefined => giftLinkGoodFor(row, query.token ?? '', now);
    if (goodFor(new Date()) !== undefined)
      return { giftId: id, transact: transactIn(services, row.store_id), goodFor: now => goodFor(now) ?? 0 };
  }
  return undefined;
}

/**
 * Opens the gift of a visit, in the language in which it was bought; `isOpen`: the link is still good. With `lock` the gift stays as it
 * is until the work ends.
 */
export const enter = (
  services: PageServices,
  { giftId, transact, goodFor }: Visit,
  work: (visited: Visited, isOpen: boolean) => Promise<PageAnswer>,
  lock = false,
): Promise<PageAnswer> =>
  transact(async opened => {
    const context: CustomerContext = { ...asCustomer(services, opened), source: 'Gift recipient', isOfGift: true };
    if (!(await hasPortal(context))) return nothingHere();
    const visited = await read(context, giftId, lock);
    if (!visited) return nothingHere();
    const isOpen = goodFor(context.now()) > 0;
    const answer = await inLanguage(visited.speech.language, () => work(visited, isOpen));
    return 'html' in answer ? { ...answer, styleSheet: styleSheetOf(visited.theme) } : answer;
  });

async function read(context: CustomerContext, id: number, lock: boolean): Promise<Visited | undefined> {
  const { trx, storeId, store } = context;
  if (lock) await sql`select 1 from contracts where store_id = ${storeId}::integer and id = ${id}::bigint for update`.execute(trx);
  const { rows } = await sql<GiftRow>`select * from gifts where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
  const [gift] = rows;
  const work = await UnitOfWork.open(context);
  const [subscription] = await loadAggregates(trx, storeId, [id], { lock: false });
  if (!gift || !subscription) return undefined;
  await work.loadVariants([subscription]);
  const theme = await liveTheme(context);
  const { words, speech, say } = await speaking(context, subscription.contract.customer_locale, theme);
  const next = nextPlanned(subscription, store.timezone);
  const values = {
    gifter_name: gift.sender_name,
    orders_done: String(gift.total_orders - ordersLeft(subscription)),
    orders_total: String(gift.total_orders),
    next_order_date: next ? speech.day(new Date(next.deliveryAt)) : '',
    store_name: store.name,
  };
  const shown = { ...subscription, lines: subscription.lines.map(speech.named) };
  return { context, work, gift, subscription: shown, words, speech, say: (key, more) => say(key, { ...values, ...more }), theme };
}
