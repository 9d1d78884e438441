// Errors of the page go to the error-reporting service by way of the server (S307, S308): what, in which function, in which file.
import { runCall } from './calls.ts';
import { readToken } from '../session/token.ts';
import { CallError } from './transport.ts';

const reported = new Set<string>();

/**
 * Reports an unexpected error, once per message. What the server itself refused it knows already, unless it is said `where` it matters:
 * then a failed call is reported too. The shop is added by the server, which knows it.
 */
export function report(error: unknown, where?: { source: string; file: string }): void {
  if (!readToken() || (error instanceof CallError && (!where || error.status === 0 || error.status === 401))) return;
  const known = error instanceof Error ? error : new Error(String(error));
  const name = `${where?.source ?? ''} ${known.message}`;
  if (reported.has(name) || reported.size > 20) return;
  reported.add(name);
  const [, source, file] = where
    ? ['', where.source, where.file]
    : (/at (?:async )?([^\s(]+)? ?\(?(\S+?:\d+:\d+)\)?/.exec(known.stack ?? '') ?? []);
  void runCall('start-up.reportError', {
    message: known.message.slice(0, 2000) || 'Error',
    ...(source ? { source: source.slice(0, 300) } : {}),
    ...(file ? { file: file.slice(0, 500) } : {}),
  }).catch(() => undefined);
}

/** Also errors that were not caught. */
export function reportUncaught(): void {
  window.addEventListener('error', event => {
    if (event.error) report(event.error);
  });
  window.addEventListener('unhandledrejection', event => report(event.reason));
}
