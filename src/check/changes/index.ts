// Puts the changes between two states of the definitions into words, for a review: what was added, removed and changed, who may
// see it now, and whether values that stores have saved still fit. Pure: texts in, words out.
import { byName, compareNames, membersOf, same, show, tellNames, type Members } from './compare.ts';
import { schemaChanges, type Told } from './schema-changes.ts';

export interface FileChange {
  file: string;
  kind: 'added' | 'removed' | 'changed';
  /** What the file is, e.g. "Settings page General". */
  what: string;
  lines: string[];
  /** Only for what is stored: why values saved before may not fit; an empty list says that they are safe. */
  stored?: string[];
}

const KINDS: [RegExp, string][] = [
  [/^schemas\/settings\//, 'Settings page'],
  [/^schemas\/entities\//, 'Entity'],
  [/^schemas\/calls\//, 'Table of calls'],
  [/^schemas\/common\//, 'Shared definition'],
  [/^schemas\/events\//, 'Events'],
  [/^schemas\/messages\//, 'Message'],
  [/^schemas\/([a-z-]+)\//, 'Definition'],
  [/^resources\/navigation\.json$/, 'Navigation'],
  [/^resources\//, 'Screen'],
];

/**
 * What changed between two sets of definition files (path from the project's root -> text), file by file in the order of their paths.
 * A file whose text is no JSON counts as changed, without words about its inside.
 */
export function describeChanges(before: Record<string, string>, after: Record<string, string>): FileChange[] {
  const files = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return files.flatMap((file): FileChange[] => {
    const [old, now] = [parse(before[file]), parse(after[file])];
    const shown = now ?? old;
    const kind = before[file] === undefined ? 'added' : after[file] === undefined ? 'removed' : 'changed';
    const title = membersOf(shown)['title'] ?? file.replace(/^.*\//, '').replace(/\.json$/, '');
    const what = `${KINDS.find(([pattern]) => pattern.test(file))?.[1] ?? 'File'} ${JSON.stringify(title)}`;
    if (kind !== 'changed')
      return [
        {
          file,
          kind,
          what,
          lines: [],
          ...(kind === 'removed' && isStored(file) ? { stored: ['what stores saved of it is not read any more'] } : {}),
        },
      ];
    if (old === undefined || now === undefined)
      return before[file] === after[file] ? [] : [{ file, kind, what, lines: ['its text changed'] }];
    if (same(old, now)) return [];
    const found = inside(file, old, now);
    return [
      {
        file,
        kind,
        what,
        lines: found.lines.length ? found.lines : ['the order of its members changed'],
        ...(isStored(file) ? { stored: found.stored } : {}),
      },
    ];
  });
}

/** The lines that `npm run check -- --diff` prints of a change. */
export function tellChange(change: FileChange): string {
  const head = `${change.what} ${change.kind} (${change.file})`;
  const stored =
    change.stored === undefined
      ? []
      : change.stored.length
        ? change.stored.map(line => `  ! stored values: ${line}`)
        : ['  stored values stay safe'];
  return [head, ...change.lines.map(line => `  ${line}`), ...stored].join('\n');
}

const isStored = (file: string): boolean => /^schemas\/(settings|entities|common)\//.test(file);

function inside(file: string, old: unknown, now: unknown): Told {
  if (file.startsWith('schemas/calls/')) return { lines: partsOf(old, now, [['calls', 'call', 'calls']]), stored: [] };
  if (/^schemas\/(events|messages)\//.test(file))
    return {
      lines: partsOf(old, now, [
        ['events', 'event', 'events'],
        ['variables', 'variable', 'variables'],
      ]),
      stored: [],
    };
  if (file.startsWith('resources/')) return { lines: screenLines(membersOf(old), membersOf(now), ''), stored: [] };
  return schemaChanges(old, now);
}

/** Lines about named parts, and about the other members one by one. */
function partsOf(old: unknown, now: unknown, parts: [string, string, string][]): string[] {
  const [before, after] = [membersOf(old), membersOf(now)];
  const named = new Set(parts.map(([part]) => part));
  return [
    ...parts.flatMap(([part, one, many]) => {
      const changes = compareNames(membersOf(before[part]), membersOf(after[part]));
      return [
        ...tellNames(changes, one, many),
        ...changes.changed.flatMap(name =>
          memberLines(membersOf(membersOf(before[part])[name]), membersOf(membersOf(after[part])[name]), `${one} "${name}": `),
        ),
      ];
    }),
    ...memberLines(without(before, named), without(after, named), ''),
  ];
}

const without = (members: Members, names: ReadonlySet<string>): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)));

function memberLines(before: Members, after: Members, at: string): string[] {
  const { added, removed, changed } = compareNames(before, after);
  return [...added, ...removed, ...changed].map(name => {
    const long = [before[name], after[name]].some(value => JSON.stringify(value ?? null).length > 80);
    return long ? `${at}${name} changed` : `${at}${name} ${show(before[name])} became ${show(after[name])}`;
  });
}

/** What an item of a list on a screen is called. */
const nameOf = (item: unknown): string => {
  const members = membersOf(item);
  return String(
    typeof item === 'string'
      ? item
      : (members['id'] ?? members['field'] ?? members['title'] ?? members['call'] ?? members['panel'] ?? JSON.stringify(item)),
  );
};
const WORDS: Record<string, [string, string]> = {
  columns: ['column', 'columns'],
  actions: ['action', 'actions'],
  tabs: ['tab', 'tabs'],
  filters: ['filter', 'filters'],
  sections: ['section', 'sections'],
  main: ['part', 'parts'],
  side: ['part at the side', 'parts at the side'],
  fields: ['field', 'fields'],
  items: ['entry', 'entries'],
  lower: ['entry', 'entries'],
  bulk: ['bulk action', 'bulk actions'],
  rowActions: ['row action', 'row actions'],
};

/** Screens and the navigation are lists of named things, some of which hold lists again. */
function screenLines(before: Members, after: Members, at: string): string[] {
  const lines: string[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    if (same(old, now)) continue;
    if (Array.isArray(old ?? now) && Array.isArray(now ?? old)) {
      const [one, many] = WORDS[key] ?? [`item of ${key}`, `items of ${key}`];
      const [members, others] = [byName(old, nameOf), byName(now, nameOf)];
      const changes = compareNames(members, others);
      lines.push(...tellNames(changes, one, many).map(line => `${at}${line}`));
      for (const name of changes.changed)
        lines.push(...screenLines(membersOf(members[name]), membersOf(others[name]), `${at}${one} "${name}": `));
      if (!changes.added.length && !changes.removed.length && !changes.changed.length) lines.push(`${at}the order of ${many} changed`);
    } else if (membersOf(old) === old && membersOf(now) === now)
      lines.push(...screenLines(membersOf(old), membersOf(now), `${at}${key}: `));
    else lines.push(...memberLines({ [key]: old }, { [key]: now }, at));
  }
  return lines;
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
