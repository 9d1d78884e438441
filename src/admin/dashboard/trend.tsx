// A line over days beside the same days of the period before. Its own chunk: the chart library is large.
import type { ReactElement } from 'react';
import { Area, AreaChart, CartesianGrid, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { t } from '../../domain/text/t.ts';
import { tx } from '../ui/tx.ts';

export interface TrendPoint {
  label: string;
  /** The day as the axis has it, short. */
  tick: string;
  value: number;
  previous: number;
}
export interface TrendProps {
  points: TrendPoint[];
  write: (value: number) => string;
  short: (value: number) => string;
  title: string;
}

export function Trend({ points, write, short, title }: TrendProps): ReactElement {
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <div className="b-trend" role="img" aria-label={t`${title}: a chart. "Show as table" gives its figures.`}>
      <ResponsiveContainer width="100%" height="100%">
        <AreaChart data={points} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--p-border)" />
          <XAxis
            dataKey="tick"
            tickLine={false}
            axisLine={false}
            minTickGap={48}
            tick={{ fill: 'var(--p-text-3)', fontSize: 12 }}
            tickMargin={8}
          />
          <YAxis width={56} tickLine={false} axisLine={false} tickFormatter={short} tick={{ fill: 'var(--p-text-3)', fontSize: 12 }} />
          <Tooltip isAnimationActive={false} cursor={{ stroke: 'var(--p-border-2)' }} content={<Tip write={write} />} />
          <Line
            type="linear"
            dataKey="previous"
            stroke="var(--p-text-3)"
            strokeDasharray="4 4"
            strokeWidth={1.5}
            dot={false}
            activeDot={false}
            isAnimationActive={!still}
          />
          <Area
            type="linear"
            dataKey="value"
            stroke="var(--p-chart-1)"
            strokeWidth={2}
            fill="var(--p-chart-1)"
            fillOpacity={0.1}
            activeDot={{ r: 4, strokeWidth: 0 }}
            isAnimationActive={!still}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
}

/** Both figures of the day under the pointer; recharts fills in which. */
function Tip({
  write,
  active,
  payload,
}: {
  write: (value: number) => string;
  active?: boolean;
  payload?: readonly { payload?: unknown }[];
}): ReactElement | null {
  const point = payload?.[0]?.payload as TrendPoint | undefined;
  return active && point ? (
    <div className="b-tip">
      <span className="p-strong">{point.label}</span>
      <span>
        <i data-series="1" />
        {write(point.value)}
      </span>
      <span className="p-muted">
        <i data-series="2" />
        {tx`${write(point.previous)} before`}
      </span>
    </div>
  ) : null;
}
