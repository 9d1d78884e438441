// What streaks are made of, for programs that build them by the calls.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { conditionParts, optionParts, textCategoryParts, variableParts } from '../../platform/records/catalogue-parts.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { CATEGORY } from './streak.ts';

/** C509: conditions, kinds of reward and limits. */
export const streakParts = (context: CatalogueContext): JsonObject => ({
  conditions: conditionParts(context, 'streak'),
  rewardTypes: optionParts(context.definitions.entities.streak?.properties?.milestones?.items?.properties?.rewardType),
  variables: variableParts(context, CATEGORY),
  limits: { minLength: 1, maxLength: 5, maxGracePeriodDays: 30, maxConditions: 10 },
});

/** C512: the categories of the words that all streaks share. */
export const streakTextCategories = (context: CatalogueContext): JsonValue => textCategoryParts(context, CATEGORY);
