// What calls take of records, made of their entities.
import type { Schema } from './types.ts';

/** A field that is read only in the record is asked for all the same where it is a parameter. */
export const editable = (schema: Schema): Schema => {
  if (!schema.readOnly) return schema;
  const { readOnly: _readOnly, ...rest } = schema;
  return rest;
};

/**
 * What a create or update takes: the record; fields that are read only may come along and are not looked at. An update names what it
 * changes, and may name its version; what it leaves has to be whole.
 */
export function bodyOf(entity: Schema, update: boolean): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, field] of Object.entries(entity.properties ?? {})) {
    properties[name] = field.readOnly ? { ...(field.title ? { title: field.title } : {}), readOnly: true } : field;
  }
  if (update) {
    if (!properties.version || properties.version.readOnly) properties.version = { type: 'integer', minimum: 1, title: 'Version' };
  }
  const required = update ? [] : (entity.required ?? []).filter(name => !entity.properties?.[name]?.readOnly);
  const { 'x-record': _record, 'x-states': _states, 'x-setting': _setting, $id: _id, required: _required, ...rest } = entity;
  return { ...rest, properties, ...(required.length ? { required } : {}) };
}
