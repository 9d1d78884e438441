// The translation of a store's texts into a language: worked off in steps, each text a proposal that a person publishes.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { isIntact } from '../../../../domain/text/placeholders.ts';
import { needsOfCall } from '../../../platform/auth/acting.ts';
import { endWithoutRights, lockRun, noteRun, type RunData, type RunRow } from '../../../platform/queue/system-run.ts';
import type { Services } from '../../../platform/services.ts';
import { sourcesOf, type TextSource } from '../../../platform/texts/sources.ts';
import { cleanText, originalOf } from '../../../platform/texts/text-verbs.ts';
import { textId } from '../../../platform/texts/text-id.ts';
import { lockTexts, valuesIn } from '../../../platform/texts/values.ts';
import type { Translator } from './translator.ts';
import { writeLog } from '../../../platform/records/account-log.ts';

export const TRANSLATE_JOB = 'translate-texts';
/** One run for each language at a time. */
export const kindOf = (locale: string): string => `AI_TRANSLATE ${locale}`;

export interface TranslationInput extends JsonObject {
  source: string;
  target: string;
  overwrite: boolean;
  /** `textId` of each text, in the order of the work. */
  items: string[];
  /** The version of each at the start: what was changed since gets no proposal. */
  versions: number[];
}
/** What a run answers besides its counts. */
export interface TranslationResult extends JsonObject {
  /** `textId` of texts that were changed while it went on. */
  changed: string[];
}
export const resultOf = ({ result }: Pick<RunRow, 'result'>): TranslationResult => ({
  changed: [],
  ...(result as Partial<TranslationResult> | null),
});

/** Texts that are translated at once. */
const STEP = 20;

interface Step {
  at: number;
  input: TranslationInput;
  /** Items of the step, those without a text among them: deleted, or changed meanwhile. */
  items: number;
  texts: { source: TextSource; words: string; version: number }[];
  /** Those that were changed since the start. */
  changed: string[];
}

/** Runs to the end, or until it is cancelled; goes on where it stopped. */
export async function runTranslation(
  services: Pick<Services, 'db' | 'definitions'>,
  data: RunData,
  translator: Translator,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const step = await services.db.inStore(data.storeId, trx => nextStep(services, trx, data));
    if (!step) return;
    const { source, target } = step.input;
    const words = step.texts.length
      ? await translator.translate(
          step.texts.map(one => one.words),
          { source, target },
          signal,
        )
      : [];
    await services.db.inStore(data.storeId, trx => keep(trx, data, step, words));
  }
}

const clockOf = async (trx: Kysely<Tables>, storeId: number): Promise<Date> => {
  const store = await trx.selectFrom('stores').select('clock_offset_ms').where('id', '=', storeId).executeTakeFirstOrThrow();
  return new Date(Date.now() + store.clock_offset_ms);
};

async function nextStep({ definitions }: Pick<Services, 'definitions'>, trx: Kysely<Tables>, data: RunData): Promise<Step | undefined> {
  const run = await lockRun(trx, data);
  if (!run) return undefined;
  const now = await clockOf(trx, data.storeId);
  const input = run.input as TranslationInput;
  const needs = needsOfCall(definitions, 'ai-translate.translate');
  if (
    await endWithoutRights(
      trx,
      definitions,
      data,
      run,
      { what: `The translation into “${input.target}”`, needs, category: 'Settings' },
      now,
    )
  )
    return undefined;
  if (run.status === 'QUEUED') await noteRun(trx, data, { status: 'IN_PROGRESS', started_at: now });
  const items = input.items.slice(run.processed, run.processed + STEP);
  if (items.length === 0) {
    await finish(trx, data, run, input, now);
    return undefined;
  }
  const scope = { trx, storeId: data.storeId, definitions };
  const sources = new Map((await sourcesOf(scope, {})).map(one => [textId(one), one]));
  const [first, there] = [await valuesIn(scope, input.source), await valuesIn(scope, input.target)];
  const texts: Step['texts'] = [];
  const changed: string[] = [];
  items.forEach((id, i) => {
    const source = sources.get(id);
    if (!source) return;
    const current = there.get(id)?.version ?? 0;
    // A run that an earlier release began does not know them.
    const version = (input.versions as number[] | undefined)?.[run.processed + i] ?? current;
    if (version === current) texts.push({ source, words: originalOf(source, first), version });
    else changed.push(id);
  });
  return { at: run.processed, input, items: items.length, texts, changed };
}

/** Writes the proposals of a step, unless the run was cancelled or another process did it. */
async function keep(trx: Kysely<Tables>, data: RunData, { at, input, items, ...step }: Step, words: readonly string[]): Promise<void> {
  await lockTexts(trx, data.storeId, input.target);
  const run = await lockRun(trx, data);
  if (!run || run.processed !== at) return;
  const now = await clockOf(trx, data.storeId);
  const scope = { trx, storeId: data.storeId };
  const [first, there] = [await valuesIn(scope, input.source), await valuesIn(scope, input.target)];
  const changed = [...step.changed];
  let lost = 0;
  const proposals = step.texts.flatMap(({ source, words: original, version }, i) => {
    const id = textId(source);
    // A person wrote it, or what it translates, while the translator was at it.
    if ((there.get(id)?.version ?? 0) !== version || originalOf(source, first) !== original) {
      changed.push(id);
      return [];
    }
    const draft = cleanText(source, words[i] ?? '');
    if (isIntact(cleanText(source, original), draft) && draft.length <= source.maxLength) return [{ source, draft }];
    lost++;
    return [];
  });
  if (proposals.length)
    await trx
      .insertInto('texts')
      .values(
        proposals.map(({ source, draft }) => ({
          store_id: data.storeId,
          locale: input.target,
          owner_kind: source.ownerKind,
          owner_id: source.ownerId,
          key: source.key,
          draft,
          version: 0,
          run_id: data.runId,
          updated_at: now,
          updated_by: run.created_by,
        })),
      )
      .onConflict(conflict =>
        conflict
          .columns(['store_id', 'locale', 'owner_kind', 'owner_id', 'key'])
          .doUpdateSet(eb => ({ draft: eb.ref('excluded.draft'), run_id: eb.ref('excluded.run_id') })),
      )
      .execute();
  await noteRun(trx, data, {
    processed: at + items,
    succeeded: run.succeeded + proposals.length,
    failed: run.failed + lost,
    ...(changed.length ? { result: { changed: [...resultOf(run).changed, ...changed] } } : {}),
  });
}

async function finish(trx: Kysely<Tables>, data: RunData, run: RunRow, { target }: TranslationInput, now: Date): Promise<void> {
  await noteRun(trx, data, {
    status: 'COMPLETED',
    finished_at: now,
    result: { ...resultOf(run), proposed: run.succeeded, failed: run.failed },
  });
  await writeLog(
    trx,
    data.storeId,
    {
      action: 'texts.proposed',
      category: 'Settings',
      description: `${run.succeeded} translations into “${target}” proposed, ${run.failed} could not be made`,
      entity: 'store-text',
      entityId: target,
    },
    { userEmail: run.created_by, at: now },
  );
}

/** Takes back what a run proposed; what was published meanwhile stays. */
export async function withdrawProposals(trx: Kysely<Tables>, storeId: number, locale: string, runId?: number): Promise<void> {
  const ofRun = runId === undefined ? sql`` : sql`and run_id = ${runId}`;
  const here = sql`store_id = ${storeId} and locale = ${locale} and draft is not null ${ofRun}`;
  await sql`delete from texts where ${here} and version = 0`.execute(trx);
  await sql`update texts set draft = null, run_id = null where ${here}`.execute(trx);
}

/** Ends a run that can't go on: nothing of it stays. */
export async function failTranslation(
  { db }: Pick<Services, 'db'>,
  data: RunData,
  error = 'Translation failed. Nothing was changed.',
): Promise<void> {
  await db.inStore(data.storeId, async trx => {
    const run = await lockRun(trx, data);
    if (!run) return;
    await withdrawProposals(trx, data.storeId, (run.input as TranslationInput).target, data.runId);
    await noteRun(trx, data, { status: 'FAILED', finished_at: await clockOf(trx, data.storeId), error });
  });
}
