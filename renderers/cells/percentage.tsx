// A share in percent.
import { percent } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 104, end: true };

export default function PercentageCell({ value }: CellProps) {
  if (typeof value !== 'number' && typeof value !== 'string') return <span className="l-none">–</span>;
  return <>{percent(Number(value))}</>;
}
