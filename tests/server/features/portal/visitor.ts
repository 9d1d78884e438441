// Somebody at the pages of the customer portal, without a browser: opens addresses, presses buttons, fills in forms.
import type { GoodsServer } from '../subscriptions/goods-server.ts';

interface Page {
  status: number;
  body: string;
}

export function visitor(at: GoodsServer, url: () => string) {
  const open = (address: string, method: 'GET' | 'POST' = 'GET') => at.server.app.inject({ method, url: address });
  const ask = async (id: string, more = ''): Promise<string> => (await open(`${url()}&do=${id}${more}`)).body;
  /** The addresses of the buttons of a page. */
  const buttons = (body: string): string[] =>
    [...body.matchAll(/method="post" action="([^"]+)"/g)].map(
      ([, found]) => url().split('?')[0] + (found as string).replaceAll('&#38;', '&'),
    );
  /** Sends a form with what was filled in; gives the page that follows. */
  const fill = async (body: string, fields: Record<string, string>, button = 0): Promise<Page> => {
    const answer = await at.server.app.inject({
      method: 'POST',
      url: buttons(body)[button] as string,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
    if (answer.statusCode !== 303) return { status: answer.statusCode, body: answer.body };
    return { status: 303, body: (await open(answer.headers.location as string)).body };
  };
  const press = (body: string, button = 0): Promise<Page> => fill(body, {}, button);
  return { open, ask, buttons, press, fill };
}
