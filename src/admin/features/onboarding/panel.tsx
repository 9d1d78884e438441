// The set-up panel: what a merchant still has to set up, by tab and module, over the open page. A chunk of its own; setup.tsx opens it.
import { ChevronDown, CircleCheck, CircleDashed, PartyPopper, X } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { countText, firstOpen, linkOf, scoreOf, sectionsOf, type SetUpSection } from '../../../navigation/set-up.ts';
import type { GoalCategory, GoalTask } from '../../../contract/types.ts';
import { useScrollLock } from '../../ui/overlays/scroll-lock.ts';
import { percent } from '../../platform/format.ts';
import { useSession } from '../../platform/session/session.tsx';
import { type SetupScore, useSetup } from './setup.tsx';
import { toneOf } from '../../ui/tone.ts';
import './setup.css';
import { inSentence, t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

export function SetupPanel({ onClose }: { onClose: () => void }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const { key } = useLocation();
  const opened = useRef(key);
  const title = useId();
  const { score, error, retry } = useSetup();
  useScrollLock();
  // The browser's own modal dialog keeps the focus inside and everything behind it out of reach.
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      if (before?.isConnected && document.activeElement === document.body) before.focus();
    };
  }, []);
  // Another page (by the browser's buttons, or by a task's link): the panel belonged to the one before.
  useEffect(() => {
    if (opened.current !== key) onClose();
  }, [key, onClose]);
  return (
    <dialog
      ref={dialog}
      className="p-setup"
      aria-labelledby={title}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={event => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="p-setup-head">
        <h2 id={title}>{t`Setup Score`}</h2>
        {score && (
          <span className="p-badge p-badge-plain p-tabular" data-tone={toneOf(score.percent === 100 ? 'completed' : 'pending')}>
            {percent(score.percent)}
          </span>
        )}
        <button type="button" className="p-icon-btn" aria-label={t`Close`} onClick={onClose}>
          <X aria-hidden="true" />
        </button>
      </div>
      {score ? <Tabs score={score} onGo={onClose} /> : error ? <Failed error={error} onRetry={retry} /> : <Loading />}
    </dialog>
  );
}

/**
 * Four tabs (S101) as one stop of the keyboard: arrows, Home and End go between them. The first one with something to do is selected at
 * first.
 */
function Tabs({ score, onGo }: { score: SetupScore; onGo: () => void }): ReactElement {
  const { categories } = score;
  const [chosen, setChosen] = useState(() =>
    Math.max(
      0,
      categories.findIndex(one => one.completionCount < one.subEntities.length),
    ),
  );
  const [turn, setTurn] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number): void => {
    setChosen(index);
    setTurn(turn + 1);
  };
  const onKey = (event: KeyboardEvent): void => {
    const last = categories.length - 1;
    const next =
      event.key === 'ArrowRight'
        ? chosen === last
          ? 0
          : chosen + 1
        : event.key === 'ArrowLeft'
          ? chosen === 0
            ? last
            : chosen - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? last
              : undefined;
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  const category = categories[chosen];
  return (
    <>
      <div className="p-setup-tabs" role="tablist" aria-label={t`Set-up`} ref={list} onKeyDown={onKey}>
        {categories.map((one, i) => (
          <button
            key={one.name}
            type="button"
            role="tab"
            className="p-tab"
            id={`${id}-${i}`}
            aria-selected={i === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={i === chosen ? 0 : -1}
            onClick={() => choose(i)}
          >
            {one.name}
          </button>
        ))}
      </div>
      <div className="p-setup-body" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} tabIndex={-1}>
        {category && <Category key={`${chosen} ${turn}`} category={category} onGo={onGo} />}
      </div>
    </>
  );
}

/** One tab. It starts over whenever its tab is selected: the first section with an incomplete task is open (S106, S193). */
function Category({ category, onGo }: { category: GoalCategory; onGo: () => void }): ReactElement {
  const sections = sectionsOf(category);
  const [open, setOpen] = useState(() => firstOpen(sections));
  const here = scoreOf([category]);
  if (here.total === 0)
    return (
      <div className="p-empty">
        <PartyPopper aria-hidden="true" />
        <h3>{t`Nothing to do here`}</h3>
        <p>{tx`There is nothing for you to set up in ${inSentence(category.name)}.`}</p>
      </div>
    );
  return (
    <>
      <div className="p-setup-progress">
        <p>{countText(here)}</p>
        <div
          className="p-progress"
          role="progressbar"
          aria-label={`${category.name}: ${countText(here)}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={here.percent}
        >
          <span style={{ width: `${here.percent}%` }} />
        </div>
      </div>
      <div className="p-setup-sections">
        {sections.map(section => (
          <Section
            key={section.key}
            section={section}
            isOpen={section.key === open}
            onToggle={() => setOpen(section.key === open ? undefined : section.key)}
            onGo={onGo}
          />
        ))}
      </div>
    </>
  );
}

function Section({
  section,
  isOpen,
  onToggle,
  onGo,
}: {
  section: SetUpSection;
  isOpen: boolean;
  onToggle: () => void;
  onGo: () => void;
}): ReactElement {
  const id = useId();
  return (
    <section className="p-setup-section" aria-labelledby={`${id}-head`}>
      <h3>
        <button
          type="button"
          id={`${id}-head`}
          className="p-setup-toggle"
          aria-expanded={isOpen}
          aria-controls={`${id}-tasks`}
          onClick={onToggle}
        >
          <span className="p-cut">{section.title}</span>
          {section.isNew && (
            <span className="p-badge p-badge-plain" data-tone={toneOf('newTask')}>
              {t`New`}
            </span>
          )}
          {section.isCompleted ? (
            <span className="p-badge p-badge-plain" data-tone={toneOf('completed')}>
              {t`Completed`}
            </span>
          ) : (
            section.tasks.length > 1 && (
              <span className="p-hint p-tabular" aria-label={t`${section.completed} of ${section.tasks.length} done`} role="img">
                {section.completed}/{section.tasks.length}
              </span>
            )
          )}
          <ChevronDown size={16} aria-hidden="true" />
        </button>
      </h3>
      <ul id={`${id}-tasks`} className="p-setup-tasks" hidden={!isOpen}>
        {section.tasks.map(task => (
          <Task key={task.subModuleKey} task={task} isNamed={section.tasks.length > 1} onGo={onGo} />
        ))}
      </ul>
    </section>
  );
}

function Task({ task, isNamed, onGo }: { task: GoalTask; isNamed: boolean; onGo: () => void }): ReactElement {
  const { store } = useSession();
  const to = linkOf(task, store.storefrontWidgetVersion);
  return (
    <li className="p-setup-task" data-completed={task.isCompleted || undefined}>
      <span className="p-setup-mark" role="img" aria-label={task.isCompleted ? t`Completed` : t`Not completed`}>
        {task.isCompleted ? <CircleCheck aria-hidden="true" /> : <CircleDashed aria-hidden="true" />}
      </span>
      <div className="p-grow">
        {isNamed && <h4>{task.name}</h4>}
        <p>{task.description}</p>
        {!task.isCompleted && (
          <Link
            className="p-btn p-btn-primary p-btn-s"
            to={to}
            aria-label={isNamed ? `${task.buttonCtaText}: ${task.name}` : task.buttonCtaText}
            onClick={onGo}
          >
            {task.buttonCtaText}
          </Link>
        )}
      </div>
    </li>
  );
}

function Loading(): ReactElement {
  return (
    <div className="p-setup-body" role="status" aria-label={t`Loading`}>
      <div className="p-setup-progress">
        <span className="p-skeleton p-sk-4" />
        <span className="p-skeleton p-sk-6" />
      </div>
      <div className="p-setup-sections">
        {[5, 3, 4, 3].map((width, i) => (
          <div key={i} className="p-setup-section p-setup-blank">
            <span className={`p-skeleton p-sk-${width}`} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }): ReactElement {
  return (
    <div className="p-empty" role="alert">
      <h3>{t`Your set-up could not be loaded`}</h3>
      <p>{error.message}</p>
      <button type="button" className="p-btn" onClick={onRetry}>
        {t`Try again`}
      </button>
    </div>
  );
}
