// The definition files as the studio shows them, and the only ones that it may write.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAll } from '../../check/index.ts';
import { placeInGrammar } from '../../check/keys.ts';
import type { Opened, Place, StudioFile, StudioProblem } from '../../studio/protocol.ts';
import { checkOptions, readDefinitionFiles } from '../platform/definitions.ts';

const NAME = /^[\w[\]-]+$/;
/** A definition that is written by hand: JSON below schemas or resources, not the grammar itself, without a way out of the folder. */
export function isEditable(file: string): boolean {
  const [top, ...names] = file.split('/');
  const last = names.pop() ?? '';
  return (
    (top === 'resources' || (top === 'schemas' && names.length > 0 && names[0] !== 'meta')) &&
    last.endsWith('.json') &&
    [...names, last.slice(0, -5)].every(name => NAME.test(name))
  );
}

const revisionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export function listFiles(root: string): StudioFile[] {
  const files = readDefinitionFiles(root);
  const { definitions } = checkAll(files, checkOptions(root));
  const screens = Object.values(definitions.resources);
  const plain = (route: string): string => `/${route.split('/[')[0] ?? ''}`;
  const screenOf = (of: string): string | null => {
    const screen = screens.find(one => one.of === of && one.list) ?? screens.find(one => one.of === of);
    return screen ? plain(screen.route) : null;
  };
  const preview = (file: string): string | null => {
    const [kind = '', name = ''] = file.replace(/\.json$/, '').split(/\/(.*)/s);
    if (file === 'resources/navigation.json') return '/dashboard';
    if (kind === 'resources') return plain(name);
    const [folder = '', own = ''] = name.split(/\/(.*)/s);
    if (folder === 'settings') return `/settings/${own}`;
    if (folder === 'messages') return `/settings/notifications/emails/${own}`;
    if (folder === 'entities') return screenOf(own);
    if (folder === 'calls') return screens.flatMap(screen => (screen.calls === own ? [plain(screen.route)] : []))[0] ?? null;
    return null;
  };
  return Object.keys(files)
    .filter(isEditable)
    .sort()
    .map(file => ({ file, title: titleOf(files[file] as string) ?? (file.split('/').at(-1) as string), preview: preview(file) }));
}

function titleOf(text: string): string | undefined {
  try {
    const { title } = JSON.parse(text) as { title?: unknown };
    return typeof title === 'string' ? title : undefined;
  } catch {
    return undefined;
  }
}

export function openFile(root: string, file: string): Opened | undefined {
  if (!isEditable(file) || !existsSync(join(root, file))) return undefined;
  const text = readFileSync(join(root, file), 'utf8');
  return { text, revision: revisionOf(text) };
}

/** What would be wrong with all definitions if the file had this text; what is wrong in other files because of it is among it. */
export function problemsWith(root: string, file: string, text: string): StudioProblem[] {
  const { problems } = checkAll({ ...readDefinitionFiles(root), [file]: text }, checkOptions(root));
  return problems.map(({ file: at, line, column, message, suggestion }) => ({
    file: at,
    line,
    column,
    message: suggestion === undefined ? message : `${message} Did you mean "${suggestion}"?`,
  }));
}

/** What may stand at a place of a file, and what it is for. */
export const placeIn = (root: string, file: string, path: (string | number)[], value: unknown): Place =>
  placeInGrammar(readDefinitionFiles(root), file, path, value);

/**
 * Writes a text to its file, whole or not at all.
 * @returns the new revision; 'changed' when the file is not the one that was opened any more
 */
export function saveFile(root: string, file: string, text: string, revision: string): { revision: string } | 'changed' {
  if (openFile(root, file)?.revision !== revision) return 'changed';
  const path = join(root, file);
  writeFileSync(`${path}.saving`, text);
  renameSync(`${path}.saving`, path);
  return { revision: revisionOf(text) };
}
