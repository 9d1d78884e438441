// Yes with a check mark, or a quiet no.
import { Check } from 'lucide-react';
import type { CellLooks, CellProps } from '../../src/admin/cells.ts';

export const looks: Partial<CellLooks> = { width: 96 };

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
