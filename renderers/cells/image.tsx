// A small picture; an empty frame where there is none.
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 56 };

export default function ImageCell({ value }: CellProps) {
  if (typeof value !== 'string' || !value) return <span className="p-thumb p-thumb-s l-thumb-empty" aria-hidden="true" />;
  return <img className="p-thumb p-thumb-s" src={value} alt="" width={28} height={28} loading="lazy" decoding="async" />;
}
