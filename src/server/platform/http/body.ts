// Reads the body of a write: JSON as the standard has it, and nothing that could mean two things or cost more than it should. A file comes
// as one long text, which is read in steps, apart from the rest, so that other requests get their turn meanwhile.
import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../../contract/types.ts';
import { Refusal } from '../context.ts';
import { yieldToEventLoop } from '../queue/yield-to-event-loop.ts';
import { STEP } from './long-texts.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

/** How deep and how long a body may be; far above anything the admin sends. */
const MAX_DEPTH = 40;
const MAX_MEMBERS = 20_000;
const MAX_ITEMS = 100_000;
/** Names of one object: each unknown name costs a sentence. */
const MAX_NAMES = 1000;
/** Characters besides long texts: what is built from them is built at once. */
const MAX_PLAIN = 2_097_152;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);

type Turn = ReturnType<typeof yieldToEventLoop>;

/** Stands for a long text until it is read: it can't be sent, since it is secret. */
const MARK = `long text ${randomUUID()} `;

const refuse = (message: string): never => {
  throw new Refusal(400, 'BAD_REQUEST', message);
};

/**
 * The value of a JSON body; undefined when it is empty.
 * @throws Refusal 400 for invalid UTF-8, broken JSON, a name given twice, names that reach into prototypes, NUL characters,
 *   letters lost on the way (U+FFFD), and for more than 40 levels, 20,000 members, 1,000 of one object, 100,000 items,
 *   or 2 MB besides texts of more than 64 KB.
 * @param chunks as they came: put together they would take their place in memory twice
 * @param files members in which files come, whose readers say in which row and column a letter was lost
 */
export async function parseBody(chunks: readonly Uint8Array[], files: ReadonlySet<string> = new Set()): Promise<JsonValue | undefined> {
  const turn = yieldToEventLoop();
  const text = await decode(chunks, turn);
  if (text === '') return undefined;
  const { members, long } = await measure(text, turn);
  const { plain, texts } = await takeOut(text, long, turn);
  let value: JsonValue = null;
  try {
    value = JSON.parse(plain) as JsonValue;
  } catch {
    refuse(translated(BROKEN));
  }
  await turn();
  const root = { value };
  // The root itself is no member.
  if (readTexts(root, texts, files) !== members + 1) refuse(t`The body gives ${firstDuplicate(plain)} twice. Give each name once.`);
  return root.value;
}
const BROKEN = later`The body is not valid JSON.`;

async function decode(chunks: readonly Uint8Array[], turn: Turn): Promise<string> {
  let decoder: TextDecoder | undefined;
  let text = '';
  try {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += STEP) {
        const step = chunk.subarray(at, at + STEP);
        // Files in base64 are ASCII to their end, which is read in a third of the time.
        if (!decoder && isAscii(step)) text += Buffer.from(step.buffer, step.byteOffset, step.byteLength).toString('latin1');
        else {
          // Only at its beginning a body may have a mark of its byte order.
          decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: text !== '' });
          text += decoder.decode(step, { stream: true });
        }
        await turn();
      }
    }
    return text + (decoder?.decode() ?? '');
  } catch {
    return refuse(t`The body is not valid UTF-8.`);
  }
}

/**
 * Counts levels, members and items in one pass over the text, before anything is built from it. `long`: where each long text may be cut:
 * behind its opening quotation mark, between two of its characters, before its closing quotation mark.
 */
async function measure(text: string, turn: Turn): Promise<{ members: number; long: number[][] }> {
  let depth = 0,
    members = 0,
    items = 0,
    cuts: number[] | undefined,
    backslash = -1,
    next = STEP;
  const names = new Uint16Array(MAX_DEPTH + 1);
  const long: number[][] = [];
  for (let i = 0; i < text.length; i++) {
    if (i >= next) {
      next = i + STEP;
      cuts?.push(i);
      await turn();
    }
    const c = text.charCodeAt(i);
    if (cuts) {
      if (c === 0x5c) i += text.charCodeAt(i + 1) === 0x75 ? 5 : 1;
      else if (c === 0x22) {
        if (i - cuts[0]! > STEP) long.push([...cuts, i]);
        cuts = undefined;
      }
    } else if (c === 0x22) {
      const from = i + 1;
      const end = text.indexOf('"', from);
      if (end < 0) refuse(translated(BROKEN));
      if (backslash < from) backslash = after(text.indexOf('\\', from));
      // Most texts have no backslash: the next quotation mark is their end, and what is in between needs no look here.
      if (backslash > end) {
        if (end - from > STEP) long.push([...everyStep(from, end), end]);
        i = end;
      } else cuts = [from];
    } else if (c === 0x7b || c === 0x5b) {
      if (++depth > MAX_DEPTH) refuse(t`The body is nested more than ${MAX_DEPTH} levels deep.`);
      names[depth] = 0;
    } else if (c === 0x7d || c === 0x5d) depth = Math.max(0, depth - 1);
    else if (c === 0x3a) {
      if (++members > MAX_MEMBERS) refuse(t`The body has more than 20,000 members.`);
      if (++names[depth]! > MAX_NAMES) refuse(t`An object of the body has more than 1,000 members.`);
    } else if (c === 0x2c) {
      if (++items > MAX_ITEMS) refuse(t`The body has more than 100,000 items.`);
    }
  }
  if (cuts) refuse(translated(BROKEN));
  return { members, long };
}

/** Where something was found; beyond everything where it was not. */
const after = (found: number): number => (found < 0 ? Number.POSITIVE_INFINITY : found);
const everyStep = (from: number, end: number): number[] =>
  Array.from({ length: Math.ceil((end - from) / STEP) }, (_, i) => from + i * STEP);

/** All but printable ASCII that means itself in a text of JSON. */
const NOT_ITSELF = /[^ !#-[\]-~]/;

/** Reads the long texts in steps and leaves marks in their places. */
async function takeOut(text: string, long: readonly number[][], turn: Turn): Promise<{ plain: string; texts: Map<string, string> }> {
  const texts = new Map<string, string>();
  let plain = '',
    from = 0;
  for (const cuts of long) {
    const pieces: string[] = [];
    let isItself = true;
    for (const [i, cut] of cuts.slice(1).entries()) {
      const piece = text.slice(cuts[i], cut);
      isItself &&= !NOT_ITSELF.test(piece);
      try {
        pieces.push(isItself ? piece : (JSON.parse(`"${piece}"`) as string));
      } catch {
        refuse(translated(BROKEN));
      }
      await turn();
    }
    const mark = MARK + texts.size;
    texts.set(mark, isItself ? text.slice(cuts[0], cuts.at(-1)) : pieces.join(''));
    plain += text.slice(from, cuts[0]) + mark;
    from = cuts.at(-1)!;
    await turn();
  }
  plain += text.slice(from);
  if (plain.length > MAX_PLAIN) refuse(t`The body is larger than 2 MB besides its files.`);
  return { plain, texts };
}

/**
 * Counts the members that were kept (fewer than written: a name came twice), puts long texts in their places and refuses what must not
 * travel further.
 */
function readTexts(
  holder: Record<string, JsonValue> | JsonValue[],
  texts: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
): number {
  const isList = Array.isArray(holder);
  let count = 0;
  for (const name of Object.keys(holder)) {
    if (!isList) {
      count++;
      if (FORBIDDEN.has(name)) refuse(t`"${name}" is not allowed as a name.`);
      if (texts.has(name)) refuse(t`A name of the body is too long.`);
      refuseText(name);
    }
    const value = (holder as Record<string, JsonValue>)[name];
    if (typeof value === 'string') {
      const long = texts.get(value);
      if (long !== undefined) (holder as Record<string, JsonValue>)[name] = long;
      refuseText(long ?? value);
      if (isList || !files.has(name)) refuseLost(long ?? value, isList ? undefined : name);
    } else if (value !== null && typeof value === 'object') count += readTexts(value as Record<string, JsonValue>, texts, files);
  }
  return count;
}

/** Text that the database can't hold: NUL, and halves of surrogate pairs. */
export function refuseText(text: string): void {
  if (text.includes('\0')) refuse(t`A text holds a NUL character, which can't be stored. Remove it.`);
  if (!text.isWellFormed()) refuse(t`A text holds half of a Unicode character. Send whole characters.`);
}

/** What stands in place of a letter that a program could not read. Which letter it was can't be found out any more. */
const LOST = '\uFFFD';

/** Text that lost a letter on its way. `name`: of the member that it stands in. */
export function refuseLost(text: string, name: string | undefined): void {
  if (!text.includes(LOST)) return;
  refuse(
    name === undefined
      ? t`A text holds a letter that was lost on its way (�). Write it again, and send the text as UTF-8.`
      : t`The text of “${name}” holds a letter that was lost on its way (�). Write it again, and send the text as UTF-8.`,
  );
}

/** A name that one object of valid JSON has twice. */
function firstDuplicate(text: string): string {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (let i = 0; i < text.length; i++) {
    const token = text[i];
    const names = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && names) {
      const name = JSON.parse(last) as string;
      if (names.has(name)) return `"${name}"`;
      names.add(name);
    } else if (token === '"') {
      const start = i;
      while (++i < text.length && text[i] !== '"') if (text[i] === '\\') i++;
      last = text.slice(start, i + 1);
    }
  }
  return 'a name';
}
