// POST /in/mail: a mail server hands over what came back to the address of undeliverable mail, and complaints of readers that mailbox
// providers sent (feedback loops), each as it came.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import PostalMime from 'postal-mime';
import { traces, verdictsOf, type Report } from '../../../domain/messages/mail-report.ts';
import { t } from '../../../domain/text/t.ts';
import { hashToken } from '../auth/tokens.ts';
import { Refusal } from '../context.ts';
import { networkOf } from '../http/client-address.ts';
import { FailedAttempts } from '../http/request-guards.ts';
import type { Services } from '../services.ts';
import { namedMail } from './mail-token.ts';
import { noteReturned } from './returned.ts';

const RAW = /^message\/rfc822\s*(;|$)/i;
/** Wrong keys within a minute from one address. */
const MOST_WRONG = 20;

/** A message in its parts. @throws Refusal 422 for what can't be read */
async function reportIn(raw: Buffer): Promise<Report> {
  const { headers, attachments } = await PostalMime.parse(raw, {
    attachmentEncoding: 'utf8',
    forceRfc822Attachments: true,
    maxNestingDepth: 10,
  }).catch(() => {
    throw new Refusal(422, 'UNREADABLE', t`This is no message that can be read (RFC 5322). Nothing was changed.`);
  });
  return { headers, parts: attachments.map(({ mimeType, content }) => ({ type: mimeType, text: String(content) })) };
}

/**
 * Answers `{ "outcome": … }`: NOTED; KNOWN (noted before, or about a hidden copy); NO_REPORT for what says nothing of a failure, such as
 * an answer from a holiday. Refuses with 401 a wrong key, 429 too many of them, 422 what names no e-mail of ours by a signature that fits.
 */
export function registerReturnedMail(app: FastifyInstance, { db, clientAddress }: Services, key: string): void {
  const wrong = new FailedAttempts(MOST_WRONG);
  const mustKnowKey = (request: FastifyRequest): void => {
    if (timingSafeEqual(hashToken(request.headers.authorization ?? ''), hashToken(`Bearer ${key}`))) return;
    const wait = wrong.note(networkOf(clientAddress(request.raw)));
    if (wait > 0) throw new Refusal(429, 'TOO_MANY_REQUESTS', t`Too many wrong keys. Try again later.`, undefined, undefined, wait);
    throw new Refusal(401, 'UNAUTHORIZED', t`Send the key of MAIL_BOUNCE_KEY as “Authorization: Bearer …”.`);
  };
  app.addContentTypeParser(RAW, { parseAs: 'buffer' }, (_request: FastifyRequest, body: Buffer, done) => done(null, body));
  app.post<{ Querystring: { to?: unknown } }>(
    '/in/mail',
    {
      config: { takes: RAW },
      onRequest: async request => mustKnowKey(request),
    },
    async ({ body, query: { to } }) => {
      if (!(body instanceof Buffer)) throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', t`Send the message as it came, as message/rfc822.`);
      const report = await reportIn(body);
      const verdicts = verdictsOf(report);
      if (verdicts.length === 0) return { outcome: 'NO_REPORT' };
      const mail = await namedMail(db, 'return', traces(report, typeof to === 'string' ? to : ''));
      if (!mail)
        throw new Refusal(422, 'UNKNOWN_MAIL', t`This report names no e-mail of ours by a signature that fits. Nothing was changed.`);
      const { storeId, id } = mail;
      return db.inStore(storeId, async trx => {
        const { clock_offset_ms: offset } = await trx
          .selectFrom('stores')
          .select('clock_offset_ms')
          .where('id', '=', storeId)
          .executeTakeFirstOrThrow();
        let isNew = false;
        for (const verdict of verdicts)
          isNew = (await noteReturned({ trx, storeId, at: new Date(Date.now() + offset) }, id, verdict)) || isNew;
        return { outcome: isNew ? 'NOTED' : 'KNOWN' };
      });
    },
  );
}
