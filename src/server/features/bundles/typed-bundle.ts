// A bundle while it is typed.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { withBothEnds, type Bundle, type BundleFilter } from '../../../domain/bundles/bundle.ts';

const rows = <T>(value: JsonValue | undefined): T[] =>
  (Array.isArray(value) ? value.filter(one => one !== null && typeof one === 'object') : []) as T[];
const ids = (value: JsonValue | undefined): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => Number.isSafeInteger(one)) : [];
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []);
/** Rows with an id of their own: one that is not saved yet has none. */
const numbered = <T extends { id?: number }>(given: T[]): T[] => given.map((one, place) => ({ ...one, id: one.id ?? -place - 1 }));
const amount = (value: unknown): string => (/^\d{1,7}(\.\d+)?$/.test(String(value ?? '')) ? String(value) : '0');

const SOURCES: readonly BundleFilter['source'][] = ['TAG', 'VENDOR', 'PRODUCT_TYPE', 'METAFIELD'];

/** A bundle of a form that may not be finished: what is not there yet is left out. */
export function typedBundle(given: JsonObject): Bundle {
  const type = String(given.discountType ?? 'NONE') as Bundle['discountType'];
  const bundle = given as Bundle;
  return {
    ...bundle,
    id: Number(given.id ?? 0),
    name: String(given.name ?? ''),
    bundleType: given.bundleType === 'PRESET' ? 'PRESET' : 'BYOB',
    discountType: ['PERCENTAGE', 'FIXED', 'FIXED_PRICE'].includes(type) ? type : 'NONE',
    sellingPlanGroupId: Number.isSafeInteger(given.sellingPlanGroupId) ? Number(given.sellingPlanGroupId) : null,
    productIds: ids(given.productIds),
    excludedVariantIds: ids(given.excludedVariantIds),
    boxSizes: withBothEnds(bundle.type, numbered(rows<NonNullable<Bundle['boxSizes']>[number]>(given.boxSizes))),
    categories: numbered(rows<NonNullable<Bundle['categories']>[number]>(given.categories)),
    details: rows<NonNullable<Bundle['details']>[number]>(given.details),
    filters: rows<NonNullable<Bundle['filters']>[number]>(given.filters).map(filter => ({
      ...filter,
      name: String(filter.name ?? ''),
      source: SOURCES.includes(filter.source) ? filter.source : 'TAG',
      values: texts(filter.values),
    })),
    discounts: rows<NonNullable<Bundle['discounts']>[number]>(given.discounts).map(tier => ({
      ...tier,
      name: String(tier.name ?? ''),
      value: amount(tier.value),
      minCartValue: amount(tier.minCartValue),
    })),
    variants: rows<NonNullable<Bundle['variants']>[number]>(given.variants).map(variant => ({
      ...variant,
      discountValue: amount(variant.discountValue),
      items: rows<{ variantId: number; quantity: number }>(variant.items as JsonValue).filter(
        one => Number.isSafeInteger(one.variantId) && Number.isSafeInteger(one.quantity),
      ),
    })),
  };
}
