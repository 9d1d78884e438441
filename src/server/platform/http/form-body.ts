// The fields of a form of a page for customers, as browsers without scripts send them.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../context.ts';
import { refuseText } from './body.ts';
import { t } from '../../../domain/text/t.ts';

const TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
/** A page has a dozen fields; what is longer than any of them is no form of ours. */
const [MOST_FIELDS, LONGEST] = [40, 20_000];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes the fields of a form besides JSON. */
    takesForm?: boolean;
  }
}

/** Whether a request is a form that its route takes. */
export const isForm = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.takesForm === true && TYPE.test(headers['content-type'] ?? '');

/** Fields by their names; of one that is given twice the last counts. @throws Refusal 400 */
export function fieldsOf(body: string): Record<string, string> {
  const given = [...new URLSearchParams(body)];
  if (given.length > MOST_FIELDS || body.length > LONGEST) throw new Refusal(400, 'BAD_REQUEST', t`This form is too long.`);
  for (const [name, value] of given) {
    refuseText(name);
    refuseText(value);
  }
  return Object.fromEntries(given);
}

export const takeForms = (app: FastifyInstance): void => {
  app.addContentTypeParser(TYPE, { parseAs: 'string' }, (_request: FastifyRequest, body: string, done) => {
    try {
      done(null, fieldsOf(body));
    } catch (error) {
      done(error as Error);
    }
  });
};
