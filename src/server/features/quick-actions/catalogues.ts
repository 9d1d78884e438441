// What campaigns are made of, for programs that build them by the calls.
import { optionsOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { conditionParts } from '../../platform/records/catalogue-parts.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { KINDS, type Offered } from './kinds.ts';

/** C407: kinds with the states they are for and the words they begin with, conditions, and limits. */
export const campaignParts = (context: CatalogueContext): JsonObject => {
  const { type, reward } = context.definitions.entities.campaign?.properties ?? {};
  return {
    kinds: optionsOf(type).map(({ value, title }) => {
      const { states, words } = KINDS[value as Offered['type']];
      return { key: value as JsonValue, title, states: [...states], texts: { ...words } };
    }),
    conditions: conditionParts(context, 'campaign'),
    channels: ['CSV_LINKS'],
    rewardTypes: optionsOf(reward?.properties?.rewardType).map(({ value }) => value as JsonValue),
    limits: { maxDays: 180, maxSubscriptionIds: 50_000, maxConditions: 10 },
  };
};
