// What the document tells the browser about its start, and of which screen: one entry of the table that the build makes, never the whole
// table.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made by scripts/start-plugin.ts; what is in its parts is between that and the browser's start script (`PageStart`). */
export interface StartTable {
  /** The screen that the bare address most likely leads to. */
  landing: string;
  /** What is sent for every address: the session's call. */
  session: unknown;
  /** By route: the screen's own file and its first call. */
  screens: Record<string, object>;
  /** For every other address. */
  other: object;
}

/** Its name in the folder of the built admin; never served. */
export const START_FILE = 'start.json';
/** The place for it in the page. */
const EMPTY = '<meta name="perennial-start" content="">';

/** The table of a built admin; undefined where there is none. */
export const readStartTable = (folder: string): StartTable | undefined =>
  existsSync(join(folder, START_FILE)) ? (JSON.parse(readFileSync(join(folder, START_FILE), 'utf8')) as StartTable) : undefined;

/** A text as an attribute in quotation marks. */
export const attribute = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

/** Writes into the page what its address starts with. `url` is the address with or without its query. */
export function fillStart(html: string, table: StartTable, url: string): string {
  const path = url.replace(/[?#].*/, '').replace(/^\/|\/$/g, '');
  const route = path === '' || path === '_app' ? table.landing : path;
  const screen = Object.hasOwn(table.screens, route) ? { route, ...table.screens[route] } : table.other;
  // Between apostrophes: JSON has many quotation marks, each of which would be six letters.
  const text = JSON.stringify({ session: table.session, ...screen })
    .replace(/&/g, '&amp;')
    .replace(/'/g, '&#39;')
    .replace(/</g, '&lt;');
  return html.replace(EMPTY, () => EMPTY.replace('""', () => `'${text}'`));
}
