// The outbox as a page, for development and demos: only on this machine and by the address that the start prints, never where real mail is
// sent.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { hashToken } from '../auth/tokens.ts';
import { Refusal } from '../context.ts';
import { isThisMachine } from '../http/hosts.ts';
import type { Services } from '../services.ts';

const escape = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
/** Addresses in a plain text as links. */
const linked = (text: string): string =>
  escape(text).replace(/https?:\/\/[^\s&]+(?:&#38;[^\s&]+)*/g, address => `<a href="${address}" rel="noopener noreferrer">${address}</a>`);
const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.');

/**
 * Where the page is: whoever reads the terminal may read the mail. A proxy on this machine that leaves no trace of itself does not know it.
 */
export const outboxPath = ({ outboxKey }: Pick<Services, 'outboxKey'>): string => `/dev/outbox?key=${outboxKey}`;

const isSame = (given: unknown, key: string): boolean => typeof given === 'string' && timingSafeEqual(hashToken(given), hashToken(key));

/** GET /dev/outbox: the newest 100 messages of all stores. */
export function registerOutboxPage(app: FastifyInstance, services: Services): void {
  app.get('/dev/outbox', async (request, reply) => {
    if (
      !isLoopback(request.socket.remoteAddress ?? '') ||
      !isThisMachine(request.headers.host ?? '') ||
      request.headers['x-forwarded-for'] !== undefined ||
      !isSame((request.query as { key?: unknown }).key, services.outboxKey) ||
      services.config.smtpUrl
    )
      throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.');
    const { rows } = await services.db.ownerQuery<{
      recipient: string;
      subject: string;
      text: string;
      created_at: Date;
      sent_at: Date | null;
      store: string;
    }>(
      'select o.recipient, o.subject, o.text, o.created_at, o.sent_at, s.name as store ' +
        'from outbox o join stores s on s.id = o.store_id order by o.created_at desc, o.id desc limit 100',
    );
    const nonce = randomBytes(16).toString('base64url');
    const letters = rows
      .map(
        row =>
          `<article><h2>${escape(row.subject)}</h2><p>To ${escape(row.recipient)} · ${escape(row.store)} · ` +
          `${row.created_at.toISOString().replace('T', ' ').slice(0, 16)} ` +
          `UTC${row.sent_at ? '' : ' · waiting'}</p><pre>${linked(row.text)}</pre></article>`,
      )
      .join('\n');
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ).send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Outbox</title>
<style nonce="${nonce}">body{font:15px/1.5 system-ui;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
article{border:1px solid #8884;border-radius:8px;padding:1rem;margin:1rem 0}h2{font-size:1rem;margin:0}p{margin:.25rem 0;opacity:.75}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.75rem 0 0}</style></head>
<body><h1>Outbox</h1><p>Mail that this server would have sent. Set SMTP_URL to send it.</p>
${letters || '<p>Nothing was sent yet.</p>'}</body></html>`);
  });
}
