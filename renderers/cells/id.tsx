// The record's own number ("#1042"), which copies.
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import CopyCell from './copy.tsx';

export const looks: Partial<CellHints> = { width: 96 };
const BARE = { bare: true };

export default function IdCell(props: CellProps) {
  return (
    <CopyCell
      {...props}
      options={BARE}
      value={props.value === null || props.value === undefined ? props.value : `#${String(props.value)}`}
    />
  );
}
