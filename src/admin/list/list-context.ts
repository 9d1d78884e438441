// The list as react-admin's ListContext, for anything below that uses its hooks (useListContext, useRecordSelection's readers).
import type { ListControllerResult } from 'ra-core';
import { useMemo } from 'react';
import type { ListOf } from './use-list.ts';
import type { Selected } from './table/use-selection.ts';

const noop = (): void => undefined;

export function useListContextValue(list: ListOf, { selected, selection }: Selected): ListControllerResult {
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
        displayedFilters: {},
        hasNextPage: list.info?.hasNextPage ?? false,
        hasPreviousPage: list.state.page > 1,
        setPage: (page: number) => list.change({ page }),
        setPerPage: (size: number) => list.change({ size }),
        setSort: (sort: { field: string; order: 'ASC' | 'DESC' }) => list.change({ sort }),
        // Filters live in the address under their own names; see ListOf.change.
        setFilters: noop,
        hideFilter: noop,
        showFilter: noop,
        exporter: false,
        selectedIds: [...selected.keys()],
        onSelect: noop,
        onToggleItem: (id: string | number) => selection.toggle(id, false),
        onUnselectItems: selection.clear,
        onSelectAll: () => selection.page(true),
        refetch: list.refetch,
      }) as ListControllerResult,
    [list, selected, selection],
  ); // the controller's own type ties in react-query's whole result, of which only this is used
}
