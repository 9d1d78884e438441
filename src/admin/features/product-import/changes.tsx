// What a product import would change, and what is wrong with its file.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { ellipsis } from '../../../domain/text/text.ts';
import { count } from '../../platform/format.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

/** What changes on a product, field by field: from what to what. */
export function Changes({ list }: { list: JsonObject[] }) {
  const shown = list.slice(0, 3);
  return (
    <span className="i-changes">
      {shown.map((one, i) => (
        <span key={i} className="p-cut">
          <span className="p-muted">{[text(one.variant), text(one.label)].filter(Boolean).join(' ')}: </span>
          {text(one.before) !== '' && (
            <>
              <del>{shorten(one.before)}</del> →{' '}
            </>
          )}
          <ins>{shorten(one.after)}</ins>
        </span>
      ))}
      {list.length > 3 && <span className="p-hint">{tx`and ${list.length - 3} more`}</span>}
    </span>
  );
}
const shorten = (value: JsonValue | undefined): string => {
  const all = Array.isArray(value) ? value.join(', ') : value !== null && typeof value === 'object' ? JSON.stringify(value) : text(value);
  return all === '' ? 'nothing' : ellipsis(all, 60);
};

export function Table({ head, rows: body, empty }: { head: string[]; rows: React.ReactNode[][]; empty: string }) {
  if (body.length === 0) return <p className="r-empty p-muted">{empty}</p>;
  return (
    <table className="p-table p-table-s">
      <thead>
        <tr>
          {head.map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((cells, i) => (
          <tr key={i}>
            {cells.map((cell, j) => (
              <td key={j} className={j === 0 ? 'p-tabular p-muted' : undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Errors({ errors, total }: { errors: JsonObject[]; total: number }) {
  return (
    <>
      <Table
        empty=""
        head={[t`Row`, t`Column`, t`Product`, t`What is wrong`]}
        rows={errors.map(one => [
          text(one.row),
          text(one.column),
          text(one.handle),
          <span key="m" className="i-message">
            {text(one.message)}
          </span>,
        ])}
      />
      {total > errors.length && <p className="p-hint i-note">{tx`${count(total - errors.length)} more are not shown.`}</p>}
    </>
  );
}
export const text = (value: JsonValue | undefined): string => (value === null || value === undefined ? '' : String(value));
