// Which columns are in view; kept for the person, and in a saved view.
import type { ReactElement } from 'react';
import type { FullColumn } from './columns.ts';
import { Options } from '../filters/options.tsx';
import { useOptimisticValue } from '../use-optimistic-value.ts';
import { t } from '../../../domain/text/t.ts';

/** Below this width of the window columns may have given way. */
const NARROW = 1360;

export function ColumnChooser({
  all,
  onReset,
  ...given
}: {
  all: FullColumn[];
  shown: string[];
  onChange: (shown: string[]) => void;
  onReset: (() => void) | undefined;
}): ReactElement {
  const [text, setText] = useOptimisticValue(given.shown.join(), value => given.onChange(value.split(',')));
  const shown = text.split(',');
  const toggle = (field: string): void =>
    setText(
      all
        .map(column => column.field)
        .filter(one => (one === field ? !shown.includes(one) : shown.includes(one)))
        .join(),
    );
  return (
    <div className="l-pop">
      <div className="l-pop-head">
        <h2>{t`Columns`}</h2>
        {onReset && (
          <button type="button" className="p-link" onClick={onReset}>
            {t`Reset`}
          </button>
        )}
      </div>
      <Options label={t`Columns`}>
        {all.map((column, i) => (
          <label key={column.field} className="p-menu-item" aria-disabled={i === 0 || undefined}>
            <input
              type="checkbox"
              className="p-check"
              checked={shown.includes(column.field)}
              disabled={i === 0}
              autoFocus={i === 1}
              onChange={() => toggle(column.field)}
            />
            {column.title}
          </label>
        ))}
      </Options>
      {!onReset && window.innerWidth < NARROW && all.some(column => column.yields !== undefined && shown.includes(column.field)) && (
        <p className="p-hint l-pop-note">{t`Some of these are hidden while the page is narrow. Once you choose columns, all of yours
          stay.`}</p>
      )}
    </div>
  );
}
