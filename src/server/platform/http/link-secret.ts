// What proves who comes to a page of a customer leaves the address at the first visit: a cookie of that page holds it from then on. So
// neither the history of a browser, an address that is passed on, a picture's server nor the log of a proxy learns it. A cookie is of one
// path, so links of several stores and people stand beside each other in one browser.
import type { Config } from '../config.ts';
import type { PageRequest, PageServices } from './page-request.ts';

/** Where a link carries it: a parameter of its query, or the end of one of its path, which `pattern` finds (its group is the secret). */
type Carrier = { query: string } | { param: string; pattern: RegExp };
export type LinkSecret = Carrier & {
  /** The path that the cookie is of, such as "/customers/:customer"; the page's own where it is left out. */
  scope?: string;
  /** For how many more milliseconds a link is good; 0 or less for one that is not genuine or too old. Nothing is changed by it. */
  goodFor(services: PageServices, request: PageRequest): Promise<number>;
};

const COOKIE = 'perennial.visit';
/** What a cookie holds, by its name; '' where the browser has none. */
export function cookieNamed(name: string, cookies: string | undefined): string {
  const value = (cookies ?? '')
    .split(';')
    .map(one => one.trim())
    .find(one => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return /^[\w-]{1,200}$/.test(value ?? '') ? String(value) : '';
}
/** A cookie that no script reads and no form of another site is sent with. */
export const cookieOf = (
  config: Config,
  host: string | undefined,
  cookie: { name: string; value: string; path: string; seconds: number },
): string =>
  `${cookie.name}=${cookie.value}; Path=${cookie.path}; Max-Age=${cookie.seconds}; HttpOnly; SameSite=Lax` +
  (isSecure(config, host) ? '; Secure' : '');

/** What the address itself carries; '' where it has nothing. */
export function secretIn(at: Carrier, { params, query }: Pick<PageRequest, 'params' | 'query'>): string {
  return 'query' in at ? (query[at.query] ?? '') : (at.pattern.exec(params[at.param] ?? '')?.[1] ?? '');
}

/** A request by an address without its secret, as if the address still had it; undefined where no cookie of the page has one. */
export function withSecret(at: Carrier, visit: PageRequest, cookies: string | undefined): PageRequest | undefined {
  if (secretIn(at, visit) !== '') return visit;
  const secret = cookieNamed(COOKIE, cookies);
  if (!secret) return undefined;
  if ('query' in at) return { ...visit, query: { ...visit.query, [at.query]: secret } };
  return { ...visit, params: { ...visit.params, [at.param]: `${visit.params[at.param] ?? ''}.${secret}` } };
}

const filled = (path: string, params: PageRequest['params']): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Whether customers reach the page under an https address; `host` is what the browser calls it by. */
function isSecure({ portalUrl, publicUrl }: Config, host: string | undefined): boolean {
  const known = [portalUrl, publicUrl].flatMap(one => (one === undefined ? [] : [new URL(one)]));
  return (known.find(one => one.host === host) ?? known[0])?.protocol === 'https:';
}

/** The cookie of a good link, and the address without its secret; undefined where the link carries none, or a dead one. */
export async function firstVisit(
  page: { path: string; secret: LinkSecret },
  services: PageServices,
  visit: PageRequest,
  host: string | undefined,
): Promise<{ cookie: string; redirect: string } | undefined> {
  const { secret: at, path } = page;
  const secret = secretIn(at, visit);
  if (secret === '') return undefined;
  const seconds = Math.floor((await at.goodFor(services, visit)) / 1000);
  if (seconds <= 0) return undefined;
  const params = 'query' in at ? visit.params : { ...visit.params, [at.param]: (visit.params[at.param] ?? '').replace(at.pattern, '') };
  const query = new URLSearchParams(Object.entries(visit.query).filter(([name]) => !('query' in at && name === at.query))).toString();
  return {
    cookie: cookieOf(services.config, host, { name: COOKIE, value: secret, path: filled(at.scope ?? path, params), seconds }),
    redirect: filled(path, params) + (query && `?${query}`),
  };
}
