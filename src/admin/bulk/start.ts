// Starting a bulk action, and following one that was started until it is over, wherever the person is by then.
import type { JsonObject } from '../../contract/types.ts';
import { markStale, runCall } from '../calls.ts';
import { count, counted } from '../format.ts';
import { notify, notifyWork } from '../notices.tsx';
import { CallError } from '../transport.ts';
import { FINAL, number } from './states.ts';
import { BULK, ENTITY, NAMES, pageOf, SUBSCRIPTIONS } from './wire.ts';

export interface Start {
  actionKey: string; selection: JsonObject; input: JsonObject;
  /** Idempotency key: the same for every try of the same start. */
  key: string;
  /** ms; without it the action starts at once. */
  at?: number | undefined;
  /** What was typed to confirm it, where that is asked. */
  confirmCount?: number | undefined;
}

/** Makes a bulk action and starts or schedules it. @returns its id. Throws CallError. */
export async function startBulk({ actionKey, selection, input, key, at, confirmCount }: Start): Promise<number> {
  const made = await runCall(BULK.create, { actionKey, selection, input }, { key });
  const id = Number((made.data as JsonObject).id);
  await runCall(BULK.run, { id, ...(at === undefined ? {} : { scheduledAtEpoch: Math.round(at / 1000) }), ...(confirmCount === undefined ? {} : { confirmCount }) }, { key: `${key}-run` });
  return id;
}

const BETWEEN_MS = 3000;
const FIRST_MS = [300, 500, 800, 1200, 2000];

/** Shows how far a bulk action is in a notice that leads to its page; when it is over, says what came of it, and lists of subscriptions are read again. */
export async function follow(id: number, label: string, total: number, open: (path: string) => void): Promise<void> {
  const view = { title: 'View', run: () => open(pageOf(id)) };
  const work = notifyWork(`${label}: ${counted(total, NAMES)}`, view);
  for (let turn = 0; ; turn++) {
    await new Promise(resolve => { setTimeout(resolve, FIRST_MS[turn] ?? BETWEEN_MS); });
    let now: JsonObject;
    try { now = (await runCall(BULK.progress, { id })).data as JsonObject; } catch (error) {
      // Not reached, or busy: the work goes on without us, and we ask again.
      if (error instanceof CallError && (error.status === 0 || error.status >= 500)) continue;
      work.close();
      return;
    }
    if (!FINAL.has(String(now.status))) { work.update(`${label}: ${counted(total, NAMES)}`, number(now, 'processed') / Math.max(1, number(now, 'total'))); continue; }
    work.close();
    await Promise.all([markStale(SUBSCRIPTIONS.entity), markStale(ENTITY)]);
    const bad = number(now, 'failed') > 0 || now.status === 'FAILED';
    notify(`${label}: ${outcome(now)}`, { tone: bad ? 'critical' : 'success', action: view });
    return;
  }
}

/** "12 done, 2 skipped, 1 failed." */
export function outcome(run: JsonObject): string {
  if (run.status === 'CANCELLED') return `cancelled. ${count(number(run, 'succeeded'))} of ${count(number(run, 'total'))} were already updated.`;
  return [`${count(number(run, 'succeeded'))} done`, ...(number(run, 'skipped') ? [`${count(number(run, 'skipped'))} skipped`] : []), ...(number(run, 'failed') ? [`${count(number(run, 'failed'))} failed`] : [])].join(', ') + '.';
}
