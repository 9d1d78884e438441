// What a browser loads from a cold cache until the first row of a list is painted: every request, by kind, with what travelled.
import type { BrowserContext, CDPSession } from 'playwright-core';

export interface Loaded {
  /** Document, Script, Stylesheet, Font, Fetch, Image, Other, as the browser names them. */
  kind: string;
  method: string;
  /** Path and query. */
  path: string;
  /** Bytes on the wire, headers included; 0 for what had not arrived when the row was there. */
  bytes: number;
}
export interface FirstRow {
  /** From the navigation to the frame with the row (ms). */
  ms: number;
  /** Requests that were sent before that frame. */
  loaded: Loaded[];
}

/** Runs in the page before anything else: remembers when the first row was painted. */
function watchRow(row: string): void {
  const look = (): void => {
    const found = document.querySelector(row);
    if (!found?.textContent?.trim() || found.querySelector('.p-skeleton')) {
      requestAnimationFrame(look);
      return;
    }
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      Object.assign(window, { firstRow: performance.now() });
    };
    requestAnimationFrame(() => channel.port2.postMessage(0));
  };
  requestAnimationFrame(look);
}

/** Opens an address in a fresh context and watches it until its first row. `slow` may make line and processor slower before that. */
export async function loadFirstRow(
  context: BrowserContext,
  address: string,
  row = 'tbody tr[data-row] td:nth-child(3)',
  slow?: (session: CDPSession) => Promise<void>,
): Promise<FirstRow> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const seen = new Map<string, Loaded & { at: number }>();
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
    if (!request.url.startsWith('http')) return;
    const { pathname, search } = new URL(request.url);
    seen.set(requestId, { kind: type ?? 'Other', method: request.method, path: pathname + search, bytes: 0, at: timestamp });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = seen.get(requestId);
    if (one) one.bytes = encodedDataLength;
  });
  await slow?.(session);
  // The compiler wraps named functions in a helper that the page does not have.
  await page.addInitScript('globalThis.__name = f => f;');
  await page.addInitScript(watchRow, row);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => ((window as { firstRow?: number }).firstRow ?? 0) > 0, undefined, { timeout: 120_000, polling: 20 });
  const ms = await page.evaluate(() => (window as { firstRow?: number }).firstRow ?? 0);
  const began = Math.min(...[...seen.values()].map(one => one.at));
  const loaded = [...seen.values()].filter(one => (one.at - began) * 1000 <= ms).map(({ at: _at, ...one }) => one);
  await page.close();
  return { ms, loaded };
}
