// Where the rows of a bulk action come from, in words.
import { type ReactElement, Fragment } from 'react';
import { filterText } from '../../list/filters/filter-text.ts';
import { useLabels } from '../../list/filters/filters.tsx';
import type { Filter } from '../../list/list-head.ts';
import type { Narrowing } from '../../list/use-list.ts';
import { count } from '../../platform/format.ts';
import { useSession } from '../../platform/session/session.tsx';
import type { Draft } from './draft.ts';
import { t } from '../../../domain/text/t.ts';

/** The text of a filter that finds these states alone. */
export const statesSearch = (states: string): string => (states ? `?status=${states}` : '');

/** Where the subscriptions come from, in words. */
export function From({ draft, list, leftRows }: { draft: Draft; list: Narrowing; leftRows: number }): ReactElement {
  if (draft.mode === 'CSV') {
    const name = draft.file?.name ?? t`a file`;
    if (leftRows === 0) return <>{t`From ${name}`}</>;
    return <>{leftRows === 1 ? t`From ${name} · 1 row left out` : t`From ${name} · ${count(leftRows)} rows left out`}</>;
  }
  if (draft.mode === 'IDS') return <>{t`Named by their numbers`}</>;
  const { q, filters } = list.state;
  const set = list.filters.filter(filter => filters[filter.field]);
  if (!q && set.length === 0) return <>{t`All of the store`}</>;
  return (
    <>
      {q && `“${q}”`}
      {set.map((filter, i) => (
        <Fragment key={filter.field}>
          {(q !== '' || i > 0) && ' · '}
          <FilterWords filter={filter} value={filters[filter.field] ?? ''} />
        </Fragment>
      ))}
    </>
  );
}
function FilterWords({ filter, value }: { filter: Filter; value: string }): ReactElement {
  const { store } = useSession();
  return (
    <>
      {filter.title}: {filterText(filter, value, store.currency_code, useLabels(filter, value))}
    </>
  );
}
