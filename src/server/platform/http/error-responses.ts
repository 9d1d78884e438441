// Every refusal has one form: status, code, a sentence for people, the fields it is about, and the id of the request.
import type { ErrorAnswer } from '../../../contract/types.ts';
import { Refusal } from '../context.ts';
import {
  CheckViolation,
  DatabaseBusy,
  DatabaseError,
  DatabaseUnavailable,
  ForeignKeyViolation,
  SerializationFailure,
  StoreViolation,
  UniqueViolation,
} from '../db/errors.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

export interface Outcome {
  status: number;
  body: ErrorAnswer;
  retryAfter?: number;
  /** An error of ours, to be logged with its stack and reported. */
  isOurs: boolean;
}

const CODES: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'TOO_LARGE',
  414: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'TOO_LARGE',
};
const SENTENCES: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: later`The body is too large. Send at most 1 MB (10 MB for files).`,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: later`Send the body as application/json.`,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: later`The body is shorter or longer than its Content-Length says.`,
  FST_ERR_BAD_URL: later`The address is not valid: a % must be followed by two hexadecimal digits.`,
  FST_ERR_MAX_PARAM_LENGTH: later`A part of the address is too long.`,
};

/** The answer to whatever was thrown. Nothing of the database or of a stack goes into it. */
export function answerTo(error: unknown, requestId: string): Outcome {
  const make = (status: number, code: string, message: string, more: Partial<ErrorAnswer> = {}, retryAfter?: number): Outcome => ({
    status,
    body: { success: false, code, message, requestId, ...more },
    ...(retryAfter === undefined ? {} : { retryAfter }),
    isOurs: false,
  });
  if (error instanceof Refusal) {
    return make(
      error.status,
      error.code,
      error.message,
      { ...(error.errors ? { errors: error.errors } : {}), ...(error.extra as Partial<ErrorAnswer> | undefined) },
      error.retryAfter ?? (error.status === 429 || error.status === 503 ? 1 : undefined),
    );
  }
  if (error instanceof UniqueViolation) return make(409, 'TAKEN', t`Another record has one of these values already. Choose another.`);
  if (error instanceof ForeignKeyViolation)
    return make(
      409,
      'INVALID_STATE',
      t`This refers to a record that is not there any more, or that others still refer to. Load the page again.`,
    );
  if (error instanceof CheckViolation)
    return make(422, 'VALIDATION', t`One of the values is not allowed here. Check the values and try again.`);
  if (error instanceof StoreViolation) return make(404, 'NOT_FOUND', t`This record does not exist or was deleted.`);
  if (error instanceof DatabaseUnavailable) {
    return error.outcomeUnknown
      ? make(
          503,
          'UNAVAILABLE',
          t`The connection to the database was lost while your change was being saved. Try again: it is saved once, even if it went
            through already.`,
          {},
          1,
        )
      : make(503, 'UNAVAILABLE', t`The database can't be reached at the moment. Nothing was saved. Try again in a few seconds.`, {}, 2);
  }
  if (error instanceof DatabaseBusy || error instanceof SerializationFailure)
    return make(503, 'BUSY', t`The server is busy. Nothing was saved. Try again in a few seconds.`, {}, 1);
  // 22: a value that no column takes (too large, not a date, wrong characters); the schemas catch what they can.
  if (error instanceof DatabaseError && error.code?.startsWith('22'))
    return make(
      422,
      'VALIDATION',
      t`One of the values can't be stored: it is too large or not in the right form. Check the values and try again.`,
    );
  const given = error as { statusCode?: number; code?: string; message?: string };
  if (typeof given?.statusCode === 'number' && given.statusCode >= 400 && given.statusCode < 500) {
    return make(
      given.statusCode,
      CODES[given.statusCode] ?? 'BAD_REQUEST',
      translated(SENTENCES[given.code ?? ''] ?? later`The request is not valid.`),
    );
  }
  return {
    ...make(500, 'INTERNAL', t`The server could not finish this. Nothing was saved. Try again, and quote request ${requestId} to support.`),
    isOurs: true,
  };
}

export const unauthorized = (): Refusal =>
  new Refusal(401, 'UNAUTHORIZED', t`You are signed out, or your sign-in has expired. Sign in again.`);
