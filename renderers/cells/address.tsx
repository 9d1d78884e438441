// A postal address: one line in a list, its parts under each other in a record (the option "lines").
import { country } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 220, flexible: true };

export default function AddressCell({ value, options }: CellProps) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return <span className="l-none">–</span>;
  const text = (...names: string[]): string =>
    names
      .map(name => value[name])
      .filter(part => typeof part === 'string' && part !== '')
      .join(' ');
  const code = text('countryCode');
  const lines = [
    text('firstName', 'lastName'),
    text('company'),
    text('address1'),
    text('address2'),
    [text('city'), text('provinceCode', 'zip')].filter(Boolean).join(', '),
    code ? country(code) : text('country'),
  ].filter(Boolean);
  if (lines.length === 0) return <span className="l-none">–</span>;
  return options.lines ? (
    <address className="l-address">
      {lines.map((line, i) => (
        <span key={i}>{line}</span>
      ))}
    </address>
  ) : (
    <span className="p-cut">{lines.join(', ')}</span>
  );
}
