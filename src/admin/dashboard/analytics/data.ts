// What pages of figures ask for and are answered, and how figures are written.
import type { JsonObject } from '../../../contract/types.ts';
import { FILTERS, type FilterName } from '../../../domain/analytics/facts.ts';
import { inFigures, t } from '../../../domain/text/t.ts';
import { count, currencySign, money, percent, plainDay, short, shortDay } from '../../platform/format.ts';
import { intlLocale, language } from '../../../domain/text/t.ts';

export type Unit = 'count' | 'money' | 'percent' | 'number' | 'days';
export type Value = string | number | null;
export interface Column {
  key: string;
  label: string;
  unit: Unit;
  better: 'up' | 'down' | 'neither';
  about?: string;
  /** false: of a figure that has no rows of its own, where others beside it have. */
  hasRows?: false;
}
export interface Point {
  x: string;
  /** Of a stretch of days: its last. */
  to?: string;
  label?: string;
  /** What exactly it counts. */
  about?: string;
  y: Value;
}
export interface Series extends Column {
  points: Point[];
}
export type Grain = 'day' | 'week' | 'month';
export interface ChartData {
  type: string;
  /** Why it can't be drawn as it is. */
  mistake?: string;
  currencyCode?: string;
  /** Tiles; `note`: what stands below a figure of now. */
  items?: (Column & { value: Value; changePercent: number | null; isOfNow: boolean; about: string; note?: string })[];
  xType?: 'DATE' | 'CATEGORY';
  grain?: Grain;
  series?: Series[];
  previous?: (Point | null)[];
  /** Names of filters that do not narrow it. */
  without?: string[];
  columns?: Column[] | 'month' | 'order';
  /** `part`: what the rows behind it are asked for by, where that is not its key. */
  rows?: { key: string; label: string; values: Value[]; to?: string; part?: string }[];
  /** Whether its figures lead to their rows, where no metric says them. */
  hasRows?: boolean;
  total?: number;
  steps?: (Column & { value: Value; percentOfFirst: number | null; percentOfPrevious: number | null })[];
  first?: number;
  width?: number;
  tables?: CohortTable[];
}
export interface CohortTable extends Column {
  rows: { cohort: string; size: number; isRunning: boolean; cells: { index: number; value: Value }[] }[];
  average: { index: number; value: Value }[];
}
export interface Component {
  key: string;
  /** The metrics that it draws; none where its figures come from elsewhere. */
  metrics: readonly string[];
  type: 'metrics' | 'line' | 'bar' | 'stacked' | 'pie' | 'table' | 'cohort' | 'funnel' | 'waterfall';
  title: string;
  about?: string;
  by?: string;
  split?: string;
  width: 'full' | 'half';
  to?: string;
  months?: number;
}
export interface Page {
  page: string;
  title: string;
  about: string;
  filters: string[];
  tabs: { key: string; title: string; days: boolean; sections: { key: string; title: string; components: Component[] }[] }[];
  lastUpdatedAt: string;
}

/** A figure as people read it; null is a dash. */
export function write(value: Value, unit: Unit, currency?: string): string {
  if (value === null) return '–';
  const number = Number(value);
  switch (unit) {
    case 'money':
      return money(String(value), currency);
    case 'percent':
      return percent(number, 1);
    case 'days':
      return number === 1 ? t`1 day` : t`${inFigures(number, { maximumFractionDigits: 0 })} days`;
    case 'number':
      return inFigures(number, Math.abs(number) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 });
    default:
      return count(number);
  }
}
/** The same for an axis. */
export function brief(value: number, unit: Unit, currency?: string): string {
  if (unit === 'percent') return percent(value);
  if (unit === 'number' && Math.abs(value) < 1) return write(value, unit);
  if (unit !== 'money' || !currency) return short(value);
  const sign = currencySign(currency);
  return language() === 'en' ? `${value < 0 ? '−' : ''}${sign}${short(Math.abs(value))}` : `${short(value)} ${sign}`;
}

const month = (day: string, style: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(intlLocale(), { timeZone: 'UTC', month: style, year: style === 'long' ? 'numeric' : '2-digit' }).format(
    Date.parse(`${day.slice(0, 7)}-01T00:00:00Z`),
  );
/** "November 2026" */
export const monthName = (day: string): string => month(day, 'long');
/** A part of the days: on the axis, and in full. */
export const tick = (point: Point, grain: Grain | undefined): string => (grain === 'month' ? month(point.x, 'short') : shortDay(point.x));
export const named = (point: Point, grain: Grain | undefined): string =>
  point.label ??
  (grain === 'month'
    ? monthName(point.x)
    : point.to && point.to !== point.x
      ? `${plainDay(point.x)} – ${plainDay(point.to)}`
      : plainDay(point.x));

/** Whether there is anything to draw. */
export function isEmpty(data: ChartData): boolean {
  if (data.series) return !data.series.some(series => series.points.some(({ y }) => y !== null && Number(y) !== 0));
  if (data.tables) return !data.tables.some(table => table.rows.length);
  if (data.rows) return data.rows.length === 0;
  return false;
}

/** The choice of rows without a value, as the address has it: no value is a blank alone. */
const NO_VALUE = encodeURIComponent(' ');
/** The values that are chosen of a filter. A value may hold a comma, which is encoded; what was typed into the address stays as it is. */
export const valuesIn = (params: URLSearchParams, name: string): string[] =>
  (params.get(name) ?? '')
    .split(',')
    .filter(Boolean)
    .map(value => (value === NO_VALUE ? '' : decoded(value)));
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
export const valuesTo = (values: readonly string[]): string =>
  values.map(value => (value === '' ? NO_VALUE : encodeURIComponent(value))).join(',');

/** What is chosen in the address, as calls take it. */
export function filtersOf(search: string, names: readonly string[]): JsonObject {
  const params = new URLSearchParams(search);
  return Object.fromEntries(
    names.flatMap(name => {
      const values = valuesIn(params, name);
      if (!values.length) return [];
      return [[name, 'isId' in (FILTERS[name as FilterName] ?? {}) ? values.map(Number) : values]];
    }),
  );
}
