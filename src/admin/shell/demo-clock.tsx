// The demo store's clock: shows its date, and lets the owner move it forward; billing, retries and schedules run as time would.
import { CalendarClock } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { runCall } from '../calls.ts';
import { definitions } from '../definitions.ts';
import { PopoverButton } from '../float/menu.tsx';
import { day, dayTime } from '../format.ts';
import { notify, notifyError } from '../notices.tsx';
import { queryClient } from '../query-client.ts';
import { setSession, storeNow } from '../session.tsx';
import type { Session } from '../../contract/types.ts';

const STEPS = [{ unit: 'day', title: 'Day' }, { unit: 'week', title: 'Week' }, { unit: 'month', title: 'Month' }];

export function DemoClock(): ReactElement | null {
  const [now, setNow] = useState(storeNow());
  const [busy, setBusy] = useState<string>();
  useEffect(() => { const timer = setInterval(() => setNow(storeNow()), 30_000); return () => clearInterval(timer); }, []);
  if (!definitions.calls['clock.advance']) return null;

  const advance = async (step: { unit: string; title: string }): Promise<void> => {
    setBusy(step.unit);
    try {
      await runCall('clock.advance', { unit: step.unit });
      setSession((await runCall('start-up.session')).data as unknown as Session);
      setNow(storeNow());
      await queryClient.invalidateQueries();
      notify(`The store's clock now says ${day(new Date(storeNow()))}.`);
    } catch (error) { notifyError(error); }
    setBusy(undefined);
  };
  return (
    <PopoverButton label={`Demo clock: ${day(new Date(now))}`} className="p-btn p-btn-s p-clock" align="end" button={<><CalendarClock aria-hidden="true" /><span className="p-tabular">{day(new Date(now))}</span></>}>
      {() => (
        <div className="p-clock-pop">
          <h2>Demo clock</h2>
          <p className="p-muted">It is {dayTime(new Date(now))} in this store. Moving the clock forward charges what falls due, retries failed payments and sends what would be sent.</p>
          <div className="p-row p-wrap">{STEPS.map(step => <button key={step.unit} type="button" className="p-btn" disabled={busy !== undefined} aria-busy={busy === step.unit} onClick={() => void advance(step)}>+ 1 {step.title.toLowerCase()}</button>)}</div>
          {busy && <p className="p-hint" role="status">Time is passing. This goes on when you close this box.</p>}
        </div>
      )}
    </PopoverButton>
  );
}
