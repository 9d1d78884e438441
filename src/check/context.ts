// What every part of the check looks names up in.
import type { Definitions, JsonObject, Schema } from '../contract/types.ts';
import type { References } from '../contract/refs.ts';
import type { Finding } from './source.ts';

export interface Renderers {
  fields: string[];
  cells: string[];
  panels: string[];
  pages: string[];
  shell: string[];
}
export interface CheckOptions {
  /** "table.key" of every function that the server has for calls; left out: handlers are not looked for. */
  handlers?: string[];
  /** Names of the guards of moves that the server has; left out: they are not looked for. */
  guards?: string[];
  /** File names in renderers/<kind>; left out: names of renderers are not looked for. */
  renderers?: Partial<Renderers>;
  /** Text of renderers/<kind>/<name>.options.json by path. */
  options?: Record<string, string>;
  /** JSON types that a widget draws, by its name; left out, or without an entry: any. */
  widgetTypes?: Record<string, string[]>;
  /** Names of the tables of the database; left out: they are not looked for. */
  tables?: string[];
  /** Which actions on subscriptions have code, by key and with whether it can take them back. */
  actionCode?: Record<string, { undo: boolean }> | undefined;
  /** Kinds of events that code of the server may write; left out: they are not looked for. */
  events?: string[] | undefined;
  /** Every word of the server's code, where names of members and functions are looked for; left out: they are not. */
  words?: readonly string[] | undefined;
  /** Members of settings that code of the server reads by name (`settings.…`); left out: they are not looked for. */
  settingsRead?: readonly string[] | undefined;
  /** Facts about a store that tasks of the set-up may name; left out: they are not looked for. */
  storeFacts?: string[] | undefined;
  /** Names of icons; left out: icons are not looked for. */
  icons?: string[];
}
export interface CheckContext {
  definitions: Definitions;
  references: References;
  documents: Record<string, unknown>;
  options: CheckOptions;
  report: (finding: Finding) => void;
  /** Files whose form is right, so that their inside can be looked at. */
  sound: (file: string) => boolean;
  planFeatures: string[];
  features: string[];
  modules: string[];
}

export const isObject = (value: unknown): value is JsonObject => value !== null && typeof value === 'object' && !Array.isArray(value);
export const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.prototype.hasOwnProperty.call(record, name) ? record[name] : undefined;

/** Reports a name that is not among those there are. */
export function known(
  context: CheckContext,
  file: string,
  pointer: string,
  name: unknown,
  among: Iterable<string>,
  sentence: (name: string) => string,
): void {
  if (typeof name !== 'string') return;
  const names = [...among];
  if (!names.includes(name)) context.report({ file, pointer, message: sentence(name), wanted: name, among: names });
}

/** The schema an `of` stands for: an entity, or a settings page by "settings/<name>". */
export function schemaOf(definitions: Definitions, of: string | undefined): Schema | undefined {
  if (!of) return undefined;
  return of.startsWith('settings/') ? own(definitions.settings, of.slice('settings/'.length)) : own(definitions.entities, of);
}
/** Things that calls are about and that are no entities: any settings page, the session, the store itself, how far it is set up. */
const OTHER_TAGS = ['settings', 'session', 'store', 'set-up'];
/** What `of` and `invalidates` may say. */
export const tags = (definitions: Definitions): string[] => [
  ...Object.keys(definitions.entities),
  ...OTHER_TAGS,
  ...Object.keys(definitions.settings).map(name => `settings/${name}`),
];
