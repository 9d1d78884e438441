// Turns the bytes of a product CSV into rows of named cells, or into sentences that say why that is not possible.
import { isBlank, raggedRow, readCsvTable } from '../../../platform/csv/csv-table.ts';
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import { classicName, columnOf, type ColumnKey } from './columns.ts';
import { t } from '../../../../domain/text/t.ts';

/** One mistake: the row as a spreadsheet numbers it (the header is row 1), the column as the file's header writes it. */
export type RowError = {
  row: number;
  column?: string;
  handle?: string;
  message: string;
};

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
/** An export has some seventy columns, and one for each metafield. */
const LIMITS = { rows: 50_000, columns: 500, cells: 4_000_000 };

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
  const empty = t`This file is empty. Choose a product export with a header and at least one product.`;
  const { table, error } = await readCsvTable(file, LIMITS, empty);
  if (error) return failed(error.row, error.message);
  const { head, body } = table;
  const columns = new Map<ColumnKey, string>();
  const positions = new Map<ColumnKey, number>();
  for (const [index, cell] of head.entries()) {
    const key = columnOf(cell);
    if (!key) continue;
    if (columns.has(key)) return failed(1, t`The header has the column “${cell}” twice. Keep one of them.`, cell);
    columns.set(key, cell.trim());
    positions.set(key, index);
  }
  const [first, second] = (['handle', 'title'] as const).filter(key => !columns.has(key)).map(classicName);
  if (first !== undefined) {
    return failed(
      1,
      second !== undefined
        ? t`This doesn't look like a product export: the columns “${first}” and “${second}” are missing from its first row.`
        : t`This doesn't look like a product export: the column “${first}” is missing from its first row.`,
      first,
    );
  }
  const yieldTurn = yieldToEventLoop();
  const rows: CsvRow[] = [];
  const errors: RowError[] = [];
  for (const [index, record] of body.entries()) {
    const row = index + 2;
    await yieldTurn();
    if (isBlank(record)) continue;
    const ragged = raggedRow(row, record, head);
    if (ragged !== undefined) {
      errors.push({ row, ...handleIn(record, positions), message: ragged });
      continue;
    }
    const cells: CsvRow['cells'] = {};
    for (const [key, position] of positions) cells[key] = (record[position] ?? '').trim();
    rows.push({ row, cells });
  }
  if (rows.length === 0 && errors.length === 0) return failed(1, t`This file has a header but no products.`);
  return { rows, columns, errors };
}

function handleIn(record: string[], positions: Map<ColumnKey, number>): { handle?: string } {
  const handle = record[positions.get('handle') ?? -1]?.trim();
  return handle ? { handle } : {};
}
