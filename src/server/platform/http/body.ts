// Reads the body of a write: JSON as the standard has it, and nothing that could mean two things or cost more than it should.
import { parseTree, type Node } from 'jsonc-parser';
import type { JsonValue } from '../../../contract/types.ts';
import { Refusal } from '../context.ts';

/** How deep and how long a body may be; far above anything the admin sends. */
const MAX_DEPTH = 40;
const MAX_MEMBERS = 20_000;
const MAX_ITEMS = 100_000;
/** Names of one object: a name that nobody knows costs a sentence. */
const MAX_NAMES = 1000;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const refuse = (message: string): never => {
  throw new Refusal(400, 'BAD_REQUEST', message);
};

/**
 * The value of a JSON body; undefined when it is empty.
 * @throws Refusal 400 for invalid UTF-8, broken JSON, a name given twice, names that reach into prototypes, NUL characters,
 *   and for more than 40 levels, 20,000 members, 1,000 of one object, or 100,000 items.
 */
export function parseBody(bytes: Uint8Array): JsonValue | undefined {
  if (bytes.length === 0) return undefined;
  let text = '';
  try {
    text = decoder.decode(bytes);
  } catch {
    refuse('The body is not valid UTF-8.');
  }
  const { members } = measure(text);
  let value: JsonValue = null;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    refuse('The body is not valid JSON.');
  }
  if (look(value) !== members) refuse(`The body gives ${firstDuplicate(text)} twice. Give each name once.`);
  return value;
}

/** Counts levels, members and items in one pass over the text, before anything is built from it. */
function measure(text: string): { members: number } {
  let depth = 0,
    members = 0,
    items = 0;
  const names = new Uint16Array(MAX_DEPTH + 1);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) i = endOfText(text, i);
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > MAX_DEPTH) refuse(`The body is nested more than ${MAX_DEPTH} levels deep.`);
      names[depth] = 0;
    } else if (c === 0x7d || c === 0x5d) depth--;
    else if (c === 0x3a) {
      if (++members > MAX_MEMBERS) refuse('The body has more than 20,000 members.');
      if (depth > 0 && ++names[depth]! > MAX_NAMES) refuse('An object of the body has more than 1,000 members.');
    } else if (c === 0x2c) {
      if (++items > MAX_ITEMS) refuse('The body has more than 100,000 items.');
    }
  }
  return { members };
}

/** Where the text that begins with the quotation mark at `from` ends; the end of all where it does not. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === 0x5c) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Counts the members that were kept (fewer than written: a name came twice) and refuses what must not travel further. */
function look(value: JsonValue): number {
  if (typeof value === 'string') {
    refuseText(value);
    return 0;
  }
  if (value === null || typeof value !== 'object') return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += look(item);
    return count;
  }
  for (const name of Object.keys(value)) {
    if (FORBIDDEN.has(name)) refuse(`"${name}" is not allowed as a name.`);
    refuseText(name);
    count += 1 + look(value[name] as JsonValue);
  }
  return count;
}

/** Text that the database can't hold: NUL, and halves of surrogate pairs. */
export function refuseText(text: string): void {
  if (text.includes('\0')) refuse("A text holds a NUL character, which can't be stored. Remove it.");
  if (/\p{Cs}/u.test(text)) refuse('A text holds half of a Unicode character. Send whole characters.');
}

function firstDuplicate(text: string): string {
  const search = (node: Node): string | undefined => {
    const seen = new Set<string>();
    for (const child of node.children ?? []) {
      if (child.type === 'property') {
        const name = String(child.children?.[0]?.value);
        if (seen.has(name)) return `"${name}"`;
        seen.add(name);
      }
      const found = search(child);
      if (found) return found;
    }
    return undefined;
  };
  const root = parseTree(text);
  return (root && search(root)) ?? 'a name';
}
