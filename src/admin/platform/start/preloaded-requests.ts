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

/** One key for a call and its input, whoever builds it. */
export const preloadKey = (call: string, input: object = {}): string =>
  `${call} ${JSON.stringify(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )}`;

/** What the start script knows: compiled into the HTML by scripts/start-plugin.ts. */
export interface StartTable {
  session: StartCall;
  /** The list that the bare address most likely leads to. */
  landing: string;
  lists: Record<
    string,
    StartCall & {
      head: import('../list-query.ts').ListHead;
      /** The pager's names for the size, page number and cursors. */
      names: Record<'pageSize' | 'page' | 'after' | 'before', string>;
      /** Chunks that this page needs besides the app. */
      files: string[];
    }
  >;
}
export interface StartCall {
  call: string;
  host: string;
  prefix: string;
  path: string;
}
