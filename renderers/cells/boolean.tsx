// Yes with a check mark, or a quiet no.
import { Check } from 'lucide-react';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { t } from '../../src/domain/text/t.ts';

export const looks: Partial<CellHints> = { width: 96 };

export default function BooleanCell({ value }: CellProps) {
  if (value === true)
    return (
      <span className="p-row l-yes">
        <Check size={14} aria-hidden="true" />
        {t`Yes`}
      </span>
    );
  return <span className="p-muted">{value === false ? t`No` : '–'}</span>;
}
