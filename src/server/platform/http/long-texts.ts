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

/** What base64 has in its middle, and at its end. */
const BASE64 = /^[A-Za-z0-9+/]*$/;
const BASE64_END = /^[A-Za-z0-9+/]*={0,2}$/;
/** Stands for a text that is not in base64: it is none either. */
const NOT_BASE64 = '!';
/** So many characters of a long text stand for it. */
const SHOWN = 4;

async function isBase64(text: string): Promise<boolean> {
  const turn = yieldToEventLoop();
  const steps = stepsOf(text);
  for (const [i, step] of steps.entries()) {
    if (!(i === steps.length - 1 ? BASE64_END : BASE64).test(step)) return false;
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
