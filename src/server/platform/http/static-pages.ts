// Serves the built admin: files named by their content for ever, the page itself built each time with a fresh nonce and a strict policy.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { Refusal } from '../context.ts';
import type { Config } from '../config.ts';
import { networkOf } from './client-address.ts';
import { isOwnHost } from './hosts.ts';
import type { Services } from '../services.ts';
import { ENGLISH, type Language, readLanguages } from '../languages.ts';
import { FOR_ALL_ORIGINS } from './public-pages.ts';
import { chosenLanguage, inPageLanguage, type LanguageTable, LANGUAGES_FILE, readLanguageTable } from './page-language.ts';
import { attribute, fillStart, readStartTable, START_FILE } from './start-table.ts';
import { t } from '../../../domain/text/t.ts';

export interface PageOptions {
  /** Folder with index.html and the built files. */
  folder: string;
  /** Gives the page's HTML for an address instead of index.html in the folder (development). */
  html?: (url: string) => Promise<string>;
  /** Further sources the development tools need (a web socket). */
  connect?: string[];
  /** Scripts and styles without a nonce are let in; only in development. */
  loose?: boolean;
}

const NONCE = /__CSP_NONCE__/g;
/** Names that hold a hash of the content: /assets/list-3f9a1c2b.js */
const isHashed = (path: string): boolean => /[/\\]assets[/\\].*-[\w-]{8,}\.\w+(\.\w+)?$/.test(path);
/** Pictures of the demo store's products. */
const isPicture = (path: string): boolean => /[/\\]demo[/\\][^/\\]+\.svg(\.\w+)?$/.test(path);

/** What pages of shops load (src/storefront). */
const isStorefront = (path: string): boolean => /[/\\]storefront[/\\][^/\\]+$/.test(path);

/** The domain of a shop as the platform writes it in the address of an embedded page. */
const SHOP = /^[a-z0-9][a-z0-9-]{0,60}\.myshopify\.com$/;

/** Who may show the page in a frame: the configured origins; with them, where the address names a store of ours, that store's own. */
export function frameAncestors(config: Config, shop: string | undefined): string {
  const all = [...config.frameAncestors, ...(shop && config.frameAncestors.length ? [`https://${shop}`] : [])];
  return all.length ? all.join(' ') : "'none'";
}

/** The policy of a page. */
export function contentPolicy(
  config: Config,
  nonce: string,
  shop: string | undefined,
  options: Pick<PageOptions, 'connect' | 'loose'> = {},
): string {
  const hosts = [...new Set(Object.values(config.hosts).map(address => new URL(address as string).origin))];
  return [
    "default-src 'none'",
    `script-src 'self' ${options.loose ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    `style-src 'self' ${options.loose ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    `connect-src ${["'self'", ...hosts, ...(options.connect ?? [])].join(' ')}`,
    "manifest-src 'self'",
    // No text becomes HTML or a script but through these: the sanitiser's, the one that it stands behind
    // (src/admin/form/fields/clean-html.ts), and the text editor's clipboard. The development tools know none of it.
    ...(options.loose
      ? []
      : ["require-trusted-types-for 'script'", "trusted-types default dompurify ProseMirrorClipboard 'allow-duplicates'"]),
    // E-mails, in a frame without rights (mail-pages.ts).
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    // The studio of the development server shows pages in a frame.
    `frame-ancestors ${options.loose ? "'self'" : frameAncestors(config, shop)}`,
  ].join('; ');
}

/** The page with its nonce, and with what the browser must know of the configuration. */
export function fillPage(html: string, nonce: string, config: Config, languages: readonly Language[] = []): string {
  const given = JSON.stringify({ hosts: config.hosts, domainGuard: config.domainGuard, languages });
  return html
    .replace(NONCE, nonce)
    .replace('<meta name="perennial-config" content="">', () => `<meta name="perennial-config" content="${attribute(given)}">`);
}

/** What is no file of its own for the browser: what the build left for the server, what is compressed, and what is hidden. */
const INNER = new Set(['/index.html', `/${START_FILE}`, `/${LANGUAGES_FILE}`]);

/**
 * Addresses of the files of a folder. There are more than a thousand: looked up here they cost nothing, while a route for each, as the plugin
 * makes them, is half of the processor's time of a start.
 */
const filesOf = (folder: string): Set<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.name.startsWith('.') && !/\.(?:gz|br)$/.test(entry.name))
      .map(entry => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
      .filter(address => !INNER.has(address)),
  );

/** Files from the folder; every other GET that wants HTML gets the page, so that routes of the admin can be opened directly. */
export async function registerPages(app: FastifyInstance, services: Services, options: PageOptions): Promise<void> {
  const { config } = services;
  const index = options.html ? undefined : readFileSync(join(options.folder, 'index.html'), 'utf8');
  const table = options.html ? undefined : readStartTable(options.folder);
  const files = options.html ? new Set<string>() : filesOf(options.folder);
  const languages: LanguageTable = options.html
    ? Object.fromEntries(readLanguages(options.folder).map(({ code, name }) => [code, { name, file: `/assets/language-${code}.js` }]))
    : readLanguageTable(options.folder);
  const offered = [ENGLISH, ...Object.entries(languages).map(([code, { name }]) => ({ code, name }))];
  // Files and the page of the admin cost little, so they never wait.
  app.addHook('onRoute', route => {
    route.config = { line: 'none', ...route.config };
  });
  if (index !== undefined) {
    await app.register(fastifyStatic, {
      root: options.folder,
      serve: false,
      index: false,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
        // Any shop's page may load the script, and hear of an error in it.
        if (isStorefront(path)) for (const [name, value] of Object.entries(FOR_ALL_ORIGINS)) reply.header(name, value);
        // Pictures of products stand in letters and in previews of pages, which are frames of no origin.
        if (isPicture(path)) reply.header('cross-origin-resource-policy', 'cross-origin');
      },
    });
  }
  const shops = new Map<string, { at: number; known: boolean }>();
  const knownShop = async ({ query, raw }: FastifyRequest): Promise<string | undefined> => {
    const shop = (query as { shop?: unknown } | undefined)?.shop;
    if (typeof shop !== 'string' || !SHOP.test(shop) || config.frameAncestors.length === 0) return undefined;
    let found = shops.get(shop);
    if (!found || Date.now() - found.at > 60_000) {
      if (shops.size > 1000) shops.clear();
      const store = await services.shares.run('pages', { address: networkOf(services.clientAddress(raw)) }, () =>
        services.db.asSystem(trx => trx.selectFrom('stores').select('id').where('myshopify_domain', '=', shop).executeTakeFirst(), {
          readOnly: true,
        }),
      );
      shops.set(shop, (found = { at: Date.now(), known: store !== undefined }));
    }
    return found.known ? shop : undefined;
  };
  const page = async (request: FastifyRequest): Promise<{ html: string; policy: string }> => {
    const nonce = randomBytes(16).toString('base64url');
    const whole = index ?? (await (options.html as (url: string) => Promise<string>)(request.url));
    const started = table ? fillStart(whole, table, request.url) : whole;
    const html = inPageLanguage(started, languages, chosenLanguage(request.headers.cookie));
    return { html: fillPage(html, nonce, config, offered), policy: contentPolicy(config, nonce, await knownShop(request), options) };
  };
  // A browser that leaves while a file is on its way is no failure of ours.
  const errorHandler: RouteShorthandOptions['errorHandler'] = (error, request, reply) => {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') request.raw.destroy();
    else app.errorHandler(error, request, reply);
  };
  app.get('/*', { errorHandler }, async (request, reply) => {
    const file = `/${(request.params as { '*': string })['*']}`;
    if (files.has(file)) return reply.sendFile(file);
    const path = request.url.replace(/\?.*$/, '');
    const wantsPage = /\btext\/html\b|^$|\*\/\*/.test(request.headers.accept ?? '');
    if (!wantsPage || /^\/(?:host|rest)\//.test(path) || path.startsWith('/assets/') || /\.\w{1,8}$/.test(path))
      throw new Refusal(404, 'NOT_FOUND', t`There is nothing at this address.`);
    // A link to sign in with is not given to the page of a foreign name.
    if (config.demo && ['loop_token', 'link'].some(name => name in (request.query as object)) && !isOwnHost(request.headers.host, config)) {
      const own = config.publicUrl ?? services.address;
      return reply
        .code(403)
        .header('content-type', 'text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(
          t`This sign-in link works at ${own} only. To use another address, set PERENNIAL_PUBLIC_URL to it and start the server again.`,
        );
    }
    const { html, policy } = await page(request);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy)
      .send(html);
  });
}
