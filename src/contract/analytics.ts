// The files of schemas/metrics, schemas/analytics and schemas/reports, with their defaults.
import { humanise } from './paths.ts';
import type { AnalyticsComponent, AnalyticsPage, JsonObject, Metric, MetricTerm, Report, Schema } from './types.ts';

export const METRICS = 'schemas/metrics/';
export const PAGES = 'schemas/analytics/';
export const REPORTS = 'schemas/reports/';
/** Groups of a chart that are drawn apart; the others are one. */
const TOP = 8;

const within = (documents: Record<string, unknown>, folder: string): [key: string, raw: JsonObject][] =>
  Object.entries(documents)
    .filter(([file, document]) => file.startsWith(folder) && file.endsWith('.json') && document !== null && typeof document === 'object')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, document]) => {
      const { $schema: _schema, $comment: _comment, ...raw } = document as JsonObject;
      return [file.slice(folder.length, -'.json'.length), raw];
    });

interface RawTerm {
  fact: string;
  sum?: string;
  when?: Record<string, unknown>;
  minus?: true;
  times?: number;
  at?: 'start' | 'end';
}
const term = ({ fact, sum = 'count', when = {}, minus, times = 1, at = 'end' }: RawTerm): MetricTerm => ({
  fact,
  measure: sum,
  when: Object.fromEntries(
    Object.entries(when).map(([column, value]) => [column, (Array.isArray(value) ? value : [value]) as MetricTerm['when'][string]]),
  ),
  minus: minus ?? false,
  times,
  at,
});

/** Every metric by its key, which is the name of its file. */
export function metricsOf(documents: Record<string, unknown>): Record<string, Metric> {
  return Object.fromEntries(
    within(documents, METRICS).map(([key, raw]) => {
      const {
        numerator = [],
        denominator = [],
        format,
        ...rest
      } = raw as Partial<Record<'numerator' | 'denominator', RawTerm[]>> & { format?: string };
      const metric = { better: 'up', ...rest, key, unit: format, numerator: numerator.map(term), denominator: denominator.map(term) };
      return [key, metric as unknown as Metric];
    }),
  );
}

type RawComponent = Partial<AnalyticsComponent> & { type: AnalyticsComponent['type'] };
interface RawSection {
  title?: string;
  components: Record<string, RawComponent>;
}
type RawTab = { title?: string; days?: false; sections: RawSection[] };

/** Every page of figures by its key; a page without tabs has one. */
export function pagesOf(documents: Record<string, unknown>, metrics: Record<string, Metric>): Record<string, AnalyticsPage> {
  const component = (key: string, raw: RawComponent): AnalyticsComponent => {
    const [first] = raw.metrics ?? [];
    return {
      top: TOP,
      metrics: [],
      width: raw.type === 'pie' || raw.type === 'bar' || raw.type === 'funnel' ? 'half' : 'full',
      ...raw,
      key,
      title: raw.title ?? (first === undefined ? humanise(key) : (metrics[first]?.title ?? first)),
    };
  };
  const section = ({ title = '', components }: RawSection, i: number) => ({
    key: String(i + 1),
    title,
    components: Object.entries(components).map(([key, raw]) => component(key, raw)),
  });
  return Object.fromEntries(
    within(documents, PAGES).map(([key, raw]) => {
      const {
        tabs = {},
        sections,
        days,
        ...rest
      } = raw as Partial<AnalyticsPage> & {
        tabs?: Record<string, RawTab>;
        sections?: RawSection[];
        days?: boolean;
      };
      const all: Record<string, RawTab> = sections ? { all: { sections } } : (tabs as Record<string, RawTab>);
      return [
        key,
        {
          filters: [],
          ...rest,
          key,
          tabs: Object.entries(all).map(([name, tab]) => ({
            key: name,
            title: tab.title ?? humanise(name),
            days: tab.days ?? days ?? true,
            sections: tab.sections.map(section),
          })),
        } as AnalyticsPage,
      ];
    }),
  );
}

/** Every report by its key. */
export function reportsOf(documents: Record<string, unknown>): Record<string, Report> {
  return Object.fromEntries(
    within(documents, REPORTS).map(([key, raw]) => [key, { where: {}, more: [], filters: [], ...raw, key } as unknown as Report]),
  );
}

/** The components of a page by their keys. */
export const componentsOf = (page: AnalyticsPage): AnalyticsComponent[] =>
  page.tabs.flatMap(({ sections }) => sections.flatMap(({ components }) => [...components]));

/** "subscribers.growth" -> its page and component. */
export function componentAt(
  pages: Record<string, AnalyticsPage>,
  path: string,
): { page: AnalyticsPage; component: AnalyticsComponent } | undefined {
  const [pageKey = '', key = ''] = path.split('.');
  const page = Object.hasOwn(pages, pageKey) ? pages[pageKey] : undefined;
  const component = page && componentsOf(page).find(one => one.key === key);
  return page && component ? { page, component } : undefined;
}

/**
 * Where a metric stands on pages of figures, apart from cohorts, whose metrics mean nothing elsewhere: each place with the areas that it
 * takes to look at it. One that stands nowhere is for the code alone.
 */
export const placesOfMetric = (pages: Record<string, AnalyticsPage>, metric: string): string[][] =>
  Object.values(pages).flatMap(page =>
    componentsOf(page)
      .filter(({ type, metrics }) => type !== 'cohort' && metrics.includes(metric))
      .map(({ permission }) => [page.permission, ...(permission === undefined ? [] : [permission])]),
  );

/** The reports, the metrics, the pages of figures, or all their components by "<page>.<key>", as options of a field. */
export function chartOptions(documents: Record<string, unknown>, of: string): Schema[] {
  if (of === 'reports') return Object.values(reportsOf(documents)).map(({ key, title }) => ({ const: key, title }));
  const metrics = metricsOf(documents);
  const byPage = pagesOf(documents, metrics);
  if (of === 'metrics')
    return Object.values(metrics)
      .filter(({ key }) => placesOfMetric(byPage, key).length > 0)
      .map(({ key, title, name = title, about }) => ({ const: key, title: name, description: about }))
      .sort((a, b) => (a.title < b.title ? -1 : 1));
  const pages = Object.values(byPage);
  return of === 'pages'
    ? pages.map(({ key, title }) => ({ const: key, title }))
    : pages.flatMap(page => componentsOf(page).map(({ key, title }) => ({ const: `${page.key}.${key}`, title })));
}
