// The browser of a customer, without a browser: it takes cookies, sends them to their paths, and follows where a page leads.
import type { FastifyInstance } from 'fastify';

export interface CustomerPage {
  statusCode: number;
  /** What is shown in the address line, without the host. */
  address: string;
  headers: Record<string, string | string[] | number | undefined>;
  body: string;
}
interface Sent {
  headers?: Record<string, string>;
  payload?: string;
}

const isWithin = (path: string, scope: string): boolean => path === scope || path.startsWith(scope.endsWith('/') ? scope : `${scope}/`);
/** Where a link of a page leads. */
export const leadsTo = (href: string, { address }: Pick<CustomerPage, 'address'>): string => {
  const { pathname, search } = new URL(href.replaceAll('&#38;', '&'), `http://x${address}`);
  return pathname + search;
};
/** The addresses of the buttons of a page. */
export const buttonsOf = (page: Pick<CustomerPage, 'address' | 'body'>): string[] =>
  [...page.body.matchAll(/method="post" action="([^"]+)"/g)].map(([, action = '']) => leadsTo(action, page));

const plain = (text: string): string => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
/** What a form with a button sends along without being filled in, by the names of its fields. */
export const sentAlong = ({ body }: Pick<CustomerPage, 'body'>, button = 0): Record<string, string> => {
  const form = body.split('<form method="post"')[button + 1]?.split('</form>')[0] ?? '';
  return Object.fromEntries(
    [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, plain(value)]),
  );
};

export function customerBrowser(app: () => Pick<FastifyInstance, 'inject'>) {
  const jar = new Map<string, { path: string; pair: string }>();
  const take = (given: string | string[] | number | undefined): void => {
    for (const one of [given ?? []].flat()) {
      const [pair = '', ...rest] = String(one).split('; ');
      const path = rest.find(part => part.startsWith('Path='))?.slice(5) ?? '/';
      jar.set(`${pair.split('=')[0]} ${path}`, { path, pair });
    }
  };
  /** One request, and no further. */
  async function send(address: string, method: 'GET' | 'POST' = 'GET', { headers = {}, payload }: Sent = {}): Promise<CustomerPage> {
    const cookie = [...jar.values()].flatMap(one => (isWithin(address.split('?')[0] as string, one.path) ? [one.pair] : [])).join('; ');
    const answer = await app().inject({
      method,
      url: address,
      headers: { ...headers, ...(cookie ? { cookie } : {}) },
      ...(payload === undefined ? {} : { payload }),
    });
    take(answer.headers['set-cookie']);
    return { statusCode: answer.statusCode, address, headers: answer.headers, body: answer.body };
  }
  /** Opens an address, or presses a button, and goes where it leads. */
  async function open(address: string, method: 'GET' | 'POST' = 'GET', sent: Sent = {}): Promise<CustomerPage> {
    let page = await send(address, method, sent);
    for (let i = 0; i < 5 && page.statusCode === 303; i++) page = await send(leadsTo(String(page.headers.location), page));
    return page;
  }
  return { send, open };
}
