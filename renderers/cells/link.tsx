// A value that leads to a page of the admin. Options: { "to": "/subscriptions/{contractId}" } names it, with fields of the row; without
// them, and for people who may not open that page, the text stands alone.
import { Link } from 'react-router-dom';
import { mayOpen } from '../../src/navigation/navigation.ts';
import { at } from '../../src/contract/paths.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { useSessionIfAny } from '../../src/admin/platform/session/session.tsx';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 150, flexible: true };

export default function LinkCell({ value, record, options }: CellProps) {
  const session = useSessionIfAny();
  if (value === null || value === undefined || value === '') return <span className="l-none">–</span>;
  const text = `${typeof options.before === 'string' ? options.before : ''}${String(value)}`;
  let isWhole = true;
  const to =
    typeof options.to === 'string'
      ? options.to.replace(/\{([\w.]+)\}/g, (_, field: string) => {
          const found = at(record, field);
          if (typeof found !== 'string' && typeof found !== 'number') isWhole = false;
          return encodeURIComponent(String(found ?? ''));
        })
      : '';
  return to && isWhole && (!session || mayOpen(definitions, to, session).ok) ? (
    <Link to={to} {...(options.button === true ? { className: 'p-btn p-btn-s' } : {})}>
      {text}
    </Link>
  ) : (
    <>{text}</>
  );
}
