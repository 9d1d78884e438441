// Kysely on top of our port: the same thin driver for both engines.
import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely';
import { DatabaseMisuse } from './errors.ts';

/** Runs one statement and gives its rows and the number of rows it touched. */
export type Run = (text: string, params: readonly unknown[]) => Promise<{ rows: unknown[]; affected: number }>;

const onlyThroughThePort = (): never => {
  throw new DatabaseMisuse('Transactions are opened with inStore, asSystem or asOwner, so that the store is always set.');
};

/** One for all: it is reset with each statement, and making it is a hundred bound functions. */
const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

/** A dialect whose every statement goes through `run`: one transaction, or one statement each on a connection of the pool. */
export function portDialect(run: Run): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, affected } = await run(query.sql, query.parameters);
      return { rows: rows as R[], numAffectedRows: BigInt(affected) };
    },
    // eslint-disable-next-line require-yield -- refuses before the first row
    async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
      throw new DatabaseMisuse(
        'Long results are read in batches by key: a cursor would hold the only connection of the embedded database.',
      );
    },
  };
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: async () => onlyThroughThePort(),
    commitTransaction: async () => onlyThroughThePort(),
    rollbackTransaction: async () => onlyThroughThePort(),
    destroy: async () => undefined,
  };
  return {
    createDriver: () => driver,
    createAdapter: () => adapter,
    createQueryCompiler: () => compiler,
    // Kysely hands the introspector any database type; ours reads only the catalogue.
    // eslint-disable-next-line typescript/no-explicit-any -- the type Kysely's own interface asks for
    createIntrospector: (db: Kysely<any>) => new PostgresIntrospector(db),
  };
}
