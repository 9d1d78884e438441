// The whole cancellation flow as one subscriber would see it now, from what is saved.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CancellationFlow } from '../../src/domain/cancellation/flow.ts';
import { StepCard } from '../../src/admin/features/cancellation/step-card.tsx';
import { SubscriptionFinder } from '../../src/admin/form/fields/subscription-finder.tsx';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { callOf } from '../../src/admin/platform/transport/calls.ts';
import { allowsCall } from '../../src/contract/access.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

export default function CancellationPreview({ section, saved }: FormPanelProps) {
  const session = useSession();
  const services = useFormServices();
  const [chosen, setChosen] = useState<JsonValue>();
  const { data, error } = useQuery({
    queryKey: ['cancellation-flow', chosen, saved?.version ?? 0],
    enabled: chosen !== undefined,
    retry: false,
    queryFn: ({ signal }) => services.ask('cancellation-attempts.flow', { subscriptionId: chosen ?? 0 }, signal),
  });
  if (!allowsCall(callOf('subscription-contract.list'), session).ok) return null;
  return (
    <PanelCard title={section.title ?? t`What a subscriber sees`}>
      <div className="p-card-body c-steps">
        <SubscriptionFinder chosen={chosen} onChoose={setChosen} />
        {chosen === undefined && <p className="p-hint">{t`Choose a subscription to see its steps, by what is saved here.`}</p>}
        {error && <p className="p-error">{error.message}</p>}
        {chosen !== undefined && data !== undefined && !error && <Steps flow={data as unknown as CancellationFlow} />}
      </div>
    </PanelCard>
  );
}

function Steps({ flow }: { flow: CancellationFlow }) {
  const { texts, button } = flow;
  const say = (key: string): string => texts[key] ?? '';
  if (button.behavior === 'HIDE_BUTTON') return <p className="p-hint">{t`There is no cancel button.`}</p>;
  if (button.behavior === 'SHOW_MESSAGE') return <StepCard title={say('cancellationStart')} html={button.message ?? ''} buttons={[]} />;
  const offers = flow.offer ? [flow.offer] : flow.reasons.flatMap(one => (one.offer ? [one.offer] : []));
  const different = offers.filter((one, i) => offers.findIndex(other => other.id === one.id) === i);
  return (
    <>
      {flow.isArl && <p className="p-hint">{t`An automatic renewal law holds: one step alone, and no reason has to be given.`}</p>}
      <ol aria-label={t`Steps`}>
        {flow.steps.map(step => (
          <li key={step}>
            {step === 'BENEFIT' && flow.benefit && (
              <>
                <p className="c-steps-name">{t`Benefits`}</p>
                <StepCard
                  title={flow.benefit.title}
                  html={flow.benefit.bodyHtml}
                  buttons={[{ text: flow.benefit.primaryCtaText, isMain: true }, { text: flow.benefit.secondaryCtaText }]}
                />
              </>
            )}
            {step === 'REASONS' && (
              <>
                <p className="c-steps-name">{t`Reasons`}</p>
                <StepCard title={say('cancellationReasonsTitle')} buttons={[]}>
                  <ul className="c-choices">
                    {flow.reasons.map(one => (
                      <li key={one.id} className="c-choice">
                        <span>
                          {one.title}
                          {one.treatments.length > 0 && (
                            <span className="p-hint"> {one.treatments.map(other => other.title).join(' · ')}</span>
                          )}
                        </span>
                      </li>
                    ))}
                  </ul>
                </StepCard>
              </>
            )}
            {step === 'OFFER' && (
              <>
                <p className="c-steps-name">{t`Offers`}</p>
                <div className="c-steps">
                  {different.map(one => (
                    <StepCard
                      key={one.id}
                      title={one.title}
                      html={one.bodyHtml}
                      buttons={[{ text: one.acceptCtaText, isMain: true }, { text: one.rejectCtaText }]}
                    />
                  ))}
                </div>
              </>
            )}
            {step === 'CONFIRM' && (
              <>
                <p className="c-steps-name">{t`The end`}</p>
                <StepCard
                  title={say('cancellationConfirmTitle')}
                  html={say('cancellationConfirmText')}
                  buttons={[{ text: say('cancellationKeep'), isMain: true }, { text: say('cancellationConfirm') }]}
                />
              </>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
