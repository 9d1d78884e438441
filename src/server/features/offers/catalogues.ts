// What profiles of offers are made of, for whoever builds them by the calls.
import { conditionsFor } from '../../../contract/conditions.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { CATEGORY } from './upgrade-texts.ts';

/** The conditions that a feature may use: key, title, group, operators and the schema of a value. */
const conditionsOf = ({ definitions }: CatalogueContext, feature: string): JsonValue =>
  Object.values(conditionsFor(definitions.conditions, feature)).map(({ key, title, group, operators, value }) => ({
    key,
    title,
    group,
    operators: operators.map(({ name, title: reads, takes }) => ({ name, title: reads, takes })),
    value: value as unknown as JsonValue,
  }));

const options = ({ definitions }: CatalogueContext, entity: string, field: string): JsonValue =>
  optionsOf(definitions.entities[entity]?.properties?.[field]).map(({ value, title }) => ({ value, title })) as unknown as JsonValue;

/** C299: what upsell profiles may ask of a subscription, and their limits. */
export const upsellConditions = (context: CatalogueContext): JsonObject => ({
  conditions: conditionsOf(context, 'upsell'),
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
  conditions: conditionsOf(context, 'swap'),
  matchTypes: options(context, 'swap-profile', 'matchType'),
  pricing: options(context, 'swap-profile', 'pricing'),
  limits: { maxConditions: 10, maxProducts: 200, maxCollections: 20, maxRecommended: 6 },
});

/** C495: what upgrades may ask of a subscription, and their limits. */
export const upgradeConditions = (context: CatalogueContext): JsonObject => ({
  conditions: conditionsOf(context, 'upgrade'),
  types: options(context, 'upgrade-profile', 'type'),
  variables: Object.entries(context.definitions.texts[CATEGORY]?.variables ?? {}).map(([name, { title, sample }]) => ({
    name,
    title,
    sample,
  })),
  limits: { maxConditions: 10, maxPairs: 100, maxFrequencies: 20 },
});

/** C492: the categories of the words that all upgrades share. */
export const upgradeTextCategories = ({ definitions }: CatalogueContext): JsonValue =>
  Object.values(definitions.texts)
    .filter(({ key }) => key === CATEGORY)
    .map(({ key, title, description, texts }) => ({ id: key, title, description, count: Object.keys(texts).length }));
