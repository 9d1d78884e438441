// Which members of the definitions are texts that people read, and one walk over them: for translating, and for finding what to translate.

/** Members that hold a text wherever they stand. */
const TEXTS = new Set(
  (
    'title description label done text confirm confirmTitle confirmMany submit help button planned empty error message group placeholder ' +
    'one many dismiss search header subtitle add linkText none about otherwise unit brief intro detail primary_cta_text ' +
    'tab body secondary_cta_text note hint caption heading summary sentence unless reason'
  ).split(' '),
);
/** Members whose own members are texts, whatever they are named. */
const MAPS = new Set(['x-errors', 'flags', 'modules']);
/** Members that are lists of texts. */
const LISTS = new Set(['steps', 'keywords']);
/** Members that hold values, names of other things, or what customers read: nothing below them is a text of the admin. */
const VALUES = new Set('default const enum sample samples examples assumed $comment route headers value values filter'.split(' '));
/** Members whose own members have names of their own choice, which mean nothing here. */
const NAMED = new Set(['properties', 'params', 'definitions', 'facts']);

/** An address, a key or a constant: https://example.com, acct_1A2b3C, orderSchedule, ORDER_SKIPPED. */
const isCode = (text: string): boolean => !/\s/.test(text) && (/:\/\/|_|\w\.\w|[a-z][A-Z]/.test(text) || /^[A-Z]{4,}$/.test(text));
/** The group of an action may be the name of the section that it stands in ("prices"): names are small, headings begin with a capital. */
const isSection = (name: string, text: string): boolean => name === 'group' && /^[a-z]/.test(text);
/** The tabs and tasks of the set-up are called by their `name`; elsewhere that is a key. */
const isCalled = (name: string, holder: Readonly<Record<string, unknown>>): boolean =>
  name === 'name' && (Array.isArray(holder.modules) || (typeof holder.button === 'string' && typeof holder.done === 'object'));
/** Whether a text has words of its own: not signs, numbers, names of code and places of values alone. */
export const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text.replace(/\{[\w.[\]/@:]+\}/g, '')) && !isCode(text);

/** The schema of a condition's value, whose unit and options are read. */
const isSchema = (one: unknown): boolean => typeof one === 'object' && one !== null && ('x-ui' in one || 'oneOf' in one);

/**
 * The same definition with every text replaced by what `say` makes of it. What does not change stays the same object.
 * @param at called with each text's path, so that the place is known ("/fields/0/title")
 * @param names of an answer: the members that hold texts of definitions, alone or in a list; all others are values
 */
export function withTexts<T>(definition: T, say: (text: string, at: string) => string, names?: readonly string[]): T {
  return (names ? named(definition, (text: string) => say(text, ''), names) : walked(definition, say, '')) as T;
}
function named(value: unknown, say: (text: string) => string, names: readonly string[], isText = false): unknown {
  if (typeof value === 'string') return isText ? say(value) : value;
  if (Array.isArray(value)) return value.map((one: unknown) => named(one, say, names, isText));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, named(one, say, names, names.includes(name))]));
}
type Say = (text: string, at: string) => string;
function walked(value: unknown, say: Say, at: string, above = ''): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return unlessSame(
      value,
      value.map((one: unknown, i) => walked(one, say, `${at}/${i}`)),
    );
  let changed: Record<string, unknown> | undefined;
  const isMap = MAPS.has(above);
  for (const [name, one] of Object.entries(value)) {
    if (VALUES.has(name) && !isMap && !NAMED.has(above) && !(name === 'value' && isSchema(one))) continue;
    const place = `${at}/${name}`;
    let next: unknown = one;
    if (typeof one === 'string') {
      if ((isMap || (TEXTS.has(name) && !isSection(name, one)) || isCalled(name, value as Record<string, unknown>)) && hasWords(one))
        next = translatedText(one, name === 'title' ? (value as Record<string, unknown>)['x-sense'] : undefined, say, place);
    } else if (Array.isArray(one) && LISTS.has(name)) {
      next = unlessSame(
        one,
        one.map((text: unknown, i) =>
          typeof text === 'string' && hasWords(text) ? say(text, `${place}/${i}`) : walked(text, say, `${place}/${i}`),
        ),
      );
    } else next = walked(one, say, place, name);
    if (next !== one) (changed ??= { ...value })[name] = next;
  }
  return changed ?? value;
}
/** A text in its sense, "[webhook] Delivered"; where that has no words of its own, as it stands. */
function translatedText(text: string, sense: unknown, say: Say, place: string): string {
  if (typeof sense !== 'string') return say(text, place);
  const key = `[${sense}] ${text}`;
  const words = say(key, place);
  return words === key ? say(text, place) : words;
}
const unlessSame = (before: unknown[], after: unknown[]): unknown[] => (after.some((one, i) => one !== before[i]) ? after : before);
