// Work on many rows: asks first, runs the action's call row by row (a few at a time), shows how far it is, and names what failed.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { holds } from '../../contract/condition.ts';
import { fill } from '../../contract/find.ts';
import type { Action, JsonObject } from '../../contract/types.ts';
import { callOf, markStale, runCall } from '../calls.ts';
import { useChunk } from '../chunk.ts';
import { listInput } from '../data-provider.ts';
import { definitions } from '../definitions.ts';
import { Dialog } from '../float/dialog.tsx';
import { count, counted } from '../format.ts';
import { currentFacts } from '../session.tsx';
import { CallError } from '../transport.ts';
import { namesOf } from './labels.ts';
import { runner } from './list-actions.tsx';
import type { ListOf } from './use-list.ts';

const AT_ONCE = 4;

export interface BulkProps {
  list: ListOf;
  /** Its call by its full name. */
  action: Action;
  /** The rows chosen, or "all" that match. */
  rows: JsonObject[] | 'all';
  total: number;
  /** Gets the rows that were left as they were. */
  onDone: (left: JsonObject[]) => void;
  onClose: () => void;
}
interface Failure { row: JsonObject; message: string }

/** Every row that matches, page by page along the cursors. */
async function* everyRow(list: ListOf, stopped: () => boolean): AsyncGenerator<JsonObject> {
  const { page: _page, after: _after, before: _before, ...input } = list.input;
  for (let after: string | undefined; !stopped();) {
    const answer = await runCall(list.call.name, listInput(list.call, { ...input, pageSize: 100, ...(after ? { after } : {}) }));
    for (const row of Array.isArray(answer.data) ? answer.data : []) yield row as JsonObject;
    after = answer.pageInfo?.nextCursor ?? undefined;
    if (!answer.pageInfo?.hasNextPage || !after) return;
  }
}

export function BulkRun({ list, action, rows, total, onDone, onClose }: BulkProps): ReactElement | null {
  const names = namesOf(list.call.of);
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking');
  const [done, setDone] = useState(0);
  const [of, setOf] = useState(total);
  const [failures, setFailures] = useState<Failure[]>([]);
  const [skipped, setSkipped] = useState(0);
  const stop = useRef(false);
  const parts = useChunk(action.ask?.length ? runner : undefined);
  useEffect(() => { stop.current = false; return () => { stop.current = true; }; }, []);

  const run = async (asked: JsonObject): Promise<void> => {
    setState('running');
    const call = callOf(action.call);
    const key = definitions.entities[list.call.of]?.record?.key ?? 'id';
    const idParam = call.in.find(param => param.name === key)?.name ?? call.in.find(param => param.required)?.name ?? key;
    const facts = currentFacts();
    const failed: Failure[] = [];
    const one = async (row: JsonObject): Promise<void> => {
      try {
        await runCall(action.call, { [idParam]: row[key] ?? null, ...fill(action.with, { record: row, row, root: row, facts }), ...asked });
      } catch (error) {
        failed.push({ row, message: error instanceof Error ? error.message : String(error) });
        // Without a connection or a session every further row fails the same way.
        if (error instanceof CallError && (error.status === 0 || error.status === 401)) stop.current = true;
      }
      setDone(now => now + 1);
    };
    // The rows are gathered before the first is changed: what an action changes may decide what matches.
    const chosen: JsonObject[] = [];
    let left = 0;
    const take = (row: JsonObject): void => { if (holds(action.when, { siblings: row, root: row, facts })) chosen.push(row); else left++; };
    try {
      if (rows === 'all') { for await (const row of everyRow(list, () => stop.current)) take(row); } else rows.forEach(take);
    } catch (error) {
      failed.push({ row: {}, message: error instanceof Error ? error.message : String(error) });
      chosen.length = 0;
    }
    setOf(chosen.length);
    setSkipped(left);
    const queue = chosen.values();
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.next(); !next.done && !stop.current; next = queue.next()) await one(next.value);
    }));
    await markStale(call);
    setFailures(failed);
    setState('done');
    onDone(failed.map(failure => failure.row));
  };

  const what = counted(total, names);
  if (state === 'asking' && action.ask?.length) return parts ? <parts.BulkAsk action={action} what={what} onAsked={input => void run(input)} onClose={onClose} /> : null;
  const reasons = new Map<string, number>();
  for (const failure of failures) reasons.set(failure.message, (reasons.get(failure.message) ?? 0) + 1);
  const changed = Math.max(0, done - failures.filter(failure => Object.keys(failure.row).length > 0).length);
  return (
    <Dialog title={state === 'done' ? `${action.title}: done` : `${action.title}: ${what}`} busy={state === 'running'} onClose={onClose} foot={
      state === 'asking' ? (
        <>
          <button type="button" className="p-btn" onClick={onClose}>Cancel</button>
          <button type="button" className={`p-btn ${action.tone === 'critical' ? 'p-btn-danger' : 'p-btn-primary'}`} onClick={() => void run({})}>{action.title} {what}</button>
        </>
      ) : state === 'running' ? <button type="button" className="p-btn" onClick={() => { stop.current = true; }}>Stop</button>
        : <button type="button" className="p-btn p-btn-primary" onClick={onClose}>Close</button>
    }>
      {state === 'asking' && <p>{action.confirm && !action.confirm.includes('{') ? action.confirm : `This changes ${what}, one after another.`}</p>}
      {state === 'running' && (
        <div className="p-stack-s">
          <p role="status">{count(done)} of {count(of)} done</p>
          <div className="p-progress" role="progressbar" aria-label={action.title} aria-valuemin={0} aria-valuemax={of} aria-valuenow={done}><span style={{ width: `${(done / Math.max(1, of)) * 100}%` }} /></div>
          <p className="p-hint">Stopping leaves what is done as it is.</p>
        </div>
      )}
      {state === 'done' && (
        <div className="p-stack-s" role="status">
          <p>{counted(changed, names)} changed{failures.length > 0 ? `, ${count(failures.length)} not:` : '.'}</p>
          {[...reasons].slice(0, 6).map(([message, times]) => <p key={message} className="p-banner" data-tone="attention">{count(times)} × {message}</p>)}
          {skipped > 0 && <p className="p-hint">{count(skipped)} left out: {action.title.toLowerCase()} does not apply to {skipped === 1 ? 'it' : 'them'}.</p>}
          {stop.current && done < of && <p className="p-hint">Stopped; {count(of - done)} were not touched.</p>}
        </div>
      )}
    </Dialog>
  );
}
