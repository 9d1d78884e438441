// Bars of groups, shares of a whole and steps: drawn without the chart library, so that they can be read by everybody.
import type { ReactElement } from 'react';
import { t } from '../../../domain/text/t.ts';
import { percent } from '../../platform/format.ts';
import { type ChartData, type Component, type Series, write } from './data.ts';
import { Behind, placeOf } from './rows-behind.tsx';

const colour = (i: number): string =>
  i < 6 ? `var(--p-chart-${i + 1})` : `color-mix(in srgb, var(--p-chart-${(i % 6) + 1}) 55%, var(--p-surface))`;

interface Drawn {
  component: Component;
  data: ChartData;
}

/** One bar for each group. */
export function Bars({ component, data }: Drawn): ReactElement {
  const [series] = data.series as [Series];
  const most = Math.max(...series.points.map(({ y }) => Math.abs(Number(y ?? 0))), 0.0001);
  return (
    <ul className="an-bars">
      {series.points.map(point => (
        <li key={point.x}>
          <span className="p-cut" title={point.label}>
            {point.label}
          </span>
          <span className="an-bar" aria-hidden="true">
            <span style={{ width: `${(Math.abs(Number(point.y ?? 0)) / most) * 100}%` }} />
          </span>
          <span className="p-tabular">
            <Behind place={placeOf(component, series, point, false)} name={`${series.label}: ${point.label ?? point.x}`}>
              {write(point.y, series.unit, data.currencyCode)}
            </Behind>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Bars whose parts are series. */
export function SplitBars({ component, data }: Drawn): ReactElement {
  const series = data.series ?? [];
  const [first] = series;
  // Parts of one figure are one figure together; several figures are none.
  const metric = component.split === undefined ? undefined : component.metrics[0];
  const sum = (i: number): number => series.reduce((all, one) => all + Number(one.points[i]?.y ?? 0), 0);
  const most = Math.max(...(first?.points ?? []).map((_, i) => sum(i)), 0.0001);
  return (
    <div className="p-card-body an-split">
      <p className="an-legend">
        {series.map((one, i) => (
          <span key={one.key}>
            <i style={{ background: colour(i) }} />
            {one.label}
          </span>
        ))}
      </p>
      <ul className="an-bars an-bars-flush">
        {(first?.points ?? []).map(({ x, label }, i) => {
          const words = series
            .filter(one => Number(one.points[i]?.y ?? 0) !== 0)
            .map(one => `${one.label}: ${write(one.points[i]?.y ?? null, one.unit, data.currencyCode)}`)
            .join(', ');
          return (
            <li key={x}>
              <span className="p-cut" title={label}>
                {label}
              </span>
              <span className="an-bar an-parts" data-tip={words}>
                {series.map((one, s) => (
                  <span
                    key={one.key}
                    style={{ width: `${(Number(one.points[i]?.y ?? 0) / most) * 100}%`, background: colour(s) }}
                    aria-hidden="true"
                  />
                ))}
                <span className="p-sr">{words}</span>
              </span>
              <span className="p-tabular">
                <Behind
                  place={metric === undefined || x === 'other' ? undefined : { metric, part: x }}
                  name={`${component.title}: ${label ?? x}`}
                >
                  {write(sum(i), first?.unit ?? 'count', data.currencyCode)}
                </Behind>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const RADIUS = 42;
const AROUND = 2 * Math.PI * RADIUS;
/** A ring of shares with its figures beside it. */
export function Shares({ component, data }: Drawn): ReactElement {
  const [series] = data.series as [Series];
  const points = series.points.filter(({ y }) => Number(y ?? 0) > 0);
  const total = points.reduce((sum, { y }) => sum + Number(y), 0);
  let at = 0;
  return (
    <div className="p-card-body an-shares">
      <svg viewBox="0 0 120 120" aria-hidden="true">
        {points.map(({ x, y }, i) => {
          const share = Number(y) / total;
          const from = at;
          at += share;
          // A hairline between two shares; one alone is a whole ring.
          const length = Math.max(share * AROUND - (points.length > 1 ? 1.5 : 0), 0.5);
          return (
            <circle
              key={x}
              cx="60"
              cy="60"
              r={RADIUS}
              fill="none"
              stroke={colour(i)}
              strokeWidth="18"
              strokeDasharray={`${length} ${AROUND}`}
              strokeDashoffset={-from * AROUND}
              transform="rotate(-90 60 60)"
            />
          );
        })}
      </svg>
      <ul>
        {points.map((point, i) => (
          <li key={point.x}>
            <i style={{ background: colour(i) }} aria-hidden="true" />
            <span className="p-cut" title={point.label}>
              {point.label}
            </span>
            <span className="p-tabular">
              <Behind place={placeOf(component, series, point, false)} name={`${component.title}: ${point.label ?? point.x}`}>
                {write(point.y, series.unit, data.currencyCode)}
              </Behind>
            </span>
            <span className="p-tabular p-muted">{percent((Number(point.y) / total) * 100)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Steps of which each is a part of the one before. */
export function Funnel({ data }: { data: ChartData }): ReactElement {
  return (
    <ul className="an-bars">
      {(data.steps ?? []).map(step => (
        <li key={step.key}>
          <span className="p-cut">{step.label}</span>
          <span className="an-bar" aria-hidden="true">
            <span style={{ width: `${Math.min(100, step.percentOfFirst ?? 0)}%` }} />
          </span>
          <span className="p-tabular">
            <Behind place={{ metric: step.key }} name={step.label}>
              {write(step.value, step.unit, data.currencyCode)}
            </Behind>
            {step.percentOfFirst !== null && <span className="p-muted"> {t`${percent(step.percentOfFirst)} of the first`}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
