// A country by its name.
import { country } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 136 };

export default function CountryCell({ value }: CellProps) {
  if (typeof value !== 'string' || !value) return <span className="l-none">–</span>;
  return country(value);
}
