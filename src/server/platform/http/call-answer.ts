// Sends what a call answers: JSON in one form, with its range and compressed, or a file.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { accessOf } from '../../../contract/access.ts';
import { contentRange, TOTAL_IS_CAPPED } from '../../../contract/response.ts';
import type { Call, Definitions, JsonObject, JsonValue, PageInfo } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { tokenIn } from '../auth/api-tokens.ts';
import type { Caller } from '../auth/sessions.ts';
import { tokenOf } from '../auth/tokens.ts';
import { Refusal, Reply, type ReplyFile } from '../context.ts';
import type { Services } from '../services.ts';
import { refusalOf } from './caller-check.ts';
import { unauthorized } from './error-responses.ts';
import { sendJson } from './request-guards.ts';
import { textOf } from './write-call.ts';

/** A file that is written while it is read. */
export const isStream = (result: JsonValue | Reply): result is Reply & { file: ReplyFile } =>
  result instanceof Reply &&
  result.file !== undefined &&
  typeof result.file.content !== 'string' &&
  !(result.file.content instanceof Uint8Array);

/** Longest rest (ms) after a piece of a file. */
const LONGEST_REST_MS = 50;

/**
 * A file that is streamed goes on as long as its person may have it: before each piece of it the person is looked up as for a call. A file
 * is broken off when they were removed or signed out, or lost the call's right, the plan's feature, or the right to look at any area that
 * they could look at when it began. While calls are served, it leaves them as much time as each piece took.
 */
export function whileAllowed(
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
    let from = performance.now();
    for await (const piece of content as AsyncIterable<Uint8Array | string>) {
      const took = performance.now() - from;
      const now = await services.sessions.caller(tokenOf(tokenIn(request.headers) ?? ''));
      if (!now) throw unauthorized();
      if (refusalOf(services, call, now) || !areas.every(area => accessOf(now.session).can(area, 'READ')))
        throw new Refusal(403, 'FORBIDDEN', t`Your rights changed while this file was made. Export it again.`);
      yield piece;
      if (services.shares.line('calls').state.inside > 0) await sleep(Math.min(took, LONGEST_REST_MS));
      from = performance.now();
    }
  }
  return new Reply(null, { status: result.status, file: { ...file, content: allowed() } });
}

/** Answers a request with what its call gave; `input` tells where a page of a list began. */
export function sendResult(
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
