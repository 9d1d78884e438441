// A small picture; an empty frame where there is none.
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { Thumbnail } from '../../src/admin/ui/thumbnail.tsx';

export const looks: Partial<CellHints> = { width: 56 };

export default function ImageCell({ value }: CellProps) {
  return <Thumbnail src={typeof value === 'string' && value ? value : undefined} />;
}
