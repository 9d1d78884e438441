// Errors go to the error-reporting service, with the shop, the source function and the file (S307, S308).
import type { StoreLog } from '../db/engine.ts';

export interface ErrorReport {
  message: string;
  name?: string;
  stack?: string;
  /** Domain of the store, where one is known. */
  shop?: string;
  sourceFunction?: string;
  file?: string;
  requestId?: string;
  /** "server", or "admin" for errors of the page. */
  origin: 'server' | 'admin';
}
/** The port. Never throws and never waits: reporting must not make anything worse. */
export interface Reporter {
  report(report: ErrorReport): void;
  close(): Promise<void>;
}

/** The function and the file where an error was made: the first frame of its stack that is our code. */
export function sourceOf(stack: string | undefined): { sourceFunction?: string; file?: string } {
  for (const line of (stack ?? '').split('\n').slice(1)) {
    if (line.includes('node_modules') || line.includes('node:')) continue;
    const match = /at (?:(?:async )?([^\s(]+) \()?(?:file:\/\/)?([^\s()]+?):\d+:\d+\)?$/.exec(line.trim());
    if (match)
      return {
        ...(match[1] ? { sourceFunction: match[1] } : {}),
        ...(match[2] ? { file: match[2].replace(/^.*\/((?:src|dist|renderers)\/)/, '$1') } : {}),
      };
  }
  return {};
}

/** At most this many a minute: a broken database must not also flood the service. */
const MAX_A_MINUTE = 30;

/** Sends to the address of a DSN (https://key@host/project) in the store form that Sentry and its kin take. */
export function dsnReporter(dsn: string, log: StoreLog): Reporter {
  const url = new URL(dsn);
  const project = url.pathname.replace(/^.*\//, '');
  const target = `${url.protocol}//${url.host}${url.pathname.slice(0, url.pathname.length - project.length)}api/${project}/store/`;
  const underWay = new Set<Promise<unknown>>();
  let minute = 0;
  let count = 0;
  return {
    report(report) {
      const now = Math.floor(Date.now() / 60_000);
      if (now !== minute) {
        minute = now;
        count = 0;
      }
      if (++count > MAX_A_MINUTE) return;
      const work = fetch(target, {
        method: 'POST',
        signal: AbortSignal.timeout(3000),
        headers: {
          'content-type': 'application/json',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=perennial/1, sentry_key=${url.username}`,
        },
        body: JSON.stringify({
          platform: 'javascript',
          level: 'error',
          logger: report.origin,
          timestamp: Date.now() / 1000,
          message: report.message,
          culprit: report.sourceFunction,
          tags: {
            shop: report.shop,
            source_function: report.sourceFunction,
            file: report.file,
            request_id: report.requestId,
            origin: report.origin,
          },
          exception: { values: [{ type: report.name ?? 'Error', value: report.message }] },
          extra: { stack: report.stack },
        }),
      })
        .then(answer => {
          if (!answer.ok) throw new Error(`it answered ${answer.status}`);
        })
        .catch((error: unknown) => log.warn({ error: String(error) }, 'An error could not be reported.'));
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
    close: async () => {
      await Promise.allSettled(underWay);
    },
  };
}

export const noReporter: Reporter = { report: () => undefined, close: async () => undefined };
