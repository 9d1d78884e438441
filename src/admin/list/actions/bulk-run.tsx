// Work on many rows: asks first, runs the action's call row by row (a few at a time), shows how far it is, names what failed and why, and
// tries that again. It runs in this tab: leaving while it runs is asked about.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { holds } from '../../../contract/validation/condition.ts';
import type { Action, JsonObject } from '../../../contract/types.ts';
import { callOf, markStale, runCall } from '../../platform/transport/calls.ts';
import { listInput } from '../../platform/transport/data-provider.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { count, counted } from '../../platform/format.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { currentFacts } from '../../platform/session/session.tsx';
import { CallError, newKey } from '../../platform/transport/transport.ts';
import { byReason, type Failure, workThrough } from './bulk-work.ts';
import { Asked } from '../../form/actions/asked.tsx';
import type { ActionForm } from '../../form/actions/sending.ts';
import { inputOf } from '../../form/actions/use-record-actions.tsx';
import { namesOf } from '../record-labels.ts';
import type { ListOf } from '../use-list.ts';
import { inSentence, t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

const AT_ONCE = 4;
/** Rows asked for at once while they are gathered: as many as a page may have. */
const PAGE = 250;
const NO_FORM: ActionForm = { schema: { type: 'object', properties: {} } };
/** Names shown for one reason; the rest is counted. */
const NAMED = 25;

export interface BulkProps {
  list: ListOf;
  /** Its call by its full name. */
  action: Action;
  /** The rows chosen, or "all" that match. */
  rows: JsonObject[] | 'all';
  total: number;
  nameOf: (row: JsonObject) => string;
  hrefOf: ((row: JsonObject) => string) | undefined;
  /** Gets the rows that were left as they were. */
  onDone: (left: JsonObject[]) => void;
  onClose: () => void;
}

type State =
  | { step: 'asking' }
  | { step: 'gathering'; found: number }
  | { step: 'running'; through: number; of: number }
  | { step: 'done'; failed: Failure<JsonObject>[]; left: JsonObject[] }
  /** The rows could not be gathered; nothing was changed. */
  | { step: 'broken'; error: unknown };

/** Every row that matches, page by page along the cursors. */
async function* everyRow(list: ListOf, signal: AbortSignal): AsyncGenerator<JsonObject> {
  const { page: _page, after: _after, before: _before, ...input } = list.input;
  for (let after: string | undefined; !signal.aborted;) {
    const answer = await runCall(list.call.name, listInput(list.call, { ...input, pageSize: PAGE, ...(after ? { after } : {}) }), {
      signal,
    });
    for (const row of Array.isArray(answer.data) ? answer.data : []) yield row as JsonObject;
    after = answer.pageInfo?.nextCursor ?? undefined;
    if (!answer.pageInfo?.hasNextPage || !after) return;
  }
}

const words = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)) +
  (error instanceof CallError && error.requestId ? t` (request ${error.requestId})` : '');

/** "12 subscriptions changed, 1 failed, 3 not begun." */
function outcome(changed: string, failed: number, left: number): string {
  const [wrong, rest] = [count(failed), count(left)];
  if (failed > 0) return left > 0 ? t`${changed} changed, ${wrong} failed, ${rest} not begun.` : t`${changed} changed, ${wrong} failed.`;
  return left > 0 ? t`${changed} changed, ${rest} not begun.` : t`${changed} changed.`;
}

export function BulkRun({ list, action, rows, total, nameOf, hrefOf, onDone, onClose }: BulkProps): ReactElement | null {
  const names = namesOf(list.call.of);
  const [state, setState] = useState<State>({ step: 'asking' });
  const [changed, setChanged] = useState(0);
  const [unsuited, setUnsuited] = useState(0);
  const [answers, setAsked] = useState<JsonObject>({});
  const stop = useRef(new AbortController());
  /** The key of each row's write: sent again where an answer never came, so that nothing is done twice. */
  const keys = useRef(new Map<JsonObject, string>());
  const call = callOf(action.call);
  const isBusy = state.step === 'gathering' || state.step === 'running';
  useLeaveGuard(() =>
    isBusy
      ? {
          title: t`“${action.title}” is still running`,
          tone: 'critical',
          submit: t`Stop and leave`,
          cancel: t`Stay`,
          text:
            state.step === 'running'
              ? t`${count(state.through)} of ${count(state.of)} are done. If you leave, the others stay as they are.`
              : t`If you leave, nothing is changed.`,
        }
      : undefined,
  );
  useEffect(() => () => stop.current.abort(), []);

  const work = async (
    chosen: JsonObject[],
    input: JsonObject,
    others: { failed?: Failure<JsonObject>[]; left?: JsonObject[] } = {},
  ): Promise<void> => {
    const { signal } = stop.current;
    const facts = currentFacts();
    setState({ step: 'running', through: 0, of: chosen.length });
    const worked = await workThrough(
      chosen,
      async row => {
        const own = keys.current.get(row) ?? newKey();
        keys.current.set(row, own);
        try {
          const given = inputOf(call, action.with, list.call.of, { record: row, row, facts });
          await runCall(action.call, { ...given, ...input }, { key: own, stale: false });
        } catch (error) {
          // A refusal is an answer: the next try is a new write.
          if (error instanceof CallError && error.status !== 0 && error.status < 500) keys.current.delete(row);
          throw error;
        }
      },
      {
        atOnce: AT_ONCE,
        signal,
        onStep: through => setState({ step: 'running', through, of: chosen.length }),
        isFinal: error => error instanceof CallError && (error.status === 0 || error.status === 401),
      },
    );
    const failed = [...(others.failed ?? []), ...worked.failed];
    const left = [...(others.left ?? []), ...worked.left];
    setChanged(before => before + worked.done.length);
    setState({ step: 'done', failed, left });
    onDone([...failed.map(failure => failure.row), ...left]);
    await markStale(call);
  };

  const begin = async (input: JsonObject): Promise<void> => {
    setAsked(input);
    stop.current = new AbortController();
    const { signal } = stop.current;
    const facts = currentFacts();
    // The rows are gathered before the first is changed: what an action changes may decide what matches.
    const chosen: JsonObject[] = [];
    let others = 0;
    const take = (row: JsonObject): void => {
      if (holds(action.when, { siblings: row, root: row, facts })) chosen.push(row);
      else others++;
    };
    setState({ step: 'gathering', found: 0 });
    try {
      if (rows === 'all')
        for await (const row of everyRow(list, signal)) {
          take(row);
          if ((chosen.length + others) % PAGE === 0) setState({ step: 'gathering', found: chosen.length + others });
        }
      else rows.forEach(take);
    } catch (error) {
      if (!signal.aborted) {
        setState({ step: 'broken', error });
        return;
      }
    }
    if (signal.aborted) {
      onClose();
      return;
    }
    setUnsuited(others);
    await work(chosen, input);
  };
  const again = (chosen: JsonObject[], others: { failed?: Failure<JsonObject>[]; left?: JsonObject[] }): void => {
    stop.current = new AbortController();
    void work(chosen, answers, others);
  };

  const what = counted(total, names);
  if (state.step === 'asking') {
    const given = inputOf(call, action.with, list.call.of, { record: {}, facts: currentFacts() });
    // Each row gives its own values later; a stand-in keeps the form from asking for them.
    const input: JsonObject = { ...Object.fromEntries(call.in.slice(0, 1).map(({ name }) => [name, 1])), ...given };
    return (
      <Asked
        action={ofMany(action, what)}
        call={call}
        scope={{ resource: list.resource, record: {}, ...(action.prompt?.length ? {} : { formOf: () => NO_FORM }) }}
        input={input}
        say={text => text}
        run={async typed => ({ data: typed, requestId: '' })}
        onDone={(_answer, typed) =>
          void begin(Object.fromEntries(Object.entries(typed).filter(([name]) => action.prompt?.includes(name))) as JsonObject)
        }
        onClose={onClose}
        note={<p className="p-hint">{t`It runs in this tab. Keep the page open until it is done.`}</p>}
      />
    );
  }
  const close = (
    <button type="button" className="p-btn" onClick={onClose}>
      {t`Close`}
    </button>
  );
  return (
    <Dialog
      title={
        state.step !== 'done' ? `${action.title}: ${what}` : state.left.length ? t`${action.title}: stopped` : t`${action.title}: done`
      }
      busy={isBusy}
      onClose={onClose}
      foot={
        isBusy ? (
          <button type="button" className="p-btn" onClick={() => stop.current.abort()}>
            {t`Stop`}
          </button>
        ) : state.step === 'broken' ? (
          <>
            {close}
            <button type="button" className="p-btn p-btn-primary" onClick={() => void begin(answers)}>
              {t`Try again`}
            </button>
          </>
        ) : state.step === 'done' && (state.failed.length > 0 || state.left.length > 0) ? (
          <>
            {close}
            {state.failed.length > 0 && (
              <button
                type="button"
                className={`p-btn${state.left.length ? '' : ' p-btn-primary'}`}
                onClick={() =>
                  again(
                    state.failed.map(failure => failure.row),
                    { left: state.left },
                  )
                }
              >
                {tx`Try ${count(state.failed.length)} again`}
              </button>
            )}
            {state.left.length > 0 && (
              <button type="button" className="p-btn p-btn-primary" onClick={() => again(state.left, { failed: state.failed })}>
                {tx`Go on with ${count(state.left.length)}`}
              </button>
            )}
          </>
        ) : (
          <button type="button" className="p-btn p-btn-primary" onClick={onClose}>
            {t`Close`}
          </button>
        )
      }
    >
      {state.step === 'gathering' && (
        <div className="p-stack-s">
          <p role="status">{state.found ? t`${counted(state.found, names)} found so far …` : t`Finding the ${names.many} …`}</p>
          <div className="p-progress" role="progressbar" aria-label={t`Finding rows`}>
            <span style={{ width: '8%' }} />
          </div>
        </div>
      )}
      {state.step === 'running' && (
        <div className="p-stack-s">
          <p role="status">{tx`${count(state.through)} of ${count(state.of)} done`}</p>
          <div
            className="p-progress"
            role="progressbar"
            aria-label={action.title}
            aria-valuemin={0}
            aria-valuemax={state.of}
            aria-valuenow={state.through}
          >
            <span style={{ width: `${(state.through / Math.max(1, state.of)) * 100}%` }} />
          </div>
          <p className="p-hint">{t`It runs in this tab: keep the page open. Stopping leaves what is done as it is.`}</p>
        </div>
      )}
      {state.step === 'broken' && (
        <p className="p-error" role="alert">
          {tx`The ${names.many} could not be found, nothing was changed: ${words(state.error)}`}
        </p>
      )}
      {state.step === 'done' && (
        <div className="p-stack-s">
          <p role="status">{outcome(counted(changed, names), state.failed.length, state.left.length)}</p>
          {byReason(state.failed).map(({ message, rows: those }) => (
            <div key={message} className="p-banner l-failed" data-tone="critical">
              <p className="p-strong">{message}</p>
              <ul {...(hrefOf ? {} : { tabIndex: 0 })}>
                {those.slice(0, NAMED).map((row, i) => (
                  <li key={i}>
                    {hrefOf ? (
                      <a className="p-link" href={hrefOf(row)} target="_blank" rel="noopener">
                        {nameOf(row)}
                      </a>
                    ) : (
                      nameOf(row)
                    )}
                  </li>
                ))}
                {those.length > NAMED && <li>{tx`and ${count(those.length - NAMED)} more`}</li>}
              </ul>
            </div>
          ))}
          {unsuited > 0 && (
            <p className="p-hint">
              {unsuited === 1
                ? t`${count(unsuited)} left out: ${inSentence(action.title)} does not apply to it.`
                : t`${count(unsuited)} left out: ${inSentence(action.title)} does not apply to them.`}
            </p>
          )}
          {(state.failed.length > 0 || state.left.length > 0) && <p className="p-hint">{t`Those that were not changed stay selected.`}</p>}
        </div>
      )}
    </Dialog>
  );
}

/** What is asked of many rows at once; what names one row says nothing of many. */
function ofMany(action: Action, what: string): Action {
  const { confirm, confirmMany, title } = action;
  return {
    ...action,
    confirm: confirmMany ?? (confirm?.includes('{') ? undefined : confirm) ?? t`This changes ${what}, one after another.`,
    confirmTitle: `${title}: ${what}`,
    submit: `${title} ${what}`,
  };
}
