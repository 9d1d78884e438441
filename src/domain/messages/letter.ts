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
  'display:inline-block;padding:12px 24px;border-radius:8px;background-color:#1f5132;color:#ffffff;font-weight:bold;text-decoration:none';
export const RULE = 'border-top:1px solid #e4e5e0';

/** Values that a letter is filled in with make no paragraph, list, link or column: what does in templates stands for itself in them. */
const INERT: Record<string, string> = { '\n': '\uE000', '[': '\uE001', '|': '\uE002', ']': '\uE003', ')': '\uE004' };
const ACTIVE = Object.fromEntries(Object.entries(INERT).map(([character, held]) => [held, character]));
const inert = (text: string): string =>
  text
    .replace(/[\uE000-\uE004]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\n[|\])]/g, character => INERT[character] as string);
const shown = (text: string): string => text.replace(/[\uE000-\uE004]/g, held => ACTIVE[held] as string);
const html = (text: string): string => escapeHtml(shown(text)).replaceAll('\n', '<br>');

function asData(value: unknown): unknown {
  if (typeof value === 'string') return inert(value);
  if (Array.isArray(value)) return value.map(asData);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asData(one)]));
}

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

/** A line of columns: a picture, words, an amount. */
interface Row {
  text: string;
  picture?: string;
  amount?: string;
}
const PICTURE = /^!\[\]\(((?:https?:\/)?\/[^\s)]{1,2000})\) ?/;
function rowOf(line: string): Row {
  const [mark = '', picture] = PICTURE.exec(line) ?? [];
  const [text = '', ...amount] = line.slice(mark.length).split(' | ');
  return { text, ...(picture ? { picture } : {}), ...(amount.length ? { amount: amount.join(' | ').trim() } : {}) };
}

/** A paragraph as it is drawn: a list, a table of sums, a table, a picture, or lines, each of which may be a link. */
type LetterBlock =
  | { list: Row[] }
  | { sums: Row[] }
  | { table: string[][] }
  | { words: string; cid: string }
  | { picture: string }
  | { lines: Line[] };
/** A picture that the letter carries, and what it shows in words. */
const CARRIED = /^!\[([^\]]*)\]\(cid:([\w-]{1,40})\)$/;

/**
 * The paragraphs of a letter: lines that begin with "- " are a list, in which a line may have a picture and an amount
 * (`- ![](address) words | amount`); those that begin with "= " are sums, the last of them the total; those that begin with "| " are a
 * table, the first of them its head; `![words](cid:name)` alone is a picture that the letter carries, and
 * `![](address)` alone one as wide as the letter; a line that is an address is a link,
 * and so is [words](address), which is a button where it is a paragraph alone.
 */
const letterBlocks = (text: string): LetterBlock[] =>
  text
    .split(/\n[^\S\n]*\n/)
    .map(one => one.trim())
    .filter(Boolean)
    .map(one => {
      const lines = one.split('\n').map(line => line.trim());
      const after = (mark: string): Row[] | undefined =>
        lines.every(line => line.startsWith(mark)) ? lines.map(line => rowOf(line.slice(mark.length))) : undefined;
      const [list, sums] = [after('- '), after('= ')];
      if (list || sums) return list ? { list } : { sums: sums ?? [] };
      if (lines.every(line => line.startsWith('| '))) return { table: lines.map(line => line.slice(2).split(' | ')) };
      const [whole, picture] = PICTURE.exec(one) ?? [];
      if (picture && whole === one) return { picture };
      const [, words, cid] = (lines.length === 1 && CARRIED.exec(lines[0] ?? '')) || [];
      return cid ? { words: words ?? '', cid } : { lines: lines.map(lineOf) };
    });

const CELL = 'padding:12px 0';
const WIDE = 'border:0;border-radius:8px;display:block;max-width:100%';
const table = (rows: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">${rows}</table>`;
const amountCell = (amount: string | undefined, style: string): string =>
  `<td align="right" valign="middle" style="${style};padding-left:16px">${html(amount ?? '')}</td>`;

/** Rows with pictures and amounts; where there are none, a plain list. */
function listHtml(rows: readonly Row[]): string {
  if (rows.every(({ picture, amount }) => !picture && !amount))
    return `<ul style="margin:0 0 16px;padding-left:20px">${rows.map(({ text }) => `<li>${html(text)}</li>`).join('')}</ul>`;
  const hasPictures = rows.some(row => row.picture);
  const picture = (address: string | undefined): string =>
    `<td width="64" valign="middle" style="${RULE};${CELL}">${
      address ? `<img src="${html(address)}" width="64" height="64" alt="" style="border:0;border-radius:8px;display:block">` : ''
    }</td>`;
  const words = `${RULE};${CELL}${hasPictures ? ';padding-left:16px' : ''}`;
  const drawn = rows.map(
    row =>
      `<tr>${hasPictures ? picture(row.picture) : ''}<td valign="middle" style="${words}">${html(row.text)}</td>` +
      `${amountCell(row.amount, `${RULE};${CELL}`)}</tr>`,
  );
  return table(drawn.join(''));
}

const sumsHtml = (rows: readonly Row[]): string =>
  table(
    rows
      .map((row, i) => {
        const isTotal = i === rows.length - 1;
        const style = isTotal ? `${RULE};${CELL};font-weight:bold` : 'padding:0 0 8px';
        return `<tr><td style="${style}">${html(row.text)}</td>${amountCell(row.amount, style)}</tr>`;
      })
      .join(''),
  );

/** A table with a head: what a line is about at its beginning, figures at their ends. */
function tableHtml(lines: readonly string[][]): string {
  const cell = (text: string, i: number, style: string): string =>
    i === 0
      ? `<td valign="top" style="${style}">${html(text)}</td>`
      : `<td align="right" valign="top" style="${style};padding-left:16px">${html(text)}</td>`;
  const line = (cells: readonly string[], style: string): string => `<tr>${cells.map((text, i) => cell(text, i, style)).join('')}</tr>`;
  const small = 'padding:8px 0;font-size:14px;line-height:20px';
  const [head = [], ...rows] = lines;
  return table(line(head, `${small};font-weight:bold`) + rows.map(cells => line(cells, `${RULE};${small}`)).join(''));
}
const pictureHtml = ({ words, cid }: { words: string; cid: string }): string =>
  `<p style="margin:0 0 24px"><img src="cid:${cid}" width="536" alt="${html(words)}" ` +
  'style="border:0;display:block;height:auto;max-width:100%"></p>';

function blockHtml(block: LetterBlock): string {
  if ('list' in block) return listHtml(block.list);
  if ('sums' in block) return sumsHtml(block.sums);
  if ('table' in block) return tableHtml(block.table);
  if ('cid' in block) return pictureHtml(block);
  if ('picture' in block) return `<p style="margin:0 0 24px"><img src="${html(block.picture)}" alt="" style="${WIDE}"></p>`;
  const [first] = block.lines;
  const isButton = block.lines.length === 1 && first?.href !== undefined && first.href !== first.text;
  const parts = block.lines.map(({ text, href }) =>
    href === undefined ? html(text) : `<a href="${html(href)}" style="${isButton ? BUTTON : LINK}">${html(text)}</a>`,
  );
  return `<p style="margin:${isButton ? '8px 0 24px' : '0 0 16px'}">${parts.join('<br>')}</p>`;
}

/** A button as letters have it, for what is added to one when it is sent. */
export const buttonHtml = (text: string, href: string): string => blockHtml({ lines: [{ text, href }] });

/** The same as a text part says it: a link as its words and the address on a line of its own, a row as words and amount. */
function blockText(block: LetterBlock): string {
  const row = ({ text, amount }: Row): string => (amount ? `${text}: ${amount}` : text);
  if ('list' in block) return block.list.map(one => `- ${row(one)}`).join('\n');
  if ('sums' in block) return block.sums.map(row).join('\n');
  if ('table' in block) return block.table.map(cells => cells.join(' | ')).join('\n');
  if ('cid' in block) return block.words;
  if ('picture' in block) return '';
  return block.lines.map(({ text, href }) => (href === undefined || href === text ? text : `${text}:\n${href}`)).join('\n');
}

/**
 * The letter with these values, by the message's names ({ customer: { firstName: … }, resumeOn: … }); `language` is that of its words.
 * @throws Error when a name is missing; OverLimit for work beyond what one letter may cost
 */
export function renderLetter(message: Pick<MessageKind, 'subject' | 'body'>, values: object, language = 'en'): Letter {
  const { subject, body } = parsed(message);
  const budget = new Budget();
  const data = asData(values) as object;
  const blocks = letterBlocks(body.map(one => renderTemplate(one, data, budget)).join('\n\n'));
  return {
    subject: shown(renderTemplate(subject, data, budget))
      .replace(/\s+/g, ' ')
      .trim(),
    text: shown(blocks.map(blockText).filter(Boolean).join('\n\n')),
    html: blocks.map(blockHtml).join('\n'),
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
