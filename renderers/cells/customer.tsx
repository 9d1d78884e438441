// A customer: name with the e-mail under it in a quieter voice. Options name the fields: { "name":
// "customerName", "email": "customerEmail" }.
import { at } from '../../src/contract/paths.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

const emailField = (options: JsonObject): string => (typeof options.email === 'string' ? options.email : 'customerEmail');
export const looks: Partial<CellHints> = { width: 172, flexible: true, also: options => [emailField(options)] };

export default function CustomerCell({ value, record, options }: CellProps) {
  const email = at(record, emailField(options));
  const name = typeof value === 'string' && value ? value : typeof email === 'string' ? email : '';
  if (!name) return <span className="l-none">–</span>;
  return (
    <>
      {name}
      {typeof email === 'string' && email !== name && <span className="p-cut l-second">{email}</span>}
    </>
  );
}
