// The front of the server: what is done with a request before anything of it is looked at. Calls come in by `Admission`; the rest, which costs little, at once.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tokenOf } from '../auth/tokens.ts';
import type { Services } from '../services.ts';
import { LoadShedder, type Limits } from './load-shedder.ts';
import { recordWait } from './deadline.ts';
import { idOf } from './request-id.ts';

/** Handles a request for good. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;
export interface HttpServerOptions {
  limits?: Partial<Limits> | undefined;
  /** On every answer. */
  headers: Readonly<Record<string, string>>;
}

const MINUTE = 60_000;
/** Idle connections are kept for longer than proxies keep theirs, so that it is not us who closes one that is about to be used (ms). */
const KEEP_ALIVE = 65_000;
/** Seconds until a refused client may come back, at least and at most: not all in the same one. */
const AGAIN = { least: 1, most: 3 };

/** Everything but calls: files, pages, signs of life. What is written in another way than ours write it is taken for a call. */
const COSTS_LITTLE = /^\/(?!host\/|dev\/)[^?%]*(?:\?|$)/;

/** The address of the call that signs out: whoever wants to leave is served in any overload. */
function signOutPath({ definitions }: Services): string | undefined {
  const call = definitions.calls['sign-in.logout'];
  const host = call && definitions.hosts[call.host];
  return host && host.prefix + call.path;
}

/** Whose a call is, before it is looked at: a person whose token was found good lately; everybody else of one address is one, whatever tokens they send. */
function whoIs({ sessions, clientAddress }: Services, request: IncomingMessage): string {
  const { authorization } = request.headers;
  const person = authorization === undefined ? undefined : sessions.knownPerson(tokenOf(authorization));
  return person === undefined ? `at ${clientAddress(request)}` : `person ${person}`;
}

/** Makes the HTTP server whose requests go to `serve` once they are let in. */
export function createHttpServer(services: Services, serve: Serve, { limits, headers }: HttpServerOptions): Server {
  const loadShedder = new LoadShedder(services.log, limits);
  const signOut = signOutPath(services);
  const fixed = Object.entries({ ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).flat();

  // Written by hand: a server that gets ten times what it can do spends most of its time here.
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    const id = idOf(request);
    const text = `{"success":false,"code":"OVERLOADED","message":"The server has more to do than it can at the moment. Nothing was saved. Try again in a few seconds.","requestId":"${id}"}`;
    const again = AGAIN.least + Math.floor(Math.random() * (AGAIN.most - AGAIN.least + 1));
    response.writeHead(503, [
      ...fixed,
      'x-request-id',
      id,
      'retry-after',
      String(again),
      'content-length',
      String(text.length),
      ...(services.state === 'closing' ? ['connection', 'close'] : []),
    ]);
    response.end(text);
  };

  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (COSTS_LITTLE.test(url) || url === signOut) {
      serve(request, response);
      return;
    }
    let who: string | undefined;
    const slot = loadShedder.enter({
      admit: waited => {
        if (waited > 0) recordWait(request, waited);
        serve(request, response);
      },
      refuse: () => refuse(request, response),
      // Asked for only where there is a line, and the same as long as it stands in it.
      get who() {
        return (who ??= whoIs(services, request));
      },
    });
    if (slot.state !== 'gone') response.once('close', () => loadShedder.leave(slot));
  });
  server.keepAliveTimeout = KEEP_ALIVE;
  server.requestTimeout = MINUTE;
  server.once('close', () => loadShedder.close());
  return server;
}
