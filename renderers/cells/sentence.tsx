// A sentence, or one of a field's options by its title: on one line, the whole as a tooltip; on small screens on up to two.
import { optionsOf } from '../../src/contract/paths.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 240, flexible: true };

export default function SentenceCell({ value: given, schema }: CellProps) {
  const value = optionsOf(schema).find(one => one.value === given)?.title ?? given;
  if (typeof value !== 'string' || value === '') return <span className="l-none">–</span>;
  return (
    <span className="l-sentence" data-tip={value}>
      {value}
    </span>
  );
}
