// Paying for a cart, once: the purchase is written down and its stock taken, then the gateway charges, then the subscriptions are made.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Vaulted } from '../../platform/gateway/card-vault.ts';
import { isOutcome, type Answer, type Charge, type Gateway, type GatewayName, type Outcome } from '../../platform/gateway/gateway.ts';
import { countPurchase } from '../../platform/records/sightings.ts';
import { type EngineContext, nameOfVariant, type OfferedPlan, type SoldVariant, type Transact } from '../../engine/index.ts';
import { noteUpgrades } from '../checkout/figures.ts';
import { lineKey, type Cart, type CartData } from './cart.ts';
import { purchaseOf as giftPurchase } from './gift.ts';
import { basketOf, codesOf, contentsOf, deliveryOf, piecesOfShipment, type Quote, type Shipment } from './quote.ts';
import { purchase, type Buyer, type Given, type Subscribed } from './purchase.ts';
import type { Shop } from './shop.ts';
import { leftOf } from './sold.ts';

/** Pieces of one variant that a purchase takes. */
interface Taken {
  variantId: number;
  quantity: number;
}
/** What is written down before the charge. */
interface Planned {
  /** On the page of a provider the card is entered later. */
  buyer: Omit<Buyer, 'card'> & Partial<Pick<Buyer, 'card'>>;
  /** The cart as it was when “Pay” was pressed. */
  pressed?: string;
  subscribed: Subscribed[];
  gifts?: Given[];
  /** What subscriptions and gifts take, which the engine takes out of stock itself, and what is bought once by itself. */
  takenBySubscriptions: Taken[];
  takenOnce: Taken[];
  cart: string[];
  /** Checkout upgrades that are bought. */
  upgrades: number[];
  /** Widgets and boxes by which something came into the cart. */
  by?: number[];
  /** Products and plans as they were priced. */
  variants: SoldVariant[];
  plans: [number, OfferedPlan[]][];
  /** Codes, zones and rates of then: what is paid is made as it was sold. */
  details?: Shop['context']['store']['details'];
  summary: Summary;
}
/** What was bought, for the page that thanks. Minor units. */
export interface Summary {
  lines: {
    name: string;
    /** Of a bundle: what is in it. */
    contents?: string;
    image: string | null;
    quantity: number;
    total: number;
    planId: number | null;
    groupId: number | null;
  }[];
  discount: number;
  shipping: number;
  giftShipping?: number;
  delivery: string;
  total: number;
}
export interface Thanks extends Summary {
  number: number;
  email: string;
  customerId: number;
  isNewCustomer: boolean;
  contractIds: number[];
  giftIds?: number[];
}
export interface OpenPurchase {
  id: number;
  attempt: number;
  total: number;
  currency: string;
  gateway: GatewayName;
  /** Of the test gateway: the card. */
  token: string | null;
  /** Of a provider's page: what the provider calls it, once it is open, and what was pressed when. */
  page: string | null;
  pressed: string | null;
  madeAt: Date;
  at: Date;
  /** How long ago (ms) the gateway was first called, where this is not the first time. */
  sinceMs?: number;
}
/** `stray`: the gateway's name of a payment that came in for a try that was over, so that nothing was bought for it. */
export type Settled = ({ is: 'PAID'; id: number } | { is: 'DECLINED'; code: string }) & { stray?: string };

const MOST_ATTEMPTS = 10;

type Begun =
  | { is: 'OPEN'; purchase: OpenPurchase }
  | { is: 'PAID'; id: number }
  | { is: 'SHORT'; name: string; left: number }
  | { is: 'TOO_OFTEN' };

/** An open purchase, of its row. */
export const OPEN_PURCHASE = `id, attempt, total::float8 as total, currency_code as currency, data #>> '{buyer,card,token}' as token,
  gateway, page, data ->> 'pressed' as pressed, made_at as "madeAt", created_at as at`;

/** The purchase of this cart's round, if there is one; `code`: why it was declined. */
export async function purchaseOf(
  { trx, storeId }: EngineContext,
  cartId: string,
  round: number,
): Promise<{ status: 'CHARGING' | 'PAID' | 'DECLINED'; code: string | null; purchase: OpenPurchase } | undefined> {
  const { rows } = await sql<OpenPurchase & { status: 'CHARGING' | 'PAID' | 'DECLINED'; code: string | null }>`
    select status, outcome ->> 'code' as code, ${sql.raw(OPEN_PURCHASE)} from shop_purchases
    where store_id = ${storeId}::integer and cart_id = ${cartId} and round = ${round}::integer`.execute(trx);
  const [row] = rows;
  if (!row) return undefined;
  const { status, code, ...open } = row;
  return { status, code, purchase: open };
}

/**
 * Writes down what is to be paid and takes its stock. The quote is of this transaction, and nothing in it is gone; the cart is locked, and
 * no purchase of its round is paid or under way.
 */
export async function begin(context: Shop['context'], cart: Cart & { id: string }, quote: Quote, buyer: Planned['buyer']): Promise<Begun> {
  const { trx, storeId, store } = context;
  const taken = [...quote.shipments.flatMap(takenBy), ...takenByGifts(quote)];
  const short = await takeStock(context, taken);
  if (short) {
    const variant = quote.catalogue.byId.get(short.id);
    return { is: 'SHORT', name: variant ? nameOfVariant(variant) : '', left: short.left };
  }
  const { rows } = await sql<OpenPurchase>`
    insert into shop_purchases (store_id, cart_id, round, status, gateway, total, currency_code, data, created_at)
    values (${storeId}::integer, ${cart.id}, ${cart.round}::integer, 'CHARGING', ${buyer.card ? 'TEST' : 'STRIPE'},
      ${quote.total}::bigint, ${store.currency_code},
      ${JSON.stringify(planned(context, cart.data, quote, buyer))}::jsonb, ${context.now()}::timestamptz)
    on conflict (store_id, cart_id, round) do update set status = 'CHARGING', attempt = shop_purchases.attempt + 1,
      gateway = excluded.gateway, page = null,
      total = excluded.total, currency_code = excluded.currency_code, data = excluded.data, created_at = excluded.created_at,
      made_at = now(), settled_at = null
      where shop_purchases.status = 'DECLINED' and shop_purchases.attempt < ${MOST_ATTEMPTS}::integer
    returning ${sql.raw(OPEN_PURCHASE)}`.execute(trx);
  const [row] = rows;
  if (row) return { is: 'OPEN', purchase: row };
  await giveBack(context, taken);
  return { is: 'TOO_OFTEN' };
}

const takenBy = (shipment: Shipment): Taken[] =>
  piecesOfShipment(shipment).map(({ variant, quantity }) => ({ variantId: variant.id, quantity }));
const takenByGifts = ({ gifts }: Quote): Taken[] => gifts.map(({ gift: { variantId, quantity } }) => ({ variantId, quantity }));

/** What a cart is bought as: pressed again for the same, it is the same purchase. */
export const pressedFor = (data: CartData, { total }: Pick<Quote, 'total'>): string =>
  createHash('sha256')
    .update(JSON.stringify([data, total]))
    .digest('base64url');

function planned(context: Shop['context'], data: CartData, quote: Quote, buyer: Planned['buyer']): Planned {
  const { chosen, shipments, gifts, catalogue } = quote;
  const taken = (isOnce: boolean): Taken[] => shipments.filter(({ planId }) => (planId === null) === isOnce).flatMap(takenBy);
  return {
    buyer,
    ...(buyer.card ? {} : { pressed: pressedFor(data, quote) }),
    subscribed: shipments.flatMap((shipment): Subscribed[] => {
      const { sellingPlanId, lines, bundles } = basketOf(shipment);
      if (sellingPlanId === null) return [];
      const delivery = chosen && shipment.isShipped && buyer.address ? deliveryOf(chosen, buyer.address) : {};
      return [{ lines, bundles, sellingPlanId, ...delivery, ...codesOf(shipment), ...(data.note ? { note: data.note } : {}) }];
    }),
    gifts: gifts.flatMap(({ gift, sold, deliveryPrice }): Given[] =>
      sold ? [{ purchase: giftPurchase({ context }, gift), sold: { ...sold, deliveryPrice } }] : [],
    ),
    takenBySubscriptions: [...taken(false), ...takenByGifts(quote)],
    takenOnce: taken(true),
    cart: [...data.lines.map(lineKey), ...(data.bundles ?? []).map(one => one.id), ...gifts.map(({ gift }) => gift.id)],
    upgrades: data.lines.flatMap(({ planId, upgradeId }) => (planId === null ? [] : (upgradeId ?? []))),
    by: [
      ...[...data.lines, ...(data.gifts ?? [])].flatMap(({ widgetId }) => widgetId ?? []),
      ...(data.bundles ?? []).map(({ bundleId }) => bundleId),
    ],
    variants: [...catalogue.byId.values()],
    plans: [...catalogue.plans],
    details: context.store.details,
    summary: {
      lines: [
        ...shipments.flatMap(({ lines, bundles }) => [
          ...lines.map(({ name, variant, quantity, total, planId, offered }) => ({
            name,
            image: variant.image,
            quantity,
            total,
            planId,
            groupId: offered?.groupId ?? null,
          })),
          ...bundles.map(one => ({
            ...{ name: one.name, contents: contentsOf(one), image: one.image, quantity: one.cart.quantity, total: one.total },
            ...{ planId: one.cart.planId, groupId: one.bought.offered?.groupId ?? null },
          })),
        ]),
        ...gifts.map(({ name, variant, gift, total }) => ({
          ...{ name, image: variant?.image ?? null, quantity: gift.quantity, total },
          planId: null,
          groupId: null,
        })),
      ],
      discount: quote.discount,
      shipping: quote.shipping,
      giftShipping: quote.giftShipping,
      delivery: chosen?.title ?? '',
      total: quote.total,
    },
  };
}

/** Takes pieces out of stock, all or none. @returns the variant of which there is too little */
async function takeStock({ trx, storeId }: EngineContext, wanted: readonly Taken[]): Promise<{ id: number; left: number } | undefined> {
  const all = together(wanted);
  const { rows } = await sql<SoldVariant>`select id, inventory_management, inventory_policy, inventory_quantity from variants
    where store_id = ${storeId}::integer and id = any(${[...all.keys()]}::bigint[]) order by id for update`.execute(trx);
  for (const row of rows) {
    const left = leftOf(row);
    if (left !== undefined && left < (all.get(row.id) ?? 0)) return { id: row.id, left };
  }
  await moveStock({ trx, storeId }, all, -1);
  return undefined;
}
const giveBack = (context: EngineContext, taken: readonly Taken[]): Promise<void> => moveStock(context, together(taken), 1);
const together = (taken: readonly Taken[]): Map<number, number> => {
  const all = new Map<number, number>();
  for (const { variantId, quantity } of taken) all.set(variantId, (all.get(variantId) ?? 0) + quantity);
  return all;
};
async function moveStock(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  pieces: ReadonlyMap<number, number>,
  sign: 1 | -1,
): Promise<void> {
  const ids = [...pieces.keys()].sort((a, b) => a - b);
  await sql`select 1 from variants where store_id = ${storeId}::integer and id = any(${ids}::bigint[]) order by id for update`.execute(trx);
  await sql`update variants v set inventory_quantity = v.inventory_quantity + d.pieces
    from unnest(${ids}::bigint[], ${ids.map(id => sign * (pieces.get(id) ?? 0))}::integer[]) as d(id, pieces)
    where v.store_id = ${storeId}::integer and v.id = d.id and v.inventory_management is not null`.execute(trx);
}

/**
 * Takes the money of a purchase that is written down, and finishes it. Done by several at once, or again after a process died, it charges
 * and makes everything once: the attempt is the key at the gateway, and what is settled already is left alone.
 */
export async function settle(transact: Transact, gateway: Gateway, storeId: number, open: OpenPurchase): Promise<Settled> {
  const key = keyOf(storeId, open);
  const outcome = open.total === 0 ? ({ ok: true, reference: '' } as const) : await charge(gateway, storeId, key, open);
  return transact(context => finish({ ...context, source: 'Shopify' }, open, outcome));
}

export const keyOf = (storeId: number, { id, attempt }: Pick<OpenPurchase, 'id' | 'attempt'>): string => `shop-${storeId}-${id}-${attempt}`;

/** @throws Error where the gateway does not know the key, and would not know either that it was charged before */
async function charge(
  gateway: Gateway,
  storeId: number,
  key: string,
  { token, total, currency, at, sinceMs }: OpenPurchase,
): Promise<Outcome> {
  const asked: Charge = { storeId, key, gateway: 'TEST', token: token ?? '', amount: total, currency, at };
  if (sinceMs !== undefined) {
    const known = await gateway.lookup(asked);
    if (known) return settled(known);
    if (sinceMs >= gateway.keysLive(asked))
      throw new Error('It is not known whether the gateway took the money; look it up at the provider.');
  }
  return settled(await gateway.charge(asked));
}
/** @throws Error while the provider is still processing it: the purchase stays open and is finished later */
function settled(answer: Answer): Outcome {
  if (!isOutcome(answer)) throw new Error('The payment provider is still processing the charge.');
  return answer;
}

/** Locks the cart of a purchase, before the purchase itself, as where one begins. */
export async function lockCartOf({ trx, storeId }: EngineContext, id: number): Promise<void> {
  await sql`select 1 from shop_carts where store_id = ${storeId}::integer
    and id = (select cart_id from shop_purchases where store_id = ${storeId}::integer and id = ${id}::bigint) for update`.execute(trx);
}

/** Writes down what became of a try to pay, once. `card`: that of a provider's page. */
export async function finish(
  context: EngineContext,
  open: Pick<OpenPurchase, 'id' | 'attempt' | 'gateway'>,
  outcome: Outcome,
  card?: Vaulted,
): Promise<Settled> {
  const { trx, storeId } = context;
  await lockCartOf(context, open.id);
  const { rows } = await sql<{
    status: string;
    attempt: number;
    cart_id: string;
    round: number;
    data: Planned;
    outcome: { code?: string } | null;
  }>`
    select status, attempt, cart_id, round, data, outcome from shop_purchases
    where store_id = ${storeId}::integer and id = ${open.id}::bigint for update`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error(`The purchase ${open.id} is not there any more.`);
  if (row.status !== 'CHARGING' || row.attempt !== open.attempt) {
    const isKnown = row.status === 'PAID' && row.attempt === open.attempt;
    const stray = !isKnown && outcome.ok && outcome.reference ? { stray: outcome.reference } : {};
    return { ...(row.status === 'PAID' ? { is: 'PAID', id: open.id } : { is: 'DECLINED', code: row.outcome?.code ?? '' }), ...stray };
  }
  const { data } = row;
  if (!outcome.ok) {
    await giveBack(context, [...data.takenBySubscriptions, ...data.takenOnce]);
    await write(context, open.id, 'DECLINED', { code: outcome.code });
    return { is: 'DECLINED', code: outcome.code };
  }
  // The engine takes the stock of subscriptions itself: in this transaction no other purchase can have it meanwhile.
  await giveBack(context, data.takenBySubscriptions);
  const catalogue = {
    byId: new Map(data.variants.map(one => [one.id, one])),
    byShopifyId: new Map(data.variants.map(one => [one.shopify_id, one])),
    plans: new Map(data.plans),
  };
  const store = { ...context.store, details: data.details ?? context.store.details };
  const buyer = { ...data.buyer, card: card ?? data.buyer.card ?? null };
  const charged = outcome.reference ? { gateway: open.gateway, reference: outcome.reference } : null;
  const bought = await purchase({ ...context, store, catalogue }, buyer, data.subscribed, data.gifts?.map(revived), charged);
  const thanks: Thanks = {
    ...data.summary,
    number: await numberFor(context, [...bought.subscriptions, ...bought.gifts][0]?.orders[0]?.shopify_order_number ?? null),
    email: data.buyer.email,
    customerId: bought.customerId,
    isNewCustomer: bought.isNew,
    contractIds: bought.subscriptions.map(({ contract }) => contract.id),
    giftIds: bought.gifts.map(({ contract }) => contract.id),
  };
  await write(context, open.id, 'PAID', thanks);
  await noteUpgrades(context, 'PURCHASE', data.upgrades);
  await countPurchase(context, data.by ?? [], String(open.id));
  await emptyCart(context, row.cart_id, row.round, new Set(data.cart));
  return { is: 'PAID', id: open.id };
}

/** A gift as it was written down, with its day as a moment again. */
const revived = (given: Given): Given => {
  const { startsAt } = given.purchase;
  return startsAt === undefined ? given : { ...given, purchase: { ...given.purchase, startsAt: new Date(startsAt) } };
};

async function numberFor({ trx }: EngineContext, first: number | null): Promise<number> {
  if (first !== null) return first;
  const { rows } = await sql<{ number: number }>`select next_order_numbers(1) as number`.execute(trx);
  return rows[0]?.number ?? 0;
}

/** What is settled holds no card and no address any more. */
async function write({ trx, storeId, now }: EngineContext, id: number, status: 'PAID' | 'DECLINED', outcome: object): Promise<void> {
  await sql`update shop_purchases set status = ${status}, outcome = ${JSON.stringify(outcome)}::jsonb, data = '{}'::jsonb,
    settled_at = ${now()}::timestamptz where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
}

/** Takes out what was bought; what was put in meanwhile stays. */
async function emptyCart({ trx, storeId }: EngineContext, cartId: string, round: number, bought: ReadonlySet<string>): Promise<void> {
  const { rows } = await sql<{ data: CartData }>`select data from shop_carts where store_id = ${storeId}::integer and id = ${cartId}
    and round = ${round}::integer`.execute(trx);
  const [row] = rows;
  if (!row) return;
  const { lines, bundles = [], gifts = [], email, address, name } = row.data;
  const left: CartData = {
    lines: lines.filter(line => !bought.has(lineKey(line))),
    bundles: bundles.filter(one => !bought.has(one.id)),
    gifts: gifts.filter(({ id }) => !bought.has(id)),
    ...(email ? { email } : {}),
    ...(address ? { address } : {}),
    ...(name ? { name } : {}),
  };
  await sql`update shop_carts set round = round + 1, data = ${JSON.stringify(left)}::jsonb, updated_at = now()
    where store_id = ${storeId}::integer and id = ${cartId}`.execute(trx);
}
