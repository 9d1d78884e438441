// Who uses a name, and how all of them come to use another.
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { fullName } from '../contract/find.ts';
import { ReferenceFinder, type Reference } from './references.ts';
import { isObject } from './context.ts';

export interface Use extends Reference {
  /** From 1. */
  line: number;
  /** Where the name stands in the text of the file, with its quotes. */
  offset: number;
  length: number;
}

/**
 * Every string of the definitions that names something by this name; a call is found by its short form in the screens and tables of its own
 * table too.
 * @param files definition files, schemas/meta among them (path from the root -> text)
 * @param options texts of the renderers' option schemas by path
 */
export function usesOf(files: Record<string, string>, options: Record<string, string>, name: string): Use[] {
  const finder = new ReferenceFinder(files, options);
  const short = name.split('.').at(-1) ?? name;
  return Object.entries(files).flatMap(([file, text]) => {
    if (!text.includes(`"${name}"`) && !text.includes(`"${short}"`)) return [];
    const document: unknown = JSON.parse(text);
    if (!isObject(document)) return [];
    const table = typeof document.calls === 'string' ? document.calls : /^schemas\/calls\/(.*)\.json$/.exec(file)?.[1];
    const isNamed = (one: Reference): boolean => one.name === name || (one.kinds.includes('call') && fullName(one.name, table) === name);
    const tree = parseTree(text);
    return finder.in(file, document).flatMap(one => {
      const node = isNamed(one) && tree ? findNodeAtLocation(tree, one.path) : undefined;
      if (!node) return [];
      return [{ ...one, offset: node.offset, length: node.length, line: text.slice(0, node.offset).split('\n').length }];
    });
  });
}

/** The files that change when everything that uses a name uses another: path -> text. A short form of a call stays short. */
export function renamed(files: Record<string, string>, options: Record<string, string>, from: string, to: string): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const { file, name, offset, length } of usesOf(files, options, from).toSorted((a, b) => b.offset - a.offset)) {
    const text = changed[file] ?? (files[file] as string);
    const put = name === from ? to : (to.split('.').at(-1) ?? to);
    changed[file] = text.slice(0, offset) + JSON.stringify(put) + text.slice(offset + length);
  }
  return changed;
}
