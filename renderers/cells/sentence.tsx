// A sentence that people should read without opening its row: on up to two lines, the whole as a tooltip.
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 240, flexible: true };

export default function SentenceCell({ value }: CellProps) {
  if (typeof value !== 'string' || value === '') return <span className="l-none">–</span>;
  return <span className="l-sentence">{value}</span>;
}
