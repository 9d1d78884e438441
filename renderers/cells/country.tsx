// A country by its name; the code is in the tooltip.
import { country } from '../../src/admin/format.ts';
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 136 };

export default function CountryCell({ value }: CellProps) {
  if (typeof value !== 'string' || !value) return <span className="l-none">–</span>;
  return <span className="p-cut" data-tip={`${country(value)} (${value})`}>{country(value)}</span>;
}
