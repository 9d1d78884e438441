// The selection of a bulk action in words: what its filter asks for, or where its numbers came from.
import type { ConditionSet } from '../../../../contract/conditions.ts';
import { plainName, wordsOf as conditionWords } from '../../../form/fields/condition-values.ts';
import { useQueries } from '@tanstack/react-query';
import { fieldOf } from '../../../../contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../../../contract/types.ts';
import { dataProvider } from '../../../platform/transport/data-provider.ts';
import { count, country, day, money, plainDay } from '../../../platform/format.ts';
import { kindOf } from '../../../list/list-head.ts';
import { labelOf } from '../../../list/record-labels.ts';
import { wordsOf } from '../../../platform/interpolate.ts';
import { text } from '../states.ts';
import { t } from '../../../../domain/text/t.ts';

export interface Said {
  title: string;
  value: string;
}
const object = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
const entityOf = (schema: Schema): string | undefined => schema['x-ui']?.of ?? schema.items?.['x-ui']?.of;

/** Each filter of a selection with its values; records are named. */
export function useFilterWords(filter: JsonObject, entity: Schema | undefined, currency: string): Said[] {
  const fields = Object.entries(filter).flatMap(([name, value]) => {
    const schema = fieldOf(entity, name);
    return schema ? [{ name, value, schema }] : [];
  });
  const references = fields.flatMap(({ name, value, schema }) => {
    const of = entityOf(schema);
    return of && Array.isArray(value) ? [{ name, of, ids: value.filter(id => typeof id === 'number' || typeof id === 'string') }] : [];
  });
  const named = useQueries({
    queries: references.map(({ of, ids }) => ({
      queryKey: [of, 'labels', ids],
      staleTime: 60_000,
      queryFn: async () => (await dataProvider.getMany(of, { ids })).data.map(row => labelOf(of, row)),
    })),
  });
  return fields.map(({ name, value, schema }) => {
    const at = references.findIndex(one => one.name === name);
    return {
      title: schema.title ?? name,
      value: at >= 0 ? (named[at]?.data?.join(', ') ?? counted(value)) : valueText(value, schema, currency),
    };
  });
}
const counted = (value: JsonValue): string => (Array.isArray(value) ? t`${count(value.length)} chosen` : '');

function valueText(value: JsonValue, schema: Schema, currency: string): string {
  const kind = kindOf(schema);
  if (Array.isArray(value))
    return value
      .map(one =>
        kind === 'country' && typeof one === 'string'
          ? country(one)
          : one === null
            ? t`None`
            : wordsOf(one, schema.items ?? schema, currency) || String(one),
      )
      .join(', ');
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  const show = (bound: JsonValue | undefined): string =>
    bound === undefined || bound === null
      ? ''
      : kind === 'epoch' || kind === 'date-time'
        ? day(bound as string | number)
        : kind === 'date'
          ? plainDay(text(bound))
          : kind === 'money'
            ? money(text(bound), currency)
            : count(Number(bound));
  if (kind === 'conditions') {
    const set = value as ConditionSet;
    return conditionWords(schema['x-catalogue'] ?? {}, set, plainName).join(set.match === 'ANY' ? t` or ` : t` and `);
  }
  const range = object(value);
  const isTime = 'from' in range || 'to' in range;
  const [from, to] = [show(range.from ?? range.min), show(range.to ?? range.max)];
  return from && to
    ? from === to
      ? from
      : `${from} – ${to}`
    : from
      ? isTime
        ? t`from ${from}`
        : t`at least ${from}`
      : to
        ? isTime
          ? t`until ${to}`
          : t`at most ${to}`
        : text(value);
}
