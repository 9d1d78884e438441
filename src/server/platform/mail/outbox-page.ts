// The outbox as a page, for development and demos: only on this machine and by the address that the start prints, never where real mail is
// sent.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { framed } from '../../../domain/messages/frame.ts';
import { hashToken } from '../auth/tokens.ts';
import { Refusal } from '../context.ts';
import { isThisMachine } from '../http/hosts.ts';
import type { Services } from '../services.ts';
import { attachmentsOf } from './attachments.ts';
import { brandAt, mailBase } from './letterhead.ts';
import { t } from '../../../domain/text/t.ts';

const escape = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
/** Addresses in a plain text as links. */
const linked = (text: string): string =>
  escape(text).replace(/https?:\/\/[^\s&]+(?:&#38;[^\s&]+)*/g, address => `<a href="${address}" rel="noopener noreferrer">${address}</a>`);
const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.');

/**
 * Where the page is: a person who reads the terminal may read the mail. A proxy on this machine that leaves no trace of itself does not
 * know it.
 */
export const outboxPath = ({ outboxKey }: Pick<Services, 'outboxKey'>): string => `/dev/outbox?key=${outboxKey}`;

const isSame = (given: unknown, key: string): boolean => typeof given === 'string' && timingSafeEqual(hashToken(given), hashToken(key));

interface SentLetter {
  store_id: number;
  id: number;
  template: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  language: string;
  contract_id: number | null;
  created_at: Date;
  send_after: Date;
  sent_at: Date | null;
  failed_reason: string | null;
  branding_version: number | null;
  store: string;
  /** Names of the files beside it. */
  files: string[];
}
const COLUMNS =
  'o.store_id, o.id, o.template, o.recipient, o.subject, o.text, o.html, o.language, o.contract_id, o.created_at, o.send_after, ' +
  'o.sent_at, o.failed_reason, o.branding_version, s.name as store, array(select a.name from mail_attachments a ' +
  'where a.store_id = o.store_id and a.outbox_id = o.id and a.cid is null order by a.no) as files ' +
  'from outbox o join stores s on s.id = o.store_id';

const minute = (at: Date): string => `${at.toISOString().replace('T', ' ').slice(0, 16)} UTC`;

/** What became of it, for its reader. */
const state = ({ sent_at, failed_reason, send_after, created_at }: SentLetter): string =>
  failed_reason !== null
    ? ` · failed: ${escape(failed_reason)}`
    : sent_at
      ? ''
      : send_after > created_at
        ? ` · waits until ${minute(send_after)}`
        : ' · waiting';

/** One letter: to whom, why, its text part, and its HTML as a phone and a desktop show it. */
function article(letter: SentLetter, { definitions, outboxKey }: Pick<Services, 'definitions' | 'outboxKey'>): string {
  const message = definitions.messages[letter.template];
  const why = [message?.description, letter.contract_id === null ? '' : `Subscription #${letter.contract_id}.`].filter(Boolean).join(' ');
  const which = `?key=${outboxKey}&store=${letter.store_id}&id=${letter.id}`;
  const address = `/dev/outbox/letter${which}`;
  const files = letter.files.map(
    name => `<a href="${escape(`/dev/outbox/file${which}&name=${encodeURIComponent(name)}`)}" download>${escape(name)}</a>`,
  );
  const shown = (title: string, width: number): string =>
    `<details><summary>${title}</summary>` +
    `<iframe title="${escape(letter.subject)}" src="${escape(address)}" width="${width}" height="520" ` +
    `loading="lazy" sandbox></iframe></details>`;
  return (
    `<article><h2>${escape(letter.subject)}</h2><p>To ${escape(letter.recipient)} · ${escape(letter.store)} · ` +
    `${minute(letter.created_at)}${state(letter)}</p>${why ? `<p>${escape(why)}</p>` : ''}<pre>${linked(letter.text)}</pre>` +
    `${files.length ? `<p>Attached: ${files.join(', ')}</p>` : ''}` +
    `${letter.html ? shown('As a phone shows it', 375) + shown('As a desktop shows it', 680) : ''}</article>`
  );
}

/**
 * GET /dev/outbox: the newest 100 messages of all stores; GET /dev/outbox/letter: the HTML of one, as a page that may do nothing but
 * be looked at; GET /dev/outbox/file: what it carries beside its words.
 */
export function registerOutboxPage(app: FastifyInstance, services: Services): void {
  const refuseOthers = (request: FastifyRequest): void => {
    if (
      !isLoopback(request.socket.remoteAddress ?? '') ||
      !isThisMachine(request.headers.host ?? '') ||
      request.headers['x-forwarded-for'] !== undefined ||
      !isSame((request.query as { key?: unknown }).key, services.outboxKey) ||
      services.config.smtpUrl
    )
      throw new Refusal(404, 'NOT_FOUND', t`There is nothing at this address.`);
  };
  const send = (reply: FastifyReply, policy: string, html: string): FastifyReply =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', `default-src 'none'; base-uri 'none'; form-action 'none'; ${policy}`)
      .send(html);

  app.get('/dev/outbox/letter', async (request, reply) => {
    refuseOthers(request);
    const { store, id } = request.query as Record<string, unknown>;
    const { rows } = await services.db.ownerQuery<SentLetter>(`select ${COLUMNS} where o.store_id = $1 and o.id = $2`, [
      Number(store) || 0,
      Number(id) || 0,
    ]);
    const [letter] = rows;
    if (!letter) throw new Refusal(404, 'NOT_FOUND', t`There is nothing at this address.`);
    const storeId = letter.store_id;
    const { definitions } = services;
    const { brand, carried } = await services.db.inStore(
      storeId,
      async trx => ({
        brand: await brandAt({ trx, storeId, definitions }, letter.branding_version, mailBase(services)),
        carried: (await attachmentsOf(trx, storeId, [letter.id])).get(Number(letter.id)) ?? [],
      }),
      { readOnly: true },
    );
    const html = carried.reduce((all, { cid, contentType, content }) => {
      const picture = `src="data:${contentType};base64,${Buffer.from(content).toString('base64')}"`;
      return cid === undefined ? all : all.replaceAll(`src="cid:${cid}"`, picture);
    }, letter.html);
    return send(
      reply,
      "style-src 'unsafe-inline'; img-src 'self' https: http: data:; frame-ancestors 'self'; sandbox",
      framed({ subject: letter.subject, html, language: letter.language, storeName: letter.store, brand }),
    );
  });

  app.get('/dev/outbox/file', async (request, reply) => {
    refuseOthers(request);
    const { store, id, name } = request.query as Record<string, unknown>;
    const { rows } = await services.db.ownerQuery<{ content_type: string; content: Uint8Array }>(
      'select content_type, content from mail_attachments where store_id = $1 and outbox_id = $2 and name = $3 and cid is null',
      [Number(store) || 0, Number(id) || 0, String(name)],
    );
    const [file] = rows;
    if (!file) throw new Refusal(404, 'NOT_FOUND', t`There is nothing at this address.`);
    return reply.header('content-type', file.content_type).header('cache-control', 'no-store').send(Buffer.from(file.content));
  });

  app.get('/dev/outbox', async (request, reply) => {
    refuseOthers(request);
    const { rows } = await services.db.ownerQuery<SentLetter>(`select ${COLUMNS} order by o.created_at desc, o.id desc limit 100`);
    const nonce = randomBytes(16).toString('base64url');
    return send(
      reply,
      `style-src 'nonce-${nonce}'; frame-src 'self'; frame-ancestors 'none'`,
      `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Outbox</title>
<style nonce="${nonce}">body{font:15px/1.5 system-ui;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
article{border:1px solid #8884;border-radius:8px;padding:1rem;margin:1rem 0}h2{font-size:1rem;margin:0}p{margin:.25rem 0;opacity:.75}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.75rem 0}iframe{display:block;max-width:100%;margin:.5rem 0;
border:1px solid #8884;border-radius:8px;background:#fff}</style></head>
<body><h1>Outbox</h1><p>Mail that this server would have sent. Set SMTP_URL to send it.</p>
${rows.map(letter => article(letter, services)).join('\n') || '<p>Nothing was sent yet.</p>'}</body></html>`,
    );
  });
}
