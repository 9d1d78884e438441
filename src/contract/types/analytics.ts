// Metrics (schemas/metrics), pages of figures (schemas/analytics) and reports (schemas/reports).
import type { JsonObject, JsonValue } from './schema.ts';

/** A sum over one fact. */
export interface MetricTerm {
  fact: string;
  measure: string;
  /** Column -> the values it must have. */
  when: Record<string, readonly JsonValue[]>;
  minus: boolean;
  /** How many times it counts. */
  times: number;
  /** Of what lasts: whether it is counted when a period begins or when it ends. */
  at: 'start' | 'end';
}
export type MetricUnit = 'count' | 'money' | 'percent' | 'number' | 'days';
/** One figure: the sum of its numerators, over that of its denominators where it has some. */
export type Metric = {
  key: string;
  title: string;
  /** What it is called where its title alone does not say it: among all metrics. */
  name?: string;
  /** What exactly is counted, in a sentence. */
  about: string;
  unit: MetricUnit;
  better: 'up' | 'down' | 'neither';
  numerator: readonly MetricTerm[];
  denominator: readonly MetricTerm[];
};

export type ComponentType = 'metrics' | 'line' | 'bar' | 'stacked' | 'pie' | 'table' | 'cohort' | 'funnel' | 'waterfall';
/** One part of a page of figures. */
export interface AnalyticsComponent {
  key: string;
  type: ComponentType;
  title: string;
  about?: string;
  metrics: readonly string[];
  /** What it is split by; "time" or a dimension. */
  by?: string;
  /** Of stacked: what each bar is split by. */
  split?: string;
  /** So many groups, the largest first; the others as one. */
  top: number;
  /** Of a dimension: the groups in their own order, not by size. */
  inOrder?: boolean;
  /** Of a cohort: whether its columns are months or orders. */
  columns?: 'month' | 'order';
  /** Figures that SQL can't say: a source of a feature (`charts.ts`). */
  source?: string;
  /** Months up to now, whatever days are chosen. */
  months?: number;
  width: 'full' | 'half';
  /** Where a table's first column leads: "/products/{key}". */
  to?: string;
  /** What else it needs the right to look at. */
  permission?: string;
}
export interface AnalyticsSection {
  key: string;
  title: string;
  components: readonly AnalyticsComponent[];
}
export interface AnalyticsTab {
  key: string;
  title: string;
  /** Days are chosen on it: not where it is about now, whole histories or what is ahead. */
  days: boolean;
  sections: readonly AnalyticsSection[];
}
export interface AnalyticsPage {
  key: string;
  title: string;
  about: string;
  permission: string;
  filters: readonly string[];
  tabs: readonly AnalyticsTab[];
}

/** A list to look through, keep as a view and take away as a file. */
export type Report = {
  key: string;
  title: string;
  about: string;
  /** The entity whose records it lists. */
  of: string;
  /** What its records have. */
  where: JsonObject;
  permission?: string;
  /** Areas besides that one. */
  also?: string[];
  /** Columns in view at first, and all there are. */
  columns: readonly string[];
  more: readonly string[];
  filters: readonly string[];
  sort: { field: string; order: 'ASC' | 'DESC' };
  group: string;
  /** Where a row leads: "/subscriptions/{id}". */
  to?: string;
  /** The words in the empty search field, where it can be searched. */
  search?: string;
};
