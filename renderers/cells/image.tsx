// A small picture; an empty frame where there is none.
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';
import { Thumb } from '../../src/admin/thumb.tsx';

export const looks: Partial<CellLooks> = { width: 56 };

export default function ImageCell({ value }: CellProps) {
  return <Thumb src={typeof value === 'string' && value ? value : undefined} />;
}
