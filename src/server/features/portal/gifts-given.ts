// Gifts that a customer gave, as they see them: what is sent to whom, how far it is, and what the recipient wrote.
import { sql } from 'kysely';
import { escapeHtml as e } from '../../platform/http/public-pages.ts';
import { type GiftRow, giftsGivenPath, type CustomerContext, type Say } from '../../engine/index.ts';
import { h2, link, p } from './elements.ts';
import type { Portal } from './portal.ts';
import type { Speech } from '../../platform/mail/speech.ts';

/** Gifts on one page, the newest first. */
const MOST = 50;

export async function giftsGivenBy({ trx, storeId }: Pick<CustomerContext, 'trx' | 'storeId'>, customerId: number): Promise<GiftRow[]> {
  const { rows } = await sql<GiftRow>`select * from gifts where store_id = ${storeId}::integer and customer_id = ${customerId}::bigint
    order by created_at desc, id desc limit ${MOST}`.execute(trx);
  return rows;
}

export interface Speaker {
  say: Say;
  speech: Speech;
}

/** What texts about one gift name. */
export const valuesOf = (gift: GiftRow, { speech }: Pick<Speaker, 'speech'>): Record<string, string> => ({
  recipient_name: `${gift.recipient_first_name} ${gift.recipient_last_name}`.trim(),
  recipient_email: gift.recipient_email,
  start_date: speech.day(gift.start_at),
  next_order_date: gift.next_order_at ? speech.day(gift.next_order_at) : '',
  orders_done: String(gift.completed_orders),
  orders_total: String(gift.total_orders),
});

/** How far a gift is, in a few lines. */
export function stateOf(gift: GiftRow, speaker: Speaker): string[] {
  const say = (key: string): string => speaker.say(key, valuesOf(gift, speaker));
  if (gift.status === 'CANCELLED') return [say('giftsGivenIsCancelled')];
  if (gift.status === 'UPCOMING') return [say('giftsGivenUpcoming')];
  if (gift.status === 'COMPLETED') return [say('giftsGivenCompleted')];
  return [say('giftOrdersProgress'), ...(gift.next_order_at ? [say('giftsGivenNext')] : [])];
}

/** The section's HTML; empty for customers who gave nothing. */
export async function giftsSection(portal: Portal): Promise<string> {
  const { context, subscription, say } = portal;
  const { customer_id: customerId } = subscription.contract;
  const gifts = await giftsGivenBy(context, customerId);
  if (gifts.length === 0) return '';
  const items = gifts
    .slice(0, 3)
    .map(gift => `<li>${e([say('giftsGivenFor', valuesOf(gift, portal)), ...stateOf(gift, portal)].join(' · '))}</li>`);
  return `${h2(say('giftsGivenTitle'))}<ul>${items.join('')}</ul><nav>${link(giftsGivenPath(customerId), say('giftsGivenSee'))}</nav>`;
}

/** One gift on the page of all of them; `products`: what is given, in words; `actions`: what can be done with it, as HTML. */
export function giftHtml(gift: GiftRow, speaker: Speaker, products: string, actions: string): string {
  const say = (key: string): string => speaker.say(key, valuesOf(gift, speaker));
  const thanks = gift.thanked_at
    ? `<figure><figcaption class="quiet">${e(say('giftsGivenThanks'))}</figcaption><blockquote class="said">${e(gift.thanks_message)}` +
      `</blockquote></figure>`
    : '';
  const track = Array.from({ length: gift.total_orders }, (_, i) => `<li${i < gift.completed_orders ? ' class="reached"' : ''}></li>`);
  return (
    `<section class="gift">${h2(say('giftsGivenFor'))}${p(products)}` +
    (gift.status === 'ACTIVE' ? `<ol class="track" aria-hidden="true">${track.join('')}</ol>` : '') +
    stateOf(gift, speaker)
      .map(text => p(text))
      .join('') +
    `${thanks}${actions}</section>`
  );
}
