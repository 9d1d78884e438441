// The named shapes that a path can't describe. Each codec is a pure pair: what our code holds <-> what stands on the wire.
import type { JsonValue } from '../../contract/types.ts';
import { booleanStrings } from './boolean-strings.ts';
import { sellingPlanChanges, sellingPlanGroup } from './selling-plan-group.ts';

export interface Codec {
  encode(ours: JsonValue): JsonValue;
  decode(wire: JsonValue): JsonValue;
}

/** Name in the call tables -> codec. `encode` of a call names the one for its request, `decode` the one for its answer. */
export const codecs: Record<string, Codec> = {
  'boolean-strings': booleanStrings,
  'selling-plan-changes': sellingPlanChanges,
  'selling-plan-group': sellingPlanGroup,
};
