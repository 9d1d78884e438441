// Reads the definition files from disk: the text for load() and check().
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Definitions } from '../../contract/types.ts';
import { ACTION_CODE } from '../../check/actions.ts';
import { checkAll, type Checked, type CheckOptions } from '../../check/index.ts';
import { load } from '../../contract/load.ts';
import { moduleFiles } from './modules.ts';

/**
 * The project's root, where schemas/ and resources/ stand: the nearest folder above that has them,
 * from source and from the built server alike.
 */
export const projectRoot = ((): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schemas', 'meta')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
})();
export const DEFINITION_FOLDERS = ['schemas', 'resources'] as const;

/** Every definition file (*.json under schemas/ and resources/): path from the root with slashes -> text. */
export function readDefinitionFiles(root = projectRoot): Record<string, string> {
  const files: Record<string, string> = {};
  for (const folder of DEFINITION_FOLDERS) {
    let names: string[];
    try {
      names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    } catch {
      continue;
    }
    for (const name of names.sort())
      if (name.endsWith('.json')) files[`${folder}/${name.split(sep).join('/')}`] = readFileSync(join(root, folder, name), 'utf8');
  }
  return files;
}

/** The loaded definitions of a project. Throws DefinitionError with file, place and sentence when one is wrong. */
export const loadDefinitions = (root = projectRoot): Definitions => load(readDefinitionFiles(root));

/** The names of the functions the server has for `query` and `command` calls: name of a file in a feature's calls/ "." exported name. */
export function readHandlerNames(root = projectRoot): string[] {
  const handlers = moduleFiles(join(root, 'src/server')).filter(({ kind }) => kind === 'handlers');
  return handlers.flatMap(({ name: table, path }) => {
    const text = readFileSync(path, 'utf8');
    const direct = [...text.matchAll(/^export\s+(?:async\s+)?(?:function\s*\*?|const|let)\s+([\w$]+)/gm)].map(match => match[1] as string);
    const listed = [...text.matchAll(/^export\s*\{([^}]*)\}/gm)]
      .flatMap(match =>
        (match[1] as string).split(',').map(
          name =>
            name
              .trim()
              .split(/\s+as\s+/)
              .at(-1)
              ?.trim() ?? '',
        ),
      )
      .filter(name => name && !name.startsWith('type '));
    return [...direct, ...listed].map(name => `${table}.${name}`);
  });
}

/** What a widget's WidgetProps<…> says of the values it draws, in the types of JSON Schema. */
const DRAWN: Record<string, string[]> = {
  string: ['string'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
  JsonObject: ['object'],
  'JsonValue[]': ['array'],
  'number[]': ['array'],
  'string[]': ['array'],
};

/** What the folders of renderers offer: the names by kind, the text of their options schemas, and the icons the admin knows. */
export function readRenderers(root = projectRoot): Required<Pick<CheckOptions, 'renderers' | 'options' | 'widgetTypes' | 'icons'>> {
  const names: CheckOptions['renderers'] = {};
  const options: Record<string, string> = {};
  for (const kind of ['fields', 'cells', 'panels', 'pages', 'shell'] as const) {
    let files: string[];
    try {
      files = readdirSync(join(root, 'renderers', kind));
    } catch {
      files = [];
    }
    names[kind] = files
      .filter(name => name.endsWith('.tsx'))
      .map(name => name.slice(0, -'.tsx'.length))
      .sort();
    for (const name of files.filter(file => file.endsWith('.options.json')))
      options[`renderers/${kind}/${name}`] = readFileSync(join(root, 'renderers', kind, name), 'utf8');
  }
  const widgetTypes: Record<string, string[]> = {};
  for (const name of names.fields ?? []) {
    const drawn = /WidgetProps<([^;{}()]+?)>\s*\)/.exec(readFileSync(join(root, `renderers/fields/${name}.tsx`), 'utf8'))?.[1];
    const types = drawn?.split('|').map(type => DRAWN[type.trim()]);
    if (types?.every(type => type !== undefined)) widgetTypes[name] = types.flat() as string[];
  }
  let icons = '';
  try {
    icons = readFileSync(join(root, 'src/admin/ui/icons.tsx'), 'utf8');
  } catch {
    /* an admin without icons */
  }
  const table = /export const icons[^{]*\{([^}]*)\}/.exec(icons)?.[1] ?? '';
  return {
    renderers: names,
    options,
    widgetTypes,
    icons: [...table.matchAll(/^\s*'?([\w-]+)'?\s*:|,\s*'?([\w-]+)'?\s*:/gm)].map(match => (match[1] ?? match[2]) as string),
  };
}

/** Everything that is wrong with a project's definitions, and the definitions as far as they go. */
export const checkProject = (root = projectRoot): Checked => checkAll(readDefinitionFiles(root), checkOptions(root));
/** The same as far as the admin is concerned: without a look at the server's handlers. */
export const checkForAdmin = (root = projectRoot): Checked => checkAll(readDefinitionFiles(root), readRenderers(root));
/** What check() needs to know besides the definitions, read from a project's folders. */
export const checkOptions = (root = projectRoot): CheckOptions => ({
  ...readRenderers(root),
  handlers: readHandlerNames(root),
  guards: readGuardNames(root),
  tables: readTableNames(root),
  actionCode: readActionCode(root),
  ...readServerWords(root),
});

/** Tables and views that the migrations make. */
export function readTableNames(root = projectRoot): string[] {
  const folder = join(root, 'src/server/platform/db/migrations');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .flatMap(file =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /^(?:create (?:table|view|materialized view) (?:if not exists )?|alter table \w+ rename to )(\w+)/gim,
        ),
      ].map(match => match[1] as string),
    );
}

/** Names of the guards that moves may name: the members of every exported `guards` below src/server. */
export function readGuardNames(root = projectRoot): string[] {
  const server = join(root, 'src/server');
  if (!existsSync(server)) return [];
  return readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter(file => /(^|[\\/])(guards|rules)\.ts$|[\\/]guards[\\/][^\\/]+\.ts$/.test(file))
    .flatMap(file => {
      const text = readFileSync(join(server, file), 'utf8');
      const table = /^export const guards\b[^{]*\{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? '';
      return [...table.matchAll(/^ {2}(\w+)(?::|,|\()/gm)].map(match => match[1] as string);
    });
}

/** Which actions on subscriptions have code, and whether it can take them back. Undefined in a project without any. */
export function readActionCode(root = projectRoot): CheckOptions['actionCode'] {
  const folder = join(root, ACTION_CODE);
  if (!existsSync(folder)) return undefined;
  return Object.fromEntries(
    readdirSync(folder)
      .filter(file => file.endsWith('.ts'))
      .map(file => [
        file.slice(0, -'.ts'.length).toUpperCase().replaceAll('-', '_'),
        { undo: /^ {2}undoing\b/m.test(readFileSync(join(folder, file), 'utf8')) },
      ]),
  );
}

/** Where code writes events (`emit`, `work.note` and what is built on them: changes of a `subscription`), with what is handed over. */
const WRITES_EVENT = /\b(?:(?:note|joinNotes|emit|addEvents|tell|eventRow|activity)\(|\w+\(\s*work,\s*subscription,)(?=([^;]{0,400}))/g;
const EVENT_NAME = /'([a-z]+(?:_[a-z]+)+)'/g;

/** Words of the server's code: all of them, and the kinds of events that it writes. Undefined without features. */
export function readServerWords(root = projectRoot): Pick<CheckOptions, 'events' | 'words' | 'settingsRead' | 'storeFacts'> {
  if (!existsSync(join(root, 'src/server/features'))) return {};
  const [events, words, settingsRead] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let storeFacts: string[] | undefined;
  for (const folder of ['src/server', 'src/domain', 'src/navigation'].filter(one => existsSync(join(root, one))))
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(join(root, folder, file), 'utf8');
      for (const [word] of text.matchAll(/\w+/g)) words.add(word);
      for (const [, given = ''] of text.matchAll(WRITES_EVENT)) for (const [, name = ''] of given.matchAll(EVENT_NAME)) events.add(name);
      for (const [, name = ''] of text.matchAll(/\bkey: '([a-z]+(?:_[a-z]+)+)'/g)) events.add(name);
      for (const [, name = ''] of text.matchAll(/\bsettings\.(\w+)/g)) settingsRead.add(name);
      if (file.endsWith('store-facts.ts')) {
        const table = /^export const FACTS\b[^{]*\{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? '';
        storeFacts = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
      }
    }
  return { events: [...events], words: [...words], settingsRead: [...settingsRead], ...(storeFacts ? { storeFacts } : {}) };
}
