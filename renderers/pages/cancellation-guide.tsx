// The cancellation flow for a team member who speaks with a customer: what to read out, what to offer, and the end.
import { ArrowLeft } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { allowsCall } from '../../src/contract/access.ts';
import type { CancellationFlow, Offer, Reason } from '../../src/domain/cancellation/flow.ts';
import { StepCard } from '../../src/admin/features/cancellation/step-card.tsx';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { usePageTitle } from '../../src/admin/platform/routing/page-title.tsx';
import { useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { notify, notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import type { JsonObject } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

type Begun = CancellationFlow & { id: number };
const START = 'cancellation-attempts.start';
type Step = CancellationFlow['steps'][number];

export default function CancellationGuide({ params }: PageProps) {
  const subscriptionId = Number(params.id);
  usePageTitle(t`Cancellation flow`);
  const { data, error, refetch } = useAsk<CancellationFlow>('cancellation-attempts.flow', { subscriptionId, audience: 'TEAM' });
  const start = useCall(START);
  const session = useSession();
  const line = definitions.calls[START];
  const allowed = line && allowsCall(line, session);
  const box = useRef<HTMLDivElement>(null);
  const [begun, setBegun] = useState<Begun>();
  const begin = (): void => {
    start.run({ subscriptionId }).then(({ data: answer }) => setBegun(answer as unknown as Begun), notifyError);
  };
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <Link className="p-icon-btn" to={`/subscriptions/${subscriptionId}`} aria-label={t`Back`}>
          <ArrowLeft aria-hidden="true" />
        </Link>
        <h1 className="p-page-title">{t`Cancellation flow of #${subscriptionId}`}</h1>
      </div>
      {error ? (
        <div className="p-card">
          <ErrorState error={error} what={t`Cancellation flow`} onRetry={() => void refetch()} />
        </div>
      ) : begun ? (
        <div ref={box} tabIndex={-1} className="c-steps">
          <Walk flow={begun} box={box} />
        </div>
      ) : data ? (
        <div className="c-steps">
          <p className="p-muted">
            {t`Go through the steps with the customer: what they accept is done at once, and what they say counts for your save rates.`}
          </p>
          <StepCard
            title={data.steps.length > 1 ? t`${data.steps.length} steps` : t`One step`}
            buttons={allowed?.ok ? [{ text: t`Begin`, isMain: true, onPress: begin, isBusy: start.isPending }] : []}
          >
            <p className="p-hint">{data.steps.map(step => NAMES[step]).join(' → ')}</p>
            {allowed && !allowed.ok && <p className="p-muted">{allowed.message}</p>}
          </StepCard>
        </div>
      ) : (
        <span className="p-skeleton p-sk-4" />
      )}
    </div>
  );
}

const NAMES: Record<Step, string> = { BENEFIT: t`Benefits`, REASONS: t`Reasons`, OFFER: t`Offers`, CONFIRM: t`The end` };

/** The steps one after the other. An offer follows the reason that was chosen; where automatic renewal laws hold it comes first. */
function Walk({ flow, box }: { flow: Begun; box: RefObject<HTMLDivElement | null> }) {
  const navigate = useNavigate();
  const answer = useCall('cancellation-attempts.answer');
  const cancel = useCall('cancellation-attempts.cancel');
  const [at, setAt] = useState<Step>(flow.steps[0] ?? 'CONFIRM');
  // The step in view has the focus, so that the keyboard goes on where the step before it was.
  useEffect(() => box.current?.focus(), [at, box]);
  const [reason, setReason] = useState<Reason>();
  const [comment, setComment] = useState('');
  const isBusy = answer.isPending || cancel.isPending;
  const say = (key: string): string => flow.texts[key] ?? '';
  const offer = flow.isArl ? flow.offer : (reason?.offer ?? null);
  const home = `/subscriptions/${flow.subscriptionId}`;
  const next = (from: Step, chosen = reason): void => {
    const later = flow.steps.slice(flow.steps.indexOf(from) + 1);
    setAt(later.find(step => step !== 'OFFER' || (flow.isArl ? flow.offer : chosen?.offer)) ?? 'CONFIRM');
  };
  const tell = (input: JsonObject, then: () => void): void => {
    answer.run({ id: flow.id, ...input }).then(({ data }) => {
      if ((data as JsonObject).outcome !== 'SAVED') return then();
      notify(t`The subscription stays.`);
      void navigate(home);
    }, notifyError);
  };
  const end = (): void => {
    const input = { id: flow.id, ...(reason ? { reasonId: reason.id } : {}), ...(comment.trim() ? { comment: comment.trim() } : {}) };
    cancel.run(input).then(() => {
      notify(t`The subscription is cancelled.`);
      void navigate(home);
    }, notifyError);
  };
  if (at === 'BENEFIT' && flow.benefit)
    return (
      <StepCard
        title={flow.benefit.title}
        html={flow.benefit.bodyHtml}
        buttons={[
          {
            text: flow.benefit.primaryCtaText,
            isMain: true,
            isBusy,
            onPress: () => tell({ step: 'BENEFIT', accepted: true }, () => undefined),
          },
          { text: flow.benefit.secondaryCtaText, isBusy, onPress: () => tell({ step: 'BENEFIT', accepted: false }, () => next('BENEFIT')) },
        ]}
      />
    );
  if (at === 'REASONS')
    return (
      <StepCard
        title={say('cancellationReasonsTitle')}
        buttons={[{ text: say('cancellationContinue'), isBusy: isBusy || !reason, onPress: () => next('REASONS') }]}
      >
        <fieldset className="c-choices">
          <legend className="p-sr">{say('cancellationReasonsTitle')}</legend>
          {flow.reasons.map(one => (
            <label key={one.id} className="c-choice">
              <input type="radio" name="reason" checked={reason?.id === one.id} onChange={() => setReason(one)} />
              <span>{one.title}</span>
            </label>
          ))}
        </fieldset>
        {reason && reason.treatments.length > 0 && (
          <>
            <p className="p-strong">{say('cancellationSuggestionsTitle')}</p>
            <ul className="c-choices">
              {reason.treatments.map(one => (
                <li key={one.id} className="c-choice c-suggestion">
                  <span>
                    {one.title}
                    {one.description && <span className="p-hint">{one.description}</span>}
                  </span>
                  <button
                    type="button"
                    className="p-btn"
                    disabled={isBusy}
                    onClick={() => tell({ step: 'TREATMENT', accepted: true, reasonId: reason.id, treatmentId: one.id }, () => undefined)}
                  >
                    {one.ctaText}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        {reason && (
          <label className="p-field">
            <span className="p-label">{reason.commentLabel || say('cancellationCommentLabel')}</span>
            <textarea className="p-input" rows={3} maxLength={1000} value={comment} onChange={event => setComment(event.target.value)} />
          </label>
        )}
      </StepCard>
    );
  if (at === 'OFFER' && offer)
    return (
      <OfferStep
        offer={offer}
        isBusy={isBusy}
        onAnswer={accepted => tell({ step: 'OFFER', accepted, ...(reason ? { reasonId: reason.id } : {}) }, () => next('OFFER'))}
      />
    );
  return (
    <StepCard
      title={say('cancellationConfirmTitle')}
      html={say('cancellationConfirmText')}
      buttons={[
        { text: say('cancellationKeep'), isMain: true, isBusy, onPress: () => void navigate(home) },
        { text: say('cancellationConfirm'), isBusy, onPress: end },
      ]}
    >
      {reason && <p className="p-hint">{t`Reason: ${reason.title}`}</p>}
    </StepCard>
  );
}

const OfferStep = ({ offer, isBusy, onAnswer }: { offer: Offer; isBusy: boolean; onAnswer: (accepted: boolean) => void }) => (
  <StepCard
    title={offer.title}
    html={offer.bodyHtml}
    buttons={[
      { text: offer.acceptCtaText, isMain: true, isBusy, onPress: () => onAnswer(true) },
      { text: offer.rejectCtaText, isBusy, onPress: () => onAnswer(false) },
    ]}
  />
);
