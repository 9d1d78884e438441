// The fields of a form of a page for customers, as browsers without scripts send them.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../context.ts';
import { refuseLost, refuseText } from './body.ts';
import { t } from '../../../domain/text/t.ts';

const TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
/** Mail programs that end advertising by one press may post this kind (RFC 8058). */
const IN_PARTS = /^multipart\/form-data\s*;/i;
/** What a form may be sent as. */
export const FORM = new RegExp(`${TYPE.source}|${IN_PARTS.source}`, 'i');
/** A page has a dozen fields; what is longer than any of them is no form of ours, unless its page says that it has more. */
const [MOST_FIELDS, LONGEST] = [40, 20_000];
/** A field of a form with many is short: its name, and a number. */
const SHORT = 60;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The type of bodies that the route takes besides JSON. */
    takes?: RegExp;
    /** How many fields a form of the route may have; left out: as many as most pages need. */
    fields?: number;
  }
}

/** Whether a request has a body of the kind that its route takes besides JSON. */
export const isTaken = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.takes?.test(headers['content-type'] ?? '') === true;

const tooLong = (): Refusal => new Refusal(400, 'BAD_REQUEST', t`This form is too long.`);

/** Fields by their names; of one that is given twice the last counts. @throws Refusal 400 */
export function fieldsOf(body: string, most = MOST_FIELDS): Record<string, string> {
  if (body.length > Math.max(LONGEST, most * SHORT)) throw tooLong();
  return taken([...new URLSearchParams(body)], most);
}
/** The same of a form that is sent in parts; files are left out. @throws Refusal 400 */
async function fieldsInParts(type: string, body: Buffer): Promise<Record<string, string>> {
  if (body.length > LONGEST) throw tooLong();
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw new Refusal(400, 'BAD_REQUEST', t`This form could not be read.`);
  });
  return taken([...form].flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : [])));
}
function taken(given: [string, string][], most = MOST_FIELDS): Record<string, string> {
  if (given.length > most) throw tooLong();
  for (const [name, value] of given) {
    refuseText(name);
    refuseText(value);
    refuseLost(value, undefined);
  }
  return Object.fromEntries(given);
}

export const takeForms = (app: FastifyInstance): void => {
  app.addContentTypeParser(TYPE, { parseAs: 'string' }, (request: FastifyRequest, body: string, done) => {
    try {
      done(null, fieldsOf(body, request.routeOptions.config.fields));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(IN_PARTS, { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer) =>
    fieldsInParts(request.headers['content-type'] ?? '', body),
  );
};
