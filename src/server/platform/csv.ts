// Reads CSV in small steps: others get their turn meanwhile, and a file that was made to be expensive is let go of early.
import { parse, type Options } from 'csv-parse';
import { yieldToEventLoop } from './queue/yield-to-event-loop.ts';

/** What a file may hold; cells that hold nothing count too. */
export interface CsvLimits {
  rows: number;
  columns: number;
  cells: number;
}
/** Which of the limits a file is beyond. */
export class CsvTooLarge extends Error {
  readonly what: keyof CsvLimits;
  constructor(what: keyof CsvLimits) {
    super(`The file has too many ${what}.`);
    this.what = what;
  }
}

/** Characters that are parsed at once; a few milliseconds even where each is a cell. */
const STEP = 16_384;

/** So much (characters) of a header is looked at before the file is parsed. */
const HEADER = 65_536;

/** Spreadsheets of some countries save with semicolons or tabs; the header tells, as far as anybody writes one. What is quoted is text. */
export function delimiterOf(text: string): string {
  const counts = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  for (const character of text.slice(0, HEADER)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (character in counts) counts[character as keyof typeof counts]++;
  }
  return (Object.keys(counts) as (keyof typeof counts)[]).reduce((best, next) => (counts[next] > counts[best] ? next : best));
}

/** Cells of the first record, as far as they are looked for: a header of thousands is refused before it is parsed. */
function headerCells(text: string, delimiters: readonly string[], most: number): number {
  let cells = 1;
  let isQuoted = false;
  for (const character of text.slice(0, HEADER)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r' || cells > most) break;
    else if (delimiters.includes(character)) cells++;
  }
  return cells;
}

/**
 * The records of a text, the header among them.
 * @throws CsvError for what is no CSV, CsvTooLarge for more than the limits: both before the rest of the file is looked at
 */
export async function readCsv(text: string, options: Options, limits: CsvLimits): Promise<string[][]> {
  const { delimiter = delimiterOf(text) } = options;
  const delimiters = [delimiter].flat().map(String);
  if (headerCells(text, delimiters, limits.columns) > limits.columns) throw new CsvTooLarge('columns');
  const parser = parse({ bom: true, delimiter, relax_column_count: true, ...options });
  const records: string[][] = [];
  let cells = 0;
  const done = new Promise<void>((resolve, reject) => {
    parser
      .on('data', (record: string[]) => {
        cells += record.length;
        if (cells > limits.cells) parser.destroy(new CsvTooLarge('cells'));
        else if (records.length === 0 && record.length > limits.columns) parser.destroy(new CsvTooLarge('columns'));
        else if (records.push(record) > limits.rows + 1) parser.destroy(new CsvTooLarge('rows'));
      })
      .once('end', resolve)
      .once('error', reject);
  });
  done.catch(() => undefined); // awaited below; a parser that fails early must not count as unhandled meanwhile
  const yieldTurn = yieldToEventLoop();
  for (let at = 0; at < text.length && !parser.destroyed; at += STEP) {
    parser.write(text.slice(at, at + STEP));
    await yieldTurn();
  }
  if (!parser.destroyed) parser.end();
  await done;
  return records;
}
