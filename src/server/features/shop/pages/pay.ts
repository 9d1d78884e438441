// The second step of the checkout: delivery, an upgrade, the card. One press of "Pay" makes one purchase, however often it arrives.
import { sql } from 'kysely';
import { t } from '../../../../domain/text/t.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import { vault } from '../../../platform/gateway/card-vault.ts';
import { NoOutcome, takesCardsBy } from '../../../platform/gateway/gateway.ts';
import { OutgoingError } from '../../../platform/outgoing/outgoing.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { readCatalogue, transactIn, type OfferedPlan } from '../../../engine/index.ts';
import { noteUpgrades } from '../../checkout/figures.ts';
import { offersFor, type UpgradeOffer } from '../../checkout/offers.ts';
import { cartIdOf, isEmpty, isKnown, keepCart, lineKey, readCart, type Cart, type CartData, type CartLine } from '../cart.ts';
import { payHtml, type PayPage } from '../html/checkout.ts';
import type { Errors, Typed } from '../html/fields.ts';
import { frame } from '../html/layout.ts';
import { platformNumber } from '../product-plans.ts';
import { begin, pressedFor, purchaseOf, settle, type OpenPurchase } from '../pay.ts';
import { hostedRefusal, openPurchaseOf, settleHosted } from '../pay-hosted.ts';
import { isWhole, quoteOf, type Quote } from '../quote.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, shopNamed, type Shop } from '../shop.ts';

interface Notes {
  typed?: Typed;
  errors?: Errors;
  problem?: string | undefined;
  status?: number;
}

async function show(shop: Shop, cart: Cart, { typed = {}, errors = new Map(), problem, status = 200 }: Notes = {}): Promise<PageAnswer> {
  const { data } = cart;
  if (isEmpty(data)) return { redirect: shop.to('/cart') };
  const quote = await quoteOf(shop, data);
  if (!isWhole(quote)) return { redirect: shop.to('/cart') };
  if (!isKnown(data)) return { redirect: shop.to('/checkout') };
  const upgrades = await upgradesOf(shop, quote);
  await noteSeen(shop, cart, upgrades.offers);
  const page: PayPage = { data, quote, round: cart.round, ...upgrades, typed, errors, problem };
  const leads = takesCardsBy(shop.context.store) === 'TEST' ? {} : { formAction: shop.config.vendorUrl ?? 'https:' };
  return frame(shop, {
    title: t`Payment`,
    html: payHtml(shop, page),
    status,
    cart: data,
    here: '/pay',
    isScripted: upgrades.offers.length ? 'checkout' : false,
    ...leads,
  });
}

/** In the address, after the price has changed meanwhile. */
const PRICE = 'price';
/** The page by itself, with what became of the last press. */
async function look(shop: Shop, notice: string | undefined): Promise<PageAnswer> {
  const cart = await readCart(shop);
  if (notice === PRICE) {
    const total = shop.money((await quoteOf(shop, cart.data)).total);
    const problem = t`The price has changed: it is ${total} now. Nothing was charged. Look at it and press “Pay” again if you agree.`;
    return show(shop, cart, { problem });
  }
  const last = cart.id === null ? undefined : await purchaseOf(shop.context, cart.id, cart.round);
  const isDeclined = last?.status === 'DECLINED' && last.purchase.gateway === 'TEST';
  return show(shop, cart, isDeclined ? { problem: whyDeclined(last.code ?? '') } : {});
}

/** Counts upgrades that are shown to this cart for the first time. */
async function noteSeen(shop: Shop, cart: Cart, offers: PayPage['offers']): Promise<void> {
  const { seen = [] } = cart.data;
  const fresh = [...new Set(offers.map(({ offer }) => offer.upgradeId))].filter(id => !seen.includes(id));
  if (fresh.length === 0 || cart.id === null) return;
  // Of two that look at once the first counts.
  const now = await readCart(shop, true);
  const unseen = fresh.filter(id => !now.data.seen?.includes(id));
  if (now.id === null || unseen.length === 0) return;
  await keepCart(shop, now, { ...now.data, seen: [...(now.data.seen ?? []), ...unseen] });
  await noteUpgrades(shop.context, 'VIEW', unseen);
}

/** What is bought once and may become a subscription, and what became one like that. */
async function upgradesOf(shop: Shop, { shipments, catalogue }: Quote): Promise<Pick<PayPage, 'offers' | 'upgraded'>> {
  const lines = shipments.flatMap(one => one.lines).filter(line => line.planId === null || line.upgradeId !== undefined);
  const offers = await offersFor(shop.context, lines, shop.speech.language);
  const { rows } = await sql<{ id: number; number: number }>`select id::float8 as id, shopify_id::float8 as number from products
    where store_id = ${shop.context.storeId}::integer and id = any(${lines.map(one => one.variant.product_id)}::bigint[])`.execute(
    shop.context.trx,
  );
  const numbers = new Map(rows.map(one => [one.id, one.number]));
  const offerOf = (line: CartLine): UpgradeOffer | undefined => offers.find(one => one.variantId === line.variantId);
  return {
    offers: lines.flatMap(line => {
      const offer = offerOf(line);
      if (line.planId !== null || !offer) return [];
      const plans = offer.plans.flatMap(({ sellingPlanId }): OfferedPlan[] =>
        (catalogue.plans.get(line.variantId) ?? []).filter(({ plan }: OfferedPlan) => plan.lspId === sellingPlanId),
      );
      return plans.length ? [{ line, offer, plans, productNumber: numbers.get(line.variant.product_id) ?? 0 }] : [];
    }),
    upgraded: lines.flatMap(line =>
      line.planId === null ? [] : [{ line, appliedText: offerOf(line)?.appliedText ?? '', undoText: offerOf(line)?.undoText ?? '' }],
    ),
  };
}

/** The lines with one of them bought in another way; with what is there like that already it is one line. */
function bought(lines: readonly CartLine[], key: string | undefined, change: (line: CartLine) => CartLine): CartLine[] {
  const all = new Map<string, CartLine>();
  for (const line of lines) {
    const next = lineKey(line) === key ? change(line) : line;
    const same = all.get(lineKey(next));
    all.set(lineKey(next), same ? { ...same, quantity: same.quantity + next.quantity } : next);
  }
  return [...all.values()];
}

/** What a press changes that is no payment; undefined for the payment. */
async function changed(shop: Shop, data: CartData, form: Typed): Promise<CartData | undefined> {
  if (form.do === 'delivery') return { ...data, delivery: (form.delivery ?? '').slice(0, 100) };
  if (form.do === 'undo')
    return {
      ...data,
      lines: bought(data.lines, form.line, ({ upgradeId, ...line }) => (upgradeId === undefined ? line : { ...line, planId: null })),
    };
  if (form.do !== 'upgrade') return undefined;
  const line = data.lines.find(one => lineKey(one) === form.line && one.planId === null);
  const [offer] = line ? await offersFor(shop.context, [line], shop.speech.language) : [];
  // The page's own buttons name ours, the widget the platform's.
  const { plans } = await readCatalogue(shop.context, { ids: line ? [line.variantId] : [] });
  const named = (plans.get(line?.variantId ?? 0) ?? []).find(one => String(platformNumber(one)) === form.selling_plan)?.plan.lspId;
  const planId = offer?.plans.find(one => String(one.sellingPlanId) === (form.plan ?? String(named)))?.sellingPlanId;
  if (!offer || planId === undefined) return data;
  return { ...data, lines: bought(data.lines, form.line, one => ({ ...one, planId, upgradeId: offer.upgradeId })) };
}

/** Where a purchase is to be settled outside of the transaction, or what is answered at once. */
type Step = { open: OpenPurchase; isOther?: boolean } | { answer: PageAnswer };

async function press(shop: Shop, form: Typed): Promise<Step> {
  const cart = await readCart(shop, true);
  if (cart.id === null) return { answer: { redirect: shop.to('/cart') } };
  const held = { ...cart, id: cart.id };
  const round = /^\d{1,9}$/.test(form.round ?? '') ? Number(form.round) : 0;
  const before = await purchaseOf(shop.context, held.id, round);
  if (before?.status === 'PAID') return { answer: { redirect: shop.to(`/thanks/${before.purchase.id}`) } };
  const other = await changed(shop, cart.data, form);
  if (other) {
    await keepCart(shop, cart, other);
    return { answer: { redirect: shop.to('/pay') } };
  }
  if (before?.status === 'CHARGING') {
    const { purchase } = before;
    const isOther = purchase.gateway !== 'TEST' && purchase.pressed !== pressedFor(cart.data, await quoteOf(shop, cart.data));
    return { open: purchase, isOther };
  }
  if (round !== cart.round || !isKnown(cart.data)) return { answer: await show(shop, cart) };
  return pay(shop, held, form, await quoteOf(shop, cart.data));
}

/** Each gift writes to an address that the buyer chose: more than these in an hour from one place are too many. */
const MOST_GIFTS_AN_HOUR = 20;
async function giftsFromHere({ context: { trx, storeId }, visitor }: Shop): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(jsonb_array_length(coalesce(p.outcome -> 'giftIds', '[]'))), 0)::integer as n
    from shop_carts c join shop_purchases p on p.store_id = c.store_id and p.cart_id = c.id
    where c.store_id = ${storeId}::integer and c.network = ${visitor.network} and p.status = 'PAID'
      and p.made_at > now() - interval '1 hour'`.execute(trx);
  return rows[0]?.n ?? 0;
}

async function pay(shop: Shop, cart: Cart & { id: string }, form: Typed, quote: Quote): Promise<Step> {
  const { address, name, email = '' } = cart.data;
  if (!isWhole(quote)) return { answer: { redirect: shop.to('/cart') } };
  const typed = { ...form, verificationCode: '' };
  const again = async (notes: Notes): Promise<Step> => ({ answer: await show(shop, cart, { typed, status: 409, ...notes }) });
  // The page says why.
  if ((quote.needsDelivery && !quote.chosen) || hostedRefusal(shop, quote)) return again({});
  if (form.total !== String(quote.total)) return { answer: { redirect: shop.to('/pay', { notice: PRICE }) } };
  if (quote.gifts.length && (await giftsFromHere(shop)) + quote.gifts.length > MOST_GIFTS_AN_HOUR)
    return again({ status: 429, problem: t`Many gifts were bought from here. Nothing was charged. Try again in an hour.` });
  const isHosted = takesCardsBy(shop.context.store) !== 'TEST';
  const card = isHosted
    ? undefined
    : vault(
        {
          number: form.number ?? '',
          name: (form.name ?? '').slice(0, 100),
          expiry: form.expiry ?? '',
          verificationCode: form.verificationCode ?? '',
        },
        shop.context.now(),
      );
  const errors = new Map(Array.isArray(card) ? card.map(({ pointer, message }) => [pointer.slice(1), message] as const) : []);
  if (!isHosted && !form.name?.trim()) errors.set('name', t`Enter the name on the card.`);
  if (!isHosted && !/^\d{3,4}$/.test((form.verificationCode ?? '').trim()))
    errors.set('verificationCode', t`Enter the three or four digits on the card.`);
  if (errors.size || Array.isArray(card))
    return again({ errors, status: 422, problem: t`The card could not be used. What is wrong stands below each field.` });
  const begun = await begin(shop.context, cart, quote, {
    email,
    firstName: address?.firstName ?? name?.firstName ?? '',
    lastName: address?.lastName ?? name?.lastName ?? '',
    phone: address?.phone ?? null,
    countryCode: address?.countryCode ?? shop.context.store.country_code,
    locale: shop.speech.language,
    ...(address ? { address } : {}),
    ...(card ? { card } : {}),
  });
  if (begun.is === 'OPEN') return { open: begun.purchase };
  if (begun.is === 'PAID') return { answer: { redirect: shop.to(`/thanks/${begun.id}`) } };
  if (begun.is === 'SHORT') return { answer: { redirect: shop.to('/cart') } };
  return again({ problem: t`This card was tried too often. Nothing was charged. Start again with a new cart.` });
}

const DECLINED: Readonly<Record<string, () => string>> = {
  INSUFFICIENT_FUNDS: () => t`The card has not enough funds. Nothing was charged. Use another card.`,
  EXPIRED_CARD: () => t`The card has expired. Nothing was charged. Use another card.`,
  AUTHENTICATION_REQUIRED: () =>
    t`Your bank wants you to confirm this payment, which can't be done here. Nothing was charged. Use another card.`,
};
const whyDeclined = (code: string): string =>
  (Object.hasOwn(DECLINED, code) ? DECLINED[code]?.() : undefined) ??
  t`The card was declined. Nothing was charged. Check what you typed, or use another card.`;

async function post(services: PageServices, request: PageRequest): Promise<PageAnswer> {
  let open: OpenPurchase | undefined;
  let isOther = false;
  const answer = await inShop(services, request, async shop => {
    // A transaction may run again.
    open = undefined;
    const step = await press(shop, request.form);
    if ('answer' in step) return step.answer;
    ({ open, isOther = false } = step);
    return { redirect: '' };
  });
  if (!open) return answer;
  const storeId = await shopNamed(services, request.params.store);
  if (open.gateway !== 'TEST') return toProvider(services, request, { storeId, open, isOther });
  // No transaction is open while the gateway charges.
  const settled = await settle(transactIn(services, storeId), services.gateway, storeId, open);
  return inShop(services, request, async shop => {
    // An answer that is no page of its own: later the back button leads past it, and nothing is sent again.
    return { redirect: settled.is === 'PAID' ? shop.to(`/thanks/${settled.id}`) : shop.to('/pay') };
  });
}

/** On to the provider's page; where the cart is another one by now, the page of before is closed, and the press counts once more. */
async function toProvider(
  services: PageServices,
  request: PageRequest,
  { storeId, open, isOther }: { storeId: number; open: OpenPurchase; isOther: boolean },
): Promise<PageAnswer> {
  const settled = await answered(() => settleHosted(services, storeId, open, isOther));
  if (settled?.is === 'OPEN' && settled.url) return { redirect: settled.url };
  if (settled?.is === 'PAID') return inShop(services, request, async shop => ({ redirect: shop.to(`/thanks/${settled.id}`) }));
  if (settled?.is === 'DECLINED') return post(services, request);
  return inShop(services, request, async shop =>
    show(shop, await readCart(shop), { typed: request.form, problem: settled ? stillOpen() : unreachable(), status: settled ? 200 : 502 }),
  );
}

/** Back from the provider's page, in whichever way: the purchase of this browser's cart, and how it stands. */
async function back(services: PageServices, request: PageRequest): Promise<PageAnswer> {
  const storeId = await shopNamed(services, request.params.store);
  const { purchase = '', left } = request.query;
  const cartId = cartIdOf(request.visitor?.cookie ?? '');
  const id = /^\d{1,15}$/.test(purchase) ? Number(purchase) : 0;
  const open = storeId && cartId !== null ? await openPurchaseOf(services, storeId, { id, cartId }) : undefined;
  const settled = open ? await answered(() => settleHosted(services, storeId, open, left !== undefined)) : { is: 'OVER' as const };
  return inShop(services, request, async shop => {
    if (settled?.is === 'PAID') return { redirect: shop.to(`/thanks/${settled.id}`) };
    const cart = await readCart(shop);
    // Come back twice: it is paid by now.
    const before = settled?.is === 'OVER' && cart.id !== null ? await paidOf(shop, cart.id, id) : undefined;
    if (before) return { redirect: shop.to(`/thanks/${before}`) };
    if (settled?.is === 'OVER') return { redirect: shop.to('/pay') };
    const problem = settled?.is === 'DECLINED' ? notPaid() : stillOpen();
    return show(shop, cart, { problem, status: 200 });
  });
}
async function paidOf({ context: { trx, storeId } }: Shop, cartId: string, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from shop_purchases where store_id = ${storeId}::integer and id = ${id}::bigint
    and cart_id = ${cartId} and status = 'PAID'`.execute(trx);
  return rows[0]?.id;
}

const notPaid = (): string => t`The payment was not made. Nothing was charged.`;
const stillOpen = (): string =>
  t`The payment is not finished yet. If you have paid, you get an e-mail as soon as it is; else press “Pay” to go on.`;
const unreachable = (): string => t`The payment can’t be made at the moment. Nothing was charged. Try again in a few minutes.`;

/** Undefined: the provider gave no answer. */
async function answered<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoOutcome || error instanceof OutgoingError) return undefined;
    throw error;
  }
}

export const payment: PublicPage = {
  path: `${SHOP_PATH}/pay`,
  secret: null,
  asks: [...ASKS, 'purchase', 'left', 'notice'],
  cookie: CART_COOKIE,
  get: (services, request) =>
    request.query.purchase !== undefined
      ? back(services, request)
      : inShop(services, request, async shop => look(shop, request.query.notice)),
  post,
};
