// What was filled in for an action, in words; records are called by their names.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { at } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { useAsk } from '../../platform/transport/calls.ts';
import { dataProvider } from '../../platform/transport/data-provider.ts';
import { wordsFor } from '../../form/fields/show-value.tsx';
import { counted } from '../../platform/format.ts';
import { labelOf } from '../../list/record-labels.ts';
import { type Interval, intervalInWords } from '../../../domain/calendar/interval.ts';
import { t } from '../../../domain/text/t.ts';

const UNITS: Record<string, { one: string; many: string }> = {
  day: { one: t`day`, many: t`days` },
  week: { one: t`week`, many: t`weeks` },
  month: { one: t`month`, many: t`months` },
  year: { one: t`year`, many: t`years` },
};

export interface Asked {
  title: string;
  value: string;
  /** The entity and ids of records that are named. */
  of?: string;
  ids?: (number | string)[];
  /** The call whose answers were chosen from, and the field of them that was kept. */
  call?: string;
  member?: string;
}

/** The fields of an input that say something: what is off or empty is left out. */
export function askedOf(schema: Schema | undefined, input: JsonObject, currency: string): Asked[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]): Asked[] => {
    const value: JsonValue | undefined = input[name];
    if (value === undefined || value === false || field['x-ui']?.widget === 'unseen') return [];
    // "For 2, unit months" is said as one.
    if (name === 'intervalType' && input.intervalCount !== undefined) return [];
    const unit = name === 'intervalCount' && typeof input.intervalType === 'string' ? input.intervalType.toLowerCase() : undefined;
    const words =
      value === true
        ? t`Yes`
        : unit
          ? counted(Number(value), UNITS[unit] ?? { one: unit, many: `${unit}s` })
          : (spoken(value) ?? wordsFor(value, field, currency));
    if (words === undefined) return [];
    const { widget, options } = field['x-ui'] ?? {};
    if (widget === 'answers' && typeof options?.call === 'string')
      return [
        {
          title: field.title ?? name,
          value: words,
          ids: [value as number | string],
          call: options.call,
          member: typeof options.value === 'string' ? options.value : 'id',
        },
      ];
    const of = field['x-ui']?.of ?? field.items?.['x-ui']?.of;
    return [
      {
        title: field.title ?? name,
        value: words,
        ...(of ? { of, ids: [value].flat().filter(id => typeof id === 'number' || typeof id === 'string') } : {}),
      },
    ];
  });
}

/** "6 weeks", "Gift wrap: yes": values that are said in another way than member by member. */
function spoken(value: JsonValue): string | undefined {
  if (Array.isArray(value)) {
    const pairs = value.flatMap(one => {
      const [key, entryValue] = [at(one, 'key'), at(one, 'value')];
      return typeof key === 'string' && typeof entryValue === 'string' ? [`${key}: ${entryValue}`] : [];
    });
    return pairs.length > 0 && pairs.length === value.length ? pairs.join(', ') : undefined;
  }
  return value !== null && typeof value === 'object' && typeof value.interval === 'string'
    ? intervalInWords({ interval: value.interval as Interval['interval'], intervalCount: Number(value.intervalCount ?? 1) })
    : undefined;
}

export function AskedValue({ asked: { value, of, ids, call, member } }: { asked: Asked }): ReactElement {
  const { data: answers, error } = useAsk<JsonObject[]>(call ?? '', call ? {} : undefined, { staleTime: 60_000 });
  const { data } = useQuery({
    queryKey: [of ?? 'none', 'labels', ids],
    queryFn: async () => (await dataProvider.getMany(of ?? '', { ids: ids ?? [] })).data.map(row => labelOf(of ?? '', row)),
    enabled: of !== undefined && ids !== undefined && call === undefined,
    staleTime: 60_000,
  });
  const chosen = Array.isArray(answers) ? answers.find(one => one[member ?? 'id'] === ids?.[0]) : undefined;
  if (call)
    return (
      <>
        {chosen
          ? [chosen.title, chosen.detail && `(${String(chosen.detail)})`].filter(Boolean).map(String).join(' ')
          : error
            ? `#${String(ids?.[0])}`
            : '…'}
      </>
    );
  return <>{data?.length ? data.join(', ') : value}</>;
}
