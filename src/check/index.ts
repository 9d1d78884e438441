// Everything that can be wrong with the definitions, reported with file, line, pointer, one sentence and the nearest
// valid name. Pure: texts in, problems out.
import type { Definitions, Problem } from '../contract/types.ts';
import { FACTS } from '../navigation/facts.ts';
import { loadDocuments } from '../contract/load.ts';
import { References } from '../contract/refs.ts';
import { codecs } from '../domain/codecs/index.ts';
import { atItsAction, checkActions } from './actions.ts';
import { checkAnalytics } from './analytics.ts';
import { checkCalls } from './calls.ts';
import { checkConditions } from './catalogue.ts';
import { checkFamilies } from './families.ts';
import { checkIntegrations } from './integrations.ts';
import { grammar, withoutSchema } from './grammar.ts';
import { checkReferences } from './name-kinds.ts';
import { ReferenceFinder } from './references.ts';
import { checkCatalogues, checkNavigation } from './navigation.ts';
import { checkSetUp } from './set-up.ts';
import { checkSchemas } from './schemas.ts';
import { checkScreens } from './screens.ts';
import { checkWords } from './words.ts';
import { locate, read, type Finding, type Source } from './source.ts';
import { isObject, type CheckOptions, type CheckContext } from './context.ts';

export type { CheckOptions, Renderers } from './context.ts';

export interface Checked {
  problems: Problem[];
  /** As far as they could be loaded. */
  definitions: Definitions;
  /** Some file is no JSON or not in the grammar, so that the definitions are not whole. */
  broken: boolean;
}

/** What is wrong with the definition files (path from the project's root -> text; schemas/meta among them). */
export const check = (files: Record<string, string>, options: CheckOptions = {}): Problem[] => checkAll(files, options).problems;

/** The problems, and the definitions as far as they go. */
export function checkAll(files: Record<string, string>, options: CheckOptions = {}): Checked {
  const problems: Problem[] = [];
  const sources = new Map<string, Source>();
  for (const [file, text] of Object.entries(files))
    sources.set(
      file,
      read(file, text, problem => problems.push(problem)),
    );
  const broken = new Set(problems.map(problem => problem.file));

  const findings: Finding[] = [];
  const documents: Record<string, unknown> = {};
  for (const [file, source] of sources) if (source.value !== undefined) documents[file] = source.value;
  for (const [file, value] of Object.entries(documents)) {
    const missing = withoutSchema(file, value);
    if (missing) findings.push(missing);
    grammar(file, value, files, finding => {
      findings.push(finding);
      broken.add(finding.file);
    });
  }

  // Where the form is wrong, what follows from it is not reported as well.
  const later: Finding[] = [];
  let definitions: Definitions;
  try {
    definitions = loadDocuments(documents, mistake => later.push(mistake));
    const modules = documents['schemas/common/permissions.json'];
    const areas = Object.values(definitions.permissions);
    const context: CheckContext = {
      definitions,
      documents,
      options,
      references: new References(documents, () => undefined),
      report: finding => later.push(atItsAction(finding, definitions, documents)),
      sound: file => !broken.has(file),
      planFeatures: definitions.plans.flatMap(plan => plan.features),
      features: [...new Set(areas.map(area => area.loopFeatureKey).filter((key): key is string => key !== null))],
      modules: isObject(modules) && isObject(modules.modules) ? Object.keys(modules.modules) : [],
    };
    checkSchemas(context);
    // Calls stand on schemas, screens on both: they are looked at when the form of what they stand on is right.
    const isBroken = (kind: RegExp): boolean => [...broken].some(file => kind.test(file));
    if (!isBroken(/^schemas\/(entities|settings|common)\//)) checkCalls(context);
    if (!isBroken(/^schemas\//)) {
      checkScreens(context);
      checkNavigation(context);
      checkSetUp(context);
      checkWords(context);
    }
    checkFamilies(context);
    checkIntegrations(context);
    checkConditions(context);
    checkActions(context);
    checkAnalytics(context);
    checkCatalogues(context, Object.keys(FACTS));
    if (broken.size === 0) {
      const reported = new Set([...findings, ...later].map(({ file, pointer }) => `${file} ${pointer}`));
      checkReferences(context, new ReferenceFinder(files, options.options), (file, at) => reported.has(`${file} ${at}`));
    }
  } catch (error) {
    if (findings.length === 0 && problems.length === 0) throw error;
    definitions = loadDocuments({}, () => undefined);
  }
  for (const finding of later) if (!broken.has(finding.file)) findings.push(finding);
  const seen = new Set<string>();
  for (const finding of findings) {
    const problem = locate(sources, finding);
    const key = `${problem.file} ${problem.pointer} ${problem.message}`;
    if (!seen.has(key)) {
      seen.add(key);
      problems.push(problem);
    }
  }
  problems.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column));
  return { problems, definitions, broken: broken.size > 0 };
}

/** The two lines of one problem: place and pointer; then the sentence, with what was perhaps meant. */
export const tell = (problem: Problem): string =>
  `${problem.file}:${problem.line}:${problem.column}  ${problem.pointer || '/'}\n  ` +
  `${problem.message}${problem.suggestion !== undefined ? ` Did you mean "${problem.suggestion}"?` : ''}`;

const MANY = 5;
/** All problems as texts; more than a few with the same cause (the same sentence, whatever it names) are one, with all their places. */
export function problemLines(problems: readonly Problem[]): string[] {
  const causes = new Map<string, Problem[]>();
  for (const problem of problems) {
    const cause = problem.message.replace(/"[^"]*"/g, '""');
    causes.set(cause, [...(causes.get(cause) ?? []), problem]);
  }
  return [...causes.values()].flatMap(same => {
    const [first] = same as [Problem, ...Problem[]];
    if (same.length <= MANY) return same.map(tell);
    const places = same.slice(1).map(problem => `  also ${problem.file}:${problem.line}:${problem.column}  ${problem.pointer || '/'}`);
    return [[`${tell(first)} (${same.length} times)`, ...places].join('\n')];
  });
}

const n = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** How much there is of everything, in one line: whatever grows faster than the screens do shows here. */
export function census(definitions: Definitions, options: CheckOptions = {}): string {
  const calls = Object.values(definitions.calls);
  const resources = Object.values(definitions.resources);
  const entries = [...definitions.navigation.main, ...definitions.navigation.lower].flatMap(entry => [entry, ...(entry.items ?? [])]);
  const planned = new Set(entries.filter(entry => entry.planned).map(entry => entry.to)).size;
  const renderers = Object.entries(options.renderers ?? {})
    .map(([kind, names]) => `${kind} ${names?.length ?? 0}`)
    .join(', ');
  return [
    `${n(calls.length, 'call')} (${calls.filter(call => call.assumed).length} assumed) in ` +
      `${n(Object.keys(definitions.tables).length, 'table')}`,
    `${n(resources.length, 'screen')} (${resources.filter(resource => resource.page).length} drawn whole, ${planned} planned)`,
    n(Object.keys(definitions.settings).length, 'settings page'),
    n(Object.keys(definitions.entities).length, 'entity', 'entities'),
    `renderers: ${renderers || 'not counted'}`,
    n(Object.keys(definitions.events).length, 'event'),
    n(Object.keys(definitions.messages).length, 'message'),
    n(
      Object.values(definitions.texts).reduce((sum, { texts }) => sum + Object.keys(texts).length, 0),
      'text',
    ),
    n(Object.keys(codecs).length, 'codec'),
    ...(options.handlers ? [n(options.handlers.filter(name => definitions.calls[name]).length, 'handler')] : []),
  ].join(' · ');
}
