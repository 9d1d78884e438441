// The next step of onboarding: what it is for, the way to it, and leaving it out.
import { ArrowRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { linkOf, subModuleOf } from '../../../navigation/set-up.ts';
import { useAllowed, useSession } from '../../platform/session/session.tsx';
import { useAsk, useCall } from '../../platform/transport/calls.ts';
import { notifyError } from '../../ui/notices/notices.tsx';
import { TabLink } from '../../ui/tab-link.tsx';
import { t } from '../../../domain/text/t.ts';

/** The answer of nextEligibleOnboardingStage (C526). */
export interface NextStage {
  stageKey: string;
  title: string;
  description: string;
  ctaText: string;
  /** A page of the admin, or a page of the shop. */
  redirectUrl: string;
  canSkip: boolean;
}
const NEXT = 'onboarding.nextEligibleOnboardingStage';
const SKIP = 'onboarding.skipStage';

/** The next step; null after the last one. Every write asks for it again. */
export const useNextStage = (isAsked: boolean): { data: NextStage | null | undefined } =>
  useAsk<NextStage | null>(NEXT, isAsked ? {} : undefined);

/** `isHere`: it is done on the page that this stands on, so nothing leads there. */
export function NextStep({ stage, label, isHere = false }: { stage: NextStage; label: string; isHere?: boolean }): ReactElement {
  const { store } = useSession();
  const skip = useCall(SKIP);
  const allowed = useAllowed(SKIP);
  const isInShop = store.storefrontUrl !== undefined && stage.redirectUrl.startsWith(`${store.storefrontUrl}/`);
  return (
    <div className="p-card-body p-stack-s">
      <div>
        <p className="p-hint">{label}</p>
        <h3>{stage.title}</h3>
        <p className="p-muted">{stage.description}</p>
      </div>
      {!isHere && (
        <div className="p-row">
          {isInShop ? (
            <TabLink href={stage.redirectUrl} text={stage.ctaText} />
          ) : (
            <Link
              className="p-btn p-btn-primary"
              to={linkOf(
                { subModuleKey: subModuleOf(stage.stageKey), buttonRedirectURL: stage.redirectUrl },
                store.storefrontWidgetVersion,
              )}
            >
              {stage.ctaText}
              <ArrowRight aria-hidden="true" />
            </Link>
          )}
          {stage.canSkip && allowed.ok && (
            <button
              type="button"
              className="p-btn p-btn-plain"
              aria-busy={skip.isPending}
              aria-label={t`Skip: ${stage.title}`}
              onClick={() => void skip.run({ stageKey: stage.stageKey }).catch((error: unknown) => notifyError(error))}
            >
              {t`Skip`}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
