// Boxes that shoppers fill: which are sold, one by its address, and what a form of its page says.
import { sql } from 'kysely';
import type { Bundle } from '../../../domain/bundles/bundle.ts';
import { boxInWords, boxText } from '../../../domain/bundles/box-words.ts';
import { firstSize, type Filling, type PublishedBox } from '../../../domain/bundles/published-box.ts';
import { deliveriesPerCharge } from '../../../domain/selling-plans/selling-plan.ts';
import { wordsOf } from '../../../domain/widgets/published-words.ts';
import { readWords } from '../../platform/texts/words.ts';
import { firstPrice, plansOfBundle, readBundles } from '../bundles/catalogue.ts';
import { BOX_WORDS, boxesOf } from '../bundles/published-boxes.ts';
import type { OfferedPlan } from '../../engine/index.ts';
import type { CartBundle } from './cart.ts';
import { platformNumber, plansOf } from './product-plans.ts';
import type { Shop } from './shop.ts';

export interface OpenBox {
  bundle: Bundle;
  box: PublishedBox;
  /** Its words in the visitor's language. */
  texts: Record<string, string>;
  plans: OfferedPlan[];
}

/** The boxes of some bundles, in the visitor's language. */
async function open({ context, languages, speech, sellsOnce }: Shop, bundles: readonly Bundle[]): Promise<OpenBox[]> {
  const words = await readWords(context, BOX_WORDS);
  const others = languages.map(one => one.locale).filter(locale => locale !== words.primary);
  const boxes = await boxesOf(context, { words, others }, bundles);
  const found: OpenBox[] = [];
  for (const [i, bundle] of bundles.entries()) {
    const box = boxes[i];
    if (!box || box.products.length === 0) continue;
    // Where nothing is paid without a subscription, a box that may be bought in either way is one for subscribers.
    if (!sellsOnce && box.purchaseType === 'ONETIME') continue;
    if (!sellsOnce) box.purchaseType = 'SUBSCRIPTION';
    const plans = bundle.purchaseType === 'ONETIME' ? [] : plansOf(await plansOfBundle(context, bundle));
    if (plans.length === 0 && box.purchaseType === 'SUBSCRIPTION') continue;
    const texts = wordsOf(box, speech.language, words.primary);
    found.push({ bundle, box: boxInWords(box, texts), texts, plans });
  }
  return found;
}

/** All boxes that are sold. */
export const listBoxes = async (shop: Shop): Promise<OpenBox[]> =>
  open(shop, await readBundles(shop.context, { status: 'ACTIVE', bundleType: 'BYOB' }));

/** The boxes that a product may be part of. */
export const boxesWith = async (shop: Shop, productId: number): Promise<OpenBox[]> =>
  open(
    shop,
    (await readBundles(shop.context, { status: 'ACTIVE', bundleType: 'BYOB' })).filter(one => one.productIds?.includes(productId)),
  );

/** A box by the id in its address; undefined for one that is not sold. */
export async function boxNamed(shop: Shop, publicId: string): Promise<OpenBox | undefined> {
  const { trx, storeId } = shop.context;
  const { rows } = await sql<{ id: number }>`select id from records where store_id = ${storeId}::integer and entity = 'bundle'
    and deleted_at is null and data ->> 'publicId' = ${publicId}`.execute(trx);
  const bundles = await readBundles(shop.context, { ids: rows.map(row => row.id), status: 'ACTIVE', bundleType: 'BYOB' });
  return (await open(shop, bundles))[0];
}

/** The title of its page. */
export const boxTitle = ({ texts, bundle }: OpenBox): string =>
  boxText(texts, 'bundlePageTitle', { bundle_name: texts.name ?? bundle.name }) || bundle.name;

/** What is chosen on the page of a box. */
export interface Chosen {
  /** Number of a variant -> pieces. */
  filling: Filling;
  sizeId: number | undefined;
  /** Null: bought once. */
  plan: OfferedPlan | null;
}

const QUANTITY = /^q\[(\d{1,15})\]$/;
const ITEM = /^(items\[\d{1,3}\])\[id\]$/;
const piecesIn = (text: string | undefined): number => (/^\d{1,4}$/.test((text ?? '').trim()) ? Number(text) : 0);

/** What a form says: pieces by variant as `q[<number>]`, or as the platform's cart takes them, `items[0][id]` and `items[0][quantity]`. */
export function fillingIn(form: Readonly<Record<string, string>>): Filling {
  const filling = new Map<number, number>();
  const add = (id: string, quantity: string | undefined): void => {
    const pieces = piecesIn(quantity);
    if (pieces > 0) filling.set(Number(id), (filling.get(Number(id)) ?? 0) + pieces);
  };
  for (const [name, value] of Object.entries(form)) {
    const [, variant] = QUANTITY.exec(name) ?? [];
    const [, item] = ITEM.exec(name) ?? [];
    if (variant) add(variant, value);
    else if (item && /^\d{1,15}$/.test(value)) add(value, form[`${item}[quantity]`]);
  }
  return filling;
}

/** The plan by the number in a form, or what is chosen at first. `given` undefined: the form says nothing of it. */
export function planIn({ box, plans }: OpenBox, given: string | undefined): OfferedPlan | null {
  const mayBeOnce = box.purchaseType !== 'SUBSCRIPTION';
  const named = plans.find(one => String(platformNumber(one)) === given);
  if (named) return named;
  if (given !== undefined && mayBeOnce) return null;
  return (mayBeOnce && box.isOnceFirst ? null : plans[0]) ?? null;
}

/** The size by its number in a form, or the one that is chosen at first; undefined where people don't choose one. */
export function sizeIn({ box }: Pick<OpenBox, 'box'>, given: string | undefined): number | undefined {
  if (!box.look.hasSizes || box.boxSizes.length < 2) return undefined;
  return (box.boxSizes.find(one => String(one.id) === given) ?? firstSize(box))?.id;
}

/** A plan as prices of a box are reckoned by. */
export const ruleOf = ({ context }: Pick<Shop, 'context'>, offered: OfferedPlan | null) =>
  offered ? { rule: firstPrice(context.store, offered), deliveriesPerCharge: deliveriesPerCharge(offered.plan) ?? 1 } : undefined;

/** Our numbers of variants, by the platform's. */
export async function ownNumbers({ context: { trx, storeId } }: Shop, numbers: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; number: number }>`select id::float8 as id, shopify_id::float8 as number from variants
    where store_id = ${storeId}::integer and deleted_at is null and shopify_id = any(${[...numbers]}::bigint[])`.execute(trx);
  return new Map(rows.map(row => [row.number, row.id]));
}

/** What is chosen, of a box that stands in the cart already. */
export async function chosenBefore({ context: { trx, storeId } }: Shop, { plans }: OpenBox, cart: CartBundle): Promise<Chosen> {
  const { rows } = await sql<{ id: number; number: number }>`select id::float8 as id, shopify_id::float8 as number from variants
    where store_id = ${storeId}::integer and id = any(${cart.items.map(one => one.variantId)}::bigint[])`.execute(trx);
  const numbers = new Map(rows.map(row => [row.id, row.number]));
  return {
    filling: new Map(cart.items.flatMap(({ variantId, quantity }) => [[numbers.get(variantId) ?? 0, quantity] as const])),
    sizeId: cart.boxSizeId,
    plan: plans.find(one => one.plan.lspId === cart.planId) ?? null,
  };
}
