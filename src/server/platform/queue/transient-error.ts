// Which errors of the queue's own statements go away when the statement is repeated.
import { DatabaseBusy, DatabaseUnavailable, SerializationFailure, UniqueViolation } from '../db/errors.ts';

/**
 * Whether the statement succeeds once it is repeated. A violation in PostgreSQL's own catalogue says that two processes start at once
 * and this one had looked before the other created the queue's schema: pg-boss's lock does not renew what a connection remembers.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  error instanceof DatabaseBusy ||
  error instanceof SerializationFailure ||
  (error instanceof UniqueViolation && error.constraint.startsWith('pg_'));
