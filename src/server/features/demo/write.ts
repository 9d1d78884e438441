// Writes rows in bulk on both engines: an array for each column, spread into rows by the database, while the next rows are being made.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';

export type Row = Record<string, unknown>;

const BATCH_ROWS = 1000;
const BATCH_BYTES = 2_000_000;

interface Column {
  name: string;
  type: string;
  isList: boolean;
  isJson: boolean;
  texts: string[];
}
interface Batch {
  columns: Column[];
  rows: number;
  bytes: number;
}

/** Collects rows by table and writes them in batches, in the order in which the tables were first used. */
export class BulkWriter {
  readonly #trx: Kysely<Tables>;
  readonly #batches = new Map<string, Batch>();
  readonly written = new Map<string, number>();
  /** The batch that the database is at work on. */
  #underWay: Promise<unknown> = Promise.resolve();
  constructor(trx: Kysely<Tables>) {
    this.#trx = trx;
  }

  /** All rows of one table must have the same columns. */
  async add(table: keyof Tables & string, row: Row): Promise<void> {
    let batch = this.#batches.get(table);
    if (!batch) this.#batches.set(table, (batch = { columns: await this.#columnsOf(table, Object.keys(row)), rows: 0, bytes: 0 }));
    for (const { name, isList, isJson, texts } of batch.columns) {
      const text = element(row[name], isList, isJson);
      texts.push(text);
      batch.bytes += text.length;
    }
    if (++batch.rows >= BATCH_ROWS || batch.bytes >= BATCH_BYTES) await this.#send(table, batch);
  }

  async #columnsOf(table: string, names: string[]): Promise<Column[]> {
    const { rows } = await sql<{
      name: string;
      type: string;
      list: boolean;
    }>`select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, t.typcategory = 'A' as list
      from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = ${table}::regclass and a.attnum > 0
        and not a.attisdropped`.execute(this.#trx);
    const known = new Map(rows.map(row => [row.name, row]));
    return names.map(name => {
      const column = known.get(name);
      if (!column) throw new Error(`The table ${table} has no column ${name}.`);
      return { name, type: column.type, isList: column.list, isJson: /^jsonb?$/.test(column.type), texts: [] };
    });
  }

  /** Hands a batch to the database when that is done with the one before, and does not wait for it: meanwhile the next rows are made. */
  async #send(table: string, batch: Batch): Promise<void> {
    if (batch.rows === 0) return;
    const names = sql.join(batch.columns.map(({ name }) => sql.ref(name)));
    const values = sql.join(
      batch.columns.map(({ name, type, isList }) => (isList ? sql`${sql.ref(name)}::${sql.raw(type)}` : sql.ref(name))),
    );
    const lists = sql.join(
      batch.columns.map(({ texts, type, isList }) => sql`${`{${texts.join(',')}}`}::${sql.raw(isList ? 'text' : type)}[]`),
    );
    const statement = sql`insert into ${sql.table(table)} (${names}) select ${values} from unnest(${lists}) as given (${names})`;
    this.written.set(table, (this.written.get(table) ?? 0) + batch.rows);
    for (const column of batch.columns) column.texts = [];
    batch.rows = batch.bytes = 0;
    await this.#underWay;
    this.#underWay = statement.execute(this.#trx);
    // The next code that waits for it meets its failure.
    this.#underWay.catch(() => undefined);
  }

  /** Writes what is left, and waits until everything is written. */
  async end(): Promise<void> {
    for (const [table, batch] of this.#batches) await this.#send(table, batch);
    await this.#underWay;
  }
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A value as an element of an array in SQL. */
function element(value: unknown, isList: boolean, isJson: boolean): string {
  if (value === null || value === undefined) return 'NULL';
  if (isJson) return quoted(JSON.stringify(value));
  if (isList) return quoted(`{${(value as unknown[]).map(one => element(one, false, false)).join(',')}}`);
  return typeof value === 'string' ? quoted(value) : String(value);
}
