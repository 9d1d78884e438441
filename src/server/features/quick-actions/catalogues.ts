// What campaigns are made of, for programs that build them by the calls.
import { optionsOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { conditionParts } from '../../platform/records/catalogue-parts.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import type { LinkKind } from '../../../generated/actions.ts';
import { linkOf } from '../../engine/index.ts';

/** C407: kinds with the states they are for and the words they begin with, conditions, and limits. */
export const campaignParts = (context: CatalogueContext): JsonObject => {
  const { type, reward } = context.definitions.entities.campaign?.properties ?? {};
  return {
    kinds: optionsOf(type).map(({ value, title }) => {
      const { states, default: texts } = linkOf(value as LinkKind, context.definitions);
      return { key: value as JsonValue, title, states: [...states], texts: { ...texts } };
    }),
    conditions: conditionParts(context, 'campaign'),
    channels: ['CSV_LINKS'],
    rewardTypes: optionsOf(reward?.properties?.rewardType).map(({ value }) => value as JsonValue),
    limits: { maxDays: 180, maxSubscriptionIds: 50_000, maxConditions: 10 },
  };
};
