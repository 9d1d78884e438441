// Plain text on one line; the whole of it as a tooltip when it is cut off.
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 160, flexible: true };

export default function TextCell({ value }: CellProps) {
  if (value === null || value === undefined || value === '') return <span className="l-none">–</span>;
  if (Array.isArray(value)) return <span className="p-cut">{value.map(item => (item !== null && typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')}</span>;
  return <span className="p-cut">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</span>;
}
