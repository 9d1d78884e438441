// The cart of a browser: stored on the server, found by the hash of a secret that only the browser's cookie holds.
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../platform/context.ts';
import type { OwnCookie } from '../../platform/http/public-pages.ts';
import type { Address } from '../../../domain/places/address.ts';
import type { BundleItem } from '../../../domain/bundles/bundle.ts';
import { t } from '../../../domain/text/t.ts';
import type { Shop } from './shop.ts';

/** A gift in the cart. */
export interface GiftLine {
  /** Its name in this cart. */
  id: string;
  variantId: number;
  quantity: number;
  /** What carts call the plan of the gift program. */
  plan: string;
  recipient: { firstName: string; lastName: string; email: string; phone: string };
  /** Who it is from, as they write it. */
  sender: string;
  message: string;
  /** The day on which the recipient hears of it ("2026-12-24", in the store's zone); null: at once. */
  day: string | null;
  /** Where its orders go. */
  address: Address;
  /** The gift widget in which it was begun. */
  widgetId?: number;
}

export interface CartLine {
  variantId: number;
  /** The selling plan (lspId); null: bought once. */
  planId: number | null;
  quantity: number;
  /** The checkout upgrade by which it came to its plan. */
  upgradeId?: number;
  /** The widget in whose form it was added. */
  widgetId?: number;
}
/** A bundle: one line with its contents. */
export interface CartBundle {
  /** The transaction that its products will share on the subscription. */
  id: string;
  bundleId: number;
  /** Of a preset bundle: the variant by which it is bought. */
  variantId?: number;
  /** Of a box: what it was filled with. */
  items: BundleItem[];
  /** The size that was chosen. */
  boxSizeId?: number;
  planId: number | null;
  quantity: number;
}
export interface CartData {
  lines: CartLine[];
  gifts?: GiftLine[];
  bundles?: CartBundle[];
  code?: string;
  note?: string;
  email?: string;
  address?: Address;
  /** Who buys, where gifts alone are bought: their addresses are the recipients'. */
  name?: { firstName: string; lastName: string };
  /** The way of delivery that was chosen, by its code. */
  delivery?: string;
  /** Checkout upgrades that it was shown. */
  seen?: number[];
  /** The checkout link that filled it. */
  linkId?: number;
}
export interface Cart {
  /** Null: none was made yet. */
  id: string | null;
  round: number;
  data: CartData;
}

export const MOST_LINES = 20;
export const MOST_PIECES = 99;
/** Carts that are not touched for so long are deleted. */
export const CART_DAYS = 14;
/** Carts that one network makes within an hour. */
const MOST_CARTS = 200;

export const lineKey = ({ variantId, planId }: Pick<CartLine, 'variantId' | 'planId'>): string => `${variantId}-${planId ?? 0}`;
const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url');
/** The number of the cart that a cookie holds. */
export const cartIdOf = (cookie: string): string | null => (/^[\w-]{32}$/.test(cookie) ? hashOf(cookie) : null);

/** The cart of the visitor; `lock`: no other press changes it meanwhile. */
export async function readCart({ context, visitor }: Shop, lock = false): Promise<Cart> {
  const id = cartIdOf(visitor.cookie);
  const { rows } = id
    ? await sql<{ round: number; data: CartData }>`select round, data from shop_carts where store_id = ${context.storeId}::integer
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(context.trx)
    : { rows: [] };
  const [row] = rows;
  return row ? { id, ...row } : { id: null, round: 1, data: { lines: [] } };
}

/** Keeps what is in the cart. The cookie is to be set where it is a new one. @throws Refusal 429 where a network makes too many carts */
export async function keepCart({ context, visitor }: Shop, cart: Cart, data: CartData): Promise<OwnCookie | undefined> {
  const { trx, storeId } = context;
  const json = JSON.stringify(data);
  if (cart.id !== null) {
    await sql`update shop_carts set data = ${json}::jsonb, updated_at = now()
      where store_id = ${storeId}::integer and id = ${cart.id}`.execute(trx);
    return undefined;
  }
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from (select 1 from shop_carts
    where store_id = ${storeId}::integer and network = ${visitor.network} and created_at > now() - interval '1 hour'
    limit ${MOST_CARTS}) c`.execute(trx);
  if ((rows[0]?.n ?? 0) >= MOST_CARTS)
    throw new Refusal(
      429,
      'TOO_MANY_REQUESTS',
      t`Many people are here at the moment. Wait a few seconds and try again.`,
      undefined,
      undefined,
      60,
    );
  const value = randomBytes(24).toString('base64url');
  await sql`insert into shop_carts (store_id, id, data, network)
    values (${storeId}::integer, ${hashOf(value)}, ${json}::jsonb, ${visitor.network})`.execute(trx);
  return { value, path: `/shop/${storeId}`, seconds: CART_DAYS * 86_400 };
}

/** The lines with more of something; the same product on the same plan is one line. Undefined where it is too much. */
export function added(lines: readonly CartLine[], more: readonly CartLine[]): CartLine[] | undefined {
  const all = new Map(lines.map(line => [lineKey(line), line]));
  for (const line of more) {
    const before = all.get(lineKey(line));
    all.set(lineKey(line), { ...before, ...line, quantity: (before?.quantity ?? 0) + line.quantity });
  }
  const result = [...all.values()];
  return result.length > MOST_LINES || result.some(({ quantity }) => quantity > MOST_PIECES) ? undefined : result;
}

/** The cart's bundles with more of them; each is a line of its own. Undefined where it is too much. */
export function withBundles({ lines, bundles = [] }: CartData, more: readonly CartBundle[]): CartBundle[] | undefined {
  const all = [...bundles, ...more];
  return lines.length + all.length > MOST_LINES || more.some(({ quantity }) => quantity > MOST_PIECES) ? undefined : all;
}

/** Pieces in the cart; a bundle is one, and so is a gift. */
export const piecesIn = ({ lines, bundles = [], gifts = [] }: CartData): number =>
  [...lines, ...bundles].reduce((sum, { quantity }) => sum + quantity, gifts.length);
/** Whether gifts alone are bought, if anything. */
export const isForOthers = ({ lines, bundles = [] }: CartData): boolean => lines.length + bundles.length === 0;
export const isEmpty = (data: CartData): boolean => isForOthers(data) && !data.gifts?.length;
/** Whether it is known who buys, and where what they buy for themselves goes. */
export const isKnown = (data: CartData): boolean =>
  Boolean(data.email) && (data.address !== undefined || (isForOthers(data) && data.name !== undefined));
