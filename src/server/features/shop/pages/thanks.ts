// After the purchase: what was bought, when it comes next, and the way to the customer's own page.
import { sql } from 'kysely';
import { t } from '../../../../domain/text/t.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { type GiftRow, hasPortal, loadAggregates, nextPlanned, portalLink, productsInWords, productsRead } from '../../../engine/index.ts';
import { cartIdOf, readCart } from '../cart.ts';
import { e, frame, href, picture, nothingSold } from '../html/layout.ts';
import { HOURS_OPEN } from '../last-order.ts';
import type { Thanks } from '../pay.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, type Shop } from '../shop.ts';

async function show(shop: Shop, number: number): Promise<PageAnswer> {
  const { context } = shop;
  const { trx, storeId } = context;
  const { rows } = await sql<{ outcome: Thanks; isFresh: boolean }>`select outcome,
      made_at > now() - make_interval(hours => ${HOURS_OPEN}::integer) as "isFresh" from shop_purchases
    where store_id = ${storeId}::integer and id = ${number}::bigint and cart_id = ${cartIdOf(shop.visitor.cookie)}
      and status = 'PAID'`.execute(trx);
  const [row] = rows;
  if (!row) return nothingSold(shop);
  const { outcome } = row;
  const line = (one: Thanks['lines'][number]): string =>
    `<li class="line">${picture(one.image, 'thumb')}<div class="about"><h2>` +
    `${one.quantity > 1 ? `${one.quantity} × ` : ''}${e(one.name)}</h2>` +
    `${one.contents ? `<p class="quiet">${e(one.contents)}</p>` : ''}</div><div class="sum">${e(shop.money(one.total))}</div></li>`;
  const giftShipping = outcome.giftShipping ?? 0;
  const sums: [string, string][] = [
    ...(outcome.shipping || outcome.delivery
      ? [[outcome.delivery || t`Shipping`, outcome.shipping ? shop.money(outcome.shipping) : t`Free`] as [string, string]]
      : []),
    ...(outcome.giftIds?.length ? [[t`Shipping of gifts`, giftShipping ? shop.money(giftShipping) : t`Free`] as [string, string]] : []),
    [t`Paid`, shop.money(outcome.total)],
  ];
  const next = (await nextDeliveries(shop, outcome, row.isFresh)) + (await giftsOf(shop, outcome));
  const title = t`Thank you`;
  const html =
    `<div class="prose"><p class="badge">${e(t`Order ${outcome.number}`)}</p><h1>${e(title)}</h1><p>` +
    `${e(t`Your order is paid. What there is to know about it is on its way to ${outcome.email}.`)}</p>` +
    `${next}<div class="panel"><ul class="plain">${outcome.lines.map(line).join('')}</ul><hr><dl class="sums">` +
    `${sums.map(([name, amount]) => `<dt>${e(name)}</dt><dd>${e(amount)}</dd>`).join('')}</dl></div>` +
    `<p><a${href(shop.to())}>${e(t`See more products`)}</a></p></div>`;
  return frame(shop, { title, html, cart: (await readCart(shop)).data, here: `/thanks/${number}` });
}

/** Each subscription with its next delivery, and for a customer who is new the way to their own page. */
async function nextDeliveries(shop: Shop, { contractIds, customerId, isNewCustomer }: Thanks, isFresh: boolean): Promise<string> {
  const { context } = shop;
  if (contractIds.length === 0) return '';
  const subscriptions = await loadAggregates(context.trx, context.storeId, contractIds, { lock: false });
  const holder = await context.trx
    .selectFrom('customers')
    .select(['id', 'portal_token'])
    .where('store_id', '=', context.storeId)
    .where('id', '=', customerId)
    .executeTakeFirst();
  // Typing the address of another person leads to none of their pages.
  const isOpen = isNewCustomer && isFresh && holder !== undefined && (await hasPortal(context));
  return subscriptions
    .map(subscription => {
      const { contract, lines } = subscription;
      const planned = nextPlanned(subscription, context.store.timezone);
      const link = isOpen ? portalLink(context.config, holder, contract.id, context.now()) : null;
      const day = planned ? shop.speech.day(new Date(planned.deliveryAt)) : '';
      return (
        `<div class="panel"><h2 class="first">${e(productsInWords(productsRead(contract, lines.map(shop.speech.named))))}</h2>` +
        `${day ? `<p>${e(t`Next delivery: ${day}`)}</p>` : ''}` +
        (link
          ? `<a class="go"${href(link)}>${e(t`Manage your subscription`)}</a>`
          : `<p class="quiet">${e(t`The e-mail before your next order leads to your subscription.`)}</p>`) +
        `</div>`
      );
    })
    .join('');
}

/** What happens with each gift, and when. */
async function giftsOf({ context, speech }: Shop, { giftIds = [] }: Thanks): Promise<string> {
  if (giftIds.length === 0) return '';
  const { rows } = await sql<GiftRow>`select * from gifts where store_id = ${context.storeId}::integer
    and id = any(${giftIds}::bigint[]) order by id`.execute(context.trx);
  return rows
    .map(gift => {
      const name = gift.recipient_first_name;
      const day = speech.day(gift.start_at);
      const next = gift.next_order_at ? speech.day(gift.next_order_at) : '';
      const left = gift.total_orders - gift.completed_orders;
      const isNow = gift.received_at !== null;
      const steps = [
        isNow ? t`${name} hears of it by e-mail now, with your words.` : t`${name} hears of it by e-mail on ${day}, with your words.`,
        isNow ? t`The first delivery is on its way.` : t`The first delivery is sent on the same day.`,
        ...(next && left > 0 ? [left > 1 ? t`The next one is on ${next}, ${left} more in all.` : t`The last one is on ${next}.`] : []),
        t`Nothing more is charged.`,
      ];
      return (
        `<div class="panel"><h2 class="first">${e(t`Your gift for ${name}`)}</h2><ol class="then">` +
        `${steps.map(one => `<li>${e(one)}</li>`).join('')}</ol></div>`
      );
    })
    .join('');
}

export const thanks: PublicPage = {
  path: `${SHOP_PATH}/thanks/:order`,
  secret: null,
  asks: ASKS,
  cookie: CART_COOKIE,
  get: (services, request) =>
    inShop(services, request, shop => {
      const { order = '' } = request.params;
      return /^\d{1,15}$/.test(order) ? show(shop, Number(order)) : nothingSold(shop);
    }),
};
