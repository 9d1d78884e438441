// How far the long work is that a page's actions start: drawn from the waiter that their calls name (`settles`), also for work that was
// begun elsewhere or before a reload.
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactElement, useEffect, useRef } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import { callNamed } from '../../../contract/find.ts';
import { at } from '../../../contract/paths.ts';
import type { Action, Call, JsonObject, Resource } from '../../../contract/types.ts';
import { callOf, markStale, runCall } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { count, dayTime } from '../../platform/format.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { useSession } from '../../platform/session/session.tsx';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

const POLL_MS = 1000;

/** The key under which the state of a call's work is kept, to ask again when it was begun. */
export const progressKey = (call: Call): unknown[] => ['progress', call.poll?.call, call.poll?.with ?? null];

/** The work of each action of a page whose call names a waiter. */
export function Progress({ resource }: { resource: Pick<Resource, 'calls' | 'actions'> }): ReactElement | null {
  const session = useSession();
  const long = (resource.actions ?? []).flatMap(action => {
    const call = callNamed(definitions, action.call, resource as Resource);
    return call?.poll && allowsCall(callOf(call.poll.call), session).ok ? [{ action, call }] : [];
  });
  return long.length ? (
    <>
      {long.map(({ action, call }) => (
        <Work key={action.id} action={action} call={call} />
      ))}
    </>
  ) : null;
}

const number = (run: JsonObject, name: string): number => Number(run[name] ?? 0);

function Work({ action, call }: { action: Action; call: Call }): ReactElement | null {
  const { path, values, with: input = {} } = call.poll!;
  const isOver = (run: JsonObject): boolean => values.includes(at(run, path) ?? null);
  const { data: run } = useQuery({
    queryKey: progressKey(call),
    queryFn: async ({ signal }) => {
      const answer = (await runCall(call.poll!.call, input, { signal })).data as JsonObject | null;
      return answer?.status === 'NOT_STARTED' ? null : answer;
    },
    refetchInterval: query => (query.state.data && !isOver(query.state.data) ? POLL_MS : false),
    refetchIntervalInBackground: true,
  });
  const over = run ? isOver(run) : undefined;
  const wasRunning = useRef(false);
  useEffect(() => {
    if (over === false) wasRunning.current = true;
    if (!over || !wasRunning.current || !run) return;
    wasRunning.current = false;
    void markStale(call);
    if (run.error) notify(`${action.title}: ${String(run.error)}`, { tone: 'critical' });
    else notify(t`${action.title}: done, ${progressText(run)}`);
  }, [over, run, call, action.title]);
  if (!run) return null;
  const total = number(run, 'total');
  const done = number(run, 'processed');
  return (
    <section className="p-card f-progress" aria-label={t`${action.title}: progress`}>
      {over ? (
        <>
          <p className="p-row">
            {run.error || number(run, 'failed') > 0 ? (
              <CircleAlert size={16} className="f-progress-bad" aria-hidden="true" />
            ) : (
              <CircleCheck size={16} className="f-progress-good" aria-hidden="true" />
            )}
            <span className="p-grow">
              <span className="p-strong">{action.title}</span>: {run.error ? String(run.error) : progressText(run)}
            </span>
            {typeof run.finishedAt === 'string' && <span className="p-hint">{dayTime(run.finishedAt)}</span>}
          </p>
          {reasons(run).map(([reason, times]) => (
            <p key={reason} className="p-hint f-progress-why">
              {tx`${count(times)} left out: ${reason}`}
            </p>
          ))}
        </>
      ) : (
        <>
          <p role="status">
            <span className="p-strong">{action.title}</span>: {howFar(done, total, number(run, 'failed'))}
          </p>
          <div
            className="p-progress"
            role="progressbar"
            aria-label={action.title}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={number(run, 'percent')}
          >
            <span style={{ width: `${number(run, 'percent')}%` }} />
          </div>
          <p className="p-hint">{t`It goes on when you leave this page.`}</p>
        </>
      )}
    </section>
  );
}

/** Why records were left out, and how many for each reason, as far as the work named them. */
function reasons(run: JsonObject): [string, number][] {
  const skipped = at(run, 'result.skipped');
  const found = new Map<string, number>();
  for (const one of Array.isArray(skipped) ? skipped : []) {
    const reason = String(at(one, 'reason') ?? '');
    if (reason) found.set(reason, (found.get(reason) ?? 0) + 1);
  }
  return [...found].sort((a, b) => b[1] - a[1]).slice(0, 4);
}

/** What came of it: "400 looked at, 254 changed, 2 left out". */
function progressText(run: JsonObject): string {
  const [seen, changed] = [count(number(run, 'processed')), count(Number(at(run, 'result.changed') ?? run.succeeded ?? 0))];
  const failed = number(run, 'failed');
  return failed ? t`${seen} looked at, ${changed} changed, ${count(failed)} left out.` : t`${seen} looked at, ${changed} changed.`;
}

/** "120 of 400 subscriptions, 2 left out": after the action's title. */
function howFar(done: number, total: number, failed: number): string {
  if (!total) return failed > 0 ? t`starting …, ${count(failed)} left out` : t`starting …`;
  return failed > 0
    ? t`${count(done)} of ${count(total)} subscriptions, ${count(failed)} left out`
    : t`${count(done)} of ${count(total)} subscriptions`;
}
