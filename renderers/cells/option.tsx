// One of a field's options as its title.
import { optionsOf } from '../../src/contract/paths.ts';
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 136 };

export default function OptionCell({ value, schema }: CellProps) {
  const title = optionsOf(schema).find(one => one.value === (value ?? null))?.title;
  if (title === undefined && (value === null || value === undefined)) return <span className="l-none">–</span>;
  return title ?? String(value);
}
