// A country by its name.
import { country } from '../../src/admin/format.ts';
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 136 };

export default function CountryCell({ value }: CellProps) {
  if (typeof value !== 'string' || !value) return <span className="l-none">–</span>;
  return country(value);
}
