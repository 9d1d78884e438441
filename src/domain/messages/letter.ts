// A message file and values -> subject, text part and HTML of one e-mail. Values are data: nothing in them is read as Liquid or HTML.
import { Budget, parseTemplate, renderTemplate, type Parsed } from './liquid.ts';
import type { JsonValue, MessageKind, MessageVariable } from '../../contract/types.ts';

export interface Letter {
  subject: string;
  /** The text part: paragraphs with an empty line between them. */
  text: string;
  /** The same paragraphs as HTML, without the frame that every letter has (frame.ts). */
  html: string;
  /** The language of the words: "de". */
  language: string;
}

interface ParsedMessage {
  subject: Parsed;
  body: Parsed[];
}
const cache = new WeakMap<object, ParsedMessage>();
function parsed(message: Pick<MessageKind, 'subject' | 'body'>): ParsedMessage {
  let found = cache.get(message);
  if (!found) cache.set(message, (found = { subject: parseTemplate(message.subject), body: message.body.map(parseTemplate) }));
  return found;
}

/** A text as HTML shows it. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
/** What the frame puts the store's colours into (frame.ts); no value can hold it, since quotes of values are escaped. */
export const LINK = 'color:#1f5132;overflow-wrap:anywhere';
export const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background-color:#1f5132;color:#ffffff;font-weight:bold;text-decoration:none';

/** A line: a text, or a link with its words. */
interface Line {
  text: string;
  href?: string;
}
const WITH_WORDS = /^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)$/;
function lineOf(line: string): Line {
  const [, words, href] = WITH_WORDS.exec(line) ?? [];
  if (words && href) return { text: words, href };
  return /^https?:\/\/\S+$/.test(line) ? { text: line, href: line } : { text: line };
}

/** A paragraph as it is drawn: a list, or lines, each of which may be a link. */
export type LetterBlock = { list: string[] } | { lines: Line[] };

/**
 * The paragraphs of a letter: lines that begin with "- " are a list, a line that is an address is a link, and so is [words](address), which
 * is a button where it is a paragraph alone.
 */
export const letterBlocks = (text: string): LetterBlock[] =>
  text
    .split(/\n[^\S\n]*\n/)
    .map(one => one.trim())
    .filter(Boolean)
    .map(one => {
      const lines = one.split('\n');
      return lines.every(line => line.startsWith('- ')) ? { list: lines.map(line => line.slice(2)) } : { lines: lines.map(lineOf) };
    });

function blockHtml(block: LetterBlock): string {
  if ('list' in block)
    return `<ul style="margin:0 0 16px;padding-left:20px">${block.list.map(line => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
  const [first] = block.lines;
  const isButton = block.lines.length === 1 && first?.href !== undefined && first.href !== first.text;
  const parts = block.lines.map(({ text, href }) =>
    href === undefined ? escapeHtml(text) : `<a href="${escapeHtml(href)}" style="${isButton ? BUTTON : LINK}">${escapeHtml(text)}</a>`,
  );
  return `<p style="margin:0 0 16px">${parts.join('<br>')}</p>`;
}

/** A link with words, as a text part says it: the words, and the address on a line of its own. */
const plainLine = (line: string): string => line.replace(WITH_WORDS, '$1:\n$2');

/**
 * The letter with these values, by the message's names ({ customer: { firstName: … }, resumeOn: … }); `language` is that of its words.
 * @throws Error when a name is missing; OverLimit for work beyond what one letter may cost
 */
export function renderLetter(message: Pick<MessageKind, 'subject' | 'body'>, values: object, language = 'en'): Letter {
  const { subject, body } = parsed(message);
  const budget = new Budget();
  const text = body
    .map(one => renderTemplate(one, values, budget))
    .join('\n\n')
    .split(/\n[^\S\n]*\n/)
    .map(one => one.trim())
    .filter(Boolean)
    .join('\n\n');
  return {
    subject: renderTemplate(subject, values, budget).replace(/\s+/g, ' ').trim(),
    text: text.split('\n').map(plainLine).join('\n'),
    html: letterBlocks(text).map(blockHtml).join('\n'),
    language,
  };
}

/** Variables by path ("customer.name") as templates name them ({ customer: { name } }), each with its sample. */
export function samplesOf(variables: Record<string, MessageVariable>): Record<string, JsonValue> {
  const values: Record<string, JsonValue> = {};
  for (const [path, { sample }] of Object.entries(variables)) {
    const [head, member] = path.split('.') as [string, string | undefined];
    if (member === undefined) values[head] = sample;
    else values[head] = { ...(values[head] as Record<string, JsonValue> | undefined), [member]: sample };
  }
  return values;
}
