// What `npm run new` writes: a kind is one file of scripts/new with the first text of its definitions, in which <name> stands for what was given.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkAll, tell, type CheckOptions } from '../../src/check/index.ts';
import { nearest } from '../../src/check/source.ts';
import { callFor } from '../../src/contract/find.ts';
import { atPointer, humanise, optionsOf } from '../../src/contract/paths.ts';
import type { Definitions, Resource, Schema } from '../../src/contract/types.ts';
import { jsonFile, nodeAt, withValue } from './json-text.ts';

/** One file of scripts/new. */
export interface Kind {
  title: string;
  usage: string;
  about: string;
  /** How its name is written: loyalty-points, any words, markReady, ORDER_LATE. */
  name: 'address' | 'words' | 'member' | 'key';
  /** The name is that of one of many; what lists them has the plural. */
  of?: 'one';
  /** It goes into a screen of this sort, which --in names. */
  in?: 'list' | 'record';
  /** Options of the command with what they are when nothing is said. */
  needs?: Record<string, string>;
  /** Options that must be said: name -> what is asked for. */
  must?: Record<string, string>;
  /** Path -> content: an object, or lines of text. */
  write?: Record<string, object | string[]>;
  /** Paths of `write` that are left as they are where they exist. */
  keep?: string[];
  change?: { file: string; at: string; value: unknown; keep?: boolean; unique?: string }[];
  open?: string;
  /** The running development server knows it only when it was started again. */
  restart?: true;
  next: string[];
}

/** A refusal in words for the person at the terminal. */
export class Refused extends Error {}

export const kindsIn = (root: string): Record<string, Kind> =>
  Object.fromEntries(
    readdirSync(join(root, 'scripts/new'))
      .filter(file => file.endsWith('.json'))
      .sort()
      .map(file => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(join(root, 'scripts/new', file), 'utf8')) as Kind]),
  );

const words = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(word => word.toLowerCase());
const WRITTEN: Record<Kind['name'], { pattern: RegExp; like: string; make: (parts: string[]) => string }> = {
  address: { pattern: /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, like: 'small letters, digits and hyphens', make: parts => parts.join('-') },
  member: {
    pattern: /^[a-z][A-Za-z0-9]*$/,
    like: 'letters and digits, the first one small',
    make: ([first = '', ...rest]) => first + rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
  },
  key: { pattern: /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/, like: 'capitals, digits and _', make: parts => parts.join('_').toUpperCase() },
  words: { pattern: /\S/, like: 'words', make: parts => parts.join(' ') },
};
/** Names that addresses or objects of the product have already. */
const RESERVED = new Set(
  'constructor prototype create edit new index settings navigation login logout signup host rest dev assets healthz readyz api portal'.split(
    ' ',
  ),
);

export const plural = (word: string): string =>
  /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
export const singular = (word: string): string =>
  word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : /(xes|zes|ches|shes|sses)$/.test(word)
      ? word.slice(0, -2)
      : /[^su]s$/.test(word) && !/(is|news)$/.test(word)
        ? word.slice(0, -1)
        : word;

export interface Planned {
  /** Path -> text of the files that are new or different. */
  files: Record<string, string>;
  /** The project with them, and what the check says of it. */
  after: { files: Project['files'] } & ReturnType<typeof checkAll>;
  /** What was done in words, one line for each file. */
  report: string[];
  /** Where to look at it. */
  open?: string;
  restart?: true;
  next: string[];
}
export interface Project {
  files: Record<string, string>;
  kinds: Record<string, Kind>;
  options?: CheckOptions;
}

type Values = Record<string, string | undefined>;

/** Replaces <name> in all texts; a member whose text is nothing but a name without value is left out. */
function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    const alone = /^<(\w+)>$/.exec(value)?.[1];
    if (alone !== undefined && alone in values) return values[alone];
    return value.replace(/<(\w+)>/g, (all, name: string) => values[name] ?? all);
  }
  if (Array.isArray(value)) return value.map(item => filled(item, values)).filter(item => item !== undefined);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [filled(name, values) as string, filled(member, values)] as const)
      .filter(([, member]) => member !== undefined),
  );
}
const text = (template: string, values: Values): string => filled(template, values) as string;

/** What was found in a project before: several plans of the same files share it. */
const found = new WeakMap<Project['files'], ReturnType<typeof checkAll>>();
function checked(files: Project['files'], options: Project['options']): ReturnType<typeof checkAll> {
  const before = found.get(files) ?? checkAll(files, options);
  found.set(files, before);
  return before;
}

/** What a kind makes of a name. @throws Refused with a sentence that says what would be right */
export function plan({ files, kinds, options }: Project, kindName: string, given: string, answers: Record<string, string> = {}): Planned {
  const kind = kinds[kindName];
  if (!kind) {
    const near = nearest(kindName, Object.keys(kinds));
    throw new Refused(
      `There is no kind "${kindName}"${near ? `; did you mean "${near}"` : ''}? Kinds are ${Object.keys(kinds).join(', ')}.`,
    );
  }
  const before = checked(files, options);
  const { definitions } = before;
  const parts = words(given);
  const written = WRITTEN[kind.name];
  if (parts.length === 0 || !written.pattern.test(given))
    throw new Refused(
      `"${given}" can't be the name of ${kind.title}: it is written in ${written.like}` +
        `${parts.length && /^[a-z]/i.test(given) ? `, "${written.make(parts)}" for example` : ''}.`,
    );
  if (kind.name === 'address') {
    if (RESERVED.has(given) || given in Object.prototype)
      throw new Refused(`"${given}" is a name of the product itself. Choose another one.`);
  } else if (given in Object.prototype) throw new Refused(`"${given}" is a name of the language. Choose another one.`);

  for (const [name, sentence] of Object.entries(kind.must ?? {})) if (answers[name] === undefined) throw new Refused(sentence);

  const base = kind.of === 'one' ? [...parts.slice(0, -1), singular(parts.at(-1) as string)] : parts;
  const many = [...base.slice(0, -1), plural(base.at(-1) as string)];
  const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
  const values: Values = {
    ...kind.needs,
    name: kind.of === 'one' ? base.join('-') : given,
    names: many.join('-'),
    one: base.join(' '),
    many: many.join(' '),
    Many: upper(many.join(' ')),
    CONSTANT: parts.join('_').toUpperCase(),
    title: answers.title ?? (kind.name === 'words' ? given : upper(base.join(' '))),
    ...(kind.in ? place(definitions, options, kind, given, answers) : {}),
  };
  for (const [name, value] of Object.entries(answers)) {
    if (!(name in values) && !(name in (kind.must ?? {})) && !['in', 'filter'].includes(name))
      throw new Refused(`--${name} is not an option of ${kind.title}. Write: npm run new -- ${kind.usage}`);
    if (!['in', 'filter'].includes(name)) values[name] = value;
  }

  const result: Record<string, string> = {};
  const protectedPaths = new Set((kind.keep ?? []).map(path => text(path, values)));
  for (const [path, content] of Object.entries(kind.write ?? {})) {
    const file = text(path, values);
    if (files[file] !== undefined) {
      if (protectedPaths.has(file)) continue;
      throw new Refused(`${file} exists already. Choose another name, or change that file.`);
    }
    result[file] = Array.isArray(content)
      ? `${content.map(line => text(line as string, values)).join('\n')}\n`
      : jsonFile(filled(content, values));
  }
  for (const { file: path, at: where, value, keep, unique } of kind.change ?? []) {
    const file = text(path, values);
    const at = text(where, values);
    const now = result[file] ?? files[file];
    if (now === undefined) throw new Refused(`There is no ${file} to add to.`);
    const added = filled(value, values);
    const there = nodeAt(now, at);
    if (there && keep) continue;
    if (there) throw new Refused(`${file} has ${at} already. Choose another name, or change it there.`);
    const list = unique === undefined ? undefined : atPointer(JSON.parse(now), at.slice(0, at.lastIndexOf('/')));
    if (
      Array.isArray(list) &&
      list.some(entry => (entry as Record<string, unknown>)[unique as string] === (added as Record<string, unknown>)[unique as string])
    )
      throw new Refused(
        `${file} has "${String((added as Record<string, unknown>)[unique as string])}" there already. Choose another name.`,
      );
    result[file] = withValue(now, at, added);
  }
  const known = new Set(before.problems.map(tell));
  const whole = { ...files, ...result };
  const after = checked(whole, options);
  const wrong = after.problems.map(tell).filter(line => !known.has(line));
  if (wrong.length) throw new Refused(`Nothing was written, because this would be wrong:\n${wrong.join('\n')}`);
  return {
    files: result,
    after: { files: whole, ...after },
    report: Object.keys(result).map(file => `${files[file] === undefined ? 'Wrote' : 'Added to'} ${file}`),
    // The page of a record has no address without one: its list leads there.
    ...(kind.open ? { open: text(kind.open, values).replace(/\/\[.*$/, '') } : {}),
    ...(kind.restart ? { restart: kind.restart } : {}),
    next: kind.next.map(line => text(line, values)),
  };
}

/** What the screen that --in names gives to a tab or an action. */
function place(
  definitions: Definitions,
  options: CheckOptions | undefined,
  kind: Kind,
  given: string,
  answers: Record<string, string>,
): Values {
  const screens = Object.values(definitions.resources).filter(one => !one.page && definitions.entities[one.of ?? '']);
  const fitting = screens.filter(one => (kind.in === 'list' ? one.list : one.record || one.list)).map(one => one.route);
  const route = answers.in?.replace(/^\/|^resources\/|\.json$/g, '');
  if (route === undefined)
    throw new Refused(`Say into which screen: --in ${fitting[0] ?? 'suppliers'}. Screens are ${fitting.join(', ')}.`);
  const screen = definitions.resources[route];
  if (!screen || !fitting.includes(route)) {
    const near = nearest(route, fitting);
    throw new Refused(`There is no such screen "${route}"${near ? `; did you mean "${near}"` : ''}? Screens are ${fitting.join(', ')}.`);
  }
  const entity = definitions.entities[screen.of as string] as Schema;
  return {
    in: route,
    ...(kind.in === 'list' ? tabOf(definitions, options, screen, entity, given, answers) : actionOf(definitions, screen, entity)),
  };
}

function tabOf(
  definitions: Definitions,
  options: CheckOptions | undefined,
  screen: Resource,
  entity: Schema,
  given: string,
  answers: Record<string, string>,
): Values {
  const filters = (entity['x-record']?.filter ?? []).filter(name => optionsOf(entity.properties?.[name]).length);
  const tabs = screen.list?.tabs ?? [];
  const taken = new Set(tabs.map(tab => JSON.stringify(Object.values(tab.filter ?? {})[0])));
  const free = filters
    .flatMap(field => optionsOf(entity.properties?.[field]).map(option => [field, String(option.value)] as const))
    .find(([, value]) => !taken.has(JSON.stringify([value])));
  const [field, value] = answers.filter?.split('=') ?? free ?? [];
  if (field === undefined || value === undefined)
    throw new Refused(
      `Say what the tab shows: --filter FIELD=VALUE. Fields are ${(entity['x-record']?.filter ?? []).join(', ') || 'none'}.`,
    );
  const counts = screen.calls && callFor(definitions, screen, 'count');
  const general = !screen.calls || (counts && !options?.handlers?.includes(counts.name));
  // Counts in capitals are values that tabs filter by; this one is a name of its own.
  const count = words(given)
    .map((word, i) => (i === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join('');
  return { field, value, count: general ? count : undefined };
}

function actionOf(definitions: Definitions, screen: Resource, entity: Schema): Values {
  const record = entity['x-record'];
  const states = entity['x-states'];
  if (record?.table && !states)
    throw new Refused(`${entity.title} is kept in a table of its own and has no states: add a column by a migration and x-states first.`);
  const { one = 'record', many = 'records' } = record?.name ?? {};
  const stateField = states?.field ?? 'status';
  const options = optionsOf(entity.properties?.[stateField]);
  const from = options[0] ?? { value: 'ACTIVE', title: 'Active' };
  const to = options[1] ?? { value: 'ARCHIVED', title: 'Archived' };
  const table = screen.calls && !screen.calls.startsWith('rest-') ? screen.calls : many.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const whole = screen.list && definitions.resources[`${screen.route}/[id]`]?.form;
  return {
    entity: screen.of,
    one,
    many,
    Many: humanise(many),
    stateField,
    from: String(from.value),
    fromTitle: (from.title ?? '').toLowerCase(),
    to: String(to.value),
    table,
    key: record?.key ?? 'id',
    permission: record?.permission ?? screen.permission,
    actionsAt: whole ? '/form/actions' : '/actions',
    place: screen.list && !whole ? 'row' : 'menu',
  };
}
