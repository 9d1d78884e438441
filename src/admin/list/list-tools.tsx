// What stands above a list besides its filters: the order of the rows where there are no heads to press, and the export.
import { ArrowUpDown, Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { allowsCall } from '../../contract/access.ts';
import { definitions } from '../platform/definitions.ts';
import { usePageActions } from '../platform/routing/page-actions.ts';
import { useSession } from '../platform/session/session.tsx';
import { MenuButton } from '../ui/overlays/menu.tsx';
import { namesOf } from './record-labels.ts';
import type { FullColumn } from './table/columns.ts';
import type { ListOf } from './use-list.ts';
import { t } from '../../domain/text/t.ts';

/** On small screens there are no headers to press. */
export function SortMenu({ list, columns }: { list: ListOf; columns: FullColumn[] }): ReactElement | null {
  const sortable = columns.filter(column => column.sortable);
  if (sortable.length === 0) return null;
  const words = (column: FullColumn, order: 'ASC' | 'DESC'): string =>
    column.cellName === 'date'
      ? order === 'ASC'
        ? t`earliest first`
        : t`latest first`
      : column.end
        ? order === 'ASC'
          ? t`lowest first`
          : t`highest first`
        : order === 'ASC'
          ? t`A to Z`
          : t`Z to A`;
  return (
    <MenuButton
      label={t`Sort`}
      className="p-btn l-sort-btn"
      align="end"
      items={sortable.flatMap(column =>
        (['ASC', 'DESC'] as const).map(order => ({
          title: `${column.title}, ${words(column, order)}`,
          checked: list.state.sort?.field === column.field && list.state.sort.order === order,
          onSelect: () => list.change({ sort: { field: column.field, order } }),
        })),
      )}
    >
      <ArrowUpDown aria-hidden="true" />
    </MenuButton>
  );
}

/** The file of all rows that the list finds, for those who may have it. */
export function ExportButton({ list, onExport }: { list: ListOf; onExport: () => void }): ReactElement | null {
  const session = useSession();
  const call = definitions.calls[`${list.resource.calls}.export`];
  const verdict = call && allowsCall(call, session);
  usePageActions(
    verdict
      ? [
          {
            id: 'export',
            title: t`Export ${namesOf(list.call.of).many}`,
            icon: 'download',
            run: onExport,
            ...(verdict.ok ? {} : { refusal: verdict.message }),
          },
        ]
      : [],
  );
  if (!verdict) return null;
  return (
    <button
      type="button"
      className="p-btn"
      aria-disabled={!verdict.ok}
      {...(verdict.ok ? {} : { 'data-tip': verdict.message })}
      onClick={() => {
        if (verdict.ok) onExport();
      }}
    >
      <Download aria-hidden="true" />
      <span>{t`Export`}</span>
    </button>
  );
}
