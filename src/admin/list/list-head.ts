// What can be filtered and how, read from the resource and the entity's schema: nothing about a list is said twice.
import { fieldOf, humanise, optionsOf } from '../../contract/paths.ts';
import type { JsonValue, ListScreen, Schema, Tab } from '../../contract/types.ts';
import type { FilterKind, ListHead } from '../platform/list-query.ts';

/** One filter of a list, as its chip needs it. */
export interface Filter {
  field: string;
  title: string;
  kind: FilterKind;
  schema: Schema;
  options: { value: JsonValue; title: string; tone?: string }[];
  /** The entity a reference points to. */
  of?: string;
}

/** An option's value as it stands in the address. */
export const optionText = (value: JsonValue): string => (value === null ? 'null' : String(value));

/** The id of a tab in the address: "Failed payment" -> "failed-payment". */
export const tabId = (tab: Tab): string =>
  tab.title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const inner = (schema: Schema): Schema => schema.items ?? schema;
const typesOf = (schema: Schema): string[] => [schema.anyOf ? schema.anyOf.flatMap(typesOf) : (schema.type ?? [])].flat() as string[];

/** How a field is filtered, from its schema. */
export function kindOf(schema: Schema): FilterKind {
  const one = inner(schema);
  const types = typesOf(one);
  if (schema['x-catalogue']) return 'conditions';
  if (schema['x-ui']?.of ?? one['x-ui']?.of) return 'reference';
  if (optionsOf(schema).length) return 'options';
  if (types.includes('boolean')) return 'boolean';
  if (one.format === 'epoch' || one.format === 'date' || one.format === 'date-time') return one.format;
  if (one.format === 'money') return 'money';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return one['x-ui']?.cell === 'country' || schema['x-ui']?.cell === 'country' ? 'country' : 'text';
}

/** The filters a list offers, in the resource's order; all the entity's filters where the resource names none. */
export function filtersOf(list: ListScreen, entity: Schema | undefined): Filter[] {
  const names = list.filters ?? entity?.['x-record']?.filter ?? [];
  return names.flatMap(field => {
    const schema = fieldOf(entity, field);
    if (!schema) return [];
    const of = schema['x-ui']?.of ?? inner(schema)['x-ui']?.of;
    return [
      {
        field,
        title: schema.title ?? humanise(field),
        kind: kindOf(schema),
        schema,
        options: optionsOf(schema) as Filter['options'],
        ...(of ? { of } : {}),
      },
    ];
  });
}

/** What the address of this list is read by. */
export function headOf(list: ListScreen, entity: Schema | undefined): ListHead {
  const filters = filtersOf(list, entity);
  return {
    filters: Object.fromEntries(filters.map(filter => [filter.field, filter.kind])),
    numeric: filters
      .filter(filter =>
        filter.kind === 'reference'
          ? typesOf(inner(filter.schema)).some(type => type === 'integer' || type === 'number')
          : filter.options.some(option => typeof option.value === 'number'),
      )
      .map(filter => filter.field),
    only: Object.fromEntries(
      filters
        .filter(filter => filter.kind === 'options')
        .map(filter => [
          filter.field,
          [
            ...new Set([
              ...filter.options.map(option => optionText(option.value)),
              ...(typesOf(inner(filter.schema)).includes('null') ? ['null'] : []),
            ]),
          ],
        ]),
    ),
    sorts: entity?.['x-record']?.sort ?? [],
    tabs: (list.tabs ?? []).map(tab => ({
      id: tabId(tab),
      ...(tab.filter ? { filter: tab.filter } : {}),
      ...(tab.sort ? { sort: tab.sort } : {}),
    })),
    ...(list.sort ? { sort: list.sort } : {}),
    size: list.pageSize ?? 25,
  };
}
