// What is fetched without signing in for the sake of e-mails: pictures in them, the pixel that says that one was opened, and the frame in
// which the admin shows them.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../context.ts';
import { isToken } from '../auth/tokens.ts';
import type { Services } from '../services.ts';
import { t } from '../../../domain/text/t.ts';

const TYPES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif' };
/** A GIF of one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const NOTHING = { 'content-security-policy': "default-src 'none'; sandbox", 'cross-origin-resource-policy': 'cross-origin' };

/**
 * The page shows the HTML that the page around it sends, and says how high it is; it has no rights of its own (sandbox), no scripts but
 * this one, no way out.
 */
const FRAME_SCRIPT =
  "const tell=()=>parent.postMessage({height:document.documentElement.scrollHeight},'*');" +
  "addEventListener('message',e=>{if(e.source!==parent)return;const d=new DOMParser().parseFromString(String(e.data),'text/html');" +
  'document.documentElement.replaceChild(d.body,document.body);new ResizeObserver(tell).observe(document.body);' +
  "addEventListener('load',tell,true)});addEventListener('click',e=>e.preventDefault());parent.postMessage({height:0},'*')";
const FRAME_HASH = createHash('sha256').update(FRAME_SCRIPT).digest('base64');
const FRAME =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>E-mail</title></head><body>' +
  `<script>${FRAME_SCRIPT}</script></body></html>`;
const FRAME_POLICY =
  `default-src 'none'; script-src 'sha256-${FRAME_HASH}'; style-src 'unsafe-inline'; img-src http: https: data:; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";

export function registerMailPages(app: FastifyInstance, { db }: Pick<Services, 'db'>): void {
  const missing = (): Refusal => new Refusal(404, 'NOT_FOUND', t`There is nothing at this address.`);

  /** A picture by its content: the same for ever. */
  app.get<{ Params: { store: string; file: string } }>('/media/:store/:file', async (request, reply) => {
    const [, sha256, ending = ''] = /^([0-9a-f]{64})\.(png|jpg|gif)$/.exec(request.params.file) ?? [];
    const store = /^[1-9]\d{0,8}$/.exec(request.params.store)?.[0];
    if (!sha256 || !store) throw missing();
    const storeId = Number(store);
    const file = await db.inStore(
      storeId,
      trx =>
        trx
          .selectFrom('files')
          .select(['content', 'content_type'])
          .where('store_id', '=', storeId)
          .where('sha256', '=', sha256)
          .where('is_public', '=', true)
          .executeTakeFirst(),
      { readOnly: true },
    );
    if (!file || file.content_type !== TYPES[ending]) throw missing();
    return reply
      .headers(NOTHING)
      .header('content-type', file.content_type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(Buffer.from(file.content));
  });

  /** Always the same answer: whether there is such a letter stays secret. The first look counts. */
  app.get<{ Params: { file: string } }>('/mail/opened/:file', async (request, reply) => {
    const key = request.params.file.replace(/\.gif$/, '');
    if (isToken(key))
      await db.ownerQuery(
        `update outbox o set opened_at = now() + s.clock_offset_ms * interval '1 millisecond'
          from stores s where s.id = o.store_id and o.open_key = $1 and o.opened_at is null`,
        [key],
      );
    return reply.headers(NOTHING).header('content-type', 'image/gif').header('cache-control', 'no-store').send(PIXEL);
  });

  app.get('/mail/frame', { config: { line: 'none' } }, async (_request, reply) =>
    reply
      .header('content-security-policy', FRAME_POLICY)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(FRAME),
  );
}
