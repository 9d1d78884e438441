// What people can set and nothing reads: members of settings and records, texts and styles that only their form, editor and wire know.
// usage: npx tsx scripts/readers.ts [PART]   lists them by their places, those whose place begins with PART alone. The census holds their number.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Definitions, Schema } from '../src/contract/types.ts';
import { themeCss } from '../src/server/platform/portal-look/theme-css.ts';
import { themeFrom } from '../src/server/platform/portal-look/theme.ts';
import { loadDefinitions, projectRoot } from '../src/server/platform/definitions.ts';
import { cssVariable } from '../src/domain/widgets/style-attributes.ts';
import { filesBelow, importsOf, readSource, sourceFiles, withoutComments } from './lib/source-files.ts';

export interface Unread {
  /** "settings/portal-preferences", "texts/portal" */
  where: string;
  /** Names of what it holds, one within the other. */
  what: string;
}

/** Forms, editors and what shows in them how it will look; what is only carried; what is checked before it is saved; the demo, which fills it in. */
const NO_READER =
  /^(?:src\/(?:contract|check|browser-definitions|studio|generated)\/|src\/domain\/codecs\/|src\/admin\/(?:form|platform)\/|src\/admin\/features\/widgets\/|renderers\/fields\/|src\/server\/(?:studio|features\/demo)\/|src\/server\/platform\/(?:api-document|db\/migrations)\/|src\/server\/features\/widgets\/(?:snapshot|sample|map|mappings)\.ts)|(?:preview|editor|designer)[^/]*$|\/rules\.ts$|-rules\.ts$/;
/** Definitions that read members of records by their names. */
const READING = ['metrics', 'reports', 'conditions', 'messages', 'events', 'actions', 'analytics'];
/** Read in a way that is not seen here. */
const READ_OTHERWISE: Readonly<Record<string, string>> = {
  'settings/cancellation-flow acceptsResponsibility': 'without it the behavior above it is refused',
  'entities/upgrade-text fieldKey': 'which text of an upgrade it is',
};
/** Parts of a widget that its element on pages of shops reads. */
const ON_PAGES = ['preferences', 'styles', 'texts'];
/** So long a name means one thing in all of the source; a shorter one is looked for near its own schema. */
const DISTINCT = 12;
/** So long the parts of a text that is put together are a name's own. */
const LONG_PART = 6;

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
const pascal = (name: string): string => name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The words of a file, and the texts in it that are put together from a beginning or an end and something else. */
interface Source {
  file: string;
  text: string;
  words: ReadonlySet<string>;
  /** Texts in quotation marks, and those up to a dot: "settings", "subscription-contract" of "subscription-contract.list". */
  quoted: ReadonlySet<string>;
  imports: readonly string[];
}
/** The engine's door, which hands on what stands in the files behind it. */
const DOOR = 'src/server/engine/index.ts';
/** The file behind the door that each name comes from. */
function behindDoor(root: string): ReadonlyMap<string, string> {
  if (!existsSync(join(root, DOOR))) return new Map();
  const statements = [...readSource(root, DOOR).matchAll(/^export \{([^}]*)\} from '\.\/([^']+)';/gm)];
  return new Map(
    statements.flatMap(([, names = '', file = '']) =>
      names
        .split(',')
        .map(name => name.trim().replace(/^type /, ''))
        .map(name => [name, `src/server/engine/${file}`] as const),
    ),
  );
}
const source = (file: string, text: string, behind: ReadonlyMap<string, string>): Source => {
  const words = new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);
  const imports = importsOf(file, text);
  return {
    file,
    text,
    words,
    quoted: new Set([...text.matchAll(/['"]([\w-]+)(?=['".])/g)].map(([, name]) => name as string)),
    imports: imports.includes(DOOR) ? [...imports, ...[...words].flatMap(word => behind.get(word) ?? [])] : imports,
  };
};
/** "src/server/features/portal" of a file of it: what stands together. */
const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('src/server/features/') ? 4 : 3)
    .join('/');

/** Members that people write, down to those that hold no others. */
function leaves(schema: Schema, at: readonly string[] = []): string[][] {
  const members = Object.entries(schema.properties ?? {}).filter(([, one]) => !one.readOnly);
  return members.flatMap(([name, one]) => {
    const path = [...at, name];
    const inner = one.properties ? one : one.items?.properties ? one.items : undefined;
    // Conditions are read by their catalogue, and rights by areas as a whole.
    const isWhole =
      inner === undefined || one['x-catalogue'] !== undefined || one['x-conditions'] !== undefined || one['x-ui']?.widget === 'matrix';
    return isWhole ? [path] : leaves(inner, path);
  });
}

/** Schemas that stand as a whole inside another file: entities by the keys of those that hold them, and those that calls take. */
function holdersOf(root: string): { inEntities: ReadonlySet<string>; inCalls: ReadonlyMap<string, readonly string[]> } {
  const heldIn = (file: string): string[] =>
    [...readSource(root, file).matchAll(/"\$ref":\s*"(?:\.|\.\.\/entities)\/([\w-]+)\.json"/g)].map(([, key]) => key as string);
  const inEntities = new Set(['entities', 'settings'].flatMap(folder => filesBelow(root, `schemas/${folder}`).flatMap(heldIn)));
  const inCalls = new Map<string, string[]>();
  for (const file of filesBelow(root, 'schemas/calls'))
    for (const key of heldIn(file)) inCalls.set(key, [...(inCalls.get(key) ?? []), basename(file, '.json')]);
  return { inEntities, inCalls };
}

/** All that nothing reads, in the order of its places. */
export function unreadIn(root: string, definitions: Definitions): Unread[] {
  const behind = behindDoor(root);
  const code = sourceFiles(root)
    .filter(file => !NO_READER.test(file))
    .map(file => source(file, withoutComments(readSource(root, file)), behind));
  const data = READING.flatMap(folder => filesBelow(root, `schemas/${folder}`)).map(file => source(file, readSource(root, file), behind));
  const all = [...code, ...data];
  const held = holdersOf(root);
  const uses = new Map<string, number>();
  const count = (schema: Schema): void => {
    for (const path of leaves(schema)) uses.set(path.at(-1) as string, (uses.get(path.at(-1) as string) ?? 0) + 1);
  };
  for (const schema of [...Object.values(definitions.settings), ...Object.values(definitions.entities)]) count(schema);

  const unreadMembers = (where: string, schema: Schema): Unread[] => {
    const key = basename(where);
    const tables = Object.values(definitions.calls).flatMap(({ of, table }) => (of === key ? [table] : []));
    const quotes = [...new Set([key, ...tables, ...(held.inCalls.get(key) ?? [])])];
    const types = [pascal(key), `${pascal(key)}Settings`, schema['x-record']?.table ?? key];
    const isNamed = ({ words, quoted }: Source): boolean => quotes.some(name => quoted.has(name)) || types.some(name => words.has(name));
    const naming = code.filter(isNamed);
    const folders = new Set(naming.map(({ file }) => folderOf(file)));
    const names = new Set(naming.map(({ file }) => file));
    const beside = code.filter(({ file }) => folders.has(folderOf(file)));
    const imported = new Set(beside.flatMap(({ imports }) => imports));
    // Beside what names it, imported there, or importing the name.
    const near = [...beside, ...code.filter(({ file, imports }) => imported.has(file) || imports.some(one => names.has(one))), ...data];
    // What finds records, and what stands beside their names wherever they are chosen or listed.
    const { search = [], detail = '' } = schema['x-record'] ?? {};
    return leaves(schema).flatMap(path => {
      const name = path.at(-1) as string;
      if (path.length === 1 && (search.includes(name) || detail.includes(`{${name}}`))) return [];
      const isDistinct = name.length >= DISTINCT && uses.get(name) === 1;
      const isRead = (isDistinct ? all : near).some(({ words }) => words.has(name) || words.has(snake(name)));
      return isRead ? [] : [{ where, what: path.join('.') }];
    });
  };

  const put = code.flatMap(({ text }) =>
    [...text.matchAll(/`([A-Za-z]*)_?\$\{[^}]*\}([A-Za-z]*)`/g)].map(([, begin = '', end = '']) => ({ begin, end })),
  );
  /** Named in quotation marks, or as a member of texts; a word by itself may mean something else. */
  const isNamedIn = ({ text, words }: Source, key: string): boolean =>
    words.has(key) && new RegExp(`['"\`.]${key}\\b|\\b${key}[:,]`).test(text);
  const isText = (key: string): boolean =>
    all.some(one => isNamedIn(one, key)) ||
    put.some(
      ({ begin, end }) =>
        begin.length + end.length >= LONG_PART && key.startsWith(begin) && key.endsWith(end) && key.length > begin.length + end.length,
    );

  const theme = definitions.entities['portal-theme'];
  const css = theme ? themeCss(themeFrom(definitions, 0, 0, {}), 'light') : '';
  const styles = leaves(theme?.properties?.styles ?? {}).flatMap(([part = '', attribute = '']) =>
    css.includes(`var(${cssVariable(part, attribute, 'portal')})`)
      ? []
      : [{ where: 'entities/portal-theme', what: `styles.${part}.${attribute}` }],
  );
  // Of what stands on pages of shops: styles become variables of its CSS, preferences and texts are named by its elements.
  const script = code.filter(({ file }) => file.startsWith('src/storefront/'));
  const isSeen = ([group, ...path]: readonly string[]): boolean =>
    group === 'styles'
      ? script.some(({ text }) => text.includes(`var(${cssVariable(path[0] ?? '', path[1] ?? '')})`))
      : (group === 'preferences' || group === 'texts') && script.some(({ words }) => words.has(path[0] ?? ''));
  const unseen = (where: string, schema: Schema): Unread[] =>
    leaves({ properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => ON_PAGES.includes(name))) }).flatMap(
      path => (isSeen(path) ? [] : [{ where, what: path.join('.') }]),
    );
  const without = (schema: Schema, names: readonly string[]): Schema => ({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))),
  });
  const isOnPages = ({ properties }: Schema): boolean => ON_PAGES.every(name => properties?.[name] !== undefined);
  const unreadOf = (where: string, schema: Schema): Unread[] =>
    isOnPages(schema)
      ? [...unreadMembers(where, without(schema, ON_PAGES)), ...unseen(where, schema)]
      : unreadMembers(where, where === 'entities/portal-theme' ? without(schema, ['styles']) : schema);
  return [
    ...Object.entries(definitions.settings).flatMap(([key, schema]) => unreadOf(`settings/${key}`, schema)),
    // What stands inside another entity is judged there.
    ...Object.entries(definitions.entities).flatMap(([key, schema]) =>
      held.inEntities.has(key) ? [] : unreadOf(`entities/${key}`, schema),
    ),
    ...styles,
    ...Object.values(definitions.texts).flatMap(({ key, texts }) =>
      Object.keys(texts).flatMap(name => (isText(name) ? [] : [{ where: `texts/${key}`, what: name }])),
    ),
  ].filter(({ where, what }) => READ_OTHERWISE[`${where} ${what}`] === undefined);
}

if (process.argv[1]?.endsWith('readers.ts')) {
  const [, , part = ''] = process.argv;
  const found = unreadIn(projectRoot, loadDefinitions(projectRoot)).filter(({ where }) => where.startsWith(part));
  for (const where of new Set(found.map(one => one.where)))
    console.log(
      `schemas/${where}.json\n${found
        .filter(one => one.where === where)
        .map(({ what }) => `  ${what}`)
        .join('\n')}`,
    );
  console.log(`${found.length} settings, fields, texts and styles are set and read by nothing but their form, editor and wire.`);
}
