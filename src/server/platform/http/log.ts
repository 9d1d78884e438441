// The log: one JSON object per line, with what identifies a request and without what identifies a person.
import { pino, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';

/** Never logged, wherever it may stand in an object. */
const SECRET = ['authorization', 'token', 'email', 'recipient', 'password', 'cookie', 'gateway_token', 'card'];

/** E-mail addresses in texts (messages of errors) become "…@…". */
export const withoutAddresses = (text: string): string =>
  text.replace(/[\w.!#$%&'*+=?^`{|}~-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+/gi, '…@…');

export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET.flatMap(name => [name, `*.${name}`]), censor: '…' },
    formatters: { level: label => ({ level: label }) },
    serializers: {
      err: (error: unknown) => {
        if (!(error instanceof Error)) return { message: withoutAddresses(String(error)) };
        const { code } = error as { code?: unknown };
        return {
          type: error.name,
          message: withoutAddresses(error.message),
          stack: withoutAddresses(error.stack ?? ''),
          ...(code === undefined ? {} : { code }),
        };
      },
    },
  });
}
