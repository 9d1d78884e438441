// Lines and stacked bars over days, weeks or months. Its own chunk.
import { type ReactElement, useState } from 'react';
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { t } from '../../../domain/text/t.ts';
import { brief, type ChartData, named, type Series, tick, type Unit, type Value, write } from './data.ts';

const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
const TICK = { fill: 'var(--p-text-3)', fontSize: 12 };
/** The colours of series in their order; after six they begin again, paler. */
export const colour = (i: number): string =>
  i < 6 ? `var(--p-chart-${i + 1})` : `color-mix(in srgb, var(--p-chart-${(i % 6) + 1}) 55%, var(--p-surface))`;

interface Row {
  tick: string;
  label: string;
  before?: string;
  values: Value[];
  previous: Value;
  [index: `v${number}`]: number | null;
}

export function TimeChart({ kind, title, data }: { kind: 'line' | 'bar' | 'stacked'; title: string; data: ChartData }): ReactElement {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const series = data.series ?? [];
  const { grain, previous, currencyCode } = data;
  // One axis: what is in another unit than the first series stands in the hint alone.
  const unit: Unit = series[0]?.unit ?? 'count';
  const drawn = series.map((one, i) => ({ one, i })).filter(({ one }) => one.unit === unit && !hidden.includes(one.key));
  const rows: Row[] = (series[0]?.points ?? []).map((point, n) => {
    const then = previous?.[n];
    return {
      tick: tick(point, grain),
      label: named(point, grain),
      ...(then ? { before: named(then, grain) } : {}),
      values: series.map(one => one.points[n]?.y ?? null),
      previous: then?.y ?? null,
      ...Object.fromEntries(series.map((one, i) => [`v${i}`, number(one.points[n]?.y)])),
      p: number(then?.y),
    };
  });
  const toggle = (key: string): void => setHidden(hidden.includes(key) ? hidden.filter(one => one !== key) : [...hidden, key]);
  const frame = (
    <>
      <CartesianGrid vertical={false} stroke="var(--p-border)" />
      <XAxis dataKey="tick" tickLine={false} axisLine={false} minTickGap={32} tick={TICK} tickMargin={8} />
      <YAxis
        width={60}
        tickLine={false}
        axisLine={false}
        allowDecimals={unit !== 'count'}
        tickFormatter={(value: number) => brief(value, unit, currencyCode)}
        tick={TICK}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={kind === 'line' ? { stroke: 'var(--p-border-2)' } : { fill: 'var(--p-hover)' }}
        content={<Tip series={series} currency={currencyCode} hasPrevious={previous !== undefined} />}
      />
    </>
  );
  return (
    <div className="p-card-body">
      <Legend series={series.filter(one => one.unit === unit)} hidden={hidden} toggle={toggle} hasPrevious={previous !== undefined} />
      <div className="b-trend" role="img" aria-label={t`${title}: a chart. "Show as table" gives its figures.`}>
        <ResponsiveContainer width="100%" height="100%">
          {kind === 'line' ? (
            <LineChart data={rows} margin={MARGIN} accessibilityLayer={false}>
              {frame}
              {previous && (
                <Line
                  type="linear"
                  dataKey="p"
                  stroke="var(--p-text-3)"
                  strokeDasharray="4 4"
                  strokeWidth={1.5}
                  dot={false}
                  activeDot={false}
                  isAnimationActive={!still}
                />
              )}
              {drawn.map(({ one, i }) => (
                <Line
                  key={one.key}
                  type="linear"
                  dataKey={`v${i}`}
                  stroke={colour(i)}
                  strokeWidth={2}
                  dot={false}
                  activeDot={{ r: 4, strokeWidth: 0 }}
                  isAnimationActive={!still}
                />
              ))}
            </LineChart>
          ) : (
            <BarChart data={rows} margin={MARGIN} accessibilityLayer={false} barCategoryGap="20%">
              {frame}
              {drawn.map(({ one, i }) => (
                <Bar
                  key={one.key}
                  dataKey={`v${i}`}
                  {...(kind === 'stacked' ? { stackId: 'all' } : {})}
                  fill={colour(i)}
                  maxBarSize={48}
                  isAnimationActive={!still}
                />
              ))}
            </BarChart>
          )}
        </ResponsiveContainer>
      </div>
    </div>
  );
}
const number = (value: Value | undefined): number | null => (value === null || value === undefined ? null : Number(value));

/** What each colour stands for; a click leaves a series out. */
function Legend({
  series,
  hidden,
  toggle,
  hasPrevious,
}: {
  series: readonly Series[];
  hidden: readonly string[];
  toggle: (key: string) => void;
  hasPrevious: boolean;
}): ReactElement {
  return (
    <p className="an-legend">
      {series.map((one, i) =>
        series.length === 1 ? (
          <span key={one.key}>
            <i style={{ background: colour(i) }} />
            {one.label}
          </span>
        ) : (
          <button key={one.key} type="button" aria-pressed={!hidden.includes(one.key)} onClick={() => toggle(one.key)}>
            <i style={{ background: colour(i) }} />
            {one.label}
          </button>
        ),
      )}
      {hasPrevious && (
        <span>
          <i className="an-dashed" />
          {t`The days before`}
        </span>
      )}
    </p>
  );
}

/** The figures of what is under the pointer; recharts fills in which. */
function Tip({
  series,
  currency,
  hasPrevious,
  active,
  payload,
}: {
  series: readonly Series[];
  currency: string | undefined;
  hasPrevious: boolean;
  active?: boolean;
  payload?: readonly { payload?: unknown }[];
}): ReactElement | null {
  const row = payload?.[0]?.payload as Row | undefined;
  if (!active || !row) return null;
  return (
    <div className="b-tip">
      <span className="p-strong">{row.label}</span>
      {series.map((one, i) => (
        <span key={one.key} className="an-tip-line">
          <span>
            <i className="an-dot" style={{ background: colour(i) }} />
            {one.label}
          </span>
          <span>{write(row.values[i] ?? null, one.unit, currency)}</span>
        </span>
      ))}
      {hasPrevious && row.before && (
        <span className="an-tip-line p-muted">
          <span>{row.before}</span>
          <span>{write(row.previous, series[0]?.unit ?? 'count', currency)}</span>
        </span>
      )}
    </div>
  );
}
