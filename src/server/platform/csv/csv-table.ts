// A CSV file as a table: its header and its rows, or a sentence that says why it is none. What the columns mean is the caller's.
import { CsvError } from 'csv-parse';
import { decodeText } from '../../../domain/csv/decode.ts';
import { inFigures, t } from '../../../domain/text/t.ts';
import { CsvDamaged, CsvTooLarge, readCsv, type CsvLimits } from './read-csv.ts';

/** What can't be read: the row as a spreadsheet numbers it (the header is row 1), the column as the header writes it. */
export interface TableError {
  row: number;
  column?: string;
  message: string;
}

export interface CsvTable {
  head: string[];
  /** What stands below the header, as it was read: the first is row 2. Rows that are blank are among them. */
  body: string[][];
}

/** The longest row, in characters. */
const LONGEST_ROW = 2_000_000;

/**
 * Reads quoted cells with commas, quotes and line breaks, any of the three kinds of line ends, comma or semicolon or tab between cells; of
 * bytes the encodings that `decodeText` knows. Never rejects: what is wrong with the file as a whole comes back as the error. Other
 * requests get their turn.
 */
export async function readCsvTable(
  file: Uint8Array | string,
  limits: CsvLimits,
  empty: string,
): Promise<{ table: CsvTable; error?: undefined } | { table?: undefined; error: TableError }> {
  const text = typeof file === 'string' ? file : decodeText(file)?.text;
  if (text === undefined || text.includes('\u0000'))
    return { error: { row: 1, message: t`This file isn't UTF-8 text. Save it again as “CSV UTF-8” and choose it once more.` } };
  if (text.trim() === '') return { error: { row: 1, message: empty } };
  try {
    const [head, ...body] = await readCsv(text, { max_record_size: LONGEST_ROW }, limits);
    return head ? { table: { head, body } } : { error: { row: 1, message: empty } };
  } catch (error) {
    if (error instanceof CsvTooLarge)
      return { error: { row: error.what === 'rows' ? limits.rows + 2 : 1, message: tooLarge(error.what, limits) } };
    if (error instanceof CsvDamaged)
      return { error: { row: error.row, ...(error.column === undefined ? {} : { column: error.column }), message: error.message } };
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error['records'] ?? 0) + 1;
    return { error: { row, message: explain(error, row) } };
  }
}

/** Whether nothing stands in a row. */
export const isBlank = (record: readonly string[]): boolean => record.every(cell => cell.trim() === '');

/** What is wrong with a row that has more or fewer cells than the header; undefined: nothing. */
export const raggedRow = (row: number, record: readonly string[], head: readonly string[]): string | undefined =>
  record.length === head.length
    ? undefined
    : record.length === 1
      ? t`Row ${row} has 1 cell where the header has ${head.length}. A comma or a quotation mark in one of its cells is probably not
        inside quotes.`
      : t`Row ${row} has ${record.length} cells where the header has ${head.length}. A comma or a quotation mark in one of its cells is
        probably not inside quotes.`;

function tooLarge(what: CsvTooLarge['what'], limits: CsvLimits): string {
  if (what === 'columns') return t`The header of this file has more than ${limits.columns} columns. Remove those that are not needed.`;
  const most = inFigures(limits[what]);
  return what === 'rows'
    ? t`This file has more than ${most} rows, the most that one import takes. Split it and import the parts one after the other.`
    : t`This file has more than ${most} cells, the most that one import takes. Split it and import the parts one after the other.`;
}

function explain(error: CsvError, row: number): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return t`A quotation mark that opens in row ${row} is never closed. A text in quotation marks needs one at its end.`;
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return t`In row ${row} a quotation mark stands in the middle of a cell. Put the whole cell in quotation marks and write the inner
        one twice.`;
    case 'CSV_MAX_RECORD_SIZE':
      return t`Row ${row} is longer than 2,000,000 characters. A quotation mark is probably missing in it.`;
    default:
      return t`Row ${row} can't be read as CSV. Export the file again or save it as “CSV UTF-8”.`;
  }
}
