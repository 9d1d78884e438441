// The two requests that the HTML's head sends before the app has loaded, and the key by which the app finds their answers.

export interface PreloadedRequest {
  key: string;
  token: string;
  answer: Promise<Response>;
}
declare global {
  interface Window {
    __start?: { session?: PreloadedRequest; list?: PreloadedRequest };
  }
}

/** One key for a call and its input, wherever it is built. */
export const preloadKey = (call: string, input: object = {}): string =>
  `${call} ${JSON.stringify(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )}`;

/**
 * What the document says of its address' start, in its meta tag "perennial-start"; made by scripts/start-plugin.ts, one by one for each
 * address.
 */
export interface PageStart {
  session: StartCall;
  /**
   * The screen's route; where the address is a bare one, that of the screen it most likely leads to. Absent where the address has no first
   * call.
   */
  route?: string;
  /** Its first call, of a list. */
  list?: StartList;
  /** The list's own file (`virtual:perennial/screen/<route>`). */
  file?: string;
  /** Files that this page needs besides the app: fetched while the app is on its way. */
  files: string[];
}
export interface StartList extends StartCall {
  head: import('../list-query.ts').ListHead;
  /** The pager's names for the size, page number and cursors, and the call's for the filter; `offset` where pages are asked for by it. */
  names: Record<'pageSize' | 'page' | 'after' | 'before' | 'filter', string> & { offset?: string };
}
export interface StartCall {
  call: string;
  host: string;
  prefix: string;
  path: string;
}

/** What the document says; nothing in a document of another kind (tests). */
export function readPageStart(): PageStart | undefined {
  try {
    return JSON.parse(document.querySelector('meta[name="perennial-start"]')?.getAttribute('content') || 'null') as PageStart | undefined;
  } catch {
    return undefined;
  }
}
