// Work on many rows: asks first, runs the action's call row by row (a few at a time), shows how far it is, and names what failed.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { fill } from '../../contract/find.ts';
import type { Action, JsonObject } from '../../contract/types.ts';
import { callOf, markStale, runCall } from '../calls.ts';
import { Dialog } from '../float/dialog.tsx';
import { count, counted } from '../format.ts';
import { currentFacts } from '../session.tsx';
import { CallError } from '../transport.ts';
import { definitions } from '../definitions.ts';
import { listInput } from '../data-provider.ts';
import type { ListOf } from './use-list.ts';

const AT_ONCE = 4;

export interface BulkProps {
  list: ListOf; action: Action;
  /** The rows chosen, or "all" that match. */
  rows: JsonObject[] | 'all';
  total: number;
  onDone: (left: JsonObject[]) => void; onClose: () => void;
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

export function BulkRun({ list, action, rows, total, onDone, onClose }: BulkProps): ReactElement {
  const names = definitions.entities[list.call.of]?.record?.name ?? { one: 'row', many: 'rows' };
  const key = definitions.entities[list.call.of]?.record?.key ?? 'id';
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking');
  const [done, setDone] = useState(0);
  const [failures, setFailures] = useState<Failure[]>([]);
  const stop = useRef(false);
  useEffect(() => () => { stop.current = true; }, []);

  const run = async (): Promise<void> => {
    setState('running');
    const call = callOf(action.call);
    const idParam = call.in.find(param => param.required)?.name ?? key;
    const failed: Failure[] = [];
    const one = async (row: JsonObject): Promise<void> => {
      try {
        await runCall(action.call, { [idParam]: row[key] ?? null, ...fill(action.with, { record: row, row, root: row, facts: currentFacts() }) });
      } catch (error) {
        failed.push({ row, message: error instanceof Error ? error.message : String(error) });
        // Without a connection or a session every further row fails the same way.
        if (error instanceof CallError && (error.status === 0 || error.status === 401)) stop.current = true;
      }
      setDone(now => now + 1);
    };
    // The rows are gathered before the first is changed: what an action changes may decide what matches.
    let chosen: JsonObject[] = [];
    try {
      if (rows === 'all') { for await (const row of everyRow(list, () => stop.current)) chosen.push(row); } else chosen = rows;
    } catch (error) {
      failed.push({ row: {}, message: error instanceof Error ? error.message : String(error) });
      chosen = [];
    }
    const queue = chosen[Symbol.iterator]();
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.next(); !next.done && !stop.current; next = queue.next()) await one(next.value);
    }));
    await markStale(call);
    setFailures(failed);
    setState('done');
    onDone(failed.map(failure => failure.row));
  };

  const what = counted(total, names);
  const reasons = new Map<string, number>();
  for (const failure of failures) reasons.set(failure.message, (reasons.get(failure.message) ?? 0) + 1);
  const changed = Math.max(0, done - failures.length);
  return (
    <Dialog title={state === 'done' ? `${action.title}: done` : `${action.confirmTitle ?? action.title}: ${what}`} busy={state === 'running'} onClose={onClose} foot={
      state === 'asking' ? (
        <>
          <button type="button" className="p-btn" onClick={onClose}>Cancel</button>
          <button type="button" className={`p-btn ${action.tone === 'critical' ? 'p-btn-danger' : 'p-btn-primary'}`} onClick={() => void run()}>{action.submit ?? action.title} {what}</button>
        </>
      ) : state === 'running' ? <button type="button" className="p-btn" onClick={() => { stop.current = true; }}>Stop</button>
        : <button type="button" className="p-btn p-btn-primary" onClick={onClose}>Close</button>
    }>
      {state === 'asking' && <p>{action.confirm ?? `This changes ${what}. Each change is written to the log of its ${names.one}.`}</p>}
      {state === 'running' && (
        <div className="p-stack-s">
          <p role="status">{count(done)} of {count(total)} done</p>
          <div className="p-progress" role="progressbar" aria-label={action.title} aria-valuemin={0} aria-valuemax={total} aria-valuenow={done}><span style={{ width: `${(done / Math.max(1, total)) * 100}%` }} /></div>
          <p className="p-hint">Stopping leaves what is done as it is.</p>
        </div>
      )}
      {state === 'done' && (
        <div className="p-stack-s" role="status">
          <p>{counted(changed, names)} changed{failures.length > 0 ? `, ${count(failures.length)} not:` : '.'}</p>
          {[...reasons].slice(0, 6).map(([message, times]) => <p key={message} className="p-banner" data-tone="attention">{count(times)} × {message}</p>)}
        </div>
      )}
    </Dialog>
  );
}
