// One component of a page of figures: it asks for its own data, and fails and tries again by itself. Every chart can be read as a table and
// taken away as a file.
import { Download, Info, Table2, ChartLine } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { useChunk } from '../../platform/chunk.ts';
import { useAsk } from '../../platform/transport/calls.ts';
import { download } from '../../ui/download.ts';
import { FiguresFailed } from '../failed.tsx';
import { Tile } from '../tile.tsx';
import { chartsChunk } from './charts-chunk.ts';
import { Bars, Funnel, Shares, SplitBars } from './bars.tsx';
import { Waterfall } from './waterfall.tsx';
import { Cohort } from './cohort.tsx';
import { type ChartData, type Component, isEmpty, write } from './data.ts';
import { Behind, RowsBehind } from './rows-behind.tsx';
import { DataTable, TableOf } from './tables.tsx';

/** The calls that answer the figures of a component and the rows behind them; without `rows` figures lead nowhere. */
export interface ChartCalls {
  chart: string;
  rows?: string;
}
const OF_PAGES: ChartCalls = { chart: 'analytics.chartOf', rows: 'analytics.rows' };

export interface ComponentCardProps {
  /** "<page>.<key>", or another name by which the card is known. */
  path: string;
  /** Where its figures come from: by default from its page, by its path. */
  calls?: ChartCalls;
  /** Stands at the end of its head. */
  link?: ReactElement;
  component: Component;
  input: JsonObject;
  /** It asks for its figures in any case. */
  isShown?: boolean;
  /** Called once its figures stand, or could not be read. */
  onSettled?: (path: string) => void;
}

export function ComponentCard({
  path,
  calls = OF_PAGES,
  link,
  component,
  input,
  isShown = true,
  onSettled,
}: ComponentCardProps): ReactElement {
  const chartInput = calls === OF_PAGES ? { path, ...input } : input;
  const { data, error, refetch, isPlaceholderData } = useAsk<ChartData>(calls.chart, chartInput, {
    staleTime: 60_000,
    placeholderData: before => before,
  });
  const charts = useChunk(chartsChunk);
  const isSettled = (data !== undefined && charts !== undefined) || Boolean(error);
  useEffect(() => {
    if (isSettled) onSettled?.(path);
  }, [isSettled, onSettled, path]);
  const [asTable, setAsTable] = useState(false);
  const { title, about, type, width } = component;
  const mayTable = type !== 'table' && type !== 'metrics' && type !== 'cohort' && data !== undefined && !isEmpty(data);
  return (
    <section className={`p-card an-card an-${width}`} aria-label={title} aria-busy={isPlaceholderData || undefined} hidden={!isShown}>
      <div className="p-card-head">
        <h2>
          {title}
          {about && (
            <button type="button" className="b-about" aria-label={about} data-tip={about}>
              <Info aria-hidden="true" />
            </button>
          )}
        </h2>
        <span className="p-row an-tools">
          {mayTable && (
            <button
              type="button"
              className="p-icon-btn p-icon-btn-s"
              aria-label={asTable ? t`${title}: show as chart` : t`${title}: show as table`}
              data-tip={asTable ? t`Show as chart` : t`Show as table`}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? <ChartLine aria-hidden="true" /> : <Table2 aria-hidden="true" />}
            </button>
          )}
          <button
            type="button"
            className="p-icon-btn p-icon-btn-s"
            aria-label={t`Download ${title} as CSV`}
            data-tip={t`Download as CSV`}
            onClick={() => void download(calls.chart, { ...chartInput, format: 'csv' }, `${path}.csv`)}
          >
            <Download aria-hidden="true" />
          </button>
          {link}
        </span>
      </div>
      {data?.without && <p className="p-muted an-without">{t`Not narrowed by: ${data.without.join(', ')}.`}</p>}
      {error && !data ? (
        <div className="b-failed">
          <FiguresFailed what={title} error={error} retry={() => void refetch()} />
        </div>
      ) : (
        isShown && (
          <RowsBehind component={component} call={calls.rows} input={chartInput} hasRows={data?.hasRows}>
            <Body component={component} data={data} asTable={asTable && mayTable} />
          </RowsBehind>
        )
      )}
    </section>
  );
}

function Body({ component, data, asTable }: { component: Component; data: ChartData | undefined; asTable: boolean }): ReactElement {
  const { type, title } = component;
  if (type === 'metrics' && data?.mistake === undefined) return <Tiles data={data} />;
  if (!data) return <Waiting />;
  if (data.mistake !== undefined || isEmpty(data))
    return (
      <div className="an-none">
        <p className="p-muted">{data.mistake ?? t`No data for this period`}</p>
      </div>
    );
  if (asTable) return <TableOf component={component} data={data} />;
  switch (type) {
    case 'table':
      return <DataTable component={component} data={data} />;
    case 'cohort':
      return <Cohort data={data} title={title} />;
    case 'pie':
      return <Shares component={component} data={data} />;
    case 'funnel':
      return <Funnel data={data} />;
    case 'waterfall':
      return <Waterfall data={data} />;
    default:
      if (data.xType === 'DATE') return <OverTime component={component} data={data} />;
      return (data.series?.length ?? 0) > 1 ? <SplitBars component={component} data={data} /> : <Bars component={component} data={data} />;
  }
}

const Waiting = (): ReactElement => (
  <div className="p-card-body">
    <div className="b-trend">
      <span className="p-skeleton b-sk-chart" role="status" aria-label={t`Loading`} />
    </div>
  </div>
);

function OverTime({ component, data }: { component: Component; data: ChartData }): ReactElement {
  const charts = useChunk(chartsChunk);
  return charts ? (
    <charts.TimeChart
      kind={component.type === 'line' || component.type === 'stacked' ? component.type : 'bar'}
      title={component.title}
      data={data}
    />
  ) : (
    <Waiting />
  );
}

/** Figures in a row; while they load there are five. */
export function Tiles({ data }: { data: ChartData | undefined }): ReactElement {
  if (!data?.items)
    return (
      <dl className="b-tiles" aria-busy="true">
        {Array.from({ length: 5 }, (_, i) => (
          <Tile key={i} title=" " about="" value={undefined} />
        ))}
      </dl>
    );
  return (
    <dl className="b-tiles">
      {data.items.map(item => {
        const value = item.value === null ? null : write(item.value, item.unit, data.currencyCode);
        return (
          <Tile
            key={item.key}
            title={item.label}
            about={item.about}
            value={value}
            shown={
              <Behind place={item.hasRows === false ? undefined : { metric: item.key }} name={item.label}>
                {value}
              </Behind>
            }
            {...(item.isOfNow ? { note: item.note ?? '' } : { change: item.changePercent })}
            inverted={item.better === 'down'}
            plain={item.better === 'neither'}
          />
        );
      })}
    </dl>
  );
}
