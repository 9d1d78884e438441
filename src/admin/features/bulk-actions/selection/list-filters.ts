// The search and filters of a list, kept outside its page: the same tools narrow the subscriptions of a bulk action.
import { useCallback, useMemo, useRef } from 'react';
import type { JsonObject, Resource, Schema } from '../../../../contract/types.ts';
import { storeZone } from '../../../platform/format.ts';
import { filtersOf, headOf } from '../../../list/list-head.ts';
import { joinList, type ListHead, type ListState, readState, toInput, writeState } from '../../../platform/list-query.ts';
import { storeNow } from '../../../platform/store-clock.ts';
import type { Narrowing } from '../../../list/use-list.ts';

/** What narrows a list, as the wire has it. */
export interface Narrowed {
  q?: string;
  filter?: JsonObject;
}

/** Search and filters over a text as the list's address has it. Throws where the screen has no list (check says so before). */
export function useNarrowing(
  resource: Resource,
  entity: Schema | undefined,
  search: string,
  onSearch: (search: string) => void,
): Narrowing & { narrowed: Narrowed } {
  const list = resource.list;
  if (!list) throw new Error(`resources/${resource.route}.json has no list.`);
  const head = useMemo(() => headOf(list, entity), [list, entity]);
  const filters = useMemo(() => filtersOf(list, entity), [list, entity]);
  const state = useMemo(() => readState(search, head), [search, head]);
  const latest = useRef({ state, onSearch });
  latest.current = { state, onSearch };
  const change = useCallback<Narrowing['change']>(
    patch => {
      const next = { ...latest.current.state, page: 1, ...patch } as ListState; // what a patch sets to undefined, the text leaves out
      latest.current.state = next;
      latest.current.onSearch(writeState(next, head));
    },
    [head],
  );
  const narrowed = useMemo(() => narrowedOf(state, head), [state, head]);
  return { resource, head, filters, state, change, narrowed };
}

function narrowedOf(state: ListState, head: ListHead): Narrowed {
  const input = toInput(state, head, { zone: storeZone(), at: storeNow() });
  return { ...(input?.q ? { q: input.q } : {}), ...(input?.filter ? { filter: input.filter } : {}) };
}

/** What a list shows, as the text that opens the same rows without its tab: the tab's own filter becomes one like the others. */
export function searchOf(state: ListState, head: ListHead): string {
  const fixed = head.tabs.find(tab => tab.id === state.tab)?.filter ?? {};
  const filters = {
    ...state.filters,
    ...Object.fromEntries(
      Object.entries(fixed).map(([field, value]) => [
        field,
        Array.isArray(value) ? joinList(value.map(String)) : value === true ? 'yes' : value === false ? 'no' : String(value),
      ]),
    ),
  };
  return writeState(
    { tab: head.tabs[0]?.id ?? '', q: state.q, filters, size: head.size, page: 1, ...(head.sort ? { sort: head.sort } : {}) },
    head,
  );
}
