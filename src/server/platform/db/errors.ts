// What can go wrong in the database, as a few classes that callers tell apart; both engines give the same ones.

/** Any error of the database. `code` is the SQLSTATE when the database gave one. The message never holds row values of a constraint. */
export class DatabaseError extends Error {
  readonly code?: string;
  constructor(message: string, code?: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The database is not there: connection lost, restarting, disk full, password refused. Answer 503 and try again. */
export class DatabaseUnavailable extends DatabaseError {
  /** True when the connection broke after COMMIT was sent: the change may or may not have happened. */
  outcomeUnknown = false;
}

/** The database did not answer in time: slow query, lock held, pool full. Answer 503 and try again. */
export class DatabaseBusy extends DatabaseError {}

/** A row with these values exists already. */
export class UniqueViolation extends DatabaseError {
  readonly constraint: string;
  readonly table: string;
  constructor(message: string, code: string, constraint: string, table: string) {
    super(message, code);
    this.constraint = constraint;
    this.table = table;
  }
}

/** A row refers to one that is not there, or is still referred to. */
export class ForeignKeyViolation extends DatabaseError {
  readonly constraint: string;
  readonly table: string;
  constructor(message: string, code: string, constraint: string, table: string) {
    super(message, code);
    this.constraint = constraint;
    this.table = table;
  }
}

/** A value breaks a check or is missing. `constraint` is the name of the check, or the column that may not be null. */
export class CheckViolation extends DatabaseError {
  readonly constraint: string;
  readonly table: string;
  constructor(message: string, code: string, constraint: string, table: string) {
    super(message, code);
    this.constraint = constraint;
    this.table = table;
  }
}

/** Two transactions got in each other's way; transactions of the port are tried again before this is thrown. */
export class SerializationFailure extends DatabaseError {}

/** A write meant for another store than the transaction's, or without a store: row-level security refused it. */
export class StoreViolation extends DatabaseError {}

/** The call itself is wrong: a nested transaction, a store id that is no id, a query after the end of the transaction. A bug of ours. */
export class DatabaseMisuse extends DatabaseError {}

/** The shape of what `pg` throws; all parts are optional because network errors come the same way. */
interface Thrown {
  message?: string;
  code?: string;
  constraint?: string;
  table?: string;
  column?: string;
  errors?: Thrown[];
}

const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
]);
const lostConnection =
  /connection terminated|not queryable|connection ended|stream.*(?:destroyed|closed)|server does not support SSL|pool after calling end/i;

/** Turns whatever the driver threw into one of the classes above; our own errors pass unchanged. */
export function toDatabaseError(thrown: unknown): DatabaseError {
  if (thrown instanceof DatabaseError) return thrown;
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }) as Thrown;
  const code = error.code ?? error.errors?.[0]?.code ?? '';
  // A connection tried on two addresses (IPv6, IPv4) fails with an empty message and the reasons in a list.
  const message = error.message || error.errors?.[0]?.message || 'The database failed without a message.';
  const table = error.table ?? '';
  const constraint = error.constraint ?? error.column ?? '';
  switch (code) {
    case '23505':
      return new UniqueViolation(message, code, constraint, table);
    case '23503':
      return new ForeignKeyViolation(message, code, constraint, table);
    case '23502':
    case '23514':
    case '23P01':
      return new CheckViolation(message, code, constraint, table);
    case '40001':
    case '40P01':
      return new SerializationFailure(message, code);
    case '57014':
      return new DatabaseBusy('The database took too long to answer and the query was stopped.', code);
    case '55P03':
      return new DatabaseBusy('Another transaction holds the rows for too long.', code);
    case '53300':
      return new DatabaseBusy('The database has no connection left.', code);
    case '53100':
      return new DatabaseUnavailable('The disk of the database is full.', code);
    case '42501':
      if (message.includes('row-level security'))
        return new StoreViolation(`The row does not belong to the store of the transaction: ${message}.`, code);
      break;
    default:
      break;
  }
  if (message === 'timeout exceeded when trying to connect') return new DatabaseBusy('Every connection to the database is in use.');
  if (network.has(code) || lostConnection.test(message))
    return new DatabaseUnavailable(`The database cannot be reached: ${message}.`, code || undefined);
  // 08 connection, 28 sign-in, 3D no such database, 53 resources, 57P shutting down or starting, 58 input/output.
  if (/^(?:08|28|3D|53|57P|58)/.test(code)) return new DatabaseUnavailable(`The database is not available: ${message}.`, code);
  return new DatabaseError(message, code || undefined);
}
