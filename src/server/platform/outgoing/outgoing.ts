// The one way to call a foreign server: at public addresses only, with bounds for time and size; redirects are checked like the
// first address.
import { lookup as lookUp } from 'node:dns';
import { performance } from 'node:perf_hooks';
import type { LookupFunction } from 'node:net';
import { Agent, request, errors, type Dispatcher } from 'undici';
import { hostOf, mayReach, nothingAllowed, objection, type Allowed } from './addresses.ts';
import { silent, type StoreLog } from '../db/engine.ts';
import { inEnglish } from '../request-language.ts';
import { t } from '../../../domain/text/t.ts';

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** The longest (ms) from the first byte out to the last one in; 5 seconds by default. */
  timeoutMs?: number;
  /** How many redirects of a GET are followed, each checked like the first address; 0 by default: the redirect is the answer. */
  redirects?: number;
}
export interface OutgoingAnswer {
  status: number;
  /** By their names in small letters. */
  headers: Record<string, string>;
  body: string;
  /** How long it took. */
  ms: number;
}

/**
 * No answer came. `code` says why: FORBIDDEN (an address that may not be called: asking again is no use), TIMEOUT, TOO_LARGE, UNREACHABLE.
 * The message is a sentence for people.
 */
export class OutgoingError extends Error {
  readonly code: 'FORBIDDEN' | 'TIMEOUT' | 'TOO_LARGE' | 'UNREACHABLE';
  constructor(code: OutgoingError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutgoingError';
    this.code = code;
  }
}

export interface Outgoing {
  /** Makes one call. Any status is an answer. @throws OutgoingError */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Why an address can't be called, for forms that ask for one; undefined: nothing is known against it. */
  objection(url: string): string | undefined;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5000;
/** The largest answer (bytes). */
const MOST_BYTES = 1_048_576;

/** A look-up that gives no address which may not be called: one such among several is enough to refuse. */
const guarded =
  (lookup: typeof lookUp, allowed: Allowed): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const bad = allowed.names.has(hostname.toLowerCase()) ? undefined : found.find(({ address }) => !mayReach(address, allowed));
      if (bad) return done(new OutgoingError('FORBIDDEN', `${hostname} leads to ${bad.address}, which is not a public address.`), '', 0);
      const [first] = found;
      if (options.all) return done(null, found);
      return first ? done(null, first.address, first.family) : done(new Error(`${hostname} has no address.`), '', 0);
    });
  };

const causes = function* (error: unknown): Generator<unknown> {
  for (let one: unknown = error; one !== undefined && one !== null; one = (one as { cause?: unknown }).cause) {
    yield one;
    if (one instanceof AggregateError) yield* one.errors;
  }
};

function explained(error: unknown, host: string, timeoutMs: number): OutgoingError {
  for (const one of causes(error)) {
    if (one instanceof OutgoingError) return one;
    if (one instanceof errors.ResponseExceededMaxSizeError)
      return new OutgoingError('TOO_LARGE', `${host} answered more than ${MOST_BYTES / 1_048_576} MB.`, { cause: error });
    const { name = '', code = '' } = one as { name?: string; code?: string };
    if (name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code))
      return new OutgoingError('TIMEOUT', `${host} did not answer within ${timeoutMs / 1000} seconds.`, { cause: error });
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return new OutgoingError('UNREACHABLE', `The name ${host} is not known.`, { cause: error });
    if (code === 'ECONNREFUSED') return new OutgoingError('UNREACHABLE', `${host} refused the connection.`, { cause: error });
  }
  return new OutgoingError('UNREACHABLE', `${host} could not be reached.`, { cause: error });
}

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));

/** Hosts that were refused and logged; more than so many are no longer. */
const MOST_REFUSED = 1000;

/**
 * @param isQuiet calls no server at all: a trial of a backup
 * @param lookup another look-up, in tests
 */
export function createOutgoing({
  allowed = nothingAllowed,
  isQuiet = false,
  log = silent,
  lookup = lookUp,
}: { allowed?: Allowed; isQuiet?: boolean; log?: StoreLog; lookup?: typeof lookUp } = {}): Outgoing {
  const refused = new Set<string>();
  /** Tells the operator, once for each host: people of a store see the refusal, and only the operator can allow it. */
  const tell = (url: URL, error: string): void => {
    if (refused.size >= MOST_REFUSED || refused.has(url.host) || !url.protocol.startsWith('http') || url.username !== '') return;
    refused.add(url.host);
    const message = 'An address was not called. If a store may call it, name it in PERENNIAL_OUTGOING_ALLOW.';
    log.warn({ host: url.host, error }, message);
  };
  const agent = new Agent({
    connect: { timeout: TIMEOUT_MS, lookup: guarded(lookup, allowed) },
    maxResponseSize: MOST_BYTES,
    connections: 16,
    pipelining: 1,
  });

  async function hop(url: URL, { method, headers, body, timeoutMs = TIMEOUT_MS }: OutgoingRequest, signal: AbortSignal) {
    // It may be stored with what could not be sent.
    const problem = inEnglish(() => objection(url, allowed));
    if (problem) {
      tell(url, problem);
      throw new OutgoingError('FORBIDDEN', problem);
    }
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method,
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        headers: { 'user-agent': 'Perennial/1', ...headers },
        ...(body === undefined ? {} : { body }),
      });
      return { status: answer.statusCode, headers: flat(answer.headers), body: await answer.body.text() };
    } catch (error) {
      const why = explained(error, hostOf(url), timeoutMs);
      if (why.code === 'FORBIDDEN') tell(url, why.message);
      throw why;
    }
  }

  return {
    async send(given) {
      if (isQuiet) throw new OutgoingError('FORBIDDEN', 'This server is a trial (PERENNIAL_QUIET): it calls no other server.');
      if (!URL.canParse(given.url)) throw new OutgoingError('FORBIDDEN', 'This is not a full address.');
      const since = performance.now();
      const signal = AbortSignal.timeout(given.timeoutMs ?? TIMEOUT_MS);
      let url = new URL(given.url);
      for (let left = given.method === 'GET' ? (given.redirects ?? 0) : 0; ; left--) {
        const answer = await hop(url, given, signal);
        const to = answer.status >= 300 && answer.status < 400 ? answer.headers.location : undefined;
        if (left <= 0 || !to || !URL.canParse(to, url)) return { ...answer, ms: Math.round(performance.now() - since) };
        const next = new URL(to, url);
        // What was meant for one server is not shown to another.
        if (next.origin !== url.origin) given = { ...given, headers: {} };
        url = next;
      }
    },
    objection: given => {
      if (!URL.canParse(given)) return t`Enter a full https address.`;
      const url = new URL(given);
      const problem = objection(url, allowed);
      if (problem) tell(url, problem);
      return problem;
    },
    close: () => agent.close(),
  };
}
