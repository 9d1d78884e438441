// Calls about translation by machine (C173, C174): started, followed, cancelled, and what it proposes published or thrown away.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { Refusal, Reply, invalid, invalidState, type Context } from '../../../platform/context.ts';
import { findRun, lockRun, noteRun, startRun, type RunRow } from '../../../platform/queue/system-run.ts';
import { sourcesOf, type Selection, type TextSource } from '../../../platform/texts/sources.ts';
import { changeTexts, needLanguage } from '../../../platform/texts/text-verbs.ts';
import { textId } from '../../../platform/texts/text-id.ts';
import { valueFor, valuesIn } from '../../../platform/texts/values.ts';
import { TRANSLATE_JOB, kindOf, resultOf, withdrawProposals, type TranslationInput } from '../translate/translation-run.ts';
import { t } from '../../../../domain/text/t.ts';

/** Without a translator a stand-in makes the proposals: letters with marks, which are no language and reach no customer. */
const isStandIn = ({ config }: Pick<Context, 'config'>): boolean => config.translatorUrl === undefined;

/** How many texts are named one by one. */
const MOST_NAMED = 50;

interface Asked {
  targetLanguage: string;
  sourceLanguage?: string;
  scope?: 'ALL_MISSING' | 'CATEGORY' | 'ENTITY' | 'CHANGED';
  categoryIds?: string[];
  localizedEntityType?: string;
  localizedEntityId?: string;
  overwrite?: boolean;
}

/** The texts that a request is about. @throws Refusal 404, 422 where it does not say which */
async function chosen(
  context: Context,
  { targetLanguage, scope = 'ALL_MISSING', categoryIds = [], localizedEntityType, localizedEntityId }: Asked,
): Promise<TextSource[]> {
  if (scope === 'ALL_MISSING') return sourcesOf(context, {});
  if (scope === 'CHANGED') return changedTexts(context, await findRun(context, [kindOf(targetLanguage)]));
  const selections: Selection[] =
    scope === 'CATEGORY'
      ? categoryIds.map(categoryId => ({ categoryId }))
      : localizedEntityType && localizedEntityId
        ? [{ categoryId: localizedEntityType, entityId: localizedEntityId }]
        : [];
  if (selections.length === 0)
    throw invalid([
      scope === 'CATEGORY'
        ? { pointer: '/categoryIds', rule: 'required', message: t`Choose at least one category.` }
        : { pointer: '/localizedEntityId', rule: 'required', message: t`Say which record is to be translated.` },
    ]);
  const found: TextSource[] = [];
  for (const selection of selections) found.push(...(await sourcesOf(context, selection)));
  return found;
}

/** The texts that were changed while a run went on, and that it therefore left alone. */
async function changedTexts(context: Context, run: RunRow | undefined): Promise<TextSource[]> {
  const changed = new Set(run ? resultOf(run).changed : []);
  return changed.size === 0 ? [] : (await sourcesOf(context, {})).filter(source => changed.has(textId(source)));
}

/**
 * Starts the translation into a language (C173). What is translated already is left alone unless `overwrite` asks for it; nothing that
 * customers read changes before it is published. What is changed while it goes on gets no proposal and is reported
 * (`translationStatus`); the scope CHANGED translates those. @throws Refusal 404, 409 while one into the same language goes on, 422
 */
export async function translate(context: Context, selection: Asked): Promise<Reply> {
  const { language, primary } = await needLanguage(context, selection.targetLanguage);
  const source = selection.sourceLanguage ?? primary.locale;
  if (language.isPrimary)
    throw invalid([
      { pointer: '/targetLanguage', rule: 'primary', message: t`${language.name} is your primary language. Choose one to translate into.` },
    ]);
  if (source !== primary.locale)
    throw invalid([
      { pointer: '/sourceLanguage', rule: 'primary', message: t`Texts are translated from your primary language, ${primary.name}.` },
    ]);
  const overwrite = selection.overwrite === true || selection.scope === 'CHANGED';
  const values = await valuesIn(context, language.locale);
  const wanted = (await chosen(context, selection)).filter(one => {
    const there = valueFor(values, one, language.locale);
    return overwrite || (there?.value == null && there?.draft == null);
  });
  const items = [...new Set(wanted.map(textId))];
  if (items.length === 0) throw invalidState(t`There is nothing to translate into ${language.name}: every text has words or a proposal.`);
  const versions = items.map(id => values.get(id)?.version ?? 0);
  const input: TranslationInput = { source, target: language.locale, overwrite, items, versions };
  const run = await startRun(context, {
    kind: kindOf(language.locale),
    queue: TRANSLATE_JOB,
    input,
    total: items.length,
    busy: t`A translation into this language is already running.`,
  });
  await context.log({
    action: 'texts.translationStarted',
    category: 'Settings',
    description: `Translation of ${items.length} texts into ${language.name} started`,
    entity: 'store-text',
    entityId: language.locale,
    after: { overwrite, texts: items.length },
  });
  const message = isStandIn(context)
    ? t`No translator is connected: the proposals are your own words with other letters, to see how this works. They can't be published.`
    : t`Translating … you can leave this page.`;
  return new Reply({ jobId: run.id }, { message });
}

/** How far the translation into a language is (C174, D169). @throws Refusal 403 for another store's domain, 404 */
export async function translationStatus(
  context: Context,
  { myShopifyDomain, targetLanguage }: { myShopifyDomain?: string; targetLanguage: string },
): Promise<JsonValue> {
  if (myShopifyDomain !== undefined && myShopifyDomain !== context.store.myshopify_domain)
    throw new Refusal(403, 'FORBIDDEN', t`This is not the store that you are signed in to.`);
  const { language } = await needLanguage(context, targetLanguage);
  const run = await findRun(context, [kindOf(language.locale)]);
  const values = await valuesIn(context, language.locale);
  const isUnderWay = run?.status === 'QUEUED' || run?.status === 'IN_PROGRESS';
  const changed = isUnderWay ? [] : await changedTexts(context, run);
  return {
    targetLanguage: language.locale,
    status: run ? (isUnderWay ? 'IN_PROGRESS' : run.status) : 'NOT_STARTED',
    progress: !run ? 0 : run.status === 'COMPLETED' ? 100 : run.total === 0 ? 0 : Math.floor((run.processed / run.total) * 100),
    jobId: run?.id ?? null,
    total: run?.total ?? 0,
    processed: run?.processed ?? 0,
    proposed: run?.succeeded ?? 0,
    failed: run?.failed ?? 0,
    error: run?.error ?? null,
    // What was changed while it went on: it has no proposal.
    changed: changed.length,
    changedTexts: changed
      .slice(0, MOST_NAMED)
      .map(({ categoryId, ownerId, key, label }) => ({ categoryId, entityId: ownerId || null, key, label })),
    drafts: [...values.values()].filter(one => one.draft !== null).length,
  };
}

/** Stops the translation into a language; what it proposed is thrown away. @throws Refusal 404, 409 where none goes on */
export async function cancel(context: Context, { targetLanguage }: { targetLanguage: string }): Promise<Reply> {
  const { language } = await needLanguage(context, targetLanguage);
  const found = await findRun(context, [kindOf(language.locale)]);
  const run = found && (await lockRun(context.trx, { storeId: context.storeId, runId: found.id }));
  if (!run) throw invalidState(t`No translation into this language is running.`);
  const data = { storeId: context.storeId, runId: run.id };
  await withdrawProposals(context.trx, context.storeId, language.locale, run.id);
  await noteRun(context.trx, data, {
    status: 'FAILED',
    finished_at: context.now(),
    error: 'The translation was stopped. Nothing was changed.',
  });
  return new Reply({ jobId: run.id }, { message: t`The translation is stopped. Nothing was changed.` });
}

const selectedDrafts = async (context: Context, locale: string, categoryIds: readonly string[] | undefined) => {
  const values = await valuesIn(context, locale);
  return (await sourcesOf(context, {}))
    .filter(({ categoryId }) => categoryIds === undefined || categoryIds.includes(categoryId))
    .flatMap(source => {
      const draft = values.get(textId(source))?.draft;
      return draft == null ? [] : [{ source, draft }];
    });
};

interface Reviewed {
  targetLanguage: string;
  categoryIds?: string[];
}

/**
 * Makes proposals the words that customers read: all, or those of some categories.
 * @throws Refusal 404, 409 where there are none, or no translator made them, 422
 */
export async function publish(context: Context, { targetLanguage, categoryIds }: Reviewed): Promise<Reply> {
  const { language } = await needLanguage(context, targetLanguage);
  const drafts = await selectedDrafts(context, language.locale, categoryIds);
  if (drafts.length === 0) throw invalidState(t`There are no proposals to publish.`);
  if (isStandIn(context))
    throw invalidState(
      t`No translator is connected: these proposals are your own words with other letters and can't be published. Enter the words yourself,
        or import them from a file.`,
    );
  const { changed } = await changeTexts(
    context,
    { locale: language.locale },
    drafts.map(({ source, draft }) => ({ key: source.key, value: draft, ...(source.ownerId ? { entityId: source.ownerId } : {}) })),
  );
  return new Reply({ published: changed } as JsonObject, {
    message: changed === 1 ? t`1 translation published.` : t`${changed} translations published.`,
  });
}

/** Throws all proposals of a language away; what is published stays. @throws Refusal 404 */
export async function discard(context: Context, { targetLanguage }: { targetLanguage: string }): Promise<Reply> {
  const { language } = await needLanguage(context, targetLanguage);
  await withdrawProposals(context.trx, context.storeId, language.locale);
  return new Reply({ targetLanguage: language.locale }, { message: t`The proposals are thrown away.` });
}
