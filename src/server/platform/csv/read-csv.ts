// Reads CSV in small steps: others get their turn meanwhile, and a file that was made to be expensive is let go of early.
import { parse, type Options } from 'csv-parse';
import { HEADER, separated, withQuotedFormulas } from '../../../domain/csv/read.ts';
import { unguarded } from '../../../domain/csv/guard.ts';
import { t } from '../../../domain/text/t.ts';
import { yieldToEventLoop } from '../queue/yield-to-event-loop.ts';

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

/** A file whose letters got lost before it came here: where the first of them stands, and what to do. */
export class CsvDamaged extends Error {
  readonly row: number;
  readonly column: string | undefined;
  constructor(row: number, column: string | undefined) {
    super(
      column
        ? t`Row ${row}, column “${column}”: a letter was lost when the file was saved or converted (�). Save it again as “CSV UTF-8”
            and choose it once more.`
        : t`Row ${row}: a letter was lost when the file was saved or converted (�). Save it again as “CSV UTF-8” and choose it once
            more.`,
    );
    this.row = row;
    this.column = column;
  }
}
const LOST = '\uFFFD';

/** Cells of the first record, as far as they are looked for: a header of thousands is refused before it is parsed. */
function headerCells(text: string, separator: string, most: number): number {
  let cells = 1;
  let isQuoted = false;
  for (const character of text.slice(0, HEADER)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r' || cells > most) break;
    else if (character === separator) cells++;
  }
  return cells;
}

/**
 * The records of a text, the header among them: with one separator for all rows, cells without a spreadsheet's guards. A byte order mark
 * and a first line such as `sep=;` are no part of it.
 * @throws CsvError for what is no CSV, CsvTooLarge for more than the limits: both before the rest of the file is looked at; CsvDamaged for
 * letters that got lost
 */
export async function readCsv(file: string, options: Options, limits: CsvLimits): Promise<string[][]> {
  const { text, separator } = separated(file);
  if (headerCells(text, separator, limits.columns) > limits.columns) throw new CsvTooLarge('columns');
  const parser = parse({ relax_column_count: true, ...options, delimiter: separator });
  const records: string[][] = [];
  let cells = 0;
  const done = new Promise<void>((resolve, reject) => {
    parser
      .on('data', (record: string[]) => {
        cells += record.length;
        if (cells > limits.cells) parser.destroy(new CsvTooLarge('cells'));
        else if (records.length === 0 && record.length > limits.columns) parser.destroy(new CsvTooLarge('columns'));
        else if (records.push(record.map(unguarded)) > limits.rows + 1) parser.destroy(new CsvTooLarge('rows'));
      })
      .once('end', resolve)
      .once('error', reject);
  });
  done.catch(() => undefined); // awaited below; a parser that fails early must not count as unhandled meanwhile
  const yieldTurn = yieldToEventLoop();
  for (let at = 0; at < text.length && !parser.destroyed;) {
    const end = endOfStep(text, at);
    parser.write(withQuotedFormulas(text.slice(at, end), at === 0 || text[at - 1] === '\n'));
    at = end;
    await yieldTurn();
  }
  if (!parser.destroyed) parser.end();
  await done;
  if (text.includes(LOST)) refuseDamaged(records);
  return records;
}

/** Steps end where lines do, unless a line is very long. */
function endOfStep(text: string, at: number): number {
  const least = at + STEP;
  if (least >= text.length) return text.length;
  const line = text.slice(least, least + STEP).indexOf('\n');
  return line < 0 ? least : least + line + 1;
}

function refuseDamaged(records: readonly string[][]): void {
  for (const [at, record] of records.entries()) {
    const column = record.findIndex(cell => cell.includes(LOST));
    if (column >= 0) throw new CsvDamaged(at + 1, at === 0 ? undefined : (records[0]?.[column]?.trim() ?? undefined));
  }
}
