// Turns the bytes of a product CSV into rows of named cells, or into sentences that say why that is not possible.
import { CsvError } from 'csv-parse';
import { CsvTooLarge, readCsv } from '../../../platform/csv.ts';
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import { classicName, columnOf, type ColumnKey } from './columns.ts';

/** One mistake: the row as a spreadsheet numbers it (the header is row 1), the column as the file's header writes it. */
export interface RowError {
  row: number;
  column?: string;
  handle?: string;
  message: string;
}

/** One row below the header. Cells of columns that the file lacks are undefined, empty cells are ''. */
export interface CsvRow {
  row: number;
  cells: Partial<Record<ColumnKey, string>>;
}

export interface CsvFile {
  rows: CsvRow[];
  /** Columns that are in the file, with the name its header uses. */
  columns: Map<ColumnKey, string>;
  errors: RowError[];
}

/** What one file may weigh and hold; larger ones are split by the person. */
export const MAX_FILE_BYTES = 10_000_000;
const MAX_ROWS = 50_000;
/** An export has some seventy columns, and one for each metafield. */
const MAX_COLUMNS = 500;
const MAX_CELLS = 4_000_000;

const failed = (row: number, message: string, column?: string): CsvFile => ({
  rows: [],
  columns: new Map(),
  errors: [column === undefined ? { row, message } : { row, column, message }],
});

/**
 * Reads a product CSV: UTF-8 with or without byte order mark, quoted cells with commas, quotes and line breaks,
 * any of the three kinds of line ends, comma or semicolon or tab between cells. Never rejects: what is wrong with the
 * file as a whole comes back as one error, and then there are no rows. Other requests get their turn while it works.
 */
export async function readProductCsv(file: Uint8Array | string): Promise<CsvFile> {
  const text = decode(file);
  if (text === undefined || text.includes('\u0000'))
    return failed(1, "This file isn't UTF-8 text. Save it again as “CSV UTF-8” and choose it once more.");
  if (text.trim() === '') return failed(1, 'This file is empty. Choose a product export with a header and at least one product.');

  let records: string[][];
  try {
    records = await readCsv(text, { max_record_size: 2_000_000 }, { rows: MAX_ROWS, columns: MAX_COLUMNS, cells: MAX_CELLS });
  } catch (error) {
    if (error instanceof CsvTooLarge) return failed(error.what === 'rows' ? MAX_ROWS + 2 : 1, TOO_LARGE[error.what]);
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error['records'] ?? 0) + 1;
    return failed(row, explain(error, row));
  }

  const [head, ...body] = records;
  if (!head) return failed(1, 'This file is empty. Choose a product export with a header and at least one product.');
  const columns = new Map<ColumnKey, string>();
  const positions = new Map<ColumnKey, number>();
  for (const [index, cell] of head.entries()) {
    const key = columnOf(cell);
    if (!key) continue;
    if (columns.has(key)) return failed(1, `The header has the column “${cell}” twice. Keep one of them.`, cell);
    columns.set(key, cell.trim());
    positions.set(key, index);
  }
  const missing = (['handle', 'title'] as const).filter(key => !columns.has(key)).map(classicName);
  if (missing.length > 0) {
    return failed(
      1,
      `This doesn't look like a product export: ` +
        `${missing.length === 2 ? `the columns “${missing[0]}” and “${missing[1]}” are` : `the column “${missing[0]}” is`} missing from ` +
        `its first row.`,
      missing[0],
    );
  }
  const yieldTurn = yieldToEventLoop();
  const rows: CsvRow[] = [];
  const errors: RowError[] = [];
  for (const [index, record] of body.entries()) {
    const row = index + 2;
    await yieldTurn();
    if (record.every(cell => cell.trim() === '')) continue;
    if (record.length !== head.length) {
      errors.push({
        row,
        ...handleIn(record, positions),
        message:
          `Row ${row} has ${count(record.length, 'cell')} where the header has ${head.length}. A comma or a quotation mark in ` +
          `one of its cells is probably not inside quotes.`,
      });
      continue;
    }
    const cells: CsvRow['cells'] = {};
    for (const [key, position] of positions) cells[key] = (record[position] ?? '').trim();
    rows.push({ row, cells });
  }
  if (rows.length === 0 && errors.length === 0) return failed(1, 'This file has a header but no products.');
  return { rows, columns, errors };
}

const split = 'Split it and import the parts one after the other.';
const TOO_LARGE: Record<CsvTooLarge['what'], string> = {
  rows: `This file has more than ${MAX_ROWS.toLocaleString('en-US')} rows, the most that one import takes. ${split}`,
  columns: `The header of this file has more than ${MAX_COLUMNS} columns. Remove those that are not needed.`,
  cells: `This file has more than ${MAX_CELLS.toLocaleString('en-US')} cells, the most that one import takes. ${split}`,
};

function decode(file: Uint8Array | string): string | undefined {
  if (typeof file === 'string') return file;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return undefined;
  }
}

function explain(error: CsvError, row: number): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quotation mark that opens in row ${row} is never closed. A text in quotation marks needs one at its end.`;
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return (
        `In row ${row} a quotation mark stands in the middle of a cell. Put the whole cell in quotation marks and write the ` +
        `inner one twice.`
      );
    case 'CSV_MAX_RECORD_SIZE':
      return `Row ${row} is longer than 2,000,000 characters. A quotation mark is probably missing in it.`;
    default:
      return `Row ${row} can't be read as CSV. Export the file again or save it as “CSV UTF-8”.`;
  }
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

function handleIn(record: string[], positions: Map<ColumnKey, number>): { handle?: string } {
  const handle = record[positions.get('handle') ?? -1]?.trim();
  return handle ? { handle } : {};
}
