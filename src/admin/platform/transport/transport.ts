// The only module that knows fetch: the token, request ids, idempotency keys, 401, and whether the server can be reached.
import type { ErrorAnswer, FieldError, JsonValue } from '../../../contract/types.ts';
import { language } from '../../../domain/text/t.ts';
import type { PreloadedRequest } from '../start/preloaded-requests.ts';
import { previewedRole } from '../session/role-preview.ts';
import { clearToken, readToken } from '../session/token.ts';
import { t } from '../../../domain/text/t.ts';

export interface Sent {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: JsonValue;
}
export interface SendOptions {
  signal?: AbortSignal;
  /** Of a write: one key per submit, kept over its retries, so that the server does it once. See newKey(). */
  key?: string;
  /** Of a write: the version the person saw; the server refuses it with 409 when it is old. */
  version?: number;
  /** An API token to send in place of the session's. */
  apiToken?: string;
}
export interface Got {
  status: number;
  body: JsonValue;
  requestId: string;
  headers?: Headers;
}

/**
 * A refusal or failure as the screens see it. `status` 0: the server was not reached. `errors` point at fields (JSON pointers),
 * `conflict` holds the server's state when a write came with an old version. `message` is a sentence fit for people.
 */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldError[];
  readonly conflict: ErrorAnswer['conflict'];
  readonly requestId: string;
  /** Seconds the server asks to wait before another try. */
  readonly retryAfter: number | undefined;
  constructor(status: number, answer: Partial<ErrorAnswer>, retryAfter?: number) {
    super(answer.message ?? t`The server gave no reason.`);
    this.name = 'CallError';
    this.status = status;
    this.code = answer.code ?? (status === 0 ? 'UNREACHABLE' : `HTTP_${status}`);
    this.errors = answer.errors ?? [];
    this.conflict = answer.conflict;
    this.requestId = answer.requestId ?? '';
    this.retryAfter = retryAfter;
  }
}

/** A fresh idempotency key. Make it when the person submits, and send it again with every retry of that submit. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends one request and reads its JSON answer. Throws CallError for everything but 2xx. */
export async function send(request: Sent, options: SendOptions = {}): Promise<Got> {
  const response = await ask(request, options);
  return read(response);
}

/** Sends a request whose answer is a file, for example an export; the body is read by the caller as it arrives. */
export async function sendForFile(request: Sent, options: SendOptions = {}): Promise<Response> {
  const response = await ask({ ...request, headers: { ...request.headers, accept: '*/*' } }, options, LONG);
  if (!response.ok) await read(response);
  return response;
}

/** Sends a request and gives its answer with any status, to show it to a person. Throws CallError when the server was not reached. */
export const sendToSee = (request: Sent, options: SendOptions = {}): Promise<Response> => ask(request, options);

/**
 * Milliseconds until an answer must have begun: what only looks is given up before a person gives up;
 * what changes something may take its time.
 */
const SHORT = 10_000;
const LONG = 60_000;

/** The answer to a request that the start script sent before the app had loaded; each is given once. */
export function takePreloaded(name: 'session' | 'list', key: string): Promise<Got> | undefined {
  const early: PreloadedRequest | undefined = window.__start?.[name];
  if (!early || early.key !== key || early.token !== readToken()) return undefined;
  delete window.__start?.[name];
  // It was asked for with the person's own rights.
  if (previewedRole() !== undefined) return undefined;
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(tooSlow()), SHORT);
  });
  return Promise.race([
    early.answer.catch(() => {
      throw unreachable();
    }),
    late,
  ]).then(read);
}

async function ask(request: Sent, options: SendOptions, patience = options.key ? LONG : SHORT): Promise<Response> {
  const headers: Record<string, string> = { 'accept-language': language(), ...request.headers, 'x-request-id': newKey() };
  const token = readToken();
  if (options.apiToken) headers['x-loop-token'] = options.apiToken;
  else if (token) headers.authorization = token;
  const role = previewedRole();
  if (role !== undefined) headers['x-perennial-role-preview'] = role;
  if (options.key) headers['idempotency-key'] = options.key;
  if (options.version !== undefined) headers['if-match'] = String(options.version);
  const before = losses;
  const patient = new AbortController();
  const timer = setTimeout(() => patient.abort(), patience);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      credentials: 'omit',
      cache: 'no-store',
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: options.signal ? AbortSignal.any([options.signal, patient.signal]) : patient.signal,
    });
    // An answer to what was sent before the connection was lost does not say that it is back.
    if (before === losses) setReachable(true);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw patient.signal.aborted ? tooSlow() : unreachable();
  } finally {
    clearTimeout(timer); // what has begun to arrive may go on
  }
}

/** The code of a call that was given up on because no answer came in time. */
export const TIMEOUT = 'TIMEOUT';
const tooSlow = (): CallError =>
  new CallError(0, { code: TIMEOUT, message: t`The server takes too long to answer. Try again in a moment.` });

function unreachable(): CallError {
  setReachable(false);
  return new CallError(0, { message: t`Unable to connect to server.` });
}

// --- the rights that answers were given by ---

let rights: string | undefined;
let onRights: (() => void) | undefined;
/** Calls back when an answer was given by other rights than the one before: they were changed, or the plan was. */
export function whenRightsChanged(then: () => void): void {
  onRights = then;
}
function noteRights(response: Response): void {
  const now = response.headers.get('x-perennial-rights');
  if (now === null || now === rights) return;
  const isFirst = rights === undefined;
  rights = now;
  if (!isFirst) onRights?.();
}

async function read(response: Response): Promise<Got> {
  noteRights(response);
  const requestId = response.headers.get('x-request-id') ?? '';
  const text = await response.text().catch(() => {
    throw unreachable();
  });
  let body: JsonValue = null;
  try {
    body = text ? (JSON.parse(text) as JsonValue) : null;
  } catch {
    /* not ours: named below by its status */
  }
  if (response.ok) return { status: response.status, body, requestId, headers: response.headers };
  const answer: Partial<ErrorAnswer> =
    body !== null && typeof body === 'object' && !Array.isArray(body) && typeof body.message === 'string'
      ? (body as ErrorAnswer)
      : { message: plain(response.status) };
  const wait = Number(response.headers.get('retry-after'));
  const error = new CallError(
    response.status,
    { ...answer, requestId: answer.requestId || requestId },
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
  );
  if (response.status === 401) signedOut();
  throw error;
}

/** What a bare status means, for answers that did not come from our server (a proxy, a time-out). */
function plain(status: number): string {
  if (status === 413) return t`This is too large to send. Send less at once.`;
  if (status === 429) return t`Too many requests at once. Wait a moment and try again.`;
  if (status === 502 || status === 503 || status === 504) return t`The server is busy or restarting. Try again in a moment.`;
  return t`The server answered with an error (${status}). Try again; if it stays, contact support.`;
}

// --- 401: once, however many calls meet it (S289) ---

let onSignedOut: (() => void) | undefined;
let leaving = false;
/** Called once when the token is no longer valid. */
export function whenSignedOut(then: () => void): void {
  onSignedOut = then;
  leaving = false;
}
function signedOut(): void {
  if (leaving || !readToken()) return;
  leaving = true;
  rights = undefined;
  clearToken();
  onSignedOut?.();
}

// --- can the server be reached? (S290 to S292) ---

let reachable = true;
/** How often the connection was lost. */
let losses = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let delay = 1000;
const watchers = new Set<(reachable: boolean) => void>();

export const isReachable = (): boolean => reachable;
/** Calls back when the connection is lost or found again; returns the way to stop. */
export function watchConnection(watcher: (reachable: boolean) => void): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

function setReachable(now: boolean): void {
  if (!now && !timer) probeLater();
  if (now) {
    clearTimeout(timer);
    timer = undefined;
    delay = 1000;
  }
  if (now === reachable) return;
  reachable = now;
  if (!now) losses++;
  for (const watcher of watchers) watcher(now);
}

/** Asks for a sign of life, 1 s after the loss and then at twice the distance up to 30 s. */
function probeLater(): void {
  timer = setTimeout(() => {
    timer = undefined;
    void probe();
  }, delay);
  delay = Math.min(delay * 2, 30_000);
}
async function probe(): Promise<void> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(SHORT) });
    if (response.ok) setReachable(true);
    else again();
  } catch {
    again();
  }
}
const again = (): void => {
  if (reachable) setReachable(false);
  else if (!timer) probeLater();
};
/** Tries at once, for the "Try again" of the banner. */
export function probeNow(): void {
  clearTimeout(timer);
  timer = undefined;
  delay = 1000;
  void probe();
}
// The browser says that its network came or went. A server on this machine is there all the same: it is asked first.
if (typeof window !== 'undefined')
  for (const change of ['online', 'offline'])
    window.addEventListener(change, () => {
      if (reachable === (change === 'offline')) probeNow();
    });
