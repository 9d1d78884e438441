// A share in percent.
import { count } from '../../src/admin/format.ts';
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 104, end: true };

export default function PercentageCell({ value }: CellProps) {
  if (typeof value !== 'number' && typeof value !== 'string') return <span className="l-none">–</span>;
  return <>{count(Number(value))} %</>;
}
