// The front of the server: what is done with a request before anything of it is looked at. Bodies are taken in by `BodyGate`; then calls
// come in by `LoadShedder`, the
// rest, which costs little, at once.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Call } from '../../../contract/types.ts';
import { tokenIn } from '../auth/api-tokens.ts';
import { tokenOf } from '../auth/tokens.ts';
import type { Services } from '../services.ts';
import type { CallerCheck } from './caller-check.ts';
import { networkOf } from './client-address.ts';
import { recordWait } from './deadline.ts';
import { answerTo } from './error-responses.ts';
import { isPageAddress, refusalPage } from './page-refusals.ts';
import { notePlace } from './place.ts';
import { BodyGate, hasBody, type BodyFault, type BodyLimits } from './request-body.ts';
import { idOf } from './request-id.ts';
import { againIn } from './shares.ts';
import type { Owner } from './tally.ts';
import { MEGABYTE, type BodyRules } from './body-limits.ts';

/** Handles a request for good. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;
export interface HttpServerOptions {
  bodies?: Partial<BodyLimits> | undefined;
  /** What the body of a request to this address may be. */
  bodyOf: (url: string) => BodyRules;
  callers: CallerCheck;
  /** On every answer. */
  headers: Readonly<Record<string, string>>;
}

/**
 * The longest that a head, and a whole request, may take to come (ms): a file over a slow line takes minutes, at the least rate of bodies.
 */
const HEAD_MS = 15_000;
const REQUEST_MS = 300_000;
/** Idle connections are kept for longer than proxies keep theirs, so that it is not us who closes one that is about to be used (ms). */
const KEEP_ALIVE = 65_000;
const OVERLOADED = 'The server has more to do than it can at the moment. Nothing was saved. Try again in a few seconds.';
const BODY_FAULTS: Record<BodyFault, { status: number; code: string; message: string }> = {
  TOO_LARGE: { status: 413, code: 'TOO_LARGE', message: 'The body is too large. Send at most 1 MB (10 MB for files).' },
  TOO_SLOW: { status: 408, code: 'TOO_SLOW', message: 'The body came too slowly. Nothing was saved. Try again on a better connection.' },
  TOO_MANY: { status: 503, code: 'OVERLOADED', message: OVERLOADED },
};
/** After the answer to a body that was refused, the rest of it may come for so long (ms) before the connection is cut. */
const LINGER_MS = 1000;

/** Everything but calls: files, signs of life, and pages, which stand in a line of their own once it is known which one it is. What is
 * written in another way than ours write it is taken for a call. */
const NO_CALL = /^\/(?!host\/|rest\/|dev\/)[^?%]*(?:\?|$)/;

/** The address of the call that signs out: signing out is served in any overload. */
function signOutPath({ definitions }: Services): string | undefined {
  const call = definitions.calls['sign-in.logout'];
  const host = call && definitions.hosts[call.host];
  return host && host.prefix + call.path;
}

/**
 * Whose a call is, before it is looked at: a person whose token was found good lately; everybody else of one address is one, whatever
 * tokens they send.
 */
function ownerOf({ sessions, clientAddress }: Services, request: IncomingMessage): Owner {
  const given = tokenIn(request.headers);
  const known = given === undefined ? undefined : sessions.knownPerson(tokenOf(given));
  return known ?? { address: networkOf(clientAddress(request)) };
}
const whoIs = ({ person, address }: Owner): string => (person === undefined ? `at ${address}` : `person ${person}`);

/** Bodies that were taken in before their request was let in, in the pieces that came: who reads one puts it together. */
const taken = new WeakMap<IncomingMessage, readonly Buffer[]>();
/** Hands over, once, the body of a request that came whole; undefined where it is still to be read, or there is none. */
export function takenBody(request: IncomingMessage): readonly Buffer[] | undefined {
  const body = taken.get(request);
  taken.delete(request);
  return body;
}

/** Makes the HTTP server whose requests go to `serve` once they are let in. */
export function createHttpServer(services: Services, serve: Serve, { bodies, bodyOf, callers, headers }: HttpServerOptions): Server {
  const loadShedder = services.shares.line('calls');
  const gate = new BodyGate(bodies);
  const signOut = signOutPath(services);
  const fixed = Object.entries({ ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).flat();

  // Written by hand: a server that gets ten times what it can do spends most of its time here.
  const send = (response: ServerResponse, status: number, id: string, text: string, more: string[]): void => {
    response.writeHead(status, [...fixed, 'x-request-id', id, 'content-length', String(Buffer.byteLength(text)), ...more]);
    response.end(text);
  };
  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    code: string,
    message: string,
    more: string[],
  ): void => {
    const id = idOf(request);
    if (isPageAddress(services.pages, request.url ?? '/')) {
      const page = refusalPage(status, id, request.headers['accept-language']);
      response.writeHead(status, [...Object.entries({ ...headers, ...page.headers, 'x-request-id': id }).flat(), ...more]).end(page.html);
      return;
    }
    send(response, status, id, `{"success":false,"code":"${code}","message":"${message}","requestId":"${id}"}`, more);
  };
  const soon = (): string[] => ['retry-after', String(againIn('calls'))];
  const refuse = (request: IncomingMessage, response: ServerResponse): void =>
    answer(request, response, 503, 'OVERLOADED', OVERLOADED, [...soon(), ...(services.state === 'closing' ? ['connection', 'close'] : [])]);
  /** After an answer whatever still comes is thrown away: a connection that ended with something unread would take the answer with it. */
  const discard = (request: IncomingMessage): void => {
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, LINGER_MS).unref();
  };
  const refuseBody = (request: IncomingMessage, response: ServerResponse, fault: BodyFault): void => {
    const { status, code, message } = BODY_FAULTS[fault];
    answer(request, response, status, code, message, fault === 'TOO_LARGE' ? [] : soon());
    discard(request);
  };

  /** Takes a place for `work`, until it leaves or the request is answered. */
  const enter = (request: IncomingMessage, response: ServerResponse, work: (leave: () => void) => void): void => {
    notePlace(request, () => loadShedder.leave(slot));
    const slot = loadShedder.enter({
      admit: waited => {
        if (waited > 0) recordWait(request, waited);
        work(() => loadShedder.leave(slot));
      },
      refuse: () => refuse(request, response),
      owner: ownerOf(services, request),
    });
    if (slot.state !== 'gone') response.once('close', () => loadShedder.leave(slot));
  };
  /** The request is whole: it may take a place. */
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '/' } = request;
    if (NO_CALL.test(url) || url === signOut) serve(request, response);
    else enter(request, response, () => serve(request, response));
  };
  const takeBody = (request: IncomingMessage, response: ServerResponse, limit: number): void =>
    gate.read(request, {
      who: whoIs(ownerOf(services, request)),
      limit,
      whole: (body, bytes) => {
        taken.set(request, body);
        response.once('close', () => gate.release(bytes));
        begin(request, response);
      },
      fault: fault => refuseBody(request, response, fault),
    });
  /** Asks who sends it, and whether they may, before a file is taken in. */
  const takeFile = (request: IncomingMessage, response: ServerResponse, call: Call, limit: number): void =>
    enter(request, response, leave => {
      void callers.of(request, call).then(
        () => {
          leave();
          if (!request.destroyed) takeBody(request, response, limit);
        },
        (error: unknown) => {
          const id = idOf(request);
          const { status, body, retryAfter, isOurs } = answerTo(error, id);
          if (isOurs) services.log.error({ requestId: id, err: error, call: call.name }, 'A request failed.');
          send(response, status, id, JSON.stringify(body), retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]);
          discard(request);
        },
      );
    });
  const server = createServer((request, response) => {
    if (!hasBody(request)) {
      begin(request, response);
      return;
    }
    const { limit, call } = bodyOf(request.url ?? '/');
    // Chunks don't say how much there will be.
    const isFile = Number(request.headers['content-length'] ?? limit) > MEGABYTE;
    if (call && isFile) takeFile(request, response, call, limit);
    else takeBody(request, response, limit);
  });
  server.keepAliveTimeout = KEEP_ALIVE;
  server.headersTimeout = HEAD_MS;
  server.requestTimeout = REQUEST_MS;
  server.once('close', () => {
    gate.close();
  });
  return server;
}
