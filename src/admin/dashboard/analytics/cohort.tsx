// The grid of cohorts: a row for each month, a column for each month or order since, shaded from the lowest to the highest of its column.
import { type CSSProperties, type ReactElement, useState } from 'react';
import { t } from '../../../domain/text/t.ts';
import { count } from '../../platform/format.ts';
import { TableScroll } from '../../ui/table-scroll.tsx';
import { Behind } from './rows-behind.tsx';
import { type ChartData, type CohortTable, monthName, write } from './data.ts';

export function Cohort({ data, title }: { data: ChartData; title: string }): ReactElement {
  const tables = data.tables ?? [];
  const [key, setKey] = useState(tables[0]?.key);
  const table = tables.find(one => one.key === key) ?? tables[0];
  if (!table) return <div />;
  const width = data.width ?? 0;
  const first = data.first ?? 0;
  const columns = Array.from({ length: width }, (_, i) => first + i);
  const bounds = columns.map(index => boundsOf(table, index));
  const isByOrder = data.columns === 'order';
  return (
    <div className="an-cohort">
      {tables.length > 1 && (
        <div className="an-choices" role="group" aria-label={t`Figure`}>
          {tables.map(one => (
            <button key={one.key} type="button" className="an-choice" aria-pressed={one.key === table.key} onClick={() => setKey(one.key)}>
              {one.label}
            </button>
          ))}
        </div>
      )}
      <TableScroll label={`${title}: ${table.label}`} className="an-wide">
        <table className="p-table p-table-s an-grid">
          <thead>
            <tr>
              <th scope="col">{t`Began in`}</th>
              <th scope="col" className="p-num">
                {t`Subscriptions`}
              </th>
              {columns.map(index => (
                <th key={index} scope="col" className="p-num">
                  {isByOrder ? t`Order ${index}` : index === 0 ? t`Month 0` : index}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.average.length > 0 && (
              <tr className="an-average">
                <th scope="row">{t`Average`}</th>
                <td />
                {columns.map((index, i) => (
                  <td key={index} className="p-num">
                    {write(table.average[i]?.value ?? null, table.unit, data.currencyCode)}
                  </td>
                ))}
              </tr>
            )}
            {table.rows.map(row => (
              <tr key={row.cohort}>
                <th scope="row">{monthName(row.cohort)}</th>
                <td className="p-num">{count(row.size)}</td>
                {columns.map((index, i) => {
                  const cell = row.cells.find(one => one.index === index);
                  // The running month is the last cell of each row, and not over.
                  const isRunning = !isByOrder && cell !== undefined && row.cells.at(-1) === cell;
                  return (
                    <td
                      key={index}
                      className={`p-num an-cell${isRunning ? ' an-running' : ''}`}
                      style={cell ? ({ '--an-share': shade(Number(cell.value), bounds[i]) } as CSSProperties) : undefined}
                    >
                      {cell && (
                        <Behind
                          place={{ metric: table.key, cohort: row.cohort, column: index }}
                          name={`${table.label}: ${monthName(row.cohort)}, ${isByOrder ? t`Order ${index}` : t`Month ${index}`}`}
                        >
                          {write(cell.value, table.unit, data.currencyCode)}
                        </Behind>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </div>
  );
}

interface Bounds {
  least: number;
  most: number;
}
function boundsOf(table: CohortTable, index: number): Bounds {
  const values = table.rows.flatMap(row => {
    const value = row.cells.find(cell => cell.index === index)?.value;
    return value === null || value === undefined ? [] : [Number(value)];
  });
  return { least: Math.min(...values), most: Math.max(...values) };
}
/** How strong the colour of a cell is, in percent. */
const shade = (value: number, bounds: Bounds | undefined): string =>
  `${!bounds || bounds.most === bounds.least ? 18 : Math.round(6 + 30 * ((value - bounds.least) / (bounds.most - bounds.least)))}%`;
