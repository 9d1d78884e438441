// A list of objects as a small table: a line for each, a column for each of their members.
import { humanise, optionsOf } from '../../src/contract/paths.ts';
import type { JsonValue, Schema } from '../../src/contract/types.ts';
import type { CellProps } from '../../src/admin/ui/cells.ts';

export default function RowsCell({ value, schema }: CellProps) {
  const members = Object.entries(schema?.items?.properties ?? {});
  const rows = Array.isArray(value) ? value : [];
  if (rows.length === 0 || members.length === 0) return <span className="l-none">–</span>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className="p-table-wrap" role="group" aria-label={schema?.title} tabIndex={0}>
      <table className="p-table p-table-s">
        <thead>
          <tr>
            {members.map(([name, member]) => (
              <th key={name} scope="col">
                {member.title ?? humanise(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {members.map(([name, member]) => (
                <td key={name}>{words(row, name, member)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function words(row: JsonValue, name: string, schema: Schema): string {
  const value = row !== null && typeof row === 'object' && !Array.isArray(row) ? row[name] : undefined;
  const option = optionsOf(schema).find(one => one.value === (value ?? null));
  if (Array.isArray(value)) return value.map(String).join(', ');
  return option?.title ?? (value === undefined || value === null || value === '' ? '–' : String(value));
}
