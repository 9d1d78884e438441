// Tables of figures: a component that is one, and any chart read as one.
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Link } from 'react-router-dom';
import { isThere } from '../../../navigation/navigation.ts';
import { t } from '../../../domain/text/t.ts';
import { definitions } from '../../platform/definitions.ts';
import { useFacts } from '../../platform/session/session.tsx';
import { TableScroll } from '../../ui/table-scroll.tsx';
import { type ChartData, type Column, type Component, named, type Value, write } from './data.ts';
import { Behind, type Place, placeOf } from './rows-behind.tsx';

interface Row {
  key: string;
  label: string;
  values: Value[];
  to?: string;
  part?: string;
}
const placeIn = ({ key, to, part }: Row, metric: string, isTime: boolean): Place => ({
  metric,
  ...(isTime ? { from: key, to: to ?? key } : { part: part ?? key }),
});
interface Sort {
  column: number;
  down: boolean;
}

const compare = (a: Value, b: Value): number => (a === null ? -1 : b === null ? 1 : Number(a) - Number(b));

/** Rows that can be put in order by each column. */
export function DataTable({ component, data }: { component: Component; data: ChartData }): ReactElement {
  const { title, to, by } = component;
  const [sort, setSort] = useState<Sort>();
  const facts = useFacts();
  const columns = (Array.isArray(data.columns) ? data.columns : []) as Column[];
  const rows = [...(data.rows ?? [])];
  if (sort) rows.sort((a, b) => compare(a.values[sort.column] ?? null, b.values[sort.column] ?? null) * (sort.down ? -1 : 1));
  const link = (row: Row): string | undefined =>
    to && /^\d+$/.test(row.key) && isThere(definitions, to.replace('{key}', row.key), facts) ? to.replace('{key}', row.key) : undefined;
  const left = (data.total ?? rows.length) - rows.length;
  return (
    <>
      <TableScroll label={t`${title}: figures`} className="an-table">
        <table className="p-table p-table-s">
          <thead>
            <tr>
              <th scope="col">{t`Name`}</th>
              {columns.map((column, i) => (
                <th
                  key={column.key}
                  scope="col"
                  className="p-num"
                  aria-sort={sort?.column === i ? (sort.down ? 'descending' : 'ascending') : undefined}
                >
                  <button
                    type="button"
                    className="an-sort"
                    data-tip={column.about}
                    onClick={() => setSort({ column: i, down: sort?.column === i ? !sort.down : true })}
                  >
                    {column.label}
                    {sort?.column === i &&
                      (sort.down ? <ArrowDown size={13} aria-hidden="true" /> : <ArrowUp size={13} aria-hidden="true" />)}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => {
              const there = link(row);
              return (
                <tr key={row.part ?? row.key}>
                  <td>
                    <span className="p-cut an-name">{there ? <Link to={there}>{row.label}</Link> : row.label}</span>
                  </td>
                  {columns.map((column, i) => (
                    <td key={column.key} className="p-num">
                      <Behind
                        place={column.hasRows === false ? undefined : placeIn(row, column.key, by === 'time')}
                        name={`${column.label}: ${row.label}`}
                      >
                        {write(row.values[i] ?? null, column.unit, data.currencyCode)}
                      </Behind>
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroll>
      {left > 0 && <p className="p-hint an-left">{t`${left} more are not shown. Narrow the page by a filter.`}</p>}
    </>
  );
}

/** A chart's figures, a row for each point. */
export function TableOf({ component, data }: { component: Component; data: ChartData }): ReactElement {
  const { title } = component;
  const place = (r: number, column: number): Place | undefined => {
    const step = data.steps?.[r];
    if (step) return { metric: step.key };
    const series = data.series?.[column];
    const point = series?.points[r];
    return series && point && placeOf(component, series, point, data.xType === 'DATE');
  };
  const columns = data.steps ? [{ ...(data.steps[0] as Column), label: t`Value` }] : (data.series ?? []);
  const rows: Row[] = data.steps
    ? data.steps.map(step => ({ key: step.key, label: step.label, values: [step.value] }))
    : (data.series?.[0]?.points ?? []).map((point, i) => ({
        key: point.x,
        label: named(point, data.grain),
        values: (data.series ?? []).map(one => one.points[i]?.y ?? null),
      }));
  return (
    <TableScroll label={t`${title}: figures`} className="an-table b-figures">
      <table className="p-table p-table-s">
        <thead>
          <tr>
            <th scope="col">{data.xType === 'DATE' ? t`Days` : t`Name`}</th>
            {columns.map(column => (
              <th key={column.key} scope="col" className="p-num">
                {column.label}
              </th>
            ))}
            {data.previous && (
              <th scope="col" className="p-num">
                {t`Before`}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={row.key}>
              <td>{row.label}</td>
              {columns.map((column, i) => (
                <td key={column.key} className="p-num">
                  <Behind place={place(r, i)} name={`${column.label}: ${row.label}`}>
                    {write(row.values[i] ?? null, column.unit, data.currencyCode)}
                  </Behind>
                </td>
              ))}
              {data.previous && (
                <td className="p-num">{write(data.previous[r]?.y ?? null, columns[0]?.unit ?? 'count', data.currencyCode)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
