// One of what a call answers for the form as it is filled in so far: saved addresses and cards of the chosen customer, plans of the chosen products.
import { useEffect, useRef } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { said, textOption } from '../../src/admin/form/affix.tsx';
import { useChannel } from '../../src/admin/form/hooks.ts';
import { isObject } from '../../src/admin/form/path.ts';
import { keyOf } from '../../src/admin/form/options.ts';
import type { FormHandle, WidgetProps } from '../../src/admin/form/widget.ts';
import { at } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';

interface Choice { value: JsonValue; title: string; detail: string }

/** "{/lines/(all)/variantId}" with a star is that member of every item; undefined while it holds nothing. */
function valueOf(form: FormHandle, given: JsonValue): JsonValue | undefined {
  const pointer = typeof given === 'string' ? /^\{\/([\w/*]+)\}$/.exec(given)?.[1] : undefined;
  if (pointer === undefined) return given;
  const [list, member] = pointer.split('/*/') as [string, string | undefined];
  const found = form.store.get(list.split('/'));
  if (member === undefined) return isObject(found) && Object.keys(found).length === 0 ? undefined : found ?? undefined;
  const values = (Array.isArray(found) ? found : []).flatMap(item => (isObject(item) && item[member] !== undefined && item[member] !== null ? [item[member]] : []));
  return values.length ? values : undefined;
}

function useChoices(form: FormHandle, options: JsonObject): { choices: Choice[] | undefined; error: string | undefined } {
  // What is asked depends on other fields; each hands its text on when it rests.
  useChannel(form.store, '/**');
  const name = textOption(options, 'call') ?? '';
  const input = Object.fromEntries(Object.entries(isObject(options.with) ? options.with : {}).flatMap(([key, given]) => { const value = valueOf(form, given); return value === undefined ? [] : [[key, value]]; })) as JsonObject;
  const isAsked = Object.keys(input).length > 0 || !isObject(options.with);
  const { data, error } = useQuery<JsonValue>({
    queryKey: ['answers', name, input], enabled: isAsked, placeholderData: keepPreviousData, staleTime: 30_000, retry: false, queryFn: ({ signal }) => form.services.ask(name, input, signal),
  });
  if (!isAsked) return { choices: [], error: undefined };
  const list = textOption(options, 'list');
  const found = list ? at(data ?? null, list) : data;
  const only = Object.entries(isObject(options.only) ? options.only : {}).map(([key, given]) => [key, valueOf(form, given)] as const);
  const member = textOption(options, 'value') ?? 'id';
  const rows = Array.isArray(found) ? found.filter(isObject) : undefined;
  return {
    error: error?.message,
    choices: rows?.filter(row => only.every(([key, value]) => value === undefined || row[key] === value)).map(row => ({ value: row[member] ?? null, title: String(row.title ?? row[member] ?? ''), detail: typeof row.detail === 'string' ? row.detail : '' })),
  };
}

export default function Answers(props: WidgetProps<JsonValue>) {
  const { id, options, value, required, nullable, change, leave, describedBy, invalid, form } = props;
  const { choices, error } = useChoices(form, options);
  const none = textOption(options, 'none');
  const touched = useRef(value !== undefined);
  const isGone = value !== undefined && value !== null && choices !== undefined && !choices.some(choice => choice.value === value);
  const first = options.first === true ? choices?.[0]?.value : undefined;
  useEffect(() => {
    if (choices === undefined) return;
    // A card of another customer, a plan that no longer fits: what depends on another field follows it.
    if (isGone) change(first ?? (nullable ? null : undefined));
    else if (first !== undefined && (value === undefined || (value === null && !touched.current))) change(first);
  }, [choices === undefined, isGone, first, value]); // eslint-disable-line react-hooks/exhaustive-deps -- `change` is made anew with every drawing
  if (choices !== undefined && choices.length === 0 && none === undefined) return <p id={id} className="p-hint" aria-describedby={describedBy}>{error ?? textOption(options, 'empty') ?? 'There is nothing to choose yet.'}</p>;
  const key = value === undefined || value === null ? '' : keyOf(value);
  return (
    <>
      <select id={id} className="p-input p-select" value={key} {...said({ invalid, describedBy, required })} onBlur={leave}
        onChange={event => { touched.current = true; const found = choices?.find(choice => keyOf(choice.value) === event.target.value); change(found ? found.value : nullable ? null : undefined); leave(); }}>
        {(none !== undefined || key === '') && <option value="" disabled={none === undefined}>{none ?? 'Choose …'}</option>}
        {choices?.map(choice => <option key={keyOf(choice.value)} value={keyOf(choice.value)}>{choice.detail ? `${choice.title} (${choice.detail})` : choice.title}</option>)}
      </select>
      {error && <p className="p-error" role="alert">{error}</p>}
    </>
  );
}
