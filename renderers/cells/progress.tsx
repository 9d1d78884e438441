// How much of some work is done: a small bar, with the part that it says.
import { percent } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 120 };

export default function ProgressCell({ value }: CellProps) {
  if (typeof value !== 'number') return <span className="l-none">–</span>;
  return (
    <span className="l-progress">
      <span className="p-progress" aria-hidden="true">
        <span style={{ width: `${value}%` }} />
      </span>
      <span className="p-tabular p-muted">{percent(value)}</span>
    </span>
  );
}
