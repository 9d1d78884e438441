// The tasks of docs/cookbook.md as files, and the pictures that the page shows.
import { isObject } from '../../src/check/context.ts';
import { readDefinitionFiles } from '../../src/server/platform/definitions.ts';

/** Code blocks below a line that begins with the bold name of their file, in their order. */
export function blocksOf(page: string): { file: string; text: string }[] {
  const blocks = page.matchAll(/^\*\*`([^`\n]+)`\*\*[^\n]*\n(?:[^\n`][^\n]*\n)*\n```\w+\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, file, text]) => ({ file: file as string, text: text as string }));
}

/** What a file says after more was added to it: objects are joined, lists continued. */
export function joined(before: unknown, more: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(more)) return [...before, ...more];
  if (!isObject(before) || !isObject(more)) return more;
  return { ...before, ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, joined(before[name], value)])) };
}

/** The product's definition files after all tasks of the page were followed (path from the root -> text). */
export function cookbookFiles(page: string, files = readDefinitionFiles()): Record<string, string> {
  for (const { file, text } of blocksOf(page)) {
    const value = JSON.parse(text) as unknown;
    files[file] = JSON.stringify(files[file] === undefined ? value : joined(JSON.parse(files[file]), value), null, 2);
  }
  return files;
}

/** Pictures whose title is the address of the screen that they show: `![words](pictures/x.png "/settings/general")`. */
export const picturesOf = (page: string): { file: string; address: string }[] =>
  [...page.matchAll(/!\[[^\]\n]*\]\((\S+\.png) "(\/[^"\n]*)"\)/g)].map(([, file, address]) => ({
    file: file as string,
    address: address as string,
  }));
