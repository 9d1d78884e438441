// What came of an experiment so far: the save rate of each variant as a bar, and what that means.
import '../../src/admin/features/cancellation/cancellation.css';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { count, percent } from '../../src/admin/platform/format.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Tally {
  attempts: number;
  saves: number;
  saveRate: number | null;
}
const NONE: Tally = { attempts: 0, saves: 0, saveRate: null };

function verdict({ winner, leading, state }: JsonObject): string {
  if (state === 'EXPERIMENT_IN_PROGRESS') {
    if (leading === 'CONTROL') return t`Variant A is ahead.`;
    if (leading === 'VARIANT') return t`Variant B is ahead.`;
    return leading === 'NONE' ? t`Neither is ahead by enough.` : t`Who is ahead shows once each variant has 30 attempts.`;
  }
  if (winner === 'CONTROL') return t`Variant A won.`;
  return winner === 'VARIANT' ? t`Variant B won.` : t`No variant won: the difference was too small.`;
}

export default function ExperimentResults({ data, section }: FormPanelProps) {
  const metrics = (data.metrics ?? {}) as { A?: Tally; B?: Tally };
  const rows: [string, Tally][] = [
    [t`Variant A`, metrics.A ?? NONE],
    [t`Variant B`, metrics.B ?? NONE],
  ];
  const most = Math.max(1, ...rows.map(([, { saveRate }]) => saveRate ?? 0));
  return (
    <PanelCard title={section.title ?? t`Results`}>
      <div className="p-card-body c-steps">
        {rows.map(([name, { attempts, saves, saveRate }]) => (
          <div key={name} className="c-result">
            <span className="p-strong">{name}</span>
            <span className="c-result-bar" aria-hidden="true">
              <span style={{ width: `${((saveRate ?? 0) / most) * 100}%` }} />
            </span>
            <span className="c-result-rate p-tabular">{saveRate === null ? '–' : percent(saveRate)}</span>
            <span className="p-hint">{t`${count(saves)} of ${count(attempts)} stayed`}</span>
          </div>
        ))}
        <p role="status">
          {verdict(data)} {typeof data.progress === 'string' && <span className="p-hint">{data.progress}</span>}
        </p>
      </div>
    </PanelCard>
  );
}
