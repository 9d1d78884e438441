// Choices that a reading call answers: its parameters may follow other fields of the form.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { at } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { textOption } from './affix.tsx';
import { useChannel } from '../engine/hooks.ts';
import { isObject } from '../engine/path.ts';
import type { FormHandle } from './widget.ts';

/** One thing to choose. */
export interface Answer {
  value: JsonValue;
  title: string;
  detail: string;
}

/** "{/lines/(all)/variantId}" with a star is that member of every item; undefined while it holds nothing. */
function valueOf(form: FormHandle, given: JsonValue): JsonValue | undefined {
  const pointer = typeof given === 'string' ? /^\{\/([\w/*]+)\}$/.exec(given)?.[1] : undefined;
  if (pointer === undefined) return given;
  const [list, member] = pointer.split('/*/') as [string, string | undefined];
  const found = form.store.get(list.split('/'));
  if (member === undefined) return isObject(found) && Object.keys(found).length === 0 ? undefined : (found ?? undefined);
  const values = (Array.isArray(found) ? found : []).flatMap(item =>
    isObject(item) && item[member] !== undefined && item[member] !== null ? [item[member]] : [],
  );
  return values.length ? values : undefined;
}

/** The parameters that a widget's `with` gives for the form as it is filled in so far; what holds nothing is left out. */
export const parametersOf = (form: FormHandle, given: JsonValue | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(given) ? given : {}).flatMap(([key, one]) => {
      const value = valueOf(form, one);
      return value === undefined ? [] : [[key, value]];
    }),
  );

/** What the call of `options` answers for the form as it is filled in so far; undefined while it is asked for the first time. */
export function useAnswers(form: FormHandle, options: JsonObject): { choices: Answer[] | undefined; error: string | undefined } {
  // What is asked depends on other fields; each hands its text on when it rests.
  useChannel(form.store, '/**');
  const name = textOption(options, 'call') ?? '';
  const input = parametersOf(form, options.with);
  const isAsked = Object.keys(input).length > 0 || !isObject(options.with);
  const { data, error } = useQuery<JsonValue>({
    queryKey: ['answers', name, input],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    queryFn: ({ signal }) => form.services.ask(name, input, signal),
  });
  if (!isAsked) return { choices: [], error: undefined };
  const list = textOption(options, 'list');
  const found = list ? at(data ?? null, list) : data;
  const only = Object.entries(isObject(options.only) ? options.only : {}).map(([key, given]) => [key, valueOf(form, given)] as const);
  const member = textOption(options, 'value') ?? 'id';
  const rows = Array.isArray(found) ? found.filter(isObject) : undefined;
  return {
    error: error?.message,
    choices: rows
      ?.filter(row => only.every(([key, value]) => value === undefined || row[key] === value))
      .map(row => ({
        value: row[member] ?? null,
        title: String(row.title ?? row[member] ?? ''),
        detail: typeof row.detail === 'string' ? row.detail : '',
      })),
  };
}
