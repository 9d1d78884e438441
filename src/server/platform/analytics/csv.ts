// The data of a component as lines of a file: the same figures that the page draws.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

type Series = {
  label: string;
  unit: string;
  points: { x: string; label?: string; y: JsonValue }[];
};
type Table = {
  label: string;
  unit: string;
  rows: { cohort: string; size: number; cells: { index: number; value: JsonValue }[] }[];
};
const text = (value: JsonValue | undefined): string => (value === null || value === undefined ? '' : String(value));

/** The header and the rows; amounts have their currency in the header. */
export function linesOf(data: JsonObject, currency: string, title: string): string[][] {
  const head = ({ label, unit }: { label: string; unit: string }): string =>
    unit === 'money' ? `${label} (${currency})` : unit === 'percent' ? `${label} (%)` : label;
  if (Array.isArray(data.items)) {
    const items = data.items as { label: string; unit: string; value: JsonValue; previousValue: JsonValue }[];
    return [[title, t`Value`, t`Before`], ...items.map(item => [head(item), text(item.value), text(item.previousValue)])];
  }
  if (Array.isArray(data.steps)) {
    const steps = data.steps as { label: string; value: JsonValue; percentOfFirst: JsonValue }[];
    return [[title, t`Value`, t`Of the first (%)`], ...steps.map(step => [step.label, text(step.value), text(step.percentOfFirst)])];
  }
  // One line for each cohort and column.
  if (Array.isArray(data.tables)) {
    const tables = data.tables as Table[];
    const [first] = tables;
    return [
      [t`Began in`, t`Subscriptions`, data.columns === 'order' ? t`Order` : t`Month`, ...tables.map(head)],
      ...(first?.rows ?? []).flatMap(({ cohort, size }, r) => {
        const width = Math.max(0, ...tables.map(table => table.rows[r]?.cells.length ?? 0));
        return Array.from({ length: width }, (_, c) => [
          cohort,
          String(size),
          String(Number(data.first ?? 0) + c),
          ...tables.map(table => text(table.rows[r]?.cells[c]?.value)),
        ]);
      }),
    ];
  }
  if (Array.isArray(data.rows)) {
    const columns = (data.columns ?? []) as { label: string; unit: string }[];
    const rows = data.rows as { label: string; values: JsonValue[] }[];
    return [[title, ...columns.map(head)], ...rows.map(row => [row.label, ...row.values.map(text)])];
  }
  const series = (data.series ?? []) as Series[];
  const [first] = series;
  return [
    [data.xType === 'DATE' ? t`From` : title, ...series.map(head)],
    ...(first?.points ?? []).map((point, i) => [point.label ?? point.x, ...series.map(({ points }) => text(points[i]?.y))]),
  ];
}

/** The rows behind a figure as lines of a file, with the sum that they come to at the end. */
export function linesOfRows(
  { rows, sum, isMoney }: { rows: readonly JsonObject[]; sum: JsonValue; isMoney: boolean },
  title: string,
  currency: string,
): { head: string[]; lines: string[][] } {
  return {
    head: [t`Date`, t`Subscription`, t`Customer`, t`Order`, t`What`, isMoney ? `${title} (${currency})` : title],
    lines: [
      ...rows.map(row => [row.at, row.subscriptionId, row.customerName, row.orderNumber, row.what, row.value].map(text)),
      [t`Sum`, '', '', '', '', text(sum)],
    ],
  };
}
