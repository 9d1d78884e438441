// A customer at the pages of the portal, without a browser: opens addresses, presses buttons, fills in forms.
import { buttonsOf, customerBrowser, leadsTo, sentAlong } from '../../../support/customer-browser.ts';
import type { GoodsServer } from '../subscriptions/goods-server.ts';

interface Page {
  status: number;
  body: string;
}

/** `seen` gets the HTML of every page that is opened. */
export function visitor(at: GoodsServer, url: () => string, seen: string[] = []) {
  const { open: go, send } = customerBrowser(() => at.server.app);
  const open: typeof go = async (...given) => {
    const page = await go(...given);
    seen.push(page.body);
    return page;
  };
  const ask = async (id: string, more = ''): Promise<string> => (await open(`${url()}&do=${id}${more}`)).body;
  /** The addresses of the buttons of a page. */
  const buttons = (body: string): string[] => buttonsOf({ address: url(), body });
  /** Sends a form with what was filled in; gives the page that follows. */
  const fill = async (body: string, fields: Record<string, string>, button = 0): Promise<Page> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams({ ...sentAlong({ body }, button), ...fields }).toString();
    const answer = await send(buttons(body)[button] as string, 'POST', { headers, payload });
    seen.push(answer.body);
    if (answer.statusCode !== 303) return { status: answer.statusCode, body: answer.body };
    return { status: 303, body: (await open(leadsTo(String(answer.headers.location), answer))).body };
  };
  const press = (body: string, button = 0): Promise<Page> => fill(body, {}, button);
  return { open, ask, buttons, press, fill };
}
