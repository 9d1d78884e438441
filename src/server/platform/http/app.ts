// The HTTP server: every request gets an id, strict headers, strict reading, one form of error, and one line in the log.
import { Readable } from 'node:stream';
import Fastify, { LogController, type FastifyInstance, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Limits } from './load-shedder.ts';
import type { Line } from './lines.ts';
import { answerTo } from './error-responses.ts';
import { registerApiDocument } from './api-document.ts';
import { bodyRules } from './body-limits.ts';
import { parseBody } from './body.ts';
import { CallerCheck } from './caller-check.ts';
import type { BodyLimits } from './request-body.ts';
import { createHttpServer, takenBody } from './http-server.ts';
import { refuseForeign, sendJson } from './request-guards.ts';
import { idOf, newId } from './request-id.ts';
import { networkOf } from './client-address.ts';
import { registerMailPages } from '../mail/mail-pages.ts';
import { registerIncoming } from './incoming.ts';
import { registerReturnedMail } from '../mail/returned-mail-route.ts';
import { registerOutboxPage } from '../mail/outbox-page.ts';
import { countRequest } from '../metrics/process-metrics.ts';
import { isMonitoring, registerMonitoring } from '../metrics/monitoring-pages.ts';
import { isPageAddress, refusalPage } from './page-refusals.ts';
import { registerPublicPages } from './public-pages.ts';
import { registerPages, type PageOptions } from './static-pages.ts';
import { sourceOf } from '../outgoing/error-reporting.ts';
import { registerCalls } from './routes.ts';
import { inLanguage, startLanguages } from '../languages.ts';
import type { Services } from '../services.ts';
import type { ErrorAnswer } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

export interface AppOptions {
  /** Where the built admin is; absent: no pages are served (tests of calls). */
  pages?: PageOptions;
  logger?: FastifyBaseLogger;
  /** Other limits than the usual ones for the calls that are let in, in tests. */
  limits?: Partial<Limits>;
  /** Other limits than the usual ones for bodies that are not whole, in tests. */
  bodies?: Partial<BodyLimits>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The line in which requests of this route have stood when it begins: that of calls, which is the door itself, or that of pages, where
     * nothing else is written. `none`: it reads no database, so it never waits.
     */
    line?: Extract<Line, 'calls' | 'pages'> | 'none';
    /** Members of the body in which files come as text. */
    files?: ReadonlySet<string>;
  }
}

/** The Fastify app over open services; `listen` or `inject` it. @throws Error when calls lack handlers */
export async function createApp(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const headers = {
    ...HEADERS,
    ...(services.config.publicUrl?.startsWith('https://') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  startLanguages();
  /** A refusal in the form that its reader can use: pages for customers are answered with a page. */
  const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, body: ErrorAnswer, retryAfter?: number): FastifyReply => {
    if (!isPageAddress(services.pages, request.url)) return sendJson(reply, status, JSON.stringify(body), retryAfter);
    const page = refusalPage(status, request.id, request.customerLanguage ?? request.headers['accept-language']);
    return reply
      .code(status)
      .headers({ ...page.headers, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) })
      .send(page.html);
  };
  if (options.limits) services.shares.limit('calls', options.limits);
  const callers = new CallerCheck(services);
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    serverFactory: serve => createHttpServer(services, serve, { bodies: options.bodies, bodyOf: bodyRules(services), callers, headers }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: 1_048_576,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: idOf,
    // One logger for all: a line says by itself which request it is about.
    childLoggerFactory: logger => logger,
    routerOptions: { maxParamLength: 300 },
    // Nothing of Fastify's believes a proxy: who is calling says services.clientAddress.
    trustProxy: false,
    frameworkErrors: (error, request, reply) => {
      const { status, body } = answerTo(error, request.id);
      void reply.header('x-request-id', request.id).headers(headers);
      void refuse(request, reply, status, body);
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || (error as { code?: string }).code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      const id = newId();
      const tooLarge = (error as { code?: string }).code === 'HPE_HEADER_OVERFLOW';
      const text = JSON.stringify({
        success: false,
        code: tooLarge ? 'TOO_LARGE' : 'BAD_REQUEST',
        message: tooLarge ? 'The address or a header is too long.' : 'This is not a valid HTTP request.',
        requestId: id,
      });
      socket.end(
        `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\ncontent-type: application/json; ` +
          `charset=utf-8\r\nx-request-id: ${id}\r\nx-content-type-options: nosniff\r\nconnection: close\r\ncontent-length: ` +
          `${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
    },
  });

  app.removeAllContentTypeParsers();
  // Not put together by Fastify, which would take its place in memory twice. A stream of bytes gives buffers.
  app.addContentTypeParser(/^application\/json\s*(;|$)/i, async (request: FastifyRequest, payload: Readable) =>
    parseBody((await payload.toArray()) as Buffer[], request.routeOptions.config.files),
  );

  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(headers);
    if (!isMonitoring(request.url)) refuseForeign(request, services.config);
    // What follows of this request is said in the language that it asks for.
    inLanguage(request.headers['accept-language'], done);
  });
  // Requests without a session stand in the line of pages, whatever they ask for, unless the route says that it costs nothing.
  app.addHook('onRequest', async (request, reply) => {
    const { line = 'pages' } = request.routeOptions.config;
    if (line !== 'pages' || request.is404) return;
    const link = request.url.replace(/\?.*$/s, '');
    await services.shares.hold('pages', { link, address: networkOf(services.clientAddress(request.raw)) }, reply.raw);
  });
  // The body was taken in before the request was let in.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const body = takenBody(request.raw);
    done(null, body ? Readable.from(body, { objectMode: false }) : payload);
  });
  // While it stops, it still answers, and asks clients to send nothing more on the connection: those too whose request it was at when the
  // stop began.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (services.state === 'closing') void reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { callName: call, routeOptions } = request;
    const route = request.is404 ? undefined : routeOptions.url;
    countRequest({ ...(call ? { call } : {}), ...(route ? { route } : {}), status: reply.statusCode, ms: reply.elapsedTime });
    // No addresses, tokens, e-mails or bodies: a call is named by its line in the catalogue.
    if (request.callName)
      request.log.info(
        {
          requestId: request.id,
          call: request.callName,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
          storeId: request.caller?.store.id,
          userId: request.caller?.user.id,
        },
        'call',
      );
    done();
  });

  app.setErrorHandler((error: unknown, request, reply) => {
    const { status, body, retryAfter, isOurs } = answerTo(error, request.id);
    if (isOurs) {
      request.log.error({ requestId: request.id, err: error, call: request.callName }, 'A request failed.');
      const thrown = error instanceof Error ? error : new Error(String(error));
      services.reporter.report({
        message: thrown.message,
        name: thrown.name,
        stack: thrown.stack,
        shop: request.caller?.store.myshopify_domain,
        requestId: request.id,
        origin: 'server',
        ...sourceOf(thrown.stack),
      });
    } else if (status === 503)
      request.log.warn(
        { requestId: request.id, error: error instanceof Error ? error.message : String(error), call: request.callName },
        'A request was put off.',
      );
    return refuse(request, reply, status, body, retryAfter);
  });
  app.setNotFoundHandler((request, reply) =>
    refuse(request, reply, 404, {
      success: false,
      code: 'NOT_FOUND',
      message: t`There is nothing at this address.`,
      requestId: request.id,
    }),
  );

  registerMonitoring(app, services);
  registerCalls(app, services, callers);
  registerApiDocument(app, services);
  registerMailPages(app, services);
  if (services.config.bounceKey) registerReturnedMail(app, services, services.config.bounceKey);
  registerIncoming(app, services);
  registerPublicPages(app, services);
  if (services.config.demo) registerOutboxPage(app, services);
  if (options.pages) await registerPages(app, services, options.pages);
  return app;
}

/** On every answer; pages add a content security policy with a nonce of their own. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
