// The data of a component as lines of a table, for a file and for a letter: the same figures that the page draws.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Grain } from '../../../domain/analytics/facts.ts';
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

/** How figures, their columns and stretches of days are written. */
export interface Writing {
  head(column: { label: string; unit: string }): string;
  figure(value: JsonValue | undefined, unit: string): string;
  /** The first day of a point over time. */
  day(day: string, grain: Grain): string;
}

/** As files have it: plain figures, with currency and sign of percent in the header, and days as programs read them. */
export const forFile = (currency: string): Writing => ({
  head: ({ label, unit }) => (unit === 'money' ? `${label} (${currency})` : unit === 'percent' ? `${label} (%)` : label),
  figure: text,
  day: day => day,
});

/** The header and the rows. */
export function linesOf(data: JsonObject, title: string, { head, figure, day }: Writing): string[][] {
  if (typeof data.mistake === 'string') return [[title], [data.mistake]];
  const grain = String(data.grain ?? 'day') as Grain;
  if (Array.isArray(data.items)) {
    const items = data.items as { label: string; unit: string; value: JsonValue; previousValue: JsonValue }[];
    return [
      [title, t`Value`, t`Before`],
      ...items.map(item => [head(item), figure(item.value, item.unit), figure(item.previousValue, item.unit)]),
    ];
  }
  if (Array.isArray(data.steps)) {
    const steps = data.steps as { label: string; unit: string; value: JsonValue; percentOfFirst: JsonValue }[];
    return [
      [title, t`Value`, t`Of the first (%)`],
      ...steps.map(step => [step.label, figure(step.value, step.unit), figure(step.percentOfFirst, 'number')]),
    ];
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
          ...tables.map(table => figure(table.rows[r]?.cells[c]?.value, table.unit)),
        ]);
      }),
    ];
  }
  if (Array.isArray(data.rows)) {
    const columns = (data.columns ?? []) as { label: string; unit: string }[];
    const rows = data.rows as { label: string; values: JsonValue[] }[];
    return [
      [title, ...columns.map(head)],
      ...rows.map(row => [
        data.grain === undefined ? row.label : day(row.label, grain),
        ...row.values.map((value, i) => figure(value, columns[i]?.unit ?? 'count')),
      ]),
    ];
  }
  const series = (data.series ?? []) as Series[];
  const [first] = series;
  return [
    [data.xType === 'DATE' ? t`From` : title, ...series.map(head)],
    ...(first?.points ?? []).map((point, i) => [
      point.label ?? (data.xType === 'DATE' ? day(point.x, grain) : point.x),
      ...series.map(({ points, unit }) => figure(points[i]?.y, unit)),
    ]),
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
