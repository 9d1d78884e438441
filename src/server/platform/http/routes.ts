// Serves every call of the catalogue: route, rights, input and verb all follow from the call's one line.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { accessOf } from '../../../contract/access.ts';
import { componentsOf } from '../../../contract/analytics.ts';
import { settingSetOf } from '../../../contract/calls.ts';
import { errorsForWire, forVerb, inputSchema, isRead, parseRequest } from '../../../contract/request.ts';
import { compileValidator } from '../../../contract/validation/compile.ts';
import { strip } from '../../../contract/validation/condition.ts';
import { factsOf } from '../../../navigation/facts.ts';
import { validate } from '../../../contract/validation/validate.ts';
import { contentRange, TOTAL_IS_CAPPED } from '../../../contract/response.ts';
import { WireError } from '../../../domain/codecs/rest-query.ts';
import type { Call, Definitions, FieldError, JsonObject, JsonValue, PageInfo, Schema } from '../../../contract/types.ts';
import { refuseGrants } from '../auth/grants.ts';
import { rightsOf } from '../auth/rights.ts';
import { ownerOf, type Caller } from '../auth/sessions.ts';
import { tokenIn } from '../auth/api-tokens.ts';
import { tokenOf } from '../auth/tokens.ts';
import { Refusal, Reply, invalid, type Context, type Handler, type PublicHandler, type ReplyFile } from '../context.ts';
import { unauthorized } from './error-responses.ts';
import { refusalOf, type CallerCheck } from './caller-check.ts';
import { refuseBadAddress, sendJson } from './request-guards.ts';
import { forgetWait, remainingMs } from './deadline.ts';
import { leavePlace } from './place.ts';
import type { Line } from './shares.ts';
import { resolveIds } from './record-ids.ts';
import { hashRequest, keyFrom, type KeyOf } from './idempotency.ts';
import { afterCommit, makeContext, type About } from '../request-context.ts';
import type { Services } from '../services.ts';
import { maskedAnswer } from '../records/mask.ts';
import { takeEmptied } from '../records/emptied.ts';
import { isOneAtATime, oneAtATime } from '../records/one-at-a-time.ts';
import { givenReadOnly, verbs } from '../records/verbs.ts';
import { runWrite, textOf } from './write-call.ts';
import { t } from '../../../domain/text/t.ts';

export const MEGABYTE = 1_048_576;
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
 * @throws Error naming each `query` or `command` without a handler
 */
export function registerCalls(app: FastifyInstance, services: Services, callers: CallerCheck): void {
  const { definitions, config, handlers } = services;
  const problems: string[] = [];
  for (const call of Object.values(definitions.calls)) {
    if (config.hosts[call.host]) continue;
    const host = definitions.hosts[call.host];
    if (!host) continue;
    const handler = handlers.get(call.like ?? call.name);
    if (!handler && !verbs[call.does]) {
      problems.push(
        `schemas/calls/${call.table}.json  /calls/${call.key}\n  "${call.does}" needs a function: export "${call.key}" from ` +
          `src/server/features/<feature>/calls/${call.table}.ts.`,
      );
      continue;
    }
    const problem = !handler && verbProblem(services, call);
    if (problem) {
      problems.push(`schemas/calls/${call.table}.json  /calls/${call.key}\n  ${problem}`);
      continue;
    }
    const line = lineOf(call, handler);
    const serve = serving(services, call, handler, line);
    app.route({
      method: call.method,
      url: host.prefix + call.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyLimit(call),
      config: { line: 'calls' },
      // Nothing of a body is read for whoever may not make the call.
      onRequest: async request => {
        request.callName = call.name;
        if (!call.public) request.caller = await callers.of(request.raw, call);
      },
      ...(line ? { preHandler: changeLine(services, line) } : {}),
      handler: serve,
    });
  }
  if (problems.length) throw new Error(`The server can't start, because calls lack what they need:\n${problems.join('\n')}`);
}

/** What a generic verb would miss at its first request, found at the start instead. */
function verbProblem(services: Services, call: Call): string | undefined {
  const { registry } = services;
  const unknown = (what: string, name: string, known: Record<string, unknown>): string | undefined =>
    known[name] ? undefined : `There is no ${what} "${name}"; there are: ${Object.keys(known).sort().join(', ') || 'none'}.`;
  if (call.does === 'start' || call.does === 'progress')
    return (call.runs ?? [])
      .map(kind =>
        call.does === 'start' && registry.runs[kind] === 'STARTED_ELSEWHERE'
          ? `The run "${kind}" is started by a call of its own.`
          : unknown('system run', kind, registry.runs),
      )
      .find(Boolean);
  if (call.does === 'chart')
    return Object.values(services.definitions.analytics)
      .flatMap(componentsOf)
      .map(({ source }) => source && unknown('source of charts', source, registry.charts))
      .find(Boolean);
  if (call.does === 'catalogue') return unknown('catalogue', call.catalogue ?? '', registry.catalogues);
  if (call.document) return unknown('document', call.document, registry.documents);
  if (call.entries || ((call.does === 'get' || call.does === 'set') && registry.documents[call.of])) return undefined;
  if (call.does === 'get' || call.does === 'set')
    return call.of.startsWith('settings/') && !services.definitions.settings[call.of.slice('settings/'.length)]
      ? `There is no schemas/${call.of}.json.`
      : undefined;
  const entity = services.definitions.entities[call.of];
  if (settingSetOf(call.set ?? '')) return undefined;
  if (!entity) return `There is no schemas/entities/${call.of}.json, which "${call.does}" needs.`;
  const move = entity['x-states']?.moves[call.key];
  if (call.does === 'move' && !move) return `schemas/entities/${call.of}.json has no move "${call.key}" in x-states.`;
  if (call.does === 'move' && move?.guard && !registry.guards[move.guard])
    return `The guard "${move.guard}" of its move is no member of the guards that a src/server/features/<feature>/rules.ts exports.`;
  return undefined;
}

/** 1 MB, or as much as the longest text that the call's schema lets in, for files and CSV: up to 15 MB. */
export function bodyLimit(call: Call): number {
  const longest = (schema: Schema | undefined): number =>
    Math.max(0, schema?.maxLength ?? 0, ...Object.values(schema?.properties ?? {}).map(longest), schema?.items ? longest(schema.items) : 0);
  const most = Math.max(longest(call.body), ...call.in.map(param => longest(param.schema)), 0);
  return most <= MEGABYTE / 2 ? MEGABYTE : Math.min(15 * MEGABYTE, Math.ceil(most * 1.1) + 65_536);
}

/** What is known of the body of a request by its address alone. */
export interface BodyRules {
  /** Most bytes that it may have: what the call there lets in, else 1 MB. */
  limit: number;
  /** The call that takes more than 1 MB; who sends so much is looked at before. */
  call?: Call;
}

/** Says by its address what the body of a request may be, before anything else is known of it. */
export function bodyRules({ definitions, config }: Pick<Services, 'definitions' | 'config'>): (url: string) => BodyRules {
  const large = Object.values(definitions.calls).flatMap(call => {
    const host = definitions.hosts[call.host];
    const limit = bodyLimit(call);
    if (limit <= MEGABYTE || !host || config.hosts[call.host]) return [];
    const path = (host.prefix + call.path).split(/\{\w+\}/).map(part => part.replace(/[^\w/-]/g, '\\$&'));
    return [{ limit, call, path: new RegExp(`^${path.join('[^/?]+')}(?:\\?|$)`) }];
  });
  return url => large.find(({ path }) => path.test(url)) ?? { limit: MEGABYTE };
}

/** Verbs that write a record or a page as a whole. */
const WRITES = new Set<Call['does']>(['create', 'update', 'duplicate', 'move', 'set']);

/** The line of a call that costs much, besides the door; undefined for all others. A handler may name another. */
export function lineOf(call: Call, handler?: Pick<Handler, 'line'>): Line | undefined {
  if (handler?.line) return handler.line;
  if (call.does === 'export') return 'exports';
  // Charts, and figures of any days that somebody chooses.
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
    const asked = parsed(call, request);
    if (caller) await resolveIds(services, call, caller.store.id, asked);
    const { input, raw, errors } = readInput(definitions, call, schema, request, caller, asked, !handler && isChange(call));
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
        : { storeId: caller.store.id, userId: caller.user.id, key, hash: hashRequest(call.name, input, about.expectedVersion) };
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
    if (outcome.kept) {
      if (outcome.isReplay) void reply.header('idempotency-replayed', 'true');
      return sendJson(reply, outcome.kept.status, outcome.kept.text);
    }
    return sendResult(definitions, call, request, reply, outcome.result as JsonValue | Reply);
  };
}

/** A file that is written while it is read. */
const isStream = (result: JsonValue | Reply): result is Reply & { file: ReplyFile } =>
  result instanceof Reply &&
  result.file !== undefined &&
  typeof result.file.content !== 'string' &&
  !(result.file.content instanceof Uint8Array);

/**
 * A file that is streamed goes on as long as its person may have it: before each piece of it the person is asked for as for a call. A file
 * is broken off
 * when they were removed or signed out, or lost the call's right, the plan's feature, or the right to look at any area that they could look
 * at when it began.
 */
function whileAllowed(
  services: Services,
  call: Call,
  request: FastifyRequest,
  { session }: Caller,
  result: JsonValue | Reply,
): JsonValue | Reply {
  if (!isStream(result)) return result;
  const { file } = result;
  const before = accessOf(session);
  const areas = Object.keys(before.permissions).filter(area => before.can(area, 'READ'));
  const { content } = file;
  async function* allowed(): AsyncGenerator<Uint8Array | string> {
    for await (const piece of content as AsyncIterable<Uint8Array | string>) {
      const now = await services.sessions.caller(tokenOf(tokenIn(request.headers) ?? ''));
      if (!now) throw unauthorized();
      if (refusalOf(services, call, now) || !areas.every(area => accessOf(now.session).can(area, 'READ')))
        throw new Refusal(403, 'FORBIDDEN', t`Your rights changed while this file was made. Export it again.`);
      yield piece;
    }
  }
  return new Reply(null, { status: result.status, file: { ...file, content: allowed() } });
}

/** Mistakes after which nothing else is worth telling: members that the call does not have, or that nobody may write. */
const UNKNOWN = new Set(['additionalProperties', 'readOnly']);

/** Whether a call changes something that is there, and so may name a part of it. */
const isChange = (call: Call): boolean => call.does === 'update' || call.does === 'set';

/**
 * The input as the call's schema has it: validated, without what is hidden, without what the session knows anyway. A change that a generic
 * verb makes may name a part of a record: what of that is hidden is known only beside the rest of it, so nothing is taken out here.
 */
function readInput(
  definitions: Definitions,
  call: Call,
  schema: Schema,
  request: FastifyRequest,
  caller: Caller | undefined,
  given: JsonObject,
  isPart: boolean,
): { input: JsonObject; raw: JsonObject; errors: FieldError[] } {
  for (const name of definitions.ambient) {
    const value = given[name];
    if (value === undefined) continue;
    if (
      caller &&
      value !== null &&
      value !== '' &&
      String(value).toLowerCase() !== (name === 'storeId' ? String(caller.store.id) : caller.store.myshopify_domain.toLowerCase())
    ) {
      throw new Refusal(404, 'NOT_FOUND', t`This store does not exist, or you are signed in to another one.`);
    }
    if (!call.in.some(param => param.name === name)) delete given[name];
  }
  const facts = caller ? factsOf(caller.session, definitions.facts) : {};
  const emptied = isChange(call) ? takeEmptied(schema, given) : {};
  const errors = validate(schema, compileValidator(schema), given, facts);
  const body = (request.body ?? {}) as JsonObject;
  const inside = (call.wrap ? body[call.wrap] : body) ?? {};
  // What is wrapped may come as JSON in a text (D142).
  const raw = typeof inside === 'string' ? given : (inside as JsonObject);
  const entity = definitions.entities[call.of];
  if (call.does === 'create' && entity && !call.encode) errors.push(...givenReadOnly(call, entity, raw));
  return { input: isPart ? { ...given, ...emptied } : strip(schema, given, facts), raw, errors };
}

function parsed(call: Call, { params, query, body }: FastifyRequest): JsonObject {
  try {
    return parseRequest(call, { params, query, body });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw invalid([{ pointer: `/${error.member}`, rule: 'format', message: error.message }]);
  }
}

function versionOf(header: string | undefined, input: JsonObject): number | undefined {
  if (header !== undefined && header !== '*') {
    const match = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header.trim());
    if (!match) throw new Refusal(400, 'BAD_REQUEST', t`The if-match header holds the version that you read: a whole number.`);
    return Number(match[1]);
  }
  return typeof input.version === 'number' ? input.version : undefined;
}

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
      config: services.config,
      requestId: request.id,
      ip: services.clientAddress(request.raw),
      mailer: services.mailer,
      background: work => services.background(work),
      address: services.address,
      host: request.headers.host,
    },
    input,
  );
  return sendResult(services.definitions, call, request, reply, result);
}

function sendResult(
  definitions: Definitions,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  result: JsonValue | Reply,
  input: JsonObject = {},
): FastifyReply {
  if (result instanceof Reply && result.file) {
    const { name, contentType, content, inline } = result.file;
    const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
    void reply
      .code(result.status)
      .header('content-type', contentType)
      .header('cache-control', 'no-store')
      .header(
        'content-disposition',
        `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      )
      // Whatever it is, it runs nothing: uploaded pictures and exports are only looked at or saved.
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    return reply.send(typeof content === 'string' || content instanceof Uint8Array ? content : Readable.from(content));
  }
  const text = textOf(definitions, call, result);
  const status = result instanceof Reply ? result.status : 200;
  const pager = definitions.hosts[call.host]?.pagers[call.page ?? 'whole'];
  const isRange = pager?.contentRange === true && result instanceof Reply && result.pageInfo !== undefined;
  if (isRange) {
    const { total = 0, totalIsCapped } = result.pageInfo as PageInfo;
    void reply.header('content-range', contentRange(call, Number(input.offset ?? 0), result.texts?.length ?? 0, total));
    if (totalIsCapped) void reply.header(TOTAL_IS_CAPPED, 'true');
  }
  // Browsers take a Content-Range on a compressed answer for a broken one.
  if (!isRange && text.length > 2048 && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    return reply
      .code(status)
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-encoding', 'gzip')
      .header('vary', 'accept-encoding')
      .send(gzipSync(text, { level: 1 }));
  }
  return sendJson(reply, status, text);
}
