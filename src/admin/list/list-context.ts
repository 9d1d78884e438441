// The list as react-admin's ListContext: stock components of react-admin (filters, pagination, tables, bulk buttons) work below it.
import type { ListControllerResult } from 'react-admin';
import { useMemo, useState } from 'react';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { joinList, joinRange } from '../platform/list-query.ts';
import type { ListOf } from './use-list.ts';
import type { Selected } from './table/use-selection.ts';

/** A filter's value as it stands in the address: lists joined, ranges "10..50", true and false as yes and no; '' for none. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return joinList(value.map(String));
  if (typeof value !== 'object') return joinList([String(value)]);
  const { from, to, min = from, max = to } = value;
  return 'match' in value ? JSON.stringify(value) : joinRange(String(min ?? ''), String(max ?? ''));
}

/** What a list shows when it is narrowed to `values` (by field, and `q`); what stays the same keeps its words: "last-30-days". */
function narrowedTo(list: ListOf, values: JsonObject): Pick<ListOf['state'], 'q' | 'filters'> {
  const filters: Record<string, string> = {};
  for (const field of Object.keys(list.head.filters)) {
    const isSame = JSON.stringify(values[field]) === JSON.stringify(list.input.filter?.[field]);
    const text = isSame ? list.state.filters[field] : textOf(values[field]);
    if (text) filters[field] = text;
  }
  return { q: typeof values.q === 'string' ? values.q : '', filters };
}

/** The context's value; what is selected, narrowed or paged through it is what the list itself shows and its address says. */
export function useListContextValue(list: ListOf, { selected, selection, setSelected }: Selected): ListControllerResult {
  const [displayed, setDisplayed] = useState<Record<string, boolean>>({});
  return useMemo(
    () =>
      ({
        data: list.rows,
        total: list.total,
        meta: list.info,
        error: list.error,
        isPending: list.rows === undefined && !list.error,
        isLoading: list.rows === undefined && list.isFetching,
        isFetching: list.isFetching,
        isPlaceholderData: list.isStale,
        resource: list.call.of,
        defaultTitle: list.resource.title,
        sort: list.state.sort ?? { field: 'id', order: 'ASC' },
        page: list.state.page,
        perPage: list.state.size,
        filterValues: { ...list.input.filter, ...(list.state.q ? { q: list.state.q } : {}) },
        displayedFilters: displayed,
        hasNextPage: list.info?.hasNextPage ?? false,
        hasPreviousPage: list.state.page > 1,
        setPage: (page: number) => list.change({ page }),
        setPerPage: (size: number) => list.change({ size }),
        setSort: (sort: { field: string; order: 'ASC' | 'DESC' }) => list.change({ sort }),
        setFilters: (values: JsonObject, shown?: Record<string, boolean>) => {
          list.change(narrowedTo(list, values), { replace: true });
          if (shown) setDisplayed(shown);
        },
        showFilter: (name: string) => setDisplayed(all => ({ ...all, [name]: true })),
        hideFilter: (name: string) => {
          setDisplayed(({ [name]: _gone, ...rest }) => rest);
          list.change(narrowedTo(list, { ...list.input.filter, q: list.state.q, [name]: null }), { replace: true });
        },
        exporter: false,
        selectedIds: [...selected.keys()],
        onSelect: (ids: (string | number)[]) =>
          setSelected(
            new Map(
              ids.flatMap(id => {
                const row = (list.rows ?? []).find(one => one.id === id) ?? selected.get(id);
                return row ? [[id, row as JsonObject] as const] : [];
              }),
            ),
          ),
        onToggleItem: (id: string | number) => selection.toggle(id, false),
        onUnselectItems: selection.clear,
        onSelectAll: () => selection.page(true),
        refetch: list.refetch,
      }) as ListControllerResult,
    [list, selected, selection, setSelected, displayed],
  ); // the controller's own type ties in react-query's whole result, of which only this is used
}
