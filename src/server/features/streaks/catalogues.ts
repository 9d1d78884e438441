// What streaks are made of, for whoever builds them by the calls.
import { conditionsFor } from '../../../contract/conditions.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { CATEGORY } from './streak.ts';

/** C509: conditions, kinds of reward and limits. */
export const streakParts = ({ definitions }: CatalogueContext): JsonObject => ({
  conditions: Object.values(conditionsFor(definitions.conditions, 'streak')).map(({ key, title, group, operators, value }) => ({
    key,
    title,
    group,
    operators: operators.map(({ name, title: reads, takes }) => ({ name, title: reads, takes })),
    value: value as unknown as JsonValue,
  })),
  rewardTypes: optionsOf(definitions.entities.streak?.properties?.milestones?.items?.properties?.rewardType).map(({ value, title }) => ({
    value,
    title,
  })) as unknown as JsonValue,
  variables: Object.entries(definitions.texts[CATEGORY]?.variables ?? {}).map(([name, { title, sample }]) => ({ name, title, sample })),
  limits: { minLength: 1, maxLength: 5, maxGracePeriodDays: 30, maxConditions: 10 },
});

/** C512: the categories of the words that all streaks share. */
export const streakTextCategories = ({ definitions }: CatalogueContext): JsonValue =>
  Object.values(definitions.texts)
    .filter(({ key }) => key === CATEGORY)
    .map(({ key, title, description, texts }) => ({ id: key, title, description, count: Object.keys(texts).length }));
