// How far the store is set up, as a card for the dashboard: the score, the next step of onboarding, and the way to the whole list.
import { type ReactElement, useId } from 'react';
import { Link } from 'react-router-dom';
import { countText, linkOf } from '../../../navigation/set-up.ts';
import { percent } from '../../platform/format.ts';
import { NextStep, type NextStage, useNextStage } from './next-stage.tsx';
import { useSession } from '../../platform/session/session.tsx';
import { openSetupPanel, setupChunk, type SetupScore, useSetup } from './setup.tsx';
import { toneOf } from '../../ui/tone.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

/**
 * For the dashboard, until everything is set up. It keeps the space of its shape free while it loads, offers a retry where it failed, and
 * draws nothing for stores without the score. On the first day it says what to do first, and what comes after it.
 */
export function SetupCard({ isFirstDay = false }: { isFirstDay?: boolean }): ReactElement | null {
  const { score, error, isOff, retry } = useSetup();
  const { data: next } = useNextStage(!isOff);
  if (isOff || (score && score.completed === score.total && !next)) return null;
  return (
    <section className="p-card" aria-labelledby="set-up-card">
      <div className="p-card-head">
        <h2 id="set-up-card">{t`Setup Score`}</h2>
        {score && (
          <span className="p-badge p-badge-plain p-tabular" data-tone={toneOf(score.percent === 100 ? 'completed' : 'pending')}>
            {percent(score.percent)}
          </span>
        )}
      </div>
      {error ? (
        <div className="p-card-body p-stack-s" role="alert">
          <p>{tx`Your set-up could not be loaded. ${error.message}`}</p>
          <div>
            <button type="button" className="p-btn" onClick={retry}>
              {t`Try again`}
            </button>
          </div>
        </div>
      ) : score ? (
        <>
          <div className="p-card-body p-stack-s">
            <p className="p-muted p-tabular">{countText(score)}</p>
            <div
              className="p-progress"
              role="progressbar"
              aria-label={t`Set-up: ${countText(score)}`}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={score.percent}
            >
              <span style={{ width: `${score.percent}%` }} />
            </div>
          </div>
          {next && <NextStep stage={next} label={isFirstDay ? t`Do this first` : t`Next step`} />}
          {isFirstDay && <After score={score} next={next} />}
          <div className="p-card-foot">
            <button
              type="button"
              className="p-link"
              onClick={openSetupPanel}
              onPointerEnter={() => void setupChunk.load().catch(() => undefined)}
            >
              {t`See all tasks`}
            </button>
          </div>
        </>
      ) : (
        <div className="p-card-body p-stack-s" role="status" aria-label={t`Loading`}>
          <span className="p-skeleton p-sk-4" />
          <span className="p-skeleton p-sk-6" />
        </div>
      )}
    </section>
  );
}

/** Tasks that are shown after the first one: enough to see where it goes. */
const FEW = 3;

/** What there is to do after the next step, each leading to where it is done. */
function After({ score, next }: { score: SetupScore; next: NextStage | null | undefined }): ReactElement | null {
  const { store } = useSession();
  const id = useId();
  const tasks = score.categories
    .flatMap(category => category.subEntities)
    .filter(task => !task.isCompleted && task.name !== next?.title)
    .slice(0, FEW);
  if (tasks.length === 0) return null;
  return (
    <div className="p-card-body p-stack-s">
      <p className="p-hint" id={id}>
        {t`After that`}
      </p>
      <ul className="p-stack-s" aria-labelledby={id}>
        {tasks.map(task => (
          <li key={task.subModuleKey}>
            <Link to={linkOf(task, store.storefrontWidgetVersion)}>{task.name}</Link>
            <p className="p-muted">{task.description}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
