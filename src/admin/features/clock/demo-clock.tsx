// The demo store's clock: shows its date, and lets the owner move it forward; billing, retries and schedules run as time would.
import { CalendarClock } from 'lucide-react';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import { at } from '../../../contract/paths.ts';
import type { Session } from '../../../contract/types.ts';
import { chunk, useChunk } from '../../platform/chunk.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { PopoverButton } from '../../ui/overlays/menu.tsx';
import { count, day, dayTime, storeZone } from '../../platform/format.ts';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { queryClient } from '../../platform/transport/query-client.ts';
import type { MoveResult } from './move-summary.tsx';
import { addDays, dayOf, monthStart } from '../../platform/time-zone.ts';
import { setSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import { daysBetween } from '../../../domain/calendar/plain-days.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

/** A move of the clock that is under way; it goes on when the box is closed and when the page changes. */
interface Move {
  title: string;
  /** Days passed, of `total`; 0 of 0 until it has begun. */
  done: number;
  total: number;
  charged: number;
}
let move: Move | undefined;
/** What the last move brought, until it was read. */
let result: MoveResult | undefined;
const summaryChunk = chunk(() => import('./move-summary.tsx'));
const watchers = new Set<() => void>();
const tell = (): void => {
  for (const watcher of watchers) watcher();
};
const watch = (then: () => void): (() => void) => {
  watchers.add(then);
  return () => {
    watchers.delete(then);
  };
};
const setMove = (next: Move | undefined): void => {
  move = next;
  tell();
};
const setResult = (next: MoveResult | undefined): void => {
  result = next;
  tell();
};
const number = (data: unknown, name: string): number => {
  const value = at(data, name);
  return typeof value === 'number' ? value : 0;
};

/** The same day of the next month; its last day where there is none. */
function daysOfMonth(now: number): number {
  const today = dayOf(now, storeZone());
  const later = addDays(monthStart(today, 1), Number(today.slice(8)) - 1);
  const last = addDays(monthStart(today, 2), -1);
  return daysBetween(today, later < last ? later : last);
}

async function advance(title: string, days: number): Promise<void> {
  if (move) return;
  setMove({ title, done: 0, total: 0, charged: 0 });
  try {
    const { data: begun } = await runCall('clock.advance', { days }, { settle: false });
    const id = at(begun, 'id') ?? at(begun, 'runId') ?? null;
    let run = begun;
    for (;;) {
      const status = at(run, 'status');
      if (status === 'FAILED') throw new Error(String(at(run, 'error') ?? t`The clock stopped on the way. Look at the log of the server.`));
      if (status === 'COMPLETED' || id === null) break;
      setMove({
        title,
        done: Math.floor(number(run, 'processed') / 24),
        total: number(run, 'total') / 24,
        charged: number(run, 'ordersPaid'),
      });
      await new Promise(resolve => {
        setTimeout(resolve, 600);
      });
      run = (await runCall('clock.run', { id })).data;
    }
    setSession((await runCall('start-up.session')).data as Session);
    await queryClient.invalidateQueries();
    const summary = at(run, 'summary');
    if (summary) setResult({ from: String(at(run, 'from')), to: String(at(run, 'to')), counts: summary as MoveResult['counts'] });
    else notify(t`It is now ${day(new Date(storeNow()))} in this store.`);
  } catch (error) {
    notifyError(error, t`The clock was not moved.`);
  }
  setMove(undefined);
}

/** How far the move is, in a sentence. */
function progressOf({ title, done, total, charged }: Move): string {
  const days = total > 0 ? t`Moving forward ${title}: ${count(done)} of ${count(total)} days` : t`Moving forward ${title} …`;
  if (charged <= 0) return days;
  return charged === 1 ? t`${days}, 1 order charged` : t`${days}, ${count(charged)} orders charged`;
}

/** The box makes way for what the move brought. */
function Close({ onMount }: { onMount: () => void }): null {
  useEffect(onMount); // eslint-disable-line react-hooks/exhaustive-deps -- once: the box is gone then
  return null;
}

export function DemoClock(): ReactElement | null {
  const [now, setNow] = useState(storeNow);
  const current = useSyncExternalStore(watch, () => move);
  const over = useSyncExternalStore(watch, () => result);
  const summary = useChunk(over && summaryChunk);
  useEffect(() => {
    setNow(storeNow());
    const timer = setInterval(() => setNow(storeNow()), 30_000);
    return () => clearInterval(timer);
  }, [current]);
  if (!definitions.calls['clock.advance']) return null;
  const steps = [
    { title: t`1 day`, days: 1 },
    { title: t`1 week`, days: 7 },
    { title: t`1 month`, days: daysOfMonth(now) },
  ];
  return (
    <>
      <PopoverButton
        label={t`Demo clock, ${day(new Date(now))}`}
        className="p-btn p-btn-s p-clock"
        align="end"
        data-tip={t`Demo clock`}
        button={
          <>
            {current ? <span className="p-spinner" /> : <CalendarClock aria-hidden="true" />}
            <span className="p-tabular">{day(new Date(now))}</span>
          </>
        }
      >
        {close => (
          <div className="p-clock-pop">
            {over && <Close onMount={close} />}
            <h2>{t`Demo clock`}</h2>
            <p className="p-muted">
              {tx`It is ${dayTime(new Date(now))} in this store. Moving the clock forward charges what falls due, retries failed payments
                and sends what would be sent; customers buy, change their minds and renew their cards as before.`}
            </p>
            {current ? (
              <div className="p-stack-s">
                <p role="status">{progressOf(current)}</p>
                <div
                  className="p-progress"
                  role="progressbar"
                  aria-label={t`Clock`}
                  {...(current.total > 0 ? { 'aria-valuemin': 0, 'aria-valuemax': current.total, 'aria-valuenow': current.done } : {})}
                >
                  <span style={{ width: current.total > 0 ? `${Math.min(100, (current.done / current.total) * 100)}%` : '30%' }} />
                </div>
                <p className="p-hint">{t`It goes on when you close this or leave the page.`}</p>
              </div>
            ) : (
              <div className="p-row">
                {steps.map(step => (
                  <button key={step.title} type="button" className="p-btn p-grow" onClick={() => void advance(step.title, step.days)}>
                    + {step.title}
                  </button>
                ))}
              </div>
            )}
          </div>
        )}
      </PopoverButton>
      {over && summary && <summary.MoveSummary {...over} onClose={() => setResult(undefined)} />}
    </>
  );
}
