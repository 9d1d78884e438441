// One row of a table: its cells, its link, and what opens it.
import type { RaRecord } from 'react-admin';
import { memo, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { at } from '../../../contract/paths.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { prefetchRecord } from '../../platform/routing/prefetch-screen.ts';
import type { FullColumn } from './columns.ts';
import { t } from '../../../domain/text/t.ts';

export type RowElementProps = React.HTMLAttributes<HTMLTableRowElement> & { 'data-row': string; 'data-selected'?: boolean | undefined };

/** Whether a press on this is meant for a control within a row. */
export const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, input, select, textarea, label, [role="menuitem"]') !== null;

/** What a list adds to its rows. */
export interface RowParts {
  /** What stands in front of each row besides the checkbox (the grip for dragging) or after it (a menu). */
  lead?: ((row: RaRecord) => ReactNode) | undefined;
  tail?: ((row: RaRecord) => ReactNode) | undefined;
  wrapRow?: ((row: RaRecord, props: RowElementProps, children: ReactNode) => ReactElement) | undefined;
}

interface RowProps extends RowParts {
  row: RaRecord;
  columns: FullColumn[];
  first: boolean;
  href: string | undefined;
  name: string;
  selected: boolean;
  toggle: ((id: RaRecord['id'], range: boolean) => void) | undefined;
  open: (row: RaRecord, event: { metaKey: boolean; ctrlKey: boolean; button?: number }) => void;
}

export const Row = memo(function Row({
  row,
  columns,
  first,
  href,
  name,
  selected,
  toggle,
  open,
  lead,
  tail,
  wrapRow,
}: RowProps): ReactElement {
  const click = (event: MouseEvent): void => {
    // A dialog of one of its actions is below the row for React, not in the page.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (event.defaultPrevented || isControl(event.target) || (event.type === 'auxclick' && event.button !== 1)) return;
    if (window.getSelection()?.type === 'Range') return; // a person is marking text
    open(row, event);
  };
  // Between press and release lies a tenth of a second: the record is asked for with the press.
  const press = (event: React.PointerEvent): void => {
    if (href && event.button === 0 && event.pointerType === 'mouse' && !isControl(event.target)) prefetchRecord(href);
  };
  const props: RowElementProps = {
    'data-row': String(row.id),
    'data-selected': selected || undefined,
    tabIndex: first ? 0 : -1,
    role: 'row',
    onFocus: holdFocus,
    ...(href ? { className: 'l-opens', onClick: click, onAuxClick: click, onPointerDown: press } : {}),
  };
  const cells = (
    <>
      {lead && (
        <td role="cell" className="l-lead">
          {lead(row)}
        </td>
      )}
      {toggle && (
        <td role="cell" className="l-check">
          <input
            type="checkbox"
            className="p-check"
            tabIndex={-1}
            aria-label={t`Select ${name}`}
            checked={selected}
            onChange={event => toggle(row.id, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
          />
        </td>
      )}
      {columns.map((column, i) => {
        const cell = (
          <column.cell value={at(row, column.field)} record={row as JsonObject} schema={column.schema} options={column.options} />
        );
        return (
          <td
            key={column.field}
            role="cell"
            className={column.end ? 'p-num' : undefined}
            data-slot={column.slot}
            data-title={column.title}
            data-cell={column.cellName}
          >
            {i === 0 && href && column.cellName !== 'id' && column.cellName !== 'copy' ? (
              <Link
                className="l-link"
                to={href}
                tabIndex={-1}
                onClick={event => {
                  if (!event.metaKey && !event.ctrlKey) {
                    event.preventDefault();
                    event.stopPropagation();
                    open(row, event);
                  }
                }}
              >
                {cell}
              </Link>
            ) : (
              cell
            )}
          </td>
        );
      })}
      {tail && (
        <td role="cell" className="l-tail">
          {tail(row)}
        </td>
      )}
    </>
  );
  return wrapRow ? wrapRow(row, props, cells) : <tr {...props}>{cells}</tr>;
});

/** The row with the focus is the one that Tab comes back to. */
function holdFocus(event: React.FocusEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget;
  for (const one of row.parentElement?.children ?? []) (one as HTMLElement).tabIndex = one === row ? 0 : -1;
}
