// What campaigns are made of, for whoever builds them by the calls.
import { conditionsFor } from '../../../contract/conditions.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { KINDS, type Offered } from './kinds.ts';

/** C407: kinds with the states they are for and the words they begin with, conditions, and limits. */
export const campaignParts = ({ definitions }: CatalogueContext): JsonObject => ({
  kinds: optionsOf(definitions.entities.campaign?.properties?.type).map(({ value, title }) => {
    const { states, words } = KINDS[value as Offered['type']];
    return { key: value as JsonValue, title, states: [...states], texts: { ...words } };
  }),
  conditions: Object.values(conditionsFor(definitions.conditions, 'campaign')).map(({ key, title, group, operators, value }) => ({
    key,
    title,
    group,
    operators: operators.map(({ name, title: reads, takes }) => ({ name, title: reads, takes })),
    value: value as unknown as JsonValue,
  })),
  channels: ['CSV_LINKS'],
  rewardTypes: optionsOf(definitions.entities.campaign?.properties?.reward?.properties?.rewardType).map(
    ({ value }) => value,
  ) as unknown as JsonValue,
  limits: { maxDays: 180, maxSubscriptionIds: 50_000, maxConditions: 10 },
});
