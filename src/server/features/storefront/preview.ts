// What an editor shows beside its form: the element of shops' pages, with what is typed in the place of what is published.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Bundle } from '../../../domain/bundles/bundle.ts';
import { isoDay } from '../../../domain/calendar/calendar.ts';
import type { StorefrontPreview } from '../../../domain/widgets/published.ts';
import { t } from '../../../domain/text/t.ts';
import type { Context } from '../../platform/context.ts';
import { speechOf } from '../../platform/mail/speech.ts';
import { PRODUCT, productTitle } from '../../platform/texts/product-names.ts';
import { languagesOf } from '../../platform/texts/values.ts';
import { readWords } from '../../platform/texts/words.ts';
import { readBundles } from '../bundles/catalogue.ts';
import { BOX_WORDS, boxesOf } from '../bundles/published-boxes.ts';
import { typedBundle } from '../bundles/typed-bundle.ts';
import { sampleProduct } from '../widgets/sample.ts';
import { publishedWidget, type Languages } from './widgets.ts';

/** What the form is of: the look of purchase options, of the gift offer, of the banner; a box, or the branding of all boxes. */
export type PreviewOf = 'WIDGET' | 'GIFT' | 'BANNER' | 'BOX' | 'BRANDING';
interface Asked {
  of: PreviewOf;
  /** What is typed. */
  record: JsonObject;
  /** The language of what only the page of a shop knows. */
  locale: string;
  languages: Languages;
}
type Shown = Pick<StorefrontPreview, 'element' | 'attributes' | 'widget' | 'box' | 'product' | 'hint'>;

const DAY_MS = 86_400_000;
const [NEXT_ORDER_DAYS, BOX_PRODUCTS] = [9, 8];

const WIDGETS = {
  WIDGET: { entity: 'storefront-widget', element: 'perennial-widget' },
  GIFT: { entity: 'gift-widget', element: 'perennial-gift' },
  BANNER: { entity: 'storefront-banner', element: 'perennial-banner' },
} as const;

async function widget(context: Context, of: keyof typeof WIDGETS, { record, locale, languages }: Asked): Promise<Shown> {
  const { entity, element } = WIDGETS[of];
  const product = await sampleProduct(context);
  const shown = publishedWidget(context, entity, { id: Number(record.id ?? 0), data: record }, languages);
  const attributes = {
    type: String(record.type ?? 'PRODUCT'),
    ...(product ? { 'product-id': String(product.number) } : {}),
    ...(of === 'BANNER' ? { subscriptions: JSON.stringify(subscriptions(context, locale, languages)) } : {}),
  };
  return {
    ...{ element, attributes, widget: shown },
    product: product ? { title: productTitle(languages.words, locale, product.productId, product.title), image: product.image } : null,
    hint: of === 'BANNER' || product?.groups ? null : t`Publish a selling plan with products to see a subscription here.`,
  };
}

/** Two subscriptions of a customer who comes to the page. */
function subscriptions({ definitions, store, now }: Context, locale: string, { words }: Languages) {
  const zone = store.timezone;
  const { every } = speechOf({ words, texts: definitions.texts, zone, dateFormat: undefined }, locale);
  const nextOrderDate = isoDay(now().getTime() + NEXT_ORDER_DAYS * DAY_MS, zone);
  return (
    [
      ['WEEK', 2],
      ['MONTH', 1],
    ] as const
  ).map(([interval, intervalCount], id) => ({
    ...{ id, name: every({ interval, intervalCount }), nextOrderDate, url: '#' },
  }));
}

async function box(context: Context, given: Bundle, branding: JsonObject | undefined, languages: Languages): Promise<Shown> {
  const bundle = { ...given, publicId: given.publicId ?? 'preview' };
  const setting: Context['setting'] = async name => (name === 'bundle-branding' && branding ? branding : context.setting(name));
  const [shown] = await boxesOf({ ...context, setting }, languages, [bundle]);
  return {
    ...{ element: 'perennial-box', attributes: { bundle: bundle.publicId, heading: '' }, product: null },
    ...(shown ? { box: shown } : {}),
    hint: shown?.products.length ? null : t`Choose products that the selling plan of the box sells to see them here.`,
  };
}

/** The box that branding is shown with: the first that is sold, else one of products of the store. */
async function sampleBox(context: Context): Promise<Bundle> {
  const boxes = await readBundles(context, { bundleType: 'BYOB' });
  const [first] = [...boxes.filter(one => one.status === 'ACTIVE'), ...boxes];
  if (first) return first;
  const { rows } = await sql<{ id: number }>`select id::float8 as id from products where store_id = ${context.storeId}::integer
    and deleted_at is null and status = 'ACTIVE' and not is_gift_card order by id limit ${BOX_PRODUCTS}::integer`.execute(context.trx);
  const sizes = [6, 12].map(size => ({ id: size, name: t`Box of ${size}`, minSize: size, maxSize: size, defaultSelected: size === 6 }));
  const said = { name: t`Fill your box`, bundleType: 'BYOB', type: 'FIXED', purchaseType: 'ONETIME', discountType: 'NONE' };
  return typedBundle({ ...said, boxSizes: sizes, productIds: rows.map(one => one.id) });
}

/** The element with what is typed. @param asked `locale`: a language of the customers; the primary one where none is named */
export async function storefrontPreview(
  context: Context,
  asked: { of: PreviewOf; record: JsonObject; locale?: string },
): Promise<StorefrontPreview> {
  const { of, record } = asked;
  const published = (await languagesOf(context)).filter(one => one.isPublished || one.isPrimary);
  const primary = published.find(one => one.isPrimary)?.locale ?? 'en';
  const locale = asked.locale ?? primary;
  const kinds = of === 'BOX' || of === 'BRANDING' ? BOX_WORDS : ['store', WIDGETS[of].entity, PRODUCT];
  const languages = { words: await readWords(context, kinds), others: published.map(one => one.locale).filter(one => one !== primary) };
  const shown =
    of === 'BOX'
      ? await box(context, typedBundle(record), undefined, languages)
      : of === 'BRANDING'
        ? await box(context, await sampleBox(context), record, languages)
        : await widget(context, of, { of, record, locale, languages });
  return { store: context.storeId, ...shown, languages: published.map(({ locale: one, name }) => ({ locale: one, name })) };
}
