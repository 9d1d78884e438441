// A subscription file as subscriptions: rows of one external id are one, in the order in which they begin.
import { isBlank, raggedRow, readCsvTable, type CsvTable, type TableError } from '../../../platform/csv/csv-table.ts';
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import { positionsOf, type FieldKey, type FileColumn } from './columns.ts';
import { t } from '../../../../domain/text/t.ts';

/** Most rows of a file, and most of its columns. */
const LIMITS = { rows: 50_000, columns: 200, cells: 5_000_000 };

/** Reads the file; what is wrong with it as a whole comes back as the error. */
export const readSubscriptionCsv = async (
  content: Uint8Array | string,
): Promise<{ table: CsvTable; error?: undefined } | { table?: undefined; error: TableError }> =>
  readCsvTable(content, LIMITS, t`This file is empty. Choose a file with a header and a row for each product of a subscription.`);

export interface ImportRow {
  /** As a spreadsheet numbers it. */
  position: number;
  cells: Partial<Record<FieldKey, string>>;
  /** Why it can't be read at all. */
  unreadable?: string;
}
/** Rows that are one subscription, or one row that names none. */
export interface ImportUnit {
  externalId: string;
  rows: ImportRow[];
}

/** The longest external id. */
const LONGEST_ID = 100;

/** The rows of a file by their subscriptions; blank rows are left out. Other requests get their turn. */
export async function unitsOf({ head, body }: CsvTable, columns: readonly FileColumn[]): Promise<ImportUnit[]> {
  const positions = positionsOf(columns);
  const units: ImportUnit[] = [];
  const known = new Map<string, ImportUnit>();
  const yieldTurn = yieldToEventLoop();
  for (const [index, record] of body.entries()) {
    await yieldTurn();
    if (isBlank(record)) continue;
    const position = index + 2;
    const cells: ImportRow['cells'] = {};
    for (const [field, at] of positions) cells[field] = (record[at] ?? '').trim();
    const externalId = (cells.external_id ?? '').slice(0, LONGEST_ID + 1);
    const ragged = raggedRow(position, record, head);
    const row: ImportRow = { position, cells, ...(ragged === undefined ? {} : { unreadable: ragged }) };
    const unit = ragged === undefined && externalId ? known.get(externalId) : undefined;
    if (unit) unit.rows.push(row);
    else {
      const made: ImportUnit = { externalId: ragged === undefined ? externalId : '', rows: [row] };
      units.push(made);
      if (made.externalId) known.set(externalId, made);
    }
  }
  return units;
}

export const isLongId = (externalId: string): boolean => externalId.length > LONGEST_ID;
/** The first row of a unit: units stand in the order of these. */
export const beginOf = (unit: ImportUnit): number => (unit.rows[0] as ImportRow).position;
