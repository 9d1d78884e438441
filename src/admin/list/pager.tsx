// The foot of a list: which rows are in view of how many, rows per page, and the way to the neighbouring pages along the cursors.
import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import { count } from '../platform/format.ts';
import { PAGE_SIZES } from '../platform/list-query.ts';
import type { ListOf } from './use-list.ts';
import { t } from '../../domain/text/t.ts';
import { tx } from '../ui/tx.ts';

export function Pager({ list }: { list: ListOf }): ReactElement | null {
  const { state, rows, info, total = 0, isCapped, change } = list;
  if (!rows?.length) return null;
  const first = (state.page - 1) * state.size + 1;
  const hasNext = info?.hasNextPage ?? first + rows.length - 1 < total;
  const hasPrevious = state.page > 1;
  const next = (): void => change({ page: state.page + 1, ...(info?.nextCursor ? { after: info.nextCursor } : {}) });
  const previous = (): void =>
    change({ page: state.page - 1, ...(state.page > 2 && info?.previousCursor ? { before: info.previousCursor } : {}) });
  return (
    <div className="l-foot">
      <p className="p-tabular" role="status">
        {tx`${count(first)}–${count(first + rows.length - 1)} of ${count(total)}${isCapped ? '+' : ''}`}
      </p>
      <label className="l-size">
        <span>{tx`Rows${<span className="p-sr"> {t`per page`}</span>}`}</span>
        <select className="p-input p-select p-input-s" value={state.size} onChange={event => change({ size: Number(event.target.value) })}>
          {[...new Set([...PAGE_SIZES, list.head.size])]
            .sort((a, b) => a - b)
            .map(size => (
              <option key={size}>{size}</option>
            ))}
        </select>
      </label>
      <nav className="l-pages" aria-label={t`Pages`}>
        <button
          type="button"
          className="p-icon-btn"
          aria-label={t`First page`}
          data-tip={t`First page`}
          disabled={!hasPrevious}
          onClick={() => change({ page: 1 })}
        >
          <ChevronsLeft aria-hidden="true" />
        </button>
        <button
          type="button"
          className="p-icon-btn"
          aria-label={t`Previous page`}
          data-tip={t`Previous page`}
          disabled={!hasPrevious}
          onClick={previous}
        >
          <ChevronLeft aria-hidden="true" />
        </button>
        <button type="button" className="p-icon-btn" aria-label={t`Next page`} data-tip={t`Next page`} disabled={!hasNext} onClick={next}>
          <ChevronRight aria-hidden="true" />
        </button>
      </nav>
    </div>
  );
}
