// A number, grouped by thousands, with the unit of its field.
import { count } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 104, end: true };

export default function NumberCell({ value, schema }: CellProps) {
  if (typeof value !== 'number') return <span className="l-none">–</span>;
  const unit = schema?.['x-ui']?.unit;
  return (
    <>
      {count(value)}
      {unit && <span className="p-muted"> {unit}</span>}
    </>
  );
}
