// Settings of the second generation travel with booleans as the strings "true" and "false", at any depth.
import type { JsonValue } from '../../contract/types.ts';

const over = (value: JsonValue, one: (leaf: JsonValue) => JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map(item => over(item, one))
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, over(item, one)]))
      : one(value);

export const booleanStrings = {
  encode: (ours: JsonValue): JsonValue => over(ours, leaf => (typeof leaf === 'boolean' ? String(leaf) : leaf)),
  decode: (wire: JsonValue): JsonValue => over(wire, leaf => (leaf === 'true' ? true : leaf === 'false' ? false : leaf)),
};
