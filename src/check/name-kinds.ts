// What the names of each kind are, for names that no other part of the check looks up.
import { componentsOf } from '../contract/analytics.ts';
import { fullName, hasScreen } from '../contract/find.ts';
import { pointer } from '../contract/paths.ts';
import type { Definitions } from '../contract/types.ts';
import type { NameKind } from './name-kind.ts';
import type { ReferenceFinder } from './references.ts';
import { isObject, tags, type CheckContext } from './context.ts';

/** The names of a kind, where they are the same wherever they stand; undefined where they are not, or are not known. */
export function namesOf(kind: NameKind, { definitions, options }: Pick<CheckContext, 'definitions' | 'options'>): string[] | undefined {
  switch (kind) {
    case 'analytics page':
      return Object.keys(definitions.analytics);
    case 'call':
      return Object.keys(definitions.calls);
    case 'call table':
      return Object.keys(definitions.tables);
    case 'cell':
      return options.renderers?.cells;
    case 'chart':
      return Object.values(definitions.analytics).flatMap(page => componentsOf(page).map(one => `${page.key}.${one.key}`));
    case 'entity':
      return Object.keys(definitions.entities);
    case 'event':
      return Object.keys(definitions.events);
    case 'event subject':
      return [...new Set(Object.values(definitions.events).map(({ subject }) => subject))];
    case 'icon':
      return options.icons;
    case 'message':
      return Object.keys(definitions.messages);
    case 'metric':
      return Object.keys(definitions.metrics);
    case 'module':
      return [...new Set(Object.values(definitions.permissions).map(({ loopModuleKey }) => loopModuleKey))];
    case 'page':
      return options.renderers?.pages;
    case 'panel':
      return options.renderers?.panels;
    case 'permission':
      return Object.keys(definitions.permissions);
    case 'plan':
      return definitions.plans.map(({ name }) => name);
    case 'plan feature':
      return [...new Set(definitions.plans.flatMap(plan => plan.features))];
    case 'screen':
      return Object.keys(definitions.resources);
    case 'settings page':
      return Object.keys(definitions.settings);
    case 'shown schema':
      return (['entities', 'settings'] as const).flatMap(family => Object.keys(definitions[family]).map(name => `${family}/${name}`));
    case 'stage':
      return definitions.setUp.stages.map(({ key }) => key);
    case 'store fact':
      return options.storeFacts;
    case 'session fact':
      return Object.keys(definitions.facts);
    case 'tag':
      return tags(definitions);
    case 'text':
      return Object.values(definitions.texts).flatMap(({ texts }) => Object.keys(texts));
    case 'widget':
      return options.renderers?.fields;
    default:
      return undefined;
  }
}

const A: Partial<Record<NameKind, string>> = {
  identifier: 'name in the code of the server or the definitions',
  'shown schema': 'schema',
  'store fact': 'fact of src/server/features/onboarding/store-facts.ts',
  'event subject': 'file of events with the subject',
};

/** Reports names that are not there, except at places where another part of the check reports already. */
export function checkReferences(context: CheckContext, finder: ReferenceFinder, isReported: (file: string, at: string) => boolean): void {
  const words = wordsOf(context);
  for (const [file, document] of Object.entries(context.documents)) {
    if (!context.sound(file) || !isObject(document)) continue;
    const table = typeof document.calls === 'string' ? document.calls : /^schemas\/calls\/(.*)\.json$/.exec(file)?.[1];
    for (const reference of finder.in(file, document)) {
      const { kinds, path, name, place } = reference;
      const at = pointer(path);
      if (isReported(file, at) || kinds.some(one => isRight(context, one, name, place, table, words))) continue;
      const kind = kinds[0] as NameKind;
      const among = namesOf(kind, context);
      const isPath = kind === 'path' || kind === 'planned path';
      context.report({
        file,
        pointer: at,
        message: isPath ? `No screen answers to ${name}.` : `There is no ${A[kind] ?? kind} "${name}".`,
        ...(among ? { wanted: name, among } : isPath ? { wanted: name.slice(1), among: Object.keys(context.definitions.resources) } : {}),
      });
    }
  }
}

/** Whether the name is there, as far as this is known without what stands around it. */
function isRight(
  context: CheckContext,
  kind: NameKind,
  name: string,
  place: string,
  table: string | undefined,
  words: ReadonlySet<string> | undefined,
): boolean {
  const { definitions } = context;
  // What completes a task whose screen is still to come may be named ahead: the check of the set-up knows.
  if (place === 'set-up/done/count' || place === 'set-up/done/setting') return true;
  switch (kind) {
    case 'path':
    case 'planned path':
      return !name.startsWith('/') || leadsSomewhere(definitions, name, kind === 'planned path');
    case 'call': {
      // In screens a word may be a call of their table, or one of their own actions, which the check of screens knows.
      return place.startsWith('resource/') || Object.hasOwn(definitions.calls, fullName(name, table));
    }
    case 'identifier':
      // The server counts the rows of each tab by what the tab says, where a call "counts" does "count".
      if (place === 'resource/list/tabs/count' && definitions.calls[`${table ?? ''}.counts`]?.does === 'count') return true;
      return words === undefined || name.split(/[^\w]+/).every(word => word === '' || words.has(word));
    default: {
      const among = namesOf(kind, context);
      return among === undefined || among.includes(name);
    }
  }
}

const withoutQuery = (path: string): string => path.split(/[?#]/, 1)[0] ?? '';
/** A path of the admin, with fields in braces, has a screen, or will have one (`planned`). */
function leadsSomewhere(definitions: Definitions, path: string, mayBePlanned: boolean): boolean {
  const plain = withoutQuery(path.replace(/\{[^{}]+\}/g, '1'));
  const entries = [...definitions.navigation.main, ...definitions.navigation.lower].flatMap(entry => [entry, ...(entry.items ?? [])]);
  return (
    hasScreen(definitions, plain) ||
    plain === '/' ||
    // What leads out of the admin.
    entries.some(({ external, to }) => external === true && to === path) ||
    (mayBePlanned && entries.some(({ to }) => to !== undefined && withoutQuery(to) === plain))
  );
}

/** Words of the server's code, and names and values of all schemas: a name that is none of them is misspelt. */
function wordsOf({ options, documents }: CheckContext): ReadonlySet<string> | undefined {
  if (!options.words) return undefined;
  const words = new Set(options.words);
  const add = (value: unknown, isValue = false): void => {
    if (typeof value === 'string') {
      if (isValue && /^[\w-]+$/.test(value)) for (const word of value.split('-')) words.add(word);
    } else if (Array.isArray(value)) for (const one of value) add(one, isValue);
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) {
        words.add(name);
        add(inner, name === 'enum' || name === 'const');
      }
  };
  for (const [file, document] of Object.entries(documents)) if (/^schemas\/(entities|settings|common|calls)\//.test(file)) add(document);
  return words;
}
