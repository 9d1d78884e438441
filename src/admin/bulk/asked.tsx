// What was filled in for an action, in words; records are called by their names.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { JsonObject, JsonValue, Schema } from '../../contract/types.ts';
import { dataProvider } from '../data-provider.ts';
import { wordsFor } from '../form/show-value.tsx';
import { labelOf } from '../list/labels.ts';

export interface Asked { title: string; value: string; /** The entity and ids of records that are named. */ of?: string; ids?: (number | string)[] }

/** The fields of an input that say something: what is off or empty is left out. */
export function askedOf(schema: Schema | undefined, input: JsonObject, currency: string): Asked[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]): Asked[] => {
    const value: JsonValue | undefined = input[name];
    if (value === undefined || value === false || field['x-ui']?.widget === 'unseen') return [];
    const words = value === true ? 'Yes' : wordsFor(value, field, currency);
    if (words === undefined) return [];
    const of = field['x-ui']?.of ?? field.items?.['x-ui']?.of;
    return [{ title: field.title ?? name, value: words, ...(of ? { of, ids: [value].flat().filter(id => typeof id === 'number' || typeof id === 'string') } : {}) }];
  });
}

export function AskedValue({ asked: { value, of, ids } }: { asked: Asked }): ReactElement {
  const { data } = useQuery({ queryKey: [of ?? 'none', 'labels', ids], queryFn: async () => (await dataProvider.getMany(of ?? '', { ids: ids ?? [] })).data.map(row => labelOf(of ?? '', row)), enabled: of !== undefined && ids !== undefined, staleTime: 60_000 });
  return <>{data?.length ? data.join(', ') : value}</>;
}
