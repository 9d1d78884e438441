// Charts that people put together themselves (entity "custom-chart"): where their figures come from, and those that stand on Home.
import { Pencil } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { allowsCall } from '../../../contract/access.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { componentOfChart } from '../../../domain/analytics/own-chart.ts';
import { t } from '../../../domain/text/t.ts';
import { mayOpen } from '../../../navigation/navigation.ts';
import { definitions } from '../../platform/definitions.ts';
import { useSession } from '../../platform/session/session.tsx';
import { useAsk } from '../../platform/transport/calls.ts';
import { ComponentCard, type ChartCalls } from './component.tsx';
import './analytics.css';

export const OWN_CHART = 'custom-chart';
/** As it is typed: nothing is saved that could lead to rows. */
export const draftCalls: ChartCalls = { chart: 'custom-charts.draw' };
const CALLS: ChartCalls = { chart: 'custom-charts.figures', rows: 'custom-charts.rows' };
const LIST = 'custom-charts.list';
/** The page that lists them. */
const PAGE = '/analytics/custom';

/** From a page of figures to the charts that people put together themselves. */
export function OwnChartsLink(): ReactElement | null {
  const session = useSession();
  if (!mayOpen(definitions, PAGE, session).ok) return null;
  return (
    <Link className="p-btn" to={PAGE}>
      {t`Own charts`}
    </Link>
  );
}

/** The charts on Home, each for days of its own. */
export function OwnCharts(): ReactElement | null {
  const session = useSession();
  const line = definitions.calls[LIST];
  const may = line !== undefined && allowsCall(line, session).ok;
  const { data } = useAsk<JsonObject[]>(LIST, may ? { filter: { isOnHome: true } } : undefined, { staleTime: 60_000 });
  if (!data?.length) return null;
  return (
    <div className="an-grid-of-cards">
      {data.map(chart => {
        const component = componentOfChart(chart);
        const to = `${PAGE}/${component.key}`;
        return (
          <ComponentCard
            key={component.key}
            path={`${OWN_CHART}-${component.key}`}
            calls={CALLS}
            component={component}
            input={{ id: Number(chart.id) }}
            link={
              <Link className="p-icon-btn p-icon-btn-s" to={to} aria-label={t`${component.title}: open`} data-tip={t`Open`}>
                <Pencil aria-hidden="true" />
              </Link>
            }
          />
        );
      })}
    </div>
  );
}
