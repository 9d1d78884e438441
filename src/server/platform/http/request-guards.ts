// What is looked at before a request is read any further: where it comes from, how it is packed.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../context.ts';
import type { Config } from '../config.ts';
import { refuseText } from './body.ts';
import { FORM, isTaken } from './form-body.ts';
import { t } from '../../../domain/text/t.ts';

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Refuses writes that a page of another origin could have caused, and packed bodies. The token is in a header, so this is the second line.
 */
export function refuseForeign(request: FastifyRequest, config: Config): void {
  if (!CHANGES.has(request.method)) return;
  const { origin, 'content-encoding': packed, 'content-type': type } = request.headers;
  if (packed !== undefined && packed.toLowerCase() !== 'identity')
    throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', t`Send the body as it is, not compressed.`);
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (hasBody && !isTaken(request) && !/^application\/json\s*(;|$)/i.test(type ?? ''))
    throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', t`Send the body as application/json.`);
  // Where no body is, there is no type: react-admin names one with every DELETE.
  if (!hasBody) delete request.headers['content-type'];
  if (request.headers['sec-fetch-site'] === 'cross-site' && origin === undefined) throw foreign();
  if (origin === undefined || isOwnForm(request)) return;
  const { host } = request.headers;
  // Customers' pages may stand at an address of their own, whose proxy need not pass its host name on.
  const { portalUrl } = request.routeOptions.config.takes === FORM ? config : {};
  const known = [config.publicUrl, portalUrl].flatMap(address => (address ? [new URL(address).origin] : []));
  const own = new Set([`http://${host}`, `https://${host}`, ...known]);
  if (!own.has(origin.toLowerCase())) throw foreign();
}
/**
 * A form of a page for customers, which tells its address to no server, so that the browser writes "null" for where it comes from. Browsers
 * that say nothing else of it send no cookie of ours with the form of another site (SameSite), and who has no cookie needs the whole link.
 */
function isOwnForm({ headers, routeOptions }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers;
  return origin === 'null' && routeOptions.config.takes === FORM && site === 'same-origin';
}
const foreign = () =>
  new Refusal(403, 'FORBIDDEN', t`Changes are only accepted from the admin itself, not from a page of another address.`);

/** Refuses texts in the address that the database can't hold. */
export function refuseBadAddress(query: unknown, params: unknown): void {
  for (const part of [query, params]) {
    for (const [name, value] of Object.entries((part ?? {}) as Record<string, unknown>)) {
      refuseText(name);
      for (const one of Array.isArray(value) ? value : [value]) if (typeof one === 'string') refuseText(one);
    }
  }
}

/** Counts what went wrong per address within a minute, in this process. */
export class FailedAttempts {
  readonly #most: number;
  readonly #counts = new Map<string, { since: number; n: number }>();
  constructor(most: number) {
    this.#most = most;
  }
  /** Notes a miss. @returns seconds to wait when there were too many, else 0 */
  note(address: string): number {
    const now = Date.now();
    if (this.#counts.size > 10_000) for (const [name, one] of this.#counts) if (now - one.since > 60_000) this.#counts.delete(name);
    let one = this.#counts.get(address);
    if (!one || now - one.since > 60_000) this.#counts.set(address, (one = { since: now, n: 0 }));
    return ++one.n > this.#most ? Math.max(1, Math.ceil((one.since + 60_000 - now) / 1000)) : 0;
  }
}

export function sendJson(reply: FastifyReply, status: number, text: string, retryAfter?: number): FastifyReply {
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store').send(text);
}
