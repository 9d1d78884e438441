// Boxes as pages of a shop know them: what is published of each, with its words in every published language.
import sanitizeHtml from 'sanitize-html';
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { builderLook } from '../../../domain/bundles/builder-look.ts';
import { isDiscountedOnce, type Bundle } from '../../../domain/bundles/bundle.ts';
import type { BoxProduct, PublishedBox } from '../../../domain/bundles/published-box.ts';
import { isOutOfStock } from '../../../domain/schedule/inventory.ts';
import { variantName } from '../../../domain/text/variant-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Reading as TextReading } from '../../platform/texts/reading.ts';
import { sourcesOf, textsOfRecord, type TextSource } from '../../platform/texts/sources.ts';
import { PRODUCT, productTitle, variantTitle } from '../../platform/texts/product-names.ts';
import type { Words } from '../../platform/texts/words.ts';
import { readBundles } from './catalogue.ts';
import { filterValuesOf } from './filters.ts';

type Reading = Pick<Context, 'trx' | 'storeId' | 'setting'> & TextReading;
/** A bundle with what else is kept of it that its page shows. */
type Kept = Bundle & {
  heroImageUrl?: string;
  defaultPurchaseOption?: string;
  addToCartRedirection?: string;
  addToCartRedirectUrl?: string;
  customCss?: string;
  customJs?: string;
  automaticDiscount?: { discountShopifyId?: string; discountClass?: string; status?: string };
};
/** The category of the texts of schemas/texts that its page says. */
const STORE_TEXTS = 'bundle';
/** Owners of words that `publishedBoxes` says. */
export const BOX_WORDS = ['store', 'bundle', PRODUCT] as const;

/** Boxes that are sold: all of the store, or those with these ids. `languages`: the published ones besides the primary one. */
export async function publishedBoxes(
  context: Reading,
  { words, others }: { words: Words; others: readonly string[] },
  ids?: readonly number[],
): Promise<PublishedBox[]> {
  const bundles = (await readBundles(context, { status: 'ACTIVE', bundleType: 'BYOB', ...(ids ? { ids } : {}) })) as Kept[];
  return boxesOf(context, { words, others }, bundles);
}

/** The same of bundles that were read or are still in a form, whether they are sold or not. */
export async function boxesOf(
  context: Reading,
  { words, others }: { words: Words; others: readonly string[] },
  bundles: readonly Bundle[],
): Promise<PublishedBox[]> {
  if (bundles.length === 0) return [];
  const ofStore = await sourcesOf(context, { categoryId: STORE_TEXTS });
  const [branding, { outOfStockHandling }] = [await context.setting('bundle-branding'), await context.setting('bundle-preferences')];
  const boxes: PublishedBox[] = [];
  for (const bundle of bundles as readonly Kept[]) {
    const { numbers, products, namesIn } = await goodsOf(context, bundle);
    const numbersOf = (own: readonly number[] = []): number[] => own.flatMap(id => numbers.get(id) ?? []);
    const filters = (await filterValuesOf(context, bundle)).map(({ filter, values }) => ({
      id: filter.id ?? 0,
      name: filter.name,
      values: [...values].map(([value, found]) => ({ value, products: numbersOf(found.map(one => one.id)) })),
    }));
    const { categories = [], boxSizes = [], details = [] } = bundle;
    const own = [...ofStore, ...textsOfRecord(context, 'bundle', { id: bundle.id, data: bundle as unknown as JsonObject })];
    boxes.push({
      id: bundle.publicId ?? '',
      purchaseType: bundle.purchaseType,
      isOnceFirst: bundle.defaultPurchaseOption === 'ONETIME',
      isDiscountedOnce: isDiscountedOnce(bundle),
      group: bundle.purchaseType === 'ONETIME' ? null : (bundle.sellingPlanGroupId ?? null),
      discountType: bundle.discountType,
      discounts: bundle.discounts ?? [],
      boxSizes: boxSizes.map(({ id, name, minSize, maxSize, defaultSelected = false }) => ({
        id,
        name,
        minSize,
        maxSize,
        defaultSelected,
      })),
      categories: categories.map(({ id, minProducts = 0, maxProducts = 0, productIds }) => ({
        ...{ id, minProducts, maxProducts },
        productIds: numbersOf(productIds),
      })),
      details: details.flatMap(({ productId, minQuantity = 0, maxQuantity = 0 }) =>
        numbersOf([productId]).map(number => ({ productId: number, minQuantity, maxQuantity })),
      ),
      products,
      filters: filters.filter(({ values }) => values.length > 0),
      hidesSoldOut: outOfStockHandling === 'HIDE',
      pictures: Object.fromEntries([...picturesIn('categories', categories), ...picturesIn('boxSizes', boxSizes)]),
      ...(bundle.imageUrl ? { image: bundle.imageUrl } : {}),
      ...(bundle.heroImageUrl || bundle.imageUrl ? { hero: bundle.heroImageUrl || bundle.imageUrl } : {}),
      look: builderLook(branding),
      customCss: bundle.customCss ?? '',
      ...(bundle.customJs ? { customJs: bundle.customJs } : {}),
      ...(bundle.automaticDiscount?.status === 'ACTIVE' && bundle.automaticDiscount.discountShopifyId
        ? {
            automaticDiscount: {
              id: bundle.automaticDiscount.discountShopifyId,
              class: bundle.automaticDiscount.discountClass ?? 'PRODUCT',
            },
          }
        : {}),
      goal: {
        to: bundle.addToCartRedirection ?? 'CART',
        ...(bundle.addToCartRedirection === 'CUSTOM_URL' && bundle.addToCartRedirectUrl ? { url: bundle.addToCartRedirectUrl } : {}),
      },
      ...withNames(
        wordsOf(own, words, others, key => publishedKey(key, numbers)),
        locale => namesIn(words, locale),
      ),
    });
  }
  return boxes;
}

const picturesIn = (place: string, rows: readonly { id: number }[]): [string, string][] =>
  (rows as readonly { id: number; imageUrl?: string }[]).flatMap(({ id, imageUrl }) => (imageUrl ? [[`${place}.${id}`, imageUrl]] : []));

/** The key of a text with the platform's number of its product: "details.12.shortDescription" is of our product 12. */
function publishedKey(key: string, numbers: ReadonlyMap<number, number>): string | undefined {
  const [place, id = '', name] = key.split('.');
  if (place !== 'details') return key;
  const number = numbers.get(Number(id));
  return number === undefined ? undefined : `details.${number}.${name}`;
}

function wordsOf(
  sources: readonly TextSource[],
  words: Words,
  others: readonly string[],
  keyOf: (key: string) => string | undefined,
): Pick<PublishedBox, 'texts' | 'textsByLocale'> {
  const saying = (source: TextSource, text: string): string => (source.component === 'RICH_TEXT' ? plain(text) : text);
  const primary = (source: TextSource): string =>
    saying(source, (source.ownerKind === 'store' ? words.find(null, source)?.value : undefined) ?? source.standard);
  const all = (textOf: (source: TextSource) => string | undefined): Record<string, string> =>
    Object.fromEntries(
      sources.flatMap(source => {
        const [key, text] = [keyOf(source.key), textOf(source)];
        return key === undefined || text === undefined ? [] : [[key, text]];
      }),
    );
  return {
    texts: all(primary),
    textsByLocale: Object.fromEntries(
      others.map(locale => [
        locale,
        all(source => {
          const found = words.find(locale, source);
          return found && found.locale !== words.primary ? saying(source, found.value) : undefined;
        }),
      ]),
    ),
  };
}

/** The words of each language with the names that products have in it. */
const withNames = <T extends Pick<PublishedBox, 'textsByLocale'>>(found: T, namesIn: (locale: string) => Record<string, string>): T => ({
  ...found,
  textsByLocale: Object.fromEntries(Object.entries(found.textsByLocale).map(([locale, own]) => [locale, { ...own, ...namesIn(locale) }])),
});

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
/** Text with markup as lines without: a page of any origin shows it, and nothing in it can be more than words. */
const plain = (html: string): string =>
  sanitizeHtml(html.replace(/<\/(?:p|li|h\d|div)>|<br\s*\/?>/gi, '$&\n'), { allowedTags: [], allowedAttributes: {} })
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\n{2,}/g, '\n')
    .trim();

interface Sold {
  id: number;
  number: number;
  title: string;
  image: string | null;
  variants: JsonValue;
}
interface SoldVariant {
  id: number;
  number: number;
  title: string;
  price: number;
  image: string | null;
  inventory_management: string | null;
  inventory_policy: string;
  inventory_quantity: number;
}

/** The products of a box in their order, without those that the plans of the box do not sell (bundles.md, section 6). */
async function goodsOf(
  { trx, storeId }: Pick<Context, 'trx' | 'storeId'>,
  { productIds = [], excludedVariantIds = [], purchaseType, sellingPlanGroupId }: Bundle,
): Promise<{
  numbers: Map<number, number>;
  products: BoxProduct[];
  /** Names that are others in a language, by the keys of a box's texts. */
  namesIn(words: Words, locale: string): Record<string, string>;
}> {
  const group = purchaseType === 'ONETIME' ? null : (sellingPlanGroupId ?? null);
  const { rows } = await sql<Sold>`select p.id::float8 as id, p.shopify_id::float8 as number, p.title, p.image,
      jsonb_agg(jsonb_build_object('id', v.id, 'number', v.shopify_id, 'title', v.title, 'price', v.price, 'image', v.image,
        'inventory_management', v.inventory_management, 'inventory_policy', v.inventory_policy,
        'inventory_quantity', v.inventory_quantity) order by v.position, v.id) as variants
    from unnest(${productIds}::bigint[]) with ordinality as o(id, n)
      join products p on p.store_id = ${storeId}::integer and p.id = o.id and p.deleted_at is null and p.status = 'ACTIVE'
        and not p.is_gift_card
      join variants v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
        and v.id <> all(${excludedVariantIds}::bigint[])
    where ${group}::bigint is null or exists (select from plan_products m where m.store_id = p.store_id and m.product_id = p.id
      and m.group_id = ${group}::bigint and (m.variant_id is null or m.variant_id = v.id))
    group by o.n, p.store_id, p.id order by o.n`.execute(trx);
  return {
    numbers: new Map(rows.map(row => [row.id, row.number])),
    products: rows.map(({ number, title, image, variants }) => ({
      id: number,
      title,
      ...(image ? { image } : {}),
      variants: (variants as unknown as SoldVariant[]).map(({ id: _id, number: id, title: name, price, image: own, ...stock }) => ({
        ...{ id, title: variantName(name), price },
        ...(own ? { image: own } : {}),
        ...(isOutOfStock({ ...stock, quantity: 1 }) ? { isSoldOut: true as const } : {}),
      })),
    })),
    namesIn: (words, locale) =>
      Object.fromEntries(
        rows.flatMap(({ id, number, title, variants }) => [
          ...other(`products.${number}.title`, title, productTitle(words, locale, id, title)),
          ...(variants as unknown as SoldVariant[]).flatMap(one =>
            other(`products.${number}.variants.${one.number}.title`, one.title, variantTitle(words, locale, id, one.id, one.title)),
          ),
        ]),
      ),
  };
}

/** An entry of what is another word than before. */
const other = (key: string, before: string, now: string): [string, string][] => (now === before ? [] : [[key, now]]);
