// Runs in the HTML's head before anything else has arrived: takes the sign-in token out of the address, paints in the right scheme,
// and sends the session call and the first list's call at once, so that both answers are there when the app is.
import { type PreloadedRequest, preloadKey, readPageStart } from './preloaded-requests.ts';
import { readState, toInput } from '../list-query.ts';
import { readToken, takeTokenFromAddress } from '../session/token.ts';

function ask(key: string, path: string, token: string): PreloadedRequest {
  const answer = fetch(path, {
    headers: { authorization: token, accept: 'application/json', 'accept-language': document.documentElement.lang },
    credentials: 'omit',
    cache: 'no-store',
  });
  answer.catch(() => undefined); // the code that takes the answer handles the failure
  return { key, token, answer };
}

function begin(): void {
  takeTokenFromAddress();
  let scheme: string | null = null;
  try {
    scheme = localStorage.getItem('perennial.scheme');
  } catch {
    /* no storage: follow the system */
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.scheme = dark ? 'dark' : 'light';
  try {
    if (localStorage.getItem('perennial.nav') === 'closed') document.documentElement.dataset.nav = 'closed';
  } catch {
    /* no storage: the navigation stands */
  }

  const token = readToken();
  const path = location.pathname.replace(/^\/|\/$/g, '');
  if (!token || path === 'login') {
    document.documentElement.dataset.boot = 'bare';
    return;
  }
  const early: Window['__start'] = {};
  window.__start = early;
  const start = readPageStart();
  if (!start) return;
  let hosts: Partial<Record<string, string>> = {};
  try {
    hosts =
      (JSON.parse(document.querySelector('meta[name="perennial-config"]')?.getAttribute('content') || '{}') as { hosts?: typeof hosts })
        .hosts ?? {};
  } catch {
    /* not filled in: our own server */
  }
  early.session = ask(preloadKey(start.session.call, {}), (hosts[start.session.host] || start.session.prefix) + start.session.path, token);
  for (const file of start.files) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = file;
    document.head.append(link);
  }
  const { list } = start;
  if (!list) {
    document.documentElement.dataset.boot = 'page';
    return;
  }
  const input = toInput(readState(start.route === path ? location.search : '', list.head), list.head);
  if (!input) return;
  // As the app will ask: by the pager's names, and `filter` until it goes on the wire.
  const { page, filter, ...rest } = input;
  const { names } = list;
  const requests: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [names[name as 'pageSize'] ?? name, value])),
    ...(page ? (names.offset ? { [names.offset]: (page - 1) * input.pageSize } : { [names.page]: page }) : {}),
  };
  const query = new URLSearchParams(
    Object.entries({ ...requests, ...(filter ? { [names.filter]: filter } : {}) }).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
  early.list = ask(
    preloadKey(list.call, filter ? { ...requests, filter } : requests),
    `${(hosts[list.host] || list.prefix) + list.path}?${query}`,
    token,
  );
}

begin();
