// A number, grouped by thousands, with the unit of its field; or how many of a whole that another field says.
import { count } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { t } from '../../src/domain/text/t.ts';

const wholeField = ({ ofField }: { ofField?: unknown }): string | undefined => (typeof ofField === 'string' ? ofField : undefined);
export const looks: Partial<CellHints> = { width: 104, end: true, also: options => [wholeField(options) ?? []].flat() };

export default function NumberCell({ value, schema, record, options }: CellProps) {
  if (typeof value !== 'number') return <span className="l-none">–</span>;
  const whole = record[wholeField(options) ?? ''];
  if (typeof whole === 'number') return <>{t`${count(value)} of ${count(whole)}`}</>;
  const unit = schema?.['x-ui']?.unit;
  return (
    <>
      {count(value)}
      {unit && <span className="p-muted"> {unit}</span>}
    </>
  );
}
