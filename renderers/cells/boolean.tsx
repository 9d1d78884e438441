// Yes with a check mark, or a quiet no.
import { Check } from 'lucide-react';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 96 };

export default function BooleanCell({ value }: CellProps) {
  if (value === true)
    return (
      <span className="p-row l-yes">
        <Check size={14} aria-hidden="true" />
        Yes
      </span>
    );
  return <span className="p-muted">{value === false ? 'No' : '–'}</span>;
}
