// The verbs texts and translate: the words that customers read, as a store has them in one of its languages, and words of its own for them.
import sanitizeHtml from 'sanitize-html';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { problemSentence, usedNames, type TemplateProblem } from '../../../domain/messages/template-problems.ts';
import { placeholdersOf } from '../../../domain/text/placeholders.ts';
import { lengthProblems, textProblems } from '../../../domain/text/translation.ts';
import { Reply, invalid, invalidState, notFound, type Context } from '../context.ts';
import type { VerbCall } from '../records/registry.ts';
import { checkTemplates } from '../mail/letters-apart.ts';
import { categoriesOf, sourcesOf, type Reading, type Selection, type TextSource } from './sources.ts';
import { readyWords } from './ready-words.ts';
import { refuseStale, type StaleText } from './stale-texts.ts';
import { standardIn } from './standard-words.ts';
import { textId } from './text-id.ts';
import { isOfStore, languagesOf, lockTexts, valueFor, valuesIn, writeValues, type TextValue, type TextWrite } from './values.ts';
import { later, t } from '../../../domain/text/t.ts';

interface Asked extends Selection {
  /** A language of the store; by default the primary one. */
  locale?: string;
}
export interface Translation {
  key: string;
  value: string | null;
  /** Of texts of records: which record. */
  entityId?: string | number;
  /** The version that the words were made from; without it they are written over whatever is there. */
  version?: number;
}

/** The language that is asked for, and whether it is the primary one. @throws Refusal 404 */
export async function needLanguage(scope: Reading, locale: string | undefined) {
  const languages = await languagesOf(scope);
  const primary = languages.find(one => one.isPrimary) ?? { locale: 'en', name: 'English', isPrimary: true, isPublished: true };
  const language = locale === undefined ? primary : languages.find(one => one.locale === locale);
  if (!language) throw notFound(later`language`);
  return { language, primary };
}

const stateOf = (found: TextValue | undefined): string => (found?.value != null ? 'DONE' : found?.draft != null ? 'DRAFT' : 'MISSING');

/** What a text is translated from; `first` is what there is in the primary language. */
export const originalOf = (source: TextSource, first: ReadonlyMap<string, TextValue>): string =>
  (isOfStore(source) ? first.get(textId(source))?.value : undefined) ?? source.standard;

/** The product's words for a text in a language. */
const readyFor = (locale: string, source: TextSource): string | undefined =>
  readyWords(locale).get(textId(source)) ?? (source.usual === undefined ? undefined : standardIn(locale, source.usual));

/** One text as it goes over the wire; `source` is what a translation starts from. */
function textWire(source: TextSource, position: number, found: TextValue | undefined, original: string, standard: string): JsonObject {
  return {
    key: source.key,
    entityId: source.ownerId || null,
    categoryId: source.categoryId,
    type: source.type,
    label: source.label,
    position,
    group: source.group,
    defaultValue: standard,
    source: original,
    value: found?.value ?? null,
    draft: found?.draft ?? null,
    state: stateOf(found),
    version: found?.version ?? 0,
    componentUI: source.component,
    maxLength: source.maxLength,
    variables: [...source.variables],
    samples: source.samples ?? {},
    isTemplate: source.template !== undefined,
    updatedAt: found?.updatedAt?.toISOString() ?? null,
    updatedBy: found?.updatedBy ?? '',
  };
}

/** The texts that are chosen, in one language. @throws Refusal 404 */
export async function textRows(scope: Reading, { locale, ...selection }: Asked): Promise<JsonObject[]> {
  const { language, primary } = await needLanguage(scope, locale);
  const sources = await sourcesOf(scope, selection);
  const values = await valuesIn(scope, language.locale);
  const first = language.isPrimary ? values : await valuesIn(scope, primary.locale);
  return sources.map((source, place) =>
    textWire(
      source,
      place + 1,
      language.isPrimary && !isOfStore(source) ? undefined : valueFor(values, source, language.locale),
      language.isPrimary ? source.standard : originalOf(source, first),
      readyFor(language.locale, source) ?? source.standard,
    ),
  );
}

const selectionOf = ({ call, input }: Pick<VerbCall, 'call' | 'input'>): Asked & { translations?: Translation[] } =>
  ({ ...input, ...call.where, ...(call.part ? { part: call.part } : {}) }) as Asked & { translations?: Translation[] };

/** The verb texts. */
export async function texts(context: Context, given: VerbCall): Promise<Reply> {
  return new Reply(await textRows(context, selectionOf(given)));
}

/** What is wrong with words for a text; `found`: what is wrong with them as a template. */
function problemsOf(source: TextSource, text: string, original: string | undefined, found: readonly TemplateProblem[]): string[] {
  const { variables, maxLength, template } = source;
  if (!template) return textProblems(text, { variables, maxLength, ...(original === undefined ? {} : { source: original }) });
  if (text === '') return [];
  const wrong = found.map(problem => problemSentence(problem, template.names, source.component === 'INPUT'));
  return [...(wrong.length ? wrong : missingNames(text, original)), ...lengthProblems(text, maxLength)];
}
/** A text without what stands under its conditions. */
function withoutConditions(text: string): string {
  let whole = '';
  let depth = 0;
  let from = 0;
  for (const tag of text.matchAll(/\{%-?\s{0,9}(end)?(?:if|unless|case)\b/g)) {
    if (depth === 0) whole += text.slice(from, tag.index);
    depth = Math.max(0, depth + (tag[1] ? -1 : 1));
    from = text.indexOf('%}', tag.index) + 2;
    if (from === 1) return whole;
  }
  return depth === 0 ? whole + text.slice(from) : whole;
}
/**
 * In Liquid, what a text fills in by name counts, not what it asks about. What the original fills in under a condition alone may be left
 * out: the letter is whole without it.
 */
const missingNames = (text: string, original = ''): string[] => {
  const needed = withoutConditions(original);
  const [has, names] = [new Set(placeholdersOf(text)), new Set(usedNames(needed))];
  return placeholdersOf(needed)
    .filter(name => names.has(name) && !has.has(name))
    .map(name => `{{${name}}}`)
    .map(variable => t`The variable ${variable} is missing.`);
};

const HTML = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 's', 'h2', 'h3', 'ul', 'ol', 'li', 'a', 'blockquote'],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
};

/** Words as they are kept: markup reduced to what pages may carry, one line where there is one. */
export function cleanText({ component }: Pick<TextSource, 'component'>, text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').trim();
  if (component === 'RICH_TEXT') return sanitizeHtml(plain, HTML).trim();
  return component === 'TEXT_AREA' ? plain : plain.replace(/\s+/g, ' ');
}

/** What a merchant wrote with markup; it is reduced once more to what pages may carry. */
export const rich = (html: string): string => cleanText({ component: 'RICH_TEXT' }, html);

interface Checked {
  /** What differs from what is there. */
  writes: TextWrite[];
  /** Words for texts that were changed since; they are not among the writes. */
  stale: StaleText[];
  before: Map<string, TextValue>;
  errors: FieldError[];
}

/** What is wrong with those of the words that are templates, all of them looked at in one go. */
async function problemsOfTemplates(
  { storeId }: Reading,
  translations: readonly Translation[],
  sourceOf: (one: Translation) => TextSource | undefined,
): Promise<Map<Translation, TemplateProblem[]>> {
  const templates = translations.flatMap(one => {
    const source = sourceOf(one);
    const text = source?.template && cleanText(source, one.value ?? '');
    return source?.template && text ? [{ one, check: { ...source.template, text } }] : [];
  });
  const problems = await checkTemplates(
    storeId,
    templates.map(({ check }) => check),
  );
  return new Map(templates.map(({ one }, i) => [one, problems[i] ?? []]));
}

/** Words that were looked at: what is to be written, what is too late, and what is wrong with each. */
async function checkedWrites(
  scope: Reading,
  { language, primary }: Awaited<ReturnType<typeof needLanguage>>,
  selection: Selection,
  translations: readonly Translation[],
): Promise<Checked> {
  const kinds = new Map(categoriesOf(scope.definitions, selection).map(one => [one.categoryId, one]));
  const { keys: _keys, entityId, ...wide } = selection;
  const sources = new Map((await sourcesOf(scope, wide)).map(source => [`${source.ownerId}\0${source.key}`, source]));
  const [values, first] = [await valuesIn(scope, language.locale), await valuesIn(scope, primary.locale)];
  const sourceOf = (one: Translation): TextSource | undefined =>
    sources.get(`${String(one.entityId ?? entityId ?? selection.ownerId ?? '')}\0${one.key}`);
  const problems = await problemsOfTemplates(scope, translations, sourceOf);
  const errors: FieldError[] = [];
  const writes: TextWrite[] = [];
  const stale: StaleText[] = [];
  const seen = new Set<string>();
  translations.forEach((one, i) => {
    const pointer = `/translations/${i}/value`;
    const wrong = (message: string, rule = 'text'): void => void errors.push({ pointer, rule, message });
    const source = sourceOf(one);
    if (!source) return wrong(t`There is no text “${one.key}” here. It may have been deleted.`, 'unknown');
    const id = textId(source);
    if (seen.has(id)) return wrong(t`“${source.label}” is there twice.`, 'twice');
    seen.add(id);
    if (language.isPrimary && kinds.get(source.categoryId)?.isOfRecords)
      throw invalidState(t`In ${primary.name}, your primary language, these words are changed on the page of each of them.`);
    const text = cleanText(source, one.value ?? '');
    const original = language.isPrimary ? undefined : originalOf(source, first);
    const found = problemsOf(source, text, original, problems.get(one) ?? []);
    if (found.length) return found.forEach(problem => wrong(`${source.label}: ${problem}`));
    const ready = readyFor(language.locale, source);
    const isStandard = text === (ready ?? (language.isPrimary ? source.standard : undefined));
    const { ownerKind, ownerId, key } = source;
    const write: TextWrite = { ownerKind, ownerId, key, value: text === '' || isStandard ? null : text };
    const known = values.get(id);
    const differs = (known?.value === ready ? null : (known?.value ?? null)) !== write.value;
    // Where none were ever written (a language added again, another store's file) nothing is lost.
    if (differs && one.version !== undefined && (known?.version ?? 0) > 0 && one.version !== known?.version)
      stale.push({ place: i, source, value: write.value, known, yours: one.version });
    else if (differs || known?.draft != null) writes.push(write);
  });
  return { writes, stale, before: values, errors };
}

/** Lines of the account log name so many texts. */
const LOGGED = 50;

export interface Changed {
  changed: number;
  /** What was left as it is, because it was changed since; only where `leaves` asks for it. */
  left: StaleText[];
}

/**
 * Writes words of a store, those of one language by one person at a time. Empty ones fall back. Words that name a version are refused
 * together once one of their texts was changed, or, with `leaves`, those alone are left out.
 * @throws Refusal 404, 409 for words of records in the primary language, 409 STALE_VERSION, 422 for each variable that is missing or
 * unknown, and what is too long
 */
export async function changeTexts(
  context: Context,
  { locale: localeGiven, ...selection }: Asked,
  translations: readonly Translation[],
  { leaves = false }: { leaves?: boolean } = {},
): Promise<Changed> {
  const languages = await needLanguage(context, localeGiven);
  const { locale, name: languageName } = languages.language;
  await lockTexts(context.trx, context.storeId, locale);
  const { writes, stale, before, errors } = await checkedWrites(context, languages, selection, translations);
  if (errors.length) throw invalid(errors);
  if (stale.length && !leaves) refuseStale(stale);
  if (writes.length === 0) return { changed: 0, left: stale };
  await writeValues({ trx: context.trx, storeId: context.storeId, at: context.now(), by: context.user.email }, locale, writes);
  const shown = writes.slice(0, LOGGED);
  const name = (one: TextWrite): string => (one.ownerId ? `${one.ownerId}.${one.key}` : one.key);
  await context.log({
    action: 'texts.updated',
    category: 'Settings',
    description: `${writes.length === 1 ? 'One text' : `${writes.length} texts`} changed in ${languageName}`,
    entity: 'store-text',
    entityId: locale,
    before: Object.fromEntries(shown.map(one => [name(one), before.get(textId(one))?.value ?? null])),
    after: Object.fromEntries(shown.map(one => [name(one), one.value])),
  });
  return { changed: writes.length, left: stale };
}

/** The verb translate. */
export async function translate(context: Context, given: VerbCall): Promise<Reply> {
  const { translations = [], ...selection } = selectionOf(given);
  await changeTexts(context, selection, translations);
  const keys = [...new Set(translations.map(one => one.key))];
  return new Reply(await textRows(context, { ...selection, keys }), { message: t`The texts are saved.` });
}
