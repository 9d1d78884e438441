// What holds of a row, as quiet chips: the option "flags" gives a chip for each field that is true, {
// "flags": { "isRescheduled": "Moved" } }.
import { at } from '../../src/contract/paths.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 160, flexible: true };

export default function FlagsCell({ record, options }: CellProps) {
  const flags = Object.entries((options.flags ?? {}) as Record<string, string>).filter(([field]) => at(record, field) === true);
  return (
    <span className="r-flags">
      {flags.map(([field, title]) => (
        <span key={field} className="p-tag">
          {title}
        </span>
      ))}
    </span>
  );
}
