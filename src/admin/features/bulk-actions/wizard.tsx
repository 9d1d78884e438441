// Starting a bulk action in four steps. What is chosen is kept in this tab: a reload goes on where it was,
// going back keeps everything, leaving asks.
import { ArrowLeft, CircleAlert, Lock } from 'lucide-react';
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { allowsCall } from '../../../contract/access.ts';
import type { JsonObject, Resource, Schema } from '../../../contract/types.ts';
import { callOf, useAsk } from '../../platform/transport/calls.ts';
import { useResource, useSchema } from '../../platform/definitions.ts';
import { focusField } from '../../form/page/focus.ts';
import { count, counted } from '../../platform/format.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { useSession } from '../../platform/session/session.tsx';
import { ErrorState } from '../../ui/pages/error-page.tsx';
import { usePageTitle } from '../../platform/routing/page-title.tsx';
import { CallError } from '../../platform/transport/transport.ts';
import { type Asked, AskedValue } from './action-input-summary.tsx';
import { type CatalogueAction, type Group, useCatalogue } from './catalogue.ts';
import { ChooseAction } from './steps/choose-action.tsx';
import { ChooseSubscriptions } from './steps/choose-subscriptions.tsx';
import { useChosen } from './selection/chosen.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { type Draft, dropDraft, emptyDraft, keepDraft, readDraft, type Step, STEPS } from './draft.ts';
import { FillIn } from './steps/fill-in.tsx';
import { useInput } from './steps/action-input.ts';
import { useNarrowing } from './selection/list-filters.ts';
import { Review } from './steps/review.tsx';
import { startBulk } from './start.ts';
import { Stepper } from './stepper.tsx';
import { isTypedFor, saysNumber } from './steps/typed-confirmation.ts';
import { atLocalHour, whenProblem } from './steps/start-time.ts';
import { BULK, NAMES, pageOf, SUBSCRIPTIONS } from './bulk-calls.ts';
import './bulk.css';
import { statesSearch, From } from './wizard-from.tsx';
import { t } from '../../../domain/text/t.ts';

const PATH = '/bulk-actions/create';
/** The draft of this tab, kept with every change. */
function useDraft(): [Draft, (patch: Partial<Draft>) => void, () => void] {
  const [draft, setDraft] = useState<Draft>(() => readDraft() ?? emptyDraft());
  const change = useCallback(
    (patch: Partial<Draft>) =>
      setDraft(before => {
        const next = { ...before, ...patch };
        keepDraft(next);
        return next;
      }),
    [],
  );
  const drop = useCallback(() => {
    dropDraft();
    setDraft(emptyDraft());
  }, []);
  return [draft, change, drop];
}

export function Wizard({ resource }: { resource: Resource }): ReactElement {
  usePageTitle(resource.title);
  const session = useSession();
  const verdict = allowsCall(callOf(BULK.create), session);
  const list = useResource(SUBSCRIPTIONS.route);
  const entity = useSchema(`entities/${SUBSCRIPTIONS.entity}`);
  const catalogue = useCatalogue();
  if (!verdict.ok)
    return (
      <div className="p-page">
        <div className="p-page-head">
          <h1 className="p-page-title">{resource.title}</h1>
        </div>
        <div className="p-card p-empty">
          <Lock aria-hidden="true" />
          <h2>{t`You can't start bulk actions`}</h2>
          <p>{verdict.message}</p>
          <Link className="p-btn" to="/bulk-actions">
            {t`See bulk actions`}
          </Link>
        </div>
      </div>
    );
  return (
    <div className="p-page p-page-narrow ba-page">
      <div className="p-page-head f-page-head">
        <Link className="p-icon-btn f-back" to="/bulk-actions" aria-label={t`Back to bulk actions`}>
          <ArrowLeft aria-hidden="true" />
        </Link>
        <div className="f-page-titles">
          <h1 className="p-page-title">{resource.title}</h1>
        </div>
      </div>
      {catalogue.error && !catalogue.groups ? (
        <div className="p-card">
          <ErrorState error={catalogue.error} what={t`The actions`} onRetry={catalogue.refetch} />
        </div>
      ) : list && entity && catalogue.groups ? (
        <Steps list={list} entity={entity} groups={catalogue.groups} />
      ) : (
        <Waiting />
      )}
    </div>
  );
}

const Waiting = (): ReactElement => (
  <div role="status" aria-label={t`Loading`}>
    <div className="ba-steps">
      {STEPS.map(step => (
        <span key={step.id} className="p-skeleton ba-sk-step" />
      ))}
    </div>
    <div className="ba-actions ba-group">
      {Array.from({ length: 8 }, (_, i) => (
        <span key={i} className="p-skeleton ba-sk-action" />
      ))}
    </div>
  </div>
);

interface StepsProps {
  list: Resource;
  entity: Schema;
  groups: Group[];
}

function Steps({ list: resource, entity, groups }: StepsProps): ReactElement {
  const [draft, change, drop] = useDraft();
  const navigate = useNavigate();
  const { search } = useLocation();
  const inAddress = new URLSearchParams(search).get('step');
  const wanted: Step = STEPS.find(one => one.id === inAddress)?.id ?? 'action';
  const action = groups.flatMap(group => group.actions).find(one => one.key === draft.actionKey && one.refusal === undefined);
  const latest = useRef(draft);
  latest.current = draft;
  const list = useNarrowing(
    resource,
    entity,
    draft.search,
    useCallback((text: string) => change({ search: text }), [change]),
  );
  const chosen = useChosen(draft, list.narrowed);
  const input = useInput(
    action?.key,
    action && draft.inputs[action.key],
    useCallback(
      (value: JsonObject) => {
        if (action) change({ inputs: { ...latest.current.inputs, [action.key]: value } });
      },
      [action, change],
    ),
  );
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [failure, setFailure] = useState<{ message: string; requestId: string }>();
  const within = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  // One step further than what is complete can't be opened: an address that asks for it opens the first that is open.
  const reachable = new Set<Step>([
    'action',
    ...(action ? ['subscriptions' as const] : []),
    ...(action && chosen.selection && !chosen.problem ? ['input' as const] : []),
    ...(action && chosen.selection && !chosen.problem && input.isValid ? ['review' as const] : []),
  ]);
  const isSettling = action !== undefined && (input.store === undefined || (chosen.count === undefined && chosen.isAsking));
  const step: Step = reachable.has(wanted) || isSettling ? wanted : (STEPS.filter(one => reachable.has(one.id)).at(-1)?.id ?? 'action');
  const go = useCallback(
    (to: Step) => {
      setTried(false);
      setFailure(undefined);
      void navigate(to === 'action' ? PATH : `${PATH}?step=${to}`, { flushSync: true });
    },
    [navigate],
  );
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('main')?.scrollTo({ top: 0 });
  }, [step]);

  const leaving = useRef(false);
  useLeaveGuard(draft, leaving, drop);

  const total = chosen.count ?? 0;
  const isTyped = action !== undefined && isTypedFor(action, total);
  const busy = useAsk<{ inProgress?: boolean }>(BULK.busy, step === 'review' && action ? { key: action.key } : undefined);
  const whenError = draft.when === 'LATER' ? whenProblem(draft.day, draft.hour) : undefined;
  /** What keeps this step from being left ahead, in a sentence. */
  const problem =
    step === 'action'
      ? action
        ? undefined
        : t`Choose what to do.`
      : step === 'subscriptions'
        ? chosen.problem
        : step === 'review'
          ? (whenError ?? (isTyped && !saysNumber(typed, total) ? t`Type ${count(total)} to confirm.` : undefined))
          : undefined;

  const start = async (): Promise<void> => {
    if (!action || !chosen.selection) return;
    setStarting(true);
    setFailure(undefined);
    try {
      const id = await startBulk({
        actionKey: action.key,
        selection: chosen.selection,
        input: input.value,
        key: draft.key,
        ...(isTyped ? { confirmCount: total } : {}),
        ...(draft.when === 'LATER' ? { at: atLocalHour(draft.day, draft.hour) } : {}),
      });
      leaving.current = true;
      dropDraft();
      notify(draft.when === 'LATER' ? t`Bulk action scheduled.` : t`Bulk action started. You can leave this page.`);
      void navigate(pageOf(id), { replace: true });
    } catch (error) {
      setStarting(false);
      const first = error instanceof CallError ? error.errors[0]?.message : undefined;
      setFailure({
        message: first ?? (error instanceof Error ? error.message : String(error)),
        requestId: error instanceof CallError ? error.requestId : '',
      });
    }
  };
  const ahead = (): void => {
    setTried(true);
    if (step === 'input' && input.store) {
      if (!input.store.check()) {
        const [first] = input.store.errors();
        if (first) focusField(input.store, first.pointer, within.current);
        return;
      }
    } else if (problem !== undefined) return;
    if (step === 'subscriptions' && !chosen.selection) return;
    const next = STEPS[STEPS.findIndex(one => one.id === step) + 1];
    if (next) go(next.id);
    else void start();
  };
  const back = STEPS[STEPS.findIndex(one => one.id === step) - 1];
  const ready = useRef(ahead);
  ready.current = ahead;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.key !== 'Enter' ||
        !(event.metaKey || event.ctrlKey) ||
        event.defaultPrevented ||
        document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]')
      )
        return;
      event.preventDefault();
      ready.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const onChoose = (one: CatalogueAction): void => {
    const before = action?.statuses.join() ?? '';
    // Nothing was narrowed yet, or only by what the action before asked for: begin with the states that this one applies to.
    const isUntouched = draft.search === '' || draft.search === statesSearch(before);
    change({ actionKey: one.key, ...(isUntouched ? { search: statesSearch(one.statuses.join()) } : {}) });
    go('subscriptions');
  };

  const about = ABOUT[step];
  const from = <From draft={draft} list={list} leftRows={chosen.leftRows} />;
  const isGrave = step === 'review' && (action?.charges || action?.key === 'CANCEL_SUBSCRIPTION');
  return (
    <>
      <Stepper step={step} reachable={reachable} onStep={go} />
      <div className="ba-columns" data-single={step === 'review' || undefined}>
        <section aria-labelledby="ba-step" className="ba-step-body">
          <div className="ba-step-head">
            <h2 id="ba-step" ref={heading} tabIndex={-1}>
              {about.title}
            </h2>
            <p>{about.text(action?.label ?? '')}</p>
          </div>
          {step === 'action' ? (
            <ChooseAction groups={groups} chosen={action?.key} onChoose={onChoose} />
          ) : !action ? null : step === 'subscriptions' ? (
            <ChooseSubscriptions draft={draft} action={action} entity={entity} list={list} chosen={chosen} onChange={change} />
          ) : step === 'input' ? (
            input.store ? (
              <FillIn key={action.key} action={action} input={input} selection={chosen.selection} within={within} onSubmit={ahead} />
            ) : null
          ) : (
            <Review
              draft={draft}
              action={action}
              total={total}
              asked={input.asked}
              from={from}
              mails={action.mails || input.value.notify === true}
              isTyped={isTyped}
              typed={typed}
              onTyped={setTyped}
              isBusy={busy.data?.inProgress === true}
              whenError={tried ? whenError : undefined}
              onChange={change}
            />
          )}
        </section>
        {step !== 'review' && (
          <aside className="p-card ba-aside" aria-label={t`So far`}>
            <div className="p-card-head">
              <h2>{t`So far`}</h2>
            </div>
            <dl>
              <dt>{t`Action`}</dt>
              <dd>{action ? action.label : <span className="p-muted">{t`Not chosen yet`}</span>}</dd>
              <dt>{t`Subscriptions`}</dt>
              <dd>
                {!action || step === 'action' || chosen.count === undefined ? (
                  <span className="p-muted">{t`Not chosen yet`}</span>
                ) : (
                  <>
                    <span className="p-strong">{counted(chosen.count, NAMES)}</span>
                    <span className="ba-from p-hint">{from}</span>
                  </>
                )}
              </dd>
              {step === 'input' && input.asked.map(one => <SoFar key={one.title} asked={one} />)}
            </dl>
          </aside>
        )}
      </div>
      <div className="ba-bar" data-bar role="region" aria-label={t.as('continue')`Go on`}>
        <div className="ba-bar-said" role="alert">
          {failure ? (
            <p className="p-error">
              <CircleAlert size={14} aria-hidden="true" />
              {failure.message}
              {failure.requestId && ` ${t`(request ${failure.requestId})`}`}
            </p>
          ) : (
            tried &&
            problem !== undefined && (
              <p className="p-error">
                <CircleAlert size={14} aria-hidden="true" />
                {problem}
              </p>
            )
          )}
        </div>
        {back && (
          <button type="button" className="p-btn" disabled={isStarting} onClick={() => go(back.id)}>
            {t`Back`}
          </button>
        )}
        <button
          type="button"
          className={`p-btn ${isGrave ? 'p-btn-danger' : 'p-btn-primary'}`}
          aria-busy={isStarting}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={ahead}
        >
          {step === 'review' ? (draft.when === 'LATER' ? t`Schedule for ${counted(total, NAMES)}` : startText(action, total)) : t`Continue`}
        </button>
      </div>
    </>
  );
}

const SoFar = ({ asked }: { asked: Asked }): ReactElement => (
  <>
    <dt>{asked.title}</dt>
    <dd>
      <AskedValue asked={asked} />
    </dd>
  </>
);

const ABOUT: Record<Step, { title: string; text: (label: string) => string }> = {
  action: {
    title: t`What do you want to do?`,
    text: () => t`One change, made to many subscriptions on the server. Nothing happens before you start it in the last step.`,
  },
  subscriptions: {
    title: t`Which subscriptions?`,
    text: label => t`${label} is done to each of them on its own: one that fails does not stop the others.`,
  },
  input: { title: t`Set up the change`, text: () => t`The same for every subscription. Below you see what it would do.` },
  review: {
    title: t`Review and start`,
    text: () => t`Look at it once more. What is started runs to its end, also when you close this page.`,
  },
};

/** What the button that starts it says: the action's verb, where it has one for subscriptions. */
const startText = (action: CatalogueAction | undefined, total: number): string =>
  action?.group === 'STATUS' ? t.as('button')`${action.label} ${counted(total, NAMES)}` : t`Start for ${counted(total, NAMES)}`;
