// Serves every call of the catalogue: route, rights, input and verb all follow from the call's one line.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorsForWire, forVerb, inputSchema, isRead } from '../../../contract/request.ts';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { refuseGrants } from '../auth/grants.ts';
import { rightsOf } from '../auth/rights.ts';
import { ownerOf, type Caller } from '../auth/sessions.ts';
import { Refusal, invalid, type Context, type Handler, type PublicHandler, type Reply } from '../context.ts';
import { isOneAtATime, oneAtATime } from '../records/one-at-a-time.ts';
import { maskedAnswer } from '../records/mask.ts';
import { verbs } from '../records/verbs.ts';
import { afterCommit, makeContext, type About } from '../request-context.ts';
import type { Services } from '../services.ts';
import { bodyLimit, fileMembers } from './body-limits.ts';
import { isStream, sendResult, whileAllowed } from './call-answer.ts';
import { isChange, parsed, readInput, versionOf } from './call-input.ts';
import { callsHere, refuseUnserved } from './calls-here.ts';
import type { CallerCheck } from './caller-check.ts';
import { forgetWait, remainingMs } from './deadline.ts';
import { hashRequest, keyFrom, type KeyOf } from './idempotency.ts';
import { leavePlace } from './place.ts';
import { resolveIds } from './record-ids.ts';
import { refuseBadAddress, sendJson } from './request-guards.ts';
import type { Line } from './lines.ts';
import { runWrite } from './write-call.ts';

/** Names the rights that an answer was given by, so that an open admin notices when they change. */
const RIGHTS = 'x-perennial-rights';

declare module 'fastify' {
  interface FastifyRequest {
    callName?: string;
    caller?: Caller;
  }
}

/**
 * Registers every call whose host group is served here. A group with an address of its own (PERENNIAL_HOST_…) is left to it.
 * @throws Error naming each call that can't be served
 */
export function registerCalls(app: FastifyInstance, services: Services, callers: CallerCheck): void {
  const { handlers } = services;
  refuseUnserved(services);
  for (const { call, host } of callsHere(services)) {
    const handler = handlers.get(call.like ?? call.name);
    const line = lineOf(call, handler);
    const serve = serving(services, call, handler, line);
    app.route({
      method: call.method,
      url: host.prefix + call.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyLimit(call),
      config: { line: 'calls', files: fileMembers(call) },
      // The body is not read when the caller may not make the call.
      onRequest: async request => {
        request.callName = call.name;
        if (!call.public) request.caller = await callers.of(request.raw, call);
      },
      ...(line ? { preHandler: changeLine(services, line) } : {}),
      handler: serve,
    });
  }
}

/** Verbs that write a record or a page as a whole. */
const WRITES = new Set<Call['does']>(['create', 'update', 'duplicate', 'move', 'set']);

/** The line of a call that costs much, besides the door; undefined for all others. A handler may name another. */
export function lineOf(call: Call, handler?: Pick<Handler, 'line'>): Line | undefined {
  if (handler?.line) return handler.line;
  if (call.does === 'export') return 'exports';
  // Charts, and figures of any chosen days.
  return call.does === 'chart' || call.in.some(({ name }) => name === 'startDate') ? 'charts' : undefined;
}

/** Gives up the place at the door for one in a line of costly work, which is waited for without taking it from anybody else. */
const changeLine =
  (services: Services, line: Line) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    leavePlace(request.raw);
    if (!request.caller) return;
    await services.shares.hold(line, ownerOf(request.caller), reply.raw);
    // What it waited in this line is not taken from its time: it has the database for as long as usual.
    forgetWait(request.raw);
  };

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function serving(services: Services, call: Call, handler: (Handler & PublicHandler) | undefined, line: Line | undefined): Serve {
  const { definitions } = services;
  const db = line ? services.db.aside : services.db;
  const schema = inputSchema(call, definitions.ambient);
  const read = isRead(call);
  const isAlone = !read && handler?.ownTransactions !== true && isOneAtATime(definitions, services.registry, call);
  const ruled = (call.does === 'create' || call.does === 'update') && services.registry.rules[call.of]?.validate !== undefined;
  return async (request, reply) => {
    const { caller } = request;
    if (caller) void reply.header(RIGHTS, rightsOf(caller.session));
    refuseBadAddress(request.query, request.params);
    if (request.body !== undefined && (request.body === null || typeof request.body !== 'object' || Array.isArray(request.body)))
      throw new Refusal(400, 'BAD_REQUEST', t`The body must be a JSON object.`);
    const fromRequest = parsed(call, request);
    if (caller) await resolveIds(services, call, caller.store.id, fromRequest);
    const { input, raw, errors } = await readInput(definitions, call, schema, request, caller, fromRequest, !handler && isChange(call));
    // Rules of an entity tell what they find together with the errors of the schema.
    const isValidatedLater = handler ? handler.validatesInput : ruled && !errors.some(error => UNKNOWN.has(error.rule));
    if (errors.length && !isValidatedLater) throw invalid(errorsForWire(call, errors));
    if (!caller) return answerPublic(services, call, handler as PublicHandler, request, reply, input);
    const about: About = {
      store: caller.store,
      session: caller.session,
      user: caller.user,
      source: caller.token ? 'API' : 'Admin portal',
      requestId: request.id,
      ip: services.clientAddress(request.raw),
      sessionKey: caller.key,
      expectedVersion: versionOf(request.headers['if-match'], input),
      inputErrors: errors,
      ...(line ? { db } : {}),
    };
    const given = forVerb(call, input);
    const prepared = await handler
      ?.prepare?.(makeContext(services, about, null, afterCommit(), { call: call.name }), given)
      .catch(error => {
        throw error instanceof Refusal && error.errors ? error.about(errorsForWire(call, error.errors)) : error;
      });
    const work = async (context: Context): Promise<JsonValue | Reply> => {
      // What is written as a record or page is looked at when it is written, with what was there before.
      if (!read && !WRITES.has(call.does)) refuseGrants(context, schema, input);
      if (isAlone) await oneAtATime(context, call.of);
      const verb = verbs[call.does] as NonNullable<(typeof verbs)[Call['does']]>;
      const result = await (
        handler ? handler(context, given, prepared) : verb(context, { call, input: given, raw, registry: services.registry })
      ).catch(error => {
        throw error instanceof Refusal && error.errors ? error.about(errorsForWire(call, error.errors)) : error;
      });
      const shown = maskedAnswer(definitions, call, caller.session, result);
      // A handler that validates by itself must refuse; what it let through is refused here, and nothing of it is kept.
      if (errors.length) throw invalid(errors);
      return shown;
    };
    if (read) {
      const after = afterCommit();
      const result = handler?.ownTransactions
        ? await work(makeContext(services, about, null, after, { call: call.name }))
        : await db.inStore(caller.store.id, trx => work(makeContext(services, about, trx, after, { call: call.name })), {
            readOnly: true,
            timeoutMs: remainingMs(request.raw, services.db.timeoutMs),
          });
      if (isStream(result) && line !== 'exports')
        throw new Error(`${call.name} writes a file while it is read: mark its handler with inLine('exports', …).`);
      return sendResult(definitions, call, request, reply, whileAllowed(services, call, request, caller, result), input);
    }
    const key = keyFrom(request.headers['idempotency-key']);
    const keyed: KeyOf | undefined =
      key === undefined
        ? undefined
        : { storeId: caller.store.id, userId: caller.user.id, key, hash: await hashRequest(call.name, input, about.expectedVersion) };
    const write = () =>
      runWrite(
        services,
        call,
        about,
        input,
        work,
        handler?.ownTransactions === true,
        keyed,
        remainingMs(request.raw, services.db.timeoutMs),
      );
    const outcome = keyed ? await services.keyLocks.take(`${keyed.storeId} ${keyed.userId} ${key}`, write) : await write();
    services.sessions.forget(caller.store.id);
    if (outcome.stored) {
      if (outcome.isReplay) void reply.header('idempotency-replayed', 'true');
      return sendJson(reply, outcome.stored.status, outcome.stored.text);
    }
    return sendResult(definitions, call, request, reply, outcome.result as JsonValue | Reply);
  };
}

/** Mistakes after which nothing else is worth reporting: members that the call does not have, or that may not be written. */
const UNKNOWN = new Set(['additionalProperties', 'readOnly']);

async function answerPublic(
  services: Services,
  call: Call,
  handler: PublicHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  input: JsonObject,
): Promise<FastifyReply> {
  const result = await handler(
    {
      db: services.db,
      definitions: services.definitions,
      beginnings: services.beginnings,
      config: services.config,
      requestId: request.id,
      ip: services.clientAddress(request.raw),
      mailer: services.mailer,
      background: work => services.background(work),
      address: services.address,
      host: request.headers.host,
      outgoing: services.outgoing,
      secrets: services.secrets,
      log: services.log,
    },
    input,
  );
  return sendResult(services.definitions, call, request, reply, result);
}
