// The defaults of a schema, filled into data where it holds nothing.
import type { JsonObject, JsonValue, Schema } from '../types.ts';

/**
 * The data with `default`s for absent members, also inside objects and list items. What is there stays,
 * null included; nothing given is changed.
 */
export function withDefaults<T = JsonValue>(schema: Schema, data?: unknown): T {
  const filled = fillIn(schema, data as JsonValue | undefined);
  return (filled !== undefined ? filled : schema.properties ? {} : data) as T;
}

function fillIn(schema: Schema, data: JsonValue | undefined): JsonValue | undefined {
  if (data === undefined) {
    if (schema.default !== undefined) data = structuredClone(schema.default);
    else if (schema.properties && (schema.type === undefined || [schema.type].flat().includes('object'))) data = {};
    else return undefined;
    const filled = fillIn(schema, data);
    return schema.default === undefined && filled !== null && typeof filled === 'object' && Object.keys(filled).length === 0
      ? undefined
      : filled;
  }
  if (data === null || typeof data !== 'object') return data;
  if (Array.isArray(data)) return schema.items ? data.map(item => fillIn(schema.items as Schema, item) as JsonValue) : data;
  if (!schema.properties) return data;
  const result: JsonObject = { ...data };
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = fillIn(field, data[name]);
    if (value !== undefined) result[name] = value;
  }
  return result;
}
