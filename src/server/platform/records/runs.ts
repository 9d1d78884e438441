// The verbs start and progress: work on many records in the name of the store, one run of a kind at a time, and how far it is.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { permissionWords, unmet, type Need } from '../auth/acting.ts';
import { findRun, runWire, startRun, type RunRow } from '../queue/system-run.ts';
import { notFound, Refusal, Reply, type Context } from '../context.ts';
import { answerFrom } from './documents.ts';
import type { SystemRun, VerbCall } from './registry.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

/** What a system run needs, when it is started and as long as it goes on. */
export const needsOfRun = ({ permission, feature }: Pick<SystemRun, 'permission' | 'feature'>): Need[] => [
  { permission, mode: 'WRITE' },
  ...(feature ? [{ feature }] : []),
];

/** Starts a run; it goes on by itself. @throws Refusal 403 without the right or the feature, 409 while another of its kind is under way */
export async function startSystemRun(context: Context, kind: string, run: SystemRun): Promise<RunRow> {
  const missing = unmet(context, needsOfRun(run));
  if (missing && 'permission' in missing)
    throw new Refusal(
      403,
      'FORBIDDEN',
      t`You may not do this: it needs ${permissionWords(context.definitions, missing.permission, missing.mode)}.`,
    );
  if (missing) throw new Refusal(403, 'FEATURE_NOT_IN_PLAN', t`Your plan doesn't include this. Choose another plan to use it.`);
  const input = (await run.input?.(context)) ?? {};
  const row = await startRun(context, { kind, queue: run.queue, input });
  await context.log({
    action: `bulk_update.${kind.toLowerCase()}`,
    category: 'Settings',
    description: run.describe(input),
    entity: 'run',
    entityId: row.id,
    after: { runId: row.id, ...input },
  });
  return row;
}

export async function start(context: Context, { call, registry }: VerbCall): Promise<Reply> {
  const kind = call.runs?.[0] ?? '';
  const run = registry.runs[kind];
  if (!run || run === 'STARTED_ELSEWHERE') throw new Error(`${call.name}: there is no run "${kind}" to start.`);
  const row = runWire(await startSystemRun(context, kind, run));
  return new Reply(call.answer === undefined ? row : answerFrom(call.answer, row), {
    message: translated(run.message ?? later`The update has started. It goes on when you leave this page.`),
  });
}

/** What a run looks like before there ever was one, for answers that have a form of their own. */
const NEVER: JsonObject = { status: 'NOT_STARTED', total: 0, processed: 0, succeeded: 0, failed: 0, percent: 0, isUnderWay: false };

/**
 * How far a run is: the one named, else the latest of the call's kinds. Null where there never was one, unless
 * the call's line gives the answer a form.
 */
export async function progress(context: Context, { call, input }: VerbCall): Promise<JsonValue> {
  const kinds = call.runs ?? [];
  const row = await findRun(
    context,
    input.kind === undefined ? kinds : kinds.filter(kind => kind === input.kind),
    input.runId as number | undefined,
  );
  if (!row && input.runId !== undefined) throw notFound(later`run`);
  if (call.answer === undefined) return row ? runWire(row) : null;
  return answerFrom(
    call.answer,
    row ? { ...runWire(row), input: row.input as JsonValue, cursor: (row.cursor ?? null) as JsonValue } : NEVER,
  );
}
