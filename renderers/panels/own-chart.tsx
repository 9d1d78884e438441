// The chart of a form as it is typed, with the figures of now: the card that stands on Home.
import { ComponentCard } from '../../src/admin/dashboard/analytics/component.tsx';
import { draftCalls, OWN_CHART } from '../../src/admin/dashboard/analytics/own-charts.tsx';
import '../../src/admin/dashboard/dashboard.css';
import '../../src/admin/dashboard/analytics/analytics.css';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useRested } from '../../src/admin/form/page/use-rested.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { componentOfChart } from '../../src/domain/analytics/own-chart.ts';
import { t } from '../../src/domain/text/t.ts';

/** Of what is typed, what the figures depend on; the name alone is the card's. */
const DRAWN = ['metrics', 'type', 'by', 'split', 'days', 'top', 'filters'];

export default function OwnChart({ data, section }: FormPanelProps) {
  const typed = useRested<JsonObject>(Object.fromEntries(DRAWN.flatMap(key => (data[key] === undefined ? [] : [[key, data[key]]]))));
  const title = String(data.name ?? '') || (section.title ?? t`Chart`);
  const component = componentOfChart({ ...typed, name: title });
  if (component.metrics.length === 0)
    return (
      <section className="p-card" aria-label={title}>
        <div className="p-card-head">
          <h2>{title}</h2>
        </div>
        <div className="an-none">
          <p className="p-muted">{t`Choose at least one figure.`}</p>
        </div>
      </section>
    );
  return <ComponentCard path={OWN_CHART} calls={draftCalls} component={component} input={{ record: typed }} />;
}
