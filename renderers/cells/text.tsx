// Plain text on one line; the cell itself cuts it off, and says the whole as a tooltip. (Elements count: a list has hundreds of these.)
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 160, flexible: true };

export default function TextCell({ value }: CellProps) {
  if (value === null || value === undefined || value === '') return <span className="l-none">–</span>;
  if (Array.isArray(value))
    return value.map(item => (item !== null && typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
