// The named shapes that a path can't describe. Each codec is a pure pair: what our code holds <-> what stands on the wire.
import type { JsonValue } from '../../contract/types.ts';
import { booleanStrings } from './boolean-strings.ts';
import { restQuery } from './rest-query.ts';
import { sellingPlanChanges, sellingPlanGroup } from './selling-plan-group.ts';

export interface Codec {
  encode(ours: JsonValue): JsonValue;
  /** @throws WireError where what came can't be read at all. */
  decode(wire: JsonValue): JsonValue;
  /** What the wire calls the members that errors are about: { limit: 'range' }. */
  names?: Record<string, string>;
}

/**
 * Name in the call tables -> codec. `encode` of a call names the one for its request (of a GET: for its query), `decode` the one for its
 * answer.
 */
export const codecs: Record<string, Codec> = {
  'boolean-strings': booleanStrings,
  'rest-query': restQuery,
  'selling-plan-changes': sellingPlanChanges,
  'selling-plan-group': sellingPlanGroup,
};
