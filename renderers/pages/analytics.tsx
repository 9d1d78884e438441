// A page of figures (schemas/analytics): its tabs, filters and components, for the days in its address.
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { compared, wholeDays } from '../../src/admin/dashboard/compare.ts';
import { ComponentCard, Tiles } from '../../src/admin/dashboard/analytics/component.tsx';
import { filtersOf, type Page } from '../../src/admin/dashboard/analytics/data.ts';
import { OwnChartsLink } from '../../src/admin/dashboard/analytics/own-charts.tsx';
import { Filters } from '../../src/admin/dashboard/analytics/filters.tsx';
import { ImportNotice, useRecentlyImported } from '../../src/admin/dashboard/analytics/import-notice.tsx';
import { RangeButton } from '../../src/admin/dashboard/range-picker.tsx';
import { dayTime, storeZone } from '../../src/admin/platform/format.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import { tx } from '../../src/admin/ui/tx.ts';
import '../../src/admin/dashboard/dashboard.css';
import '../../src/admin/dashboard/analytics/analytics.css';
import { t } from '../../src/domain/text/t.ts';

export default function Analytics({ resource }: PageProps): ReactElement {
  const key = String((resource.options as { page?: string } | undefined)?.page ?? '');
  const { data, error, refetch } = useAsk<Page>('analytics.pageConfig', { page: key }, { staleTime: 60_000 });
  const imported = useRecentlyImported();
  const page = imported === undefined ? undefined : data;
  const { search } = useLocation();
  const { startDate, endDate } = wholeDays(search, { zone: storeZone(), at: storeNow() });
  const days = useMemo(() => compared({ startDate, endDate }), [startDate, endDate]);
  const updatedAt = page?.lastUpdatedAt ?? new Date(storeNow()).toISOString();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const tab = page?.tabs.find(one => one.key === new URLSearchParams(search).get('tab')) ?? page?.tabs[0];
  const input = { ...(tab?.days === false ? {} : days), ...filtersOf(search, page?.filters ?? []) };
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
        <span className="p-hint" {...(page ? {} : { style: { visibility: 'hidden' } })}>
          {tx`Updated ${dayTime(updatedAt)}`}
        </span>
        <div className="p-page-actions">
          <OwnChartsLink />
          {tab?.days !== false && <RangeButton days={days} />}
        </div>
      </div>
      {page && page.tabs.length > 1 && <Tabs page={page} current={tab?.key ?? ''} search={search} />}
      {page && <Filters names={page.filters} />}
      {page && <ImportNotice count={imported ?? 0} />}
      {page && tab ? <Cards key={tab.key} page={page} tab={tab} input={input} /> : <Waiting />}
    </div>
  );
}

/** Shaped like what comes: a card of figures, and a chart. */
const Waiting = (): ReactElement => (
  <div className="an-grid-of-cards">
    <div className="p-card an-full">
      <div className="p-card-head">
        <span className="p-skeleton p-sk-3" role="status" aria-label={t`Loading`} />
      </div>
      <Tiles data={undefined} />
    </div>
    <div className="p-card an-full" aria-hidden="true">
      <div className="p-card-head">
        <span className="p-skeleton p-sk-3" />
      </div>
      <div className="p-card-body">
        <div className="b-trend">
          <span className="p-skeleton b-sk-chart" />
        </div>
      </div>
    </div>
  </div>
);

/**
 * The components of a part. All ask at once; each is shown when those before it have their figures, so that nothing moves that is read
 * already.
 */
function Cards({ page, tab, input }: { page: Page; tab: Page['tabs'][number]; input: JsonObject }): ReactElement {
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set());
  const settle = useCallback((path: string) => setSettled(before => new Set([...before, path])), []);
  const components = tab.sections.flatMap(section => section.components);
  const paths = components.map(({ key }) => `${page.page}.${key}`);
  const firstOpen = paths.findIndex(path => !settled.has(path));
  return (
    <div className="an-grid-of-cards">
      {components.map((component, i) => {
        const path = paths[i] as string;
        return (
          <ComponentCard
            key={path}
            path={path}
            component={component}
            input={input}
            isShown={firstOpen === -1 || i <= firstOpen}
            onSettled={settle}
          />
        );
      })}
    </div>
  );
}

/** Parts of the page; the days and filters in its address stay. */
function Tabs({ page, current, search }: { page: Page; current: string; search: string }): ReactElement {
  const to = (key: string): string => {
    const params = new URLSearchParams(search);
    if (key === page.tabs[0]?.key) params.delete('tab');
    else params.set('tab', key);
    return `?${params.toString()}`;
  };
  return (
    <nav className="p-tabs an-tabs" aria-label={page.title}>
      {page.tabs.map(tab => (
        <Link key={tab.key} className="p-tab" to={to(tab.key)} {...(tab.key === current ? { 'aria-current': 'page' as const } : {})}>
          {tab.title}
        </Link>
      ))}
    </nav>
  );
}
