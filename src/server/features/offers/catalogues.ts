// What profiles of offers are made of, for programs that build them by the calls.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { conditionParts, optionParts, textCategoryParts, variableParts } from '../../platform/records/catalogue-parts.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { CATEGORY } from './upgrade-texts.ts';

const options = ({ definitions }: CatalogueContext, entity: string, field: string): JsonObject[] =>
  optionParts(definitions.entities[entity]?.properties?.[field]);

/** C299: what upsell profiles may ask of a subscription, and their limits. */
export const upsellConditions = (context: CatalogueContext): JsonObject => ({
  conditions: conditionParts(context, 'upsell'),
  purchaseTypes: options(context, 'upsell-profile', 'purchaseTypes'),
  discountTypes: options(context, 'upsell-profile', 'discountType'),
  limits: { maxConditions: 10, maxProducts: 50 },
});
/** C300: how products that sell best are counted. */
export const popularProductRules = (context: CatalogueContext): JsonObject => ({
  metrics: options(context, 'upsell-profile', 'popularMetric'),
  days: options(context, 'upsell-profile', 'popularDays'),
  limits: { minProducts: 1, maxProducts: 20 },
});
/** C301: how products are chosen for a subscriber. */
export const smartProductRules = (context: CatalogueContext): JsonObject => ({
  strategies: options(context, 'upsell-profile', 'smartStrategy'),
  limits: { minProducts: 1, maxProducts: 20 },
});

/** C310: conditions, ways to price and limits of swap profiles. */
export const swapParts = (context: CatalogueContext): JsonObject => ({
  conditions: conditionParts(context, 'swap'),
  matchTypes: options(context, 'swap-profile', 'matchType'),
  pricing: options(context, 'swap-profile', 'pricing'),
  limits: { maxConditions: 10, maxProducts: 200, maxCollections: 20, maxRecommended: 6 },
});

/** C495: what upgrades may ask of a subscription, and their limits. */
export const upgradeConditions = (context: CatalogueContext): JsonObject => ({
  conditions: conditionParts(context, 'upgrade'),
  types: options(context, 'upgrade-profile', 'type'),
  variables: variableParts(context, CATEGORY),
  limits: { maxConditions: 10, maxPairs: 100, maxFrequencies: 20 },
});

/** C492: the categories of the words that all upgrades share. */
export const upgradeTextCategories = (context: CatalogueContext): JsonValue => textCategoryParts(context, CATEGORY);
