// What to do after this page on the way to the first subscription: the next step of onboarding.
import { NextStep, useNextStage } from '../../src/admin/features/onboarding/next-stage.tsx';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { t } from '../../src/domain/text/t.ts';

export default function NextStepPanel({ options }: FormPanelProps) {
  const { data: next } = useNextStage(true);
  const here = (options.here ?? []) as string[];
  if (!next) return null;
  return (
    <section className="p-card" aria-label={t`Next step`}>
      <NextStep stage={next} label={t`Next step`} isHere={here.includes(next.stageKey)} />
    </section>
  );
}
