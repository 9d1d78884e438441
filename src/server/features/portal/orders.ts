// Orders as their customer reads them: what the next one comes to, and those that were paid, a page at a time.
import { sql } from 'kysely';
import { escapeHtml as e } from '../../platform/http/public-pages.ts';
import { at } from './at.ts';
import { h2, link, p } from './elements.ts';
import type { Portal } from './portal.ts';

/** Paid orders on one page. */
const SIZE = 5;

/** A page of the orders that were paid, the newest first. */
export interface PastOrders {
  page: number;
  pages: number;
  orders: readonly { at: Date; total: number; currency: string }[];
}

export async function readPast({ context, subscription }: Portal, asked: number): Promise<PastOrders> {
  const { rows: counted } = await sql<{ n: number }>`select count(*)::integer as n from orders where store_id = ${context.storeId}::integer
    and contract_id = ${subscription.contract.id}::bigint and status = 'PAID'`.execute(context.trx);
  const pages = Math.max(1, Math.ceil((counted[0]?.n ?? 0) / SIZE));
  const page = Math.min(Math.max(1, asked), pages);
  const { rows: orders } = await sql<PastOrders['orders'][number]>`select coalesce(processed_at, billing_at) as at, total::float8 as total,
      currency_code as currency from orders where store_id = ${context.storeId}::integer
      and contract_id = ${subscription.contract.id}::bigint and status = 'PAID' order by cycle desc
      limit ${SIZE} offset ${(page - 1) * SIZE}`.execute(context.trx);
  return { page, pages, orders };
}

export function pastOrders({ say, speech }: Portal, { page, pages, orders }: PastOrders): string {
  const rows = orders.map(one => `<li>${e(`${speech.day(one.at)} · ${speech.money(one.total, one.currency)}`)}</li>`);
  const way = (to: number, key: string): string => (to >= 1 && to <= pages ? link(`${at({ page: to })}#past`, say(key)) : '');
  const where = say('a11yPagination', { page_number: String(page), page_count: String(pages) });
  const others =
    pages > 1
      ? `<nav aria-label="${e(where)}">${way(page - 1, 'a11yPreviousPage')}${way(page + 1, 'a11yNextPage')}</nav>${p(where, 'quiet')}`
      : '';
  const list = rows.length ? `<ul>${rows.join('')}</ul>` : p(say('pastOrdersEmpty'), 'quiet');
  return `<div id="past">${h2(say('pastOrdersHeading'))}${list}${others}</div>`;
}

/** What an order comes to, behind a press. Prices hold their taxes. */
export function orderSummary(
  { say, speech }: Pick<Portal, 'say' | 'speech'>,
  { subtotal, discount, shipping, total }: { subtotal: number; discount: number; shipping: number; total: number },
  currency: string,
): string {
  const money = (minor: number): string => speech.money(minor, currency);
  const row = (name: string, amount: string): string => `<tr><th scope="row">${e(name)}</th><td>${e(amount)}</td></tr>`;
  return (
    `<details><summary>${e(say('orderSummary'))}</summary><table>` +
    row(say('subtotal'), money(subtotal)) +
    (discount > 0 ? row(say('discountHeading'), `−${money(discount)}`) : '') +
    row(say('shippingCost'), shipping > 0 ? money(shipping) : say('freeShipping')) +
    `${row(say('total'), money(total))}</table></details>`
  );
}
