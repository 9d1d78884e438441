// Pages for customers, who do not sign in: a link in an e-mail brings them. A feature's pages/ holds one file for each kind of link.
// Looking at a page changes nothing (programs that check mail open every link); what it does is behind a button.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageAttributes } from '../../../domain/text/direction.ts';
import { language, t } from '../../../domain/text/t.ts';
import { FORM, takeForms } from './form-body.ts';
import type { IncomingMessage } from 'node:http';
import { networkOf } from './client-address.ts';
import { cookieNamed, cookieOf, firstVisit, withSecret, type LinkSecret } from './link-secret.ts';
import type { PageRequest, PageServices } from './page-request.ts';
import { refuseBadAddress } from './request-guards.ts';

/** What the page's own cookie (`PublicPage.cookie`) holds from then on. */
export interface OwnCookie {
  value: string;
  path: string;
  seconds: number;
}
/** What a page answers: HTML (the body of the document), another address, or CSS. */
export type PageAnswer =
  | {
      status: number;
      title: string;
      html: string;
      /** An address on another origin to which a form of the page may lead, or every secure one. */
      formAction?: string;
      /** The language of its words; English where it is left out. */
      language?: string;
      /** The address of CSS of the product's own that comes after the standard. */
      styleSheet?: string;
      /** What stands above and below the main part of the page. */
      header?: string;
      footer?: string;
      /** An element of a script of the product's own, `<script src="…"></script>`, behind links to what it will read. */
      script?: string;
      cookie?: OwnCookie;
    }
  | { redirect: string; cookie?: OwnCookie }
  | {
      css: string;
      /** Whether its address will never mean anything else. */
      isFinal: boolean;
    }
  | {
      /** A page for a frame: nothing but this script of the product's own, which does what the page around it sends. */
      frame: string;
      /** Code of a merchant runs in it, beside pages of any origin; it may ask other addresses, and has no origin of its own. */
      runsCode?: true;
    }
  | {
      /** For scripts on any page, so it holds nothing that not everybody may know; null: there is nothing at this address. */
      json: string | null;
      /** For how long a browser may take it from its own store (s). */
      seconds: number | 'for ever';
    };
export interface PublicPage {
  /** "/q/:token" */
  path: string;
  /**
   * What of a link's address proves who comes, and so leaves the address at the first visit; the page is called as if it were still there
   * and writes it nowhere. Null where everybody may know the address.
   */
  secret: LinkSecret | null;
  /** What a page without a secret reads of its query. */
  asks?: readonly string[];
  /** How many fields its form may have, where that is more than most pages need. */
  fields?: number;
  /** Pages of other origins may read it, its refusals too. */
  anyOrigin?: true;
  /** The name of a cookie of its own, of a page without a secret. */
  cookie?: string;
  get(services: PageServices, request: PageRequest): Promise<PageAnswer>;
  /** The visitor's language, for what is said where the page can't be shown; undefined where that is not known. */
  languageOf?(services: PageServices, request: PageRequest): Promise<string | undefined>;
  /** Behind a button: a form whose address says what is chosen, with what was filled in. */
  post?(services: PageServices, request: PageRequest): Promise<PageAnswer>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a page that could not be shown: its reader's language. */
    customerLanguage?: string | undefined;
  }
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

export const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f6f5f2;color:#1f1d1a}' +
  'main{max-width:30rem;margin:0 auto;padding:2.5rem 1.25rem}article{background:#fff;border:1px solid #dedad3;border-radius:12px;' +
  'padding:1.5rem}h1{font-size:1.375rem;line-height:1.3;margin:0 0 .75rem}p{margin:0 0 .75rem}ul{margin:0 0 .75rem;padding-left:1.25rem}' +
  'img{display:block;max-width:100%;border-radius:8px;margin:0 0 1rem}form{margin:.5rem 0 0}' +
  'button{font:inherit;font-weight:600;width:100%;' +
  'min-height:44px;padding:.5rem 1rem;border:0;border-radius:8px;background:#1d5c43;color:#fff;cursor:pointer}' +
  'h2{font-size:1.0625rem;line-height:1.3;margin:1.5rem 0 .5rem;padding-top:1.25rem;border-top:1px solid #dedad3}' +
  'figure{margin:0 0 .75rem}blockquote{margin:.25rem 0 .75rem;white-space:pre-line}' +
  'blockquote.said{padding:1rem 1.25rem;font-size:1.125rem}' +
  'h3{font-size:1rem;margin:.75rem 0 .25rem}a{color:#1d5c43}nav{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 .75rem}' +
  'nav a{display:inline-flex;align-items:center;min-height:44px;padding:0 .875rem;border:1px solid #b9b3a9;border-radius:8px;' +
  'text-decoration:none;font-weight:600;box-sizing:border-box}label{display:block;font-weight:600;margin:0 0 .25rem}' +
  'input{font:inherit;box-sizing:border-box;width:100%;min-height:44px;padding:.5rem .75rem;border:1px solid #8a847b;border-radius:8px;' +
  'background:transparent;color:inherit;margin:0 0 .75rem}.said{padding:.75rem 1rem;border-radius:8px;background:#e3f0e9;color:#16402f}' +
  'button:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid #7fb99f;outline-offset:2px}' +
  '.quiet{color:#66615a;font-size:.875rem;margin:1rem 0 0}' +
  'select,textarea{font:inherit;box-sizing:border-box;width:100%;min-height:44px;padding:.5rem .75rem;border:1px solid #8a847b;' +
  'border-radius:8px;background:transparent;color:inherit;margin:0 0 .75rem}option{color:#1f1d1a;background:#fff}' +
  'select:focus-visible,textarea:focus-visible{outline:3px solid #7fb99f;outline-offset:2px}' +
  'h2.item{font-size:1rem;margin:.75rem 0 .25rem;padding:0;border:0}form+p{margin-top:1rem}' +
  'fieldset{border:0;margin:0 0 .75rem;padding:0}legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}' +
  '.choice{display:flex;gap:.75rem;align-items:center;min-height:44px;font-weight:400;margin:0}' +
  '.choice input{flex:none;width:20px;min-height:20px;height:20px;margin:0}' +
  '.product{display:flex;gap:.75rem;align-items:center;margin:.75rem 0}.product:last-child{margin-bottom:0}' +
  '.product>div{overflow-wrap:anywhere}.product nav{flex:none;margin:0;max-width:9rem}.product nav a{text-align:center}' +
  '@media(max-width:26rem){.product:has(nav) img{width:48px;height:48px}.product nav a{padding:0 .625rem;font-size:.9375rem}}' +
  'ol .quiet{font-size:inherit;margin:0}article>.quiet:first-child{margin-top:0}' +
  '.pick{display:flex;gap:.75rem;align-items:center;justify-content:space-between;margin:.25rem 0}' +
  '.pick input{width:5rem;flex:none;margin:0}' +
  '.pick span{flex:1}.product>div{flex:1;min-width:0}.product ul{margin:0}form.box button{margin:.75rem 0 0}' +
  '.product img{flex:none;width:64px;height:64px;margin:0;object-fit:cover}.product h3,.product p{margin:0}' +
  '.track{display:flex;gap:4px;list-style:none;margin:1.25rem 0 .75rem;padding:0}' +
  '.track li{flex:1;position:relative;height:8px;border-radius:4px;background:#dedad3}.track .reached{background:#1d5c43}' +
  '.track img{position:absolute;right:0;bottom:-8px;width:24px;height:24px;margin:0;object-fit:contain}' +
  'summary{min-height:44px;display:list-item;box-sizing:border-box;padding:.65rem 0;font-weight:600;cursor:pointer}' +
  'summary:focus-visible{outline:3px solid #7fb99f;outline-offset:2px}' +
  '.offer{border:1px solid #dedad3;border-radius:12px;padding:1rem;margin:1.25rem 0 .75rem}.offer h2{border:0;margin:0 0 .5rem;padding:0}' +
  '.offer form button{width:auto}th{font-weight:600}th,td{vertical-align:top}' +
  'button.second{background:transparent;color:#1d5c43;border:1px solid #1d5c43}hr{border:0;border-top:1px solid #dedad3;margin:1.5rem 0}' +
  '.refused{color:#9b2c1f}.refused[role]{padding:.75rem 1rem;border-radius:8px;background:#fbe9e6}.refused[role]>:last-child{margin:0}' +
  '.refused a{color:inherit}.quiet+nav{margin-top:.5rem}' +
  '@media(prefers-color-scheme:dark){body{background:#171614;color:#efece7}article{background:#22201d;border-color:#3b3833}' +
  '.quiet{color:#aaa49b}a{color:#8fd0b2}h2,nav a{border-color:#57534c}.said{background:#1f3a2e;color:#d9f2e5}' +
  'button{background:#8fd0b2;color:#10241b}button.second{background:transparent;color:#8fd0b2;border-color:#8fd0b2}' +
  '.offer{border-color:#57534c}.track li{background:#3b3833}.track .reached{background:#8fd0b2}.refused{color:#ffb4a6}' +
  '.refused[role]{background:#3d211c}hr{border-color:#57534c}}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** An address as a source of a policy: nothing in it begins another source or directive. What a policy can't say is left out. */
export function policySource(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return '';
  const path = url.pathname.replaceAll(';', '%3B').replaceAll(',', '%2C').replaceAll("'", '%27');
  return /^[\w.:[\]-]+$/.test(url.host) ? `${url.protocol}//${url.host}${path}` : '';
}

const originOf = (address: string): string => (URL.canParse(address) ? policySource(new URL('/', address).href) : '');

const MOST_PICTURES = 60;
/** The pictures that a page shows, each by its own address: nothing else on the page may ask for another one. */
const picturesIn = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/<(?:img|source)\b[^>]*?\s(?:src|srcset)="(https:[^"]+)"/g)]
      .flatMap(([, given = '']) => unescapeHtml(given).split(/,?\s+/))
      .filter(one => one.startsWith('https:'))
      .map(policySource)
      .filter(Boolean)
      .slice(0, MOST_PICTURES),
  ),
];
const unescapeHtml = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&');

/** What a page of a customer may load: its own style and script, the product's, and the pictures that it shows. */
export const policyFor = (page: { html: string; header?: string; formAction?: string; styleSheet?: string; script?: string }): string => {
  const { html, header = '', formAction, styleSheet, script } = page;
  return [
    "default-src 'none'",
    // Its own frames: those in which the JavaScript of a box runs.
    ...(script ? ["script-src 'self'", "connect-src 'self'", "frame-src 'self'"] : []),
    `style-src 'sha256-${STYLE_HASH}'${styleSheet ? " 'self'" : ''}`,
    ["img-src 'self'", ...picturesIn(header + html)].join(' '),
    "font-src 'none'",
    ["form-action 'self'", ...(formAction === undefined ? [] : [formAction === 'https:' ? formAction : originOf(formAction)])]
      .join(' ')
      .trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/** A whole document; `html` is made of texts that were escaped. */
export const documentOf = (
  title: string,
  html: string,
  language: string,
  {
    styleSheet = '',
    header = '',
    footer = '',
    script = '',
  }: { styleSheet?: string; header?: string; footer?: string; script?: string } = {},
): string =>
  `<!doctype html><html ${languageAttributes(language)}><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  `<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style>` +
  `${styleSheet && `<link rel="stylesheet" href="${escapeHtml(styleSheet)}">`}${script}</head>` +
  `<body>${header}<main><article>${html}</article></main>${footer}</body></html>`;

/** A page without rights of its own: nothing it draws leads anywhere, and what it holds it was sent by the page around it. */
const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' http: https: data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-scripts";
const CODE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' https:; style-src 'unsafe-inline' https:; connect-src https:; " +
  "img-src https: data:; font-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors *; sandbox allow-scripts";
const frameOf = (script: string): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
  `<title>${escapeHtml(t`Preview`)}</title><script src="${escapeHtml(script)}" defer></script></head><body></body></html>`;

const texts = (given: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((given ?? {}) as Record<string, unknown>).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/** What is shown at an address without its secret, in a browser that has no cookie of the page. */
function openAgain(): PageAnswer {
  const title = t`Open your link again`;
  const lines = [
    t`This page needs the whole link that was sent to you. Open that link once more.`,
    t`If you come back here, your browser takes no cookies from this page: allow them, or open the link in another browser.`,
  ];
  const html = `<h1>${escapeHtml(title)}</h1>${lines.map(line => `<p>${escapeHtml(line)}</p>`).join('')}`;
  return { status: 404, title, html, language: language() };
}

type PagesServed = PageServices & {
  readonly pages: readonly PublicPage[];
  readonly clientAddress: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;
};
const named = (query: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));

const FOR_EVER = 'public, max-age=31536000, immutable';
/** Headers with which any page may read an answer: it is the same for everybody, and no cookie has a say in it. */
export const FOR_ALL_ORIGINS = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
const packed = promisify(gzip);
/** Shorter answers are not worth packing. */
const PACKED_FROM = 1000;

async function sendPublic(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { json, seconds }: Extract<PageAnswer, { json: string | null }>,
): Promise<FastifyReply> {
  void reply.header('content-type', 'application/json; charset=utf-8').header('vary', 'accept-encoding');
  if (json === null) return reply.status(404).header('cache-control', 'public, max-age=1').send('{}');
  void reply.header('cache-control', seconds === 'for ever' ? FOR_EVER : `public, max-age=${seconds}`);
  if (json.length < PACKED_FROM || !/\bgzip\b/.test(String(headers['accept-encoding']))) return reply.send(json);
  return reply.header('content-encoding', 'gzip').send(await packed(json));
}

/** Serves the pages of all features. */
export function registerPublicPages(app: FastifyInstance, services: PagesServed): void {
  takeForms(app);
  // Browsers look for an icon beside every page; these have none of their own.
  app.get('/favicon.ico', { config: { line: 'none' } }, (_request, reply) =>
    reply.code(204).header('cache-control', 'public, max-age=86400').send(),
  );
  for (const page of services.pages) {
    const serve =
      (answerOf: PublicPage['get']) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        refuseBadAddress(request.query, request.params);
        // No address of ours is sent to any other server, nor to our own, which needs none.
        void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
        if (page.anyOrigin) void reply.headers(FOR_ALL_ORIGINS);
        const { secret } = page;
        const { host, cookie } = request.headers;
        const given: PageRequest = {
          params: texts(request.params),
          query: secret ? texts(request.query) : named(texts(request.query), page.asks ?? []),
          form: texts(request.body),
          visitor: {
            cookie: page.cookie === undefined ? '' : cookieNamed(page.cookie, cookie),
            languages: String(request.headers['accept-language'] ?? ''),
            network: networkOf(services.clientAddress(request.raw)),
            agent: String(request.headers['user-agent'] ?? '').slice(0, 300),
          },
        };
        const first = secret && request.method !== 'POST' ? await firstVisit({ ...page, secret }, services, given, host) : undefined;
        if (first) return reply.header('set-cookie', first.cookie).redirect(first.redirect, 303);
        const visit = secret ? withSecret(secret, given, cookie) : given;
        const answer = visit
          ? await answerOf(services, visit).catch(async (error: unknown) => {
              // Whatever keeps the page from being shown may keep its language from being found.
              request.customerLanguage = await page.languageOf?.(services, visit).catch(() => undefined);
              throw error;
            })
          : openAgain();
        if ('cookie' in answer && answer.cookie && page.cookie)
          void reply.header('set-cookie', cookieOf(services.config, host, { name: page.cookie, ...answer.cookie }));
        if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
        if ('json' in answer) return sendPublic(request, reply, answer);
        if ('frame' in answer)
          return reply
            .header('content-security-policy', answer.runsCode ? CODE_POLICY : FRAME_POLICY)
            .header('content-type', 'text/html; charset=utf-8')
            .send(frameOf(answer.frame));
        if ('css' in answer) {
          if (answer.isFinal) void reply.header('cache-control', FOR_EVER);
          return reply.header('content-type', 'text/css; charset=utf-8').send(answer.css);
        }
        return reply
          .status(answer.status)
          .header('content-security-policy', policyFor(answer))
          .header('content-type', 'text/html; charset=utf-8')
          .send(documentOf(answer.title, answer.html, answer.language ?? 'en', answer));
      };
    app.get(page.path, serve(page.get.bind(page)));
    if (page.post)
      app.post(page.path, { config: { takes: FORM, ...(page.fields ? { fields: page.fields } : {}) } }, serve(page.post.bind(page)));
  }
}
