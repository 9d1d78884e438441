// A report as a table of calls and a screen, as if both had been written: its list, with filters, columns, views and its file.
import type { RawTable } from './calls.ts';
import type { JsonObject, Report } from './types.ts';

export const reportTable = (key: string): string => `report-${key}`;
export const REPORTS_ROUTE = 'analytics/reports';

/** The calls of a report: its rows, page by page, and all of them as a file. */
export const tableOfReport = ({ key, title, of, where, sort, also }: Report): RawTable => ({
  title,
  host: 'reporting',
  base: `/report/${key}`,
  permission: 'viewReports',
  feature: 'reports',
  of,
  calls: {
    list: {
      route: 'GET /rows',
      does: 'list',
      page: 'cursor',
      report: key,
      ...(also ? { also } : {}),
      ...(Object.keys(where).length ? { where } : {}),
      sort,
      title,
      assumed: 'The screen of a report: rows page by page, as other lists have them.',
    },
    export: {
      route: 'GET /file',
      does: 'export',
      report: key,
      ...(also ? { also } : {}),
      permission: 'exportReports',
      ...(Object.keys(where).length ? { where } : {}),
      sort,
      title: `Export ${title.toLowerCase()}`,
      assumed: 'As for list.',
    },
  },
});

/** The screen of a report. */
export const screenOfReport = ({ key, title, of, columns, more, filters, sort, permission, to, search }: Report): JsonObject => ({
  title,
  of,
  calls: reportTable(key),
  icon: 'chart-line',
  permission: permission ?? 'viewReports',
  list: {
    columns: [...columns, ...more],
    ...(more.length ? { optional: [...more] } : {}),
    ...(filters.length ? { filters: [...filters] } : {}),
    ...(search ? { search } : {}),
    ...(to ? { rowTo: to } : {}),
    sort,
    export: true,
    views: true,
    empty: { title: 'Nothing to report', text: 'There are no rows for this report yet.' },
  },
});
