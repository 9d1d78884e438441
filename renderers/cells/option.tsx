// One of a field's options as its title.
import { optionsOf } from '../../src/contract/paths.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 136 };

export default function OptionCell({ value, schema }: CellProps) {
  const title = optionsOf(schema).find(one => one.value === (value ?? null))?.title;
  if (title === undefined && (value === null || value === undefined)) return <span className="l-none">–</span>;
  return title ?? String(value);
}
