// Reads the definition files from disk: the text for load() and check(), and word of every change while developing.
import { readdirSync, readFileSync, watch, type FSWatcher } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Definitions } from '../contract/types.ts';
import { load } from '../contract/load.ts';

/** The project's root, where schemas/ and resources/ stand. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
export const DEFINITION_FOLDERS = ['schemas', 'resources'] as const;

/** Every definition file (*.json under schemas/ and resources/): path from the root with slashes -> text. */
export function readDefinitionFiles(root = projectRoot): Record<string, string> {
  const files: Record<string, string> = {};
  for (const folder of DEFINITION_FOLDERS) {
    let names: string[];
    try { names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }); } catch { continue; }
    for (const name of names.sort()) if (name.endsWith('.json')) files[`${folder}/${name.split(sep).join('/')}`] = readFileSync(join(root, folder, name), 'utf8');
  }
  return files;
}

/** The loaded definitions of a project. Throws DefinitionError with file, place and sentence when one is wrong. */
export const loadDefinitions = (root = projectRoot): Definitions => load(readDefinitionFiles(root));

/** The names of the functions the server has for `ask` and `do` calls: file in src/server/handlers "." exported name. */
export function readHandlerNames(root = projectRoot): string[] {
  const folder = join(root, 'src/server/handlers');
  let files: string[];
  try { files = readdirSync(folder).filter(name => name.endsWith('.ts')); } catch { return []; }
  return files.flatMap(file => {
    const text = readFileSync(join(folder, file), 'utf8');
    const table = file.slice(0, -'.ts'.length);
    const direct = [...text.matchAll(/^export\s+(?:async\s+)?(?:function\s*\*?|const|let)\s+([\w$]+)/gm)].map(match => match[1] as string);
    const listed = [...text.matchAll(/^export\s*\{([^}]*)\}/gm)].flatMap(match => (match[1] as string).split(',').map(name => name.trim().split(/\s+as\s+/).at(-1)?.trim() ?? '')).filter(name => name && !name.startsWith('type '));
    return [...direct, ...listed].map(name => `${table}.${name.replace(/^delete_$|^delete$/, 'delete')}`);
  });
}

/** The names a folder of renderers offers: kind -> names, with the text of their options schemas. */
export function readRenderers(root = projectRoot): { names: Record<string, string[]>; options: Record<string, string> } {
  const names: Record<string, string[]> = {};
  const options: Record<string, string> = {};
  for (const kind of ['fields', 'cells', 'panels', 'pages', 'shell']) {
    let files: string[];
    try { files = readdirSync(join(root, 'renderers', kind)); } catch { files = []; }
    names[kind] = files.filter(name => name.endsWith('.tsx')).map(name => name.slice(0, -'.tsx'.length)).sort();
    for (const name of files.filter(file => file.endsWith('.options.json'))) options[`renderers/${kind}/${name}`] = readFileSync(join(root, 'renderers', kind, name), 'utf8');
  }
  return { names, options };
}

/**
 * Calls back, once per burst, with the paths of definition files (and option schemas of renderers) that changed. For development only.
 * Returns the way to stop.
 */
export function watchDefinitions(root: string, changed: (files: string[]) => void): () => void {
  const watchers: FSWatcher[] = [];
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  for (const folder of [...DEFINITION_FOLDERS, 'renderers']) {
    try {
      watchers.push(watch(join(root, folder), { recursive: true }, (_event, name) => {
        if (!name?.endsWith('.json')) return;
        pending.add(relative(root, join(root, folder, name)).split(sep).join('/'));
        clearTimeout(timer);
        timer = setTimeout(() => { const files = [...pending]; pending = new Set(); changed(files); }, 60);
      }));
    } catch { /* a project without that folder has nothing to watch there */ }
  }
  return () => { clearTimeout(timer); for (const watcher of watchers) watcher.close(); };
}
