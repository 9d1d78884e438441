// Writes rows in bulk on both engines: one JSON parameter for each batch, spread into rows by the database.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Tables } from '../../generated/tables.ts';

export type Row = Record<string, unknown>;

const BATCH_ROWS = 1000;
const BATCH_BYTES = 2_000_000;

/** Collects rows by table and writes them in batches, in the order in which the tables were first used. */
export class BulkWriter {
  readonly #trx: Kysely<Tables>;
  readonly #waiting = new Map<string, string[]>();
  readonly #columns = new Map<string, string[]>();
  readonly #bytes = new Map<string, number>();
  readonly written = new Map<string, number>();
  constructor(trx: Kysely<Tables>) { this.#trx = trx; }

  /** All rows of one table must have the same columns. */
  async add(table: keyof Tables & string, row: Row): Promise<void> {
    let rows = this.#waiting.get(table);
    if (!rows) { this.#waiting.set(table, rows = []); this.#columns.set(table, Object.keys(row)); this.#bytes.set(table, 0); }
    const text = JSON.stringify(row);
    rows.push(text);
    const bytes = this.#bytes.get(table)! + text.length;
    this.#bytes.set(table, bytes);
    if (rows.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await this.#flush(table);
  }

  async #flush(table: string): Promise<void> {
    const rows = this.#waiting.get(table)!;
    if (!rows.length) return;
    const columns = sql.join(this.#columns.get(table)!.map(column => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(this.#trx);
    this.written.set(table, (this.written.get(table) ?? 0) + rows.length);
    rows.length = 0;
    this.#bytes.set(table, 0);
  }

  async end(): Promise<void> { for (const table of this.#waiting.keys()) await this.#flush(table); }
}
