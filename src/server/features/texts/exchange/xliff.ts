// XLIFF 1.2: one file of texts with their translations, as translators' programs read and write it.
import { SaxesParser } from 'saxes';
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import type { ExchangeRow, Found } from './exchange-row.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML can't hold control characters at all. */
const escape = (text: string): string =>
  [...text]
    .filter(letter => letter >= ' ' || letter === '\n' || letter === '\t')
    .join('')
    .replace(/[&<>"]/g, one => ESCAPES[one] as string);

/** A version as a file has it; undefined for anything else. */
export const versionIn = (text: string | undefined): number | undefined =>
  /^\d{1,9}$/.test(text?.trim() ?? '') ? Number(text) : undefined;

/** Category, record and text in one id; no part of it holds a vertical bar. */
const idOf = ({ categoryId, entityId, key }: ExchangeRow): string => [categoryId, entityId ?? '', key].join('|');

/** The texts as an XLIFF file. */
export function writeXliff(rows: readonly ExchangeRow[], source: string, target: string): string {
  const units = rows.map(
    row =>
      `      <trans-unit id="${escape(idOf(row))}" extradata="${row.version}" xml:space="preserve">\n` +
      `        <source>${escape(row.source)}</source>\n` +
      `        <target${row.value === null ? ' state="needs-translation"' : ''}>${escape(row.value ?? '')}</target>\n` +
      `        <note>${escape(row.label)}</note>\n      </trans-unit>\n`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n` +
    `  <file original="texts" datatype="plaintext" source-language="${escape(source)}" target-language="${escape(target)}">\n    <body>\n` +
    `${units.join('')}    </body>\n  </file>\n</xliff>\n`
  );
}

export interface ReadXliff {
  target: string | undefined;
  rows: Found[];
}

/** Characters that are read at once: a few milliseconds. */
const STEP = 16_384;

/** A file with more texts than one import takes. */
export class TooManyTexts extends Error {}

/**
 * What an XLIFF file holds, of `most` texts at most; others get their turn meanwhile. Entities of its own are not expanded.
 * @throws Error with line and column for what is no XML, TooManyTexts before the rest of the file is looked at
 */
export async function readXliff(text: string, most: number): Promise<ReadXliff> {
  const parser = new SaxesParser();
  const found: ReadXliff = { target: undefined, rows: [] };
  let unit: { line: number; id: string; version: number | undefined } | undefined;
  let words: string | undefined;
  parser.on('error', error => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const local = name.replace(/^.*:/, '');
    const attribute = (key: string): string => String((attributes as Record<string, string>)[key] ?? '');
    if (local === 'file') found.target ??= attribute('target-language') || undefined;
    else if (local === 'trans-unit') unit = { line: parser.line, id: attribute('id'), version: versionIn(attribute('extradata')) };
    else if (local === 'target' && unit) words = '';
  });
  parser.on('text', part => {
    if (words !== undefined) words += part;
  });
  parser.on('cdata', part => {
    if (words !== undefined) words += part;
  });
  parser.on('closetag', ({ name }) => {
    const local = name.replace(/^.*:/, '');
    if (local === 'target' && unit && words !== undefined) {
      const [categoryId = '', entityId = '', key = ''] = unit.id.split('|');
      if (found.rows.length >= most) throw new TooManyTexts();
      found.rows.push({ line: unit.line, categoryId, entityId, key, value: words, version: unit.version });
      words = undefined;
    } else if (local === 'trans-unit') unit = undefined;
  });
  const othersTurn = yieldToEventLoop();
  for (let from = 0; from < text.length; from += STEP) {
    parser.write(text.slice(from, from + STEP));
    await othersTurn();
  }
  parser.close();
  return found;
}
