// Errors go to the error-reporting service, with the shop, the source function and the file (S307, S308).
import type { StoreLog } from '../db/engine.ts';
import { envelopeOf, framesOf, type ErrorReport } from './error-envelope.ts';

/** The port. Never throws and never waits: reporting must not make anything worse. */
export interface Reporter {
  report(report: ErrorReport): void;
  close(): Promise<void>;
}

/** The function and the file where an error was made: the first frame of its stack that is our code. */
export function sourceOf(stack: string | undefined): { sourceFunction?: string; file?: string } {
  const frame = framesOf(stack).find(one => one.in_app);
  if (frame === undefined) return {};
  return { ...(frame.function ? { sourceFunction: frame.function } : {}), file: frame.filename };
}

/** At most this many a minute: a broken database must not also flood the service. */
const MAX_A_MINUTE = 30;

/** Sends to the address of a DSN (https://key@host/project) as an envelope, which Sentry and its kin take. */
export function dsnReporter(dsn: string, log: StoreLog): Reporter {
  const url = new URL(dsn);
  const project = url.pathname.replace(/^.*\//, '');
  const target = `${url.protocol}//${url.host}${url.pathname.slice(0, url.pathname.length - project.length)}api/${project}/envelope/`;
  const publicDsn = `${url.protocol}//${url.username}@${url.host}${url.pathname}`;
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
          'content-type': 'application/x-sentry-envelope',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=perennial/1, sentry_key=${url.username}`,
        },
        body: envelopeOf(report, publicDsn, new Date()),
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
