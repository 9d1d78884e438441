// What the filter of a list may hold, made of its entity.
import { humanise, optionsOf } from './paths.ts';
import type { Schema } from './types.ts';

/** What a list's `filter` may hold: for each field of x-record.filter a value, several values, or a range. */
export function filterSchema(entity: Schema): Schema {
  const properties: Record<string, Schema> = {};
  for (const name of entity['x-record']?.filter ?? []) {
    const field = dotted(entity, name);
    properties[name] = fieldFilter(field, field?.title ?? humanise(name));
  }
  return { type: 'object', title: 'Filter', properties, additionalProperties: false };
}
const dotted = (entity: Schema, path: string): Schema | undefined =>
  path.split('.').reduce<Schema | undefined>((here, step) => here?.properties?.[step] ?? here?.items?.properties?.[step], entity);

function fieldFilter(field: Schema | undefined, title: string): Schema {
  if (field?.['x-catalogue']) {
    const { readOnly: _readOnly, ...set } = field;
    return set;
  }
  const inner = field?.items ?? field;
  const types = [inner?.anyOf ? inner.anyOf.map(branch => branch.type ?? []) : (inner?.type ?? [])].flat(2);
  const options = optionsOf(inner);
  if (options.length)
    return {
      title,
      type: 'array',
      items: { enum: [...new Set([...options.map(option => option.value), ...(types.includes('null') ? [null] : [])])] },
    };
  if (types.includes('boolean')) return { title, type: 'boolean' };
  const range = (a: string, b: string, of: Schema): Schema => ({
    title,
    type: 'object',
    properties: { [a]: of, [b]: of },
    additionalProperties: false,
    minProperties: 1,
  });
  if (inner?.format === 'epoch') return range('from', 'to', { type: 'integer', minimum: 0, maximum: 253402300799 });
  if (inner?.format === 'date' || inner?.format === 'date-time') return range('from', 'to', { type: 'string', format: inner.format });
  if (inner?.format === 'money') return range('min', 'max', { type: 'string', format: 'money' });
  if (types.includes('integer') || types.includes('number')) {
    const number: Schema = { type: 'number', minimum: -1e15, maximum: 1e15 };
    return { title, anyOf: [range('min', 'max', number), { type: 'array', items: number, maxItems: 500 }] };
  }
  return { title, type: 'array', items: { type: ['string', 'null'], maxLength: 255 }, maxItems: 500 };
}
