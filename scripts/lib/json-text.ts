// JSON as definition files are written: what fits stays on its line. New parts go into a file without touching the lines that are there.
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { parts } from '../../src/contract/paths.ts';

const WIDTH = 140;

const oneLine = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`);
  return members.length ? `{ ${members.join(', ')} }` : '{}';
};

/** A value as text whose first line begins after `indent` and `before` characters more. */
export function jsonText(value: unknown, indent = '', before = 0): string {
  const flat = oneLine(value);
  if (value === null || typeof value !== 'object' || indent.length + before + flat.length <= WIDTH - 1) return flat;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map(item => deeper + jsonText(item, deeper))
    : Object.entries(value).map(([name, member]) => {
        const key = `${JSON.stringify(name)}: `;
        return deeper + key + jsonText(member, deeper, key.length);
      });
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** The text of a file with one value. */
export const jsonFile = (value: unknown): string => {
  const lines = Object.entries(value as object).map(([name, member]) => {
    const key = `${JSON.stringify(name)}: `;
    return `  ${key}${jsonText(member, '  ', key.length)}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
};

export const nodeAt = (text: string, at: string): Node | undefined => {
  let node = parseTree(text);
  for (const part of parts(at)) node = node && findNodeAtLocation(node, [node.type === 'array' ? Number(part) : part]);
  return node;
};

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';

/**
 * The text with a value added: at "/list/tabs/-" as the last entry of a list, else as the last member of an object. Objects on the way that are
 * missing are made. @throws Error where something else stands in the way
 */
export function withValue(text: string, at: string, value: unknown): string {
  const names = parts(at);
  const last = names.pop() as string;
  const pointer = names.map(name => `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
  const holder = nodeAt(text, pointer);
  if (!holder) return withValue(text, pointer, last === '-' ? [value] : { [last]: value });
  if (holder.type !== (last === '-' ? 'array' : 'object')) throw new Error(`Nothing can be added at ${at}.`);
  const key = last === '-' ? '' : `${JSON.stringify(last)}: `;
  const final = holder.children?.at(-1);
  if (!final) {
    const indent = indentAt(text, holder.offset);
    const added = `\n${indent}  ${key}${jsonText(value, `${indent}  `, key.length)}\n${indent}`;
    return `${text.slice(0, holder.offset + 1)}${added}${text.slice(holder.offset + holder.length - 1)}`;
  }
  const end = final.offset + final.length;
  const begin = text.slice(text.lastIndexOf('\n', final.offset - 1) + 1, final.offset);
  // Where entries stand on a line each, so does the new one; else it follows on the same line.
  const added = begin.trim() === '' ? `,\n${begin}${key}${jsonText(value, begin, key.length)}` : `, ${key}${oneLine(value)}`;
  return text.slice(0, end) + added + text.slice(end);
}
