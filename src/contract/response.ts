// An answer on the wire -> what the screen reads, and back: the line that unwraps an answer also wraps it.
import type { Call, ErrorAnswer, Host, JsonObject, JsonValue, PageInfo } from './types.ts';
import { codecs } from '../domain/codecs/index.ts';
import { at, put } from './paths.ts';

export interface Answer {
  data: JsonValue;
  total?: number;
  pageInfo?: PageInfo;
  message?: string;
}

/** The answer came, but says that the call failed, or lacks what the call's line promises. */
export class AnswerError extends Error {
  readonly body: unknown;
  constructor(message: string, body: unknown) {
    super(message);
    this.name = 'AnswerError';
    this.body = body;
  }
}

/** Whether a body is one of our refusals (they all have the same form). */
export const isRefusal = (body: unknown): body is ErrorAnswer =>
  body !== null && typeof body === 'object' && (body as ErrorAnswer).success === false && typeof (body as ErrorAnswer).message === 'string';

/**
 * What a call's answer holds: `data` from the call's `out`, the total and the cursors from where its pager says. Throws AnswerError
 * when the flag at `ok` is not true, and for a list whose `out` holds no list.
 * `headers` are those of the answer, for pagers that stand there.
 */
export function readAnswer(call: Call, host: Host, body: JsonValue, headers?: Pick<Headers, 'get'>): Answer {
  const pager = host.pagers[call.page ?? 'whole'] ?? {};
  if (isRefusal(body)) throw new AnswerError(body.message, body);
  if (call.ok) {
    const flag = at(body, call.ok);
    if (flag !== true && flag !== 'true') {
      const sentence = at(body, 'message') ?? at(body, 'error');
      throw new AnswerError(
        typeof sentence === 'string' && sentence
          ? sentence
          : `${call.title ?? call.name} was refused without a reason ("${call.ok}" is not true in the answer).`,
        body,
      );
    }
  }
  let data = at(body, call.out);
  if (call.decode && data !== undefined) data = codecs[call.decode]?.decode(data);
  if (call.does === 'list' && !Array.isArray(data))
    throw new AnswerError(
      `${call.method} ${call.path} (${call.name}) should answer a list at "${call.out}", but holds ` +
        `${data === undefined ? 'nothing' : typeof data} there.`,
      body,
    );
  const total = call.total ? at(body, call.total) : undefined;
  const given = at(body, 'pageInfo') as PageInfo | undefined;
  const next = pager.next ? at(body, pager.next) : undefined;
  const previous = pager.previous ? at(body, pager.previous) : undefined;
  const pageInfo: PageInfo | undefined =
    given ??
    (pager.contentRange ? rangeOf(headers) : undefined) ??
    (pager.next
      ? {
          hasNextPage: next !== undefined && next !== null && next !== false,
          hasPreviousPage: previous !== undefined && previous !== null && previous !== false,
          ...(typeof next === 'string' ? { nextCursor: next } : {}),
          ...(typeof previous === 'string' ? { previousCursor: previous } : {}),
        }
      : undefined);
  const message = at(body, 'message');
  return {
    data: data ?? null,
    ...(typeof total === 'number'
      ? { total }
      : call.does === 'list' && (call.page ?? 'whole') === 'whole' && Array.isArray(data)
        ? { total: data.length }
        : {}),
    ...(pageInfo ? { pageInfo } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

/** Says beside Content-Range that its total is the least there can be. */
export const TOTAL_IS_CAPPED = 'x-total-is-capped';

/** The Content-Range header of a list: "suppliers 25-49/319", with a star for the places where nothing is there. */
export const contentRange = (call: Call, offset: number, rows: number, total: number): string =>
  `${call.path.slice(call.path.lastIndexOf('/') + 1)} ${rows ? `${offset}-${offset + rows - 1}` : '*'}/${total}`;

function rangeOf(headers: Pick<Headers, 'get'> | undefined): PageInfo | undefined {
  const [, from, to, total] = /^\S+ (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(headers?.get('content-range') ?? '') ?? [];
  if (total === undefined) return undefined;
  const isCapped = headers?.get(TOTAL_IS_CAPPED) === 'true';
  return {
    hasNextPage: to !== undefined && (isCapped || Number(to) + 1 < Number(total)),
    hasPreviousPage: from !== undefined && Number(from) > 0,
    total: Number(total),
    ...(isCapped ? { totalIsCapped: true } : {}),
  };
}

/** The body of a call's answer: `data` at the call's `out` in the common envelope; the whole body where `out` is empty. */
export function writeAnswer(call: Call, host: Host, data: JsonValue, pageInfo?: PageInfo, message = 'OK'): JsonValue {
  const pager = host.pagers[call.page ?? 'whole'] ?? {};
  const wire = call.decode ? (codecs[call.decode]?.encode(data) ?? null) : data;
  if (call.out === '') return wire;
  let body: JsonValue = { success: true, message, code: 'SUCCESS' };
  if (call.ok && call.ok !== 'success') body = put(body, call.ok, true);
  body = put(body, call.out, wire);
  if (pageInfo) {
    if (!pager.next && !pager.total && !call.total) return { ...(body as JsonObject), pageInfo: { ...pageInfo } as JsonObject };
    const inEnvelope = [pager.next, pager.previous, call.total].every(path => path === undefined || path.startsWith('pageInfo.'));
    if (inEnvelope) body = { ...(body as JsonObject), pageInfo: { ...pageInfo } as JsonObject };
    if (pager.next && !inEnvelope) body = put(body, pager.next, pageInfo.nextCursor ?? null);
    if (pager.previous && !inEnvelope) body = put(body, pager.previous, pageInfo.previousCursor ?? null);
    if (call.total && pageInfo.total !== undefined) body = put(body, call.total, pageInfo.total);
  }
  return body;
}
