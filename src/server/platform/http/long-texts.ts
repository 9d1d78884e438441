// Long texts in the body of a request: files, in base64 or as they are. What looks at one does so in steps, because others wait meanwhile.
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { yieldToEventLoop } from '../queue/yield-to-event-loop.ts';

/** Bytes or characters that are looked at before others may have their turn; a longer text is a long one. */
export const STEP = 65_536;

/** A long text in pieces of whole characters. */
export function stepsOf(text: string): string[] {
  const steps: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = from + STEP;
    // Not between the halves of a character.
    if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to++;
    steps.push(text.slice(from, to));
    from = to;
  }
  return steps;
}

/** Stands for a text that is not in base64: it is none either. */
const NOT_BASE64 = '!';
/** So many characters of a long text stand for it. */
const SHOWN = 4;

/** What a step is decoded into, to see how much there is. */
const DECODED = Buffer.alloc(STEP);

/** Decoding leaves out what is no base64, so that there is less of it; it is ten times faster than looking at each character. */
async function isBase64(text: string): Promise<boolean> {
  // The letters of another base64, which are decoded too.
  if (text.includes('-') || text.includes('_')) return false;
  const turn = yieldToEventLoop();
  const steps = stepsOf(text);
  for (const [i, step] of steps.entries()) {
    const digits = i === steps.length - 1 ? step.replace(/={1,2}$/, '') : step;
    if (DECODED.write(digits, 'base64') !== Math.floor((digits.length * 3) / 4)) return false;
    await turn();
  }
  return true;
}

/** What stands for a long text while its schema is looked at, with the same verdict; undefined: the text itself has to be looked at. */
async function standInFor(
  text: string,
  { minLength = 0, maxLength = 0, pattern, format, contentEncoding }: Schema,
): Promise<string | undefined> {
  // A text has at most as many characters as it has units.
  if (text.length > maxLength || minLength > SHOWN || format !== undefined) return undefined;
  if (contentEncoding === 'base64') return (await isBase64(text)) ? text.slice(0, SHOWN) : NOT_BASE64;
  return pattern === undefined ? text.slice(0, SHOWN) : undefined;
}

/**
 * The input with a short text in place of each long one that its schema says nothing more of than its length, or that it is base64
 * (`contentEncoding`, beside its `pattern`): the schema gives the same errors for it. The input itself where there is none.
 */
export async function withStandIns(schema: Schema, given: JsonObject): Promise<JsonObject> {
  let changed: JsonObject | undefined;
  for (const [name, value] of Object.entries(given)) {
    const field = schema.properties?.[name];
    if (!field) continue;
    const standIn: JsonValue | undefined =
      typeof value === 'string' && value.length > STEP
        ? await standInFor(value, field)
        : value !== null && typeof value === 'object' && !Array.isArray(value)
          ? await withStandIns(field, value)
          : undefined;
    if (standIn !== undefined && standIn !== value) changed = { ...(changed ?? given), [name]: standIn };
  }
  return changed ?? given;
}
