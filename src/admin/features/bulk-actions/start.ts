// Starting a bulk action, and following one that was started until it is over, wherever the person is by then.
import type { JsonObject, Schema } from '../../../contract/types.ts';
import { markStale, runCall } from '../../platform/transport/calls.ts';
import { count, counted } from '../../platform/format.ts';
import { words } from '../../platform/interpolate.ts';
import { notify, notifyError, notifyWork } from '../../ui/notices/notices.tsx';
import { CallError, newKey } from '../../platform/transport/transport.ts';
import { FINAL, number, text } from './states.ts';
import { BULK, ENTITY, NAMES, pageOf, SUBSCRIPTIONS } from './bulk-calls.ts';
import { t } from '../../../domain/text/t.ts';

export interface Start {
  actionKey: string;
  selection: JsonObject;
  input: JsonObject;
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
  await runCall(
    BULK.run,
    {
      id,
      ...(at === undefined ? {} : { scheduledAtEpoch: Math.round(at / 1000) }),
      ...(confirmCount === undefined ? {} : { confirmCount }),
    },
    { key: `${key}-run` },
  );
  return id;
}

const BETWEEN_MS = 3000;
const FIRST_MS = [300, 500, 800, 1200, 2000];

/** Bulk actions that a notice tells about at this moment. */
const followed = new Set<number>();

/** What was done whole, as a text of a definition or made of the number. */
type Done = string | ((n: number) => string);

/**
 * Shows how far a bulk action is in a notice that leads to its page; when it is over, says what came of it, and lists of subscriptions are
 * read again. `done` is a sentence for what was done whole: "{count} {count?subscription|subscriptions} paused." On
 * the page of the bulk action itself nothing is said: the page does so, and hands it back when it is left (`BulkProgress`).
 */
export async function follow(id: number, label: string, total: number, open: (path: string) => void, done?: Done): Promise<void> {
  if (followed.has(id)) return;
  followed.add(id);
  const what = `${label}: ${counted(total, NAMES)}`;
  const view = { title: t`View`, run: () => open(pageOf(id)) };
  const isHere = (): boolean => window.location.pathname === pageOf(id);
  let work: ReturnType<typeof notifyWork> | undefined;
  try {
    for (let turn = 0; ; turn++) {
      await new Promise(resolve => {
        setTimeout(resolve, FIRST_MS[turn] ?? BETWEEN_MS);
      });
      if (isHere()) return;
      let now: JsonObject;
      try {
        now = (await runCall(BULK.progress, { id })).data as JsonObject;
      } catch (error) {
        // Not reached, or busy: the work goes on without us, and we ask again.
        if (error instanceof CallError && (error.status === 0 || error.status >= 500)) continue;
        return;
      }
      if (!FINAL.has(String(now.status))) {
        work ??= notifyWork(what, view);
        work.update(what, number(now, 'processed') / Math.max(1, number(now, 'total')));
        continue;
      }
      await Promise.all([markStale(SUBSCRIPTIONS.entity), markStale(ENTITY)]);
      work?.close();
      const bad = number(now, 'failed') > 0 || now.status === 'FAILED';
      const outcomeText = done !== undefined && now.status === 'COMPLETED' && !bad ? doneText(done, now) : `${label}: ${outcome(now)}`;
      if (isHere()) return;
      const undo = await undoOf(id, now, open);
      notify(outcomeText, { tone: bad ? 'critical' : 'success', ...(undo ? { action: undo, also: view } : { action: view }) });
      return;
    }
  } finally {
    work?.close();
    followed.delete(id);
  }
}

/** The way back of a bulk action that is over, for its notice; undefined where there is none. */
async function undoOf(id: number, run: JsonObject, open: (path: string) => void): Promise<{ title: string; run: () => void } | undefined> {
  if (number(run, 'succeeded') === 0) return undefined;
  const record = await runCall(BULK.read, { id }).then(
    ({ data }) => data as JsonObject,
    () => undefined,
  );
  if (!Array.isArray(record?.actions) || !record.actions.includes('undo')) return undefined;
  const key = newKey();
  return {
    title: t`Undo`,
    run: () =>
      void runCall(BULK.undo, { id }, { key }).then(
        ({ data }) => {
          const made = data as JsonObject;
          return follow(number(made, 'id'), text(made.label), number(made, 'total'), open, n =>
            n === 1 ? t`1 subscription brought back.` : t`${count(n)} subscriptions brought back.`,
          );
        },
        (error: unknown) => notifyError(error, t`This could not be undone.`),
      ),
  };
}

const COUNT: Schema = { properties: { count: { type: 'integer', minimum: 0 } } };
/** "20 subscriptions paused." and, where some were left as they are, how many: "2 skipped." */
function doneText(done: Done, run: JsonObject): string {
  const [succeeded, skipped] = [number(run, 'succeeded'), number(run, 'skipped')];
  const sentence = typeof done === 'string' ? words(done, { record: { count: succeeded }, schema: COUNT }) : done(succeeded);
  return sentence + (skipped ? ` ${t`${count(skipped)} skipped.`}` : '');
}

/** "12 done, 2 skipped, 1 failed."; of one that could not be run at all, why. */
export function outcome(run: JsonObject): string {
  if (run.status === 'FAILED' && run.error) return text(run.error);
  const [succeeded, skipped, failed] = [number(run, 'succeeded'), number(run, 'skipped'), number(run, 'failed')];
  const total = number(run, 'total');
  if (run.status === 'CANCELLED') return t`cancelled. ${count(succeeded)} of ${count(total)} were already updated.`;
  return (
    [t`${count(succeeded)} done`, ...(skipped ? [t`${count(skipped)} skipped`] : []), ...(failed ? [t`${count(failed)} failed`] : [])].join(
      ', ',
    ) + '.'
  );
}
