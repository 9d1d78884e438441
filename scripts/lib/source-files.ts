// The source files of the product as scripts count them: their paths, their text without comments, what they import.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Paths of all files below a folder but those of packages, from the project's root and with slashes, in a fixed order. A folder that is not
 * there has none.
 */
export function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => (entry.isDirectory() ? filesBelow(root, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

/** Source that people write: TypeScript and style sheets of src and renderers, and the migrations; not what is generated. */
export const sourceFiles = (root: string): string[] =>
  ['src', 'renderers']
    .flatMap(folder => filesBelow(root, folder))
    .filter(file => /\.(tsx?|css|sql)$/.test(file) && !file.includes('/generated/'));

/** A text without the comments that begin a line or follow a space. */
export const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/[^\n]*/g, '$1');

/** How much code a text is, whatever formats it: characters that are neither white space nor comment, 50 of them to a unit. */
export const sizeOf = (text: string): number => withoutComments(text).replace(/\s+/g, '').length / 50;

export const readSource = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/** The modules of the project that a module imports, types among them, by their paths from the root. */
export function importsOf(file: string, text: string): string[] {
  const statements = /^(?:import|export)\b[^'";]*?\bfrom\s*'(\.[^']+)'|\bimport\(\s*(?:\/\*.*?\*\/\s*)?'(\.[^']+)'/gm;
  return [...text.matchAll(statements)].map(([, stated, lazy]) => posix.join(posix.dirname(file), (stated ?? lazy) as string));
}
