// From an opening figure by what was added and taken away to the closing one: each bar begins where the one before ended.
import type { ReactElement } from 'react';
import { type ChartData, type Series, write } from './data.ts';
import { Behind } from './rows-behind.tsx';
import { groundOf, type Step, stepsOf } from './falls.ts';

export function Waterfall({ data }: { data: ChartData }): ReactElement {
  const [series] = data.series as [Series];
  const steps = stepsOf(series.points.map(({ y }) => Number(y ?? 0)));
  const ground = groundOf(steps);
  const span = Math.max(...steps.map(({ from, to }) => Math.max(from, to))) - ground || 1;
  const at = (value: number): number => ((Math.max(value, ground) - ground) / span) * 100;
  return (
    <ul className="an-bars an-falls">
      {series.points.map(({ x, label, about, y }, i) => {
        const { from, to, isTotal } = steps[i] as Step;
        const [left, right] = [Math.min(at(from), at(to)), Math.max(at(from), at(to))];
        const kind = isTotal ? (ground > 0 ? 'total-cut' : 'total') : Number(y ?? 0) < 0 ? 'down' : 'up';
        return (
          <li key={x} data-kind={kind}>
            <span className="an-fall-name" data-tip={about}>
              {label}
              {about && <span className="p-sr">: {about}</span>}
            </span>
            <span className="an-fall" aria-hidden="true">
              {(isTotal || Number(y ?? 0) !== 0) && (
                <span style={{ insetInlineStart: `${left}%`, width: `${Math.max(right - left, 0.4)}%` }} />
              )}
            </span>
            <span className="p-tabular">
              <Behind place={{ metric: x }} name={label ?? x}>
                {!isTotal && Number(y ?? 0) > 0 ? '+' : ''}
                {write(y, series.unit, data.currencyCode)}
              </Behind>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
