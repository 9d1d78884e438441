// The definition files as the studio shows them, and the only ones that it may write.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { componentsOf } from '../../contract/analytics.ts';
import { hasScreen } from '../../contract/find.ts';
import type { AnalyticsPage, Definitions } from '../../contract/types.ts';
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

/** Address of the screen that shows a definition file: the one it makes, or the first that is made of it; null where there is none. */
function previews(definitions: Definitions): (file: string) => string | null {
  const screens = Object.values(definitions.resources);
  const pageOf = (page: string): string | null => {
    const screen = screens.find(one => one.page === page);
    return screen ? plain(screen.route) : null;
  };
  /** The address of a screen without brackets: before its first one, else of a screen beside it, else above it. */
  const plain = (route: string): string => {
    const start = route.split('/[')[0] ?? '';
    if (hasScreen(definitions, `/${start}`)) return `/${start}`;
    const beside = screens.find(one => one.route.startsWith(`${start}/`) && !/\[|\/create$/.test(one.route));
    return beside ? `/${beside.route}` : start.includes('/') ? plain(start.slice(0, start.lastIndexOf('/'))) : `/${start}`;
  };
  const screenOf = (of: string): string | null => {
    const screen = screens.find(one => one.of === of && one.list) ?? screens.find(one => one.of === of);
    return screen ? plain(screen.route) : null;
  };
  /** The first page of figures that meets a condition. */
  const figures = (is: (page: AnalyticsPage) => boolean): string | null => {
    const page = Object.values(definitions.analytics).find(is);
    const screen = page && screens.find(one => one.page === 'analytics' && one.options?.page === page.key);
    return screen ? plain(screen.route) : null;
  };
  return (file: string): string | null => {
    const [kind = '', name = ''] = file.replace(/\.json$/, '').split(/\/(.*)/s);
    if (file === 'resources/navigation.json') return '/dashboard';
    if (kind === 'resources') return plain(name);
    const [folder = '', own = ''] = name.split(/\/(.*)/s);
    if (folder === 'settings') return `/settings/${own}`;
    if (folder === 'messages') return `/settings/notifications/emails/${own}`;
    if (folder === 'reports') return `/analytics/reports/${own}`;
    if (folder === 'analytics') return figures(page => page.key === own);
    if (folder === 'metrics') return figures(page => componentsOf(page).some(component => component.metrics.includes(own)));
    if (folder === 'integrations' && definitions.integrations[own]) return `/integrations/${own}`;
    if (folder === 'texts') {
      const owner = definitions.texts[own]?.belongsTo;
      if (owner === 'store') return pageOf('texts');
      return owner === undefined ? null : screenOf(owner === 'theme' ? 'portal-theme' : 'storefront-widget');
    }
    if (folder === 'conditions' || folder === 'events') return screenOf('subscription');
    if (folder === 'actions') return pageOf('bulk-action-new');
    if (file === 'schemas/common/set-up.json') return pageOf('onboarding');
    if (folder === 'entities') return screenOf(own);
    if (folder === 'calls') return screens.flatMap(screen => (screen.calls === own ? [plain(screen.route)] : []))[0] ?? null;
    return null;
  };
}

export function listFiles(root: string): StudioFile[] {
  const files = readDefinitionFiles(root);
  const preview = previews(checkAll(files, checkOptions(root)).definitions);
  return Object.keys(files)
    .filter(isEditable)
    .sort()
    .map(file => ({ file, title: titleOf(files[file] as string) ?? (file.split('/').at(-1) as string), preview: preview(file) }));
}

/** What a text says; nothing where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function titleOf(text: string): string | undefined {
  const document = parsed(text);
  const title = document !== null && typeof document === 'object' && 'title' in document ? document.title : undefined;
  return typeof title === 'string' ? title : undefined;
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
 * Writes a text to its file, whole or not at all. What is wrong with the definitions already may be put right step by step; a text that
 * makes something wrong is not written.
 * @returns the new revision; 'changed' when the file is not the one that was opened any more; else what would be wrong because of the text
 */
export function saveFile(root: string, file: string, text: string, revision: string): { revision: string } | 'changed' | StudioProblem[] {
  const opened = openFile(root, file);
  if (opened?.revision !== revision) return 'changed';
  const problems = problemsWith(root, file, text);
  if (problems.length) {
    const known = new Set(problemsWith(root, file, opened.text).map(problem => `${problem.file} ${problem.message}`));
    const fresh = problems.filter(problem => !known.has(`${problem.file} ${problem.message}`));
    if (fresh.length) return fresh;
  }
  const path = join(root, file);
  writeFileSync(`${path}.saving`, text);
  renameSync(`${path}.saving`, path);
  return { revision: revisionOf(text) };
}
