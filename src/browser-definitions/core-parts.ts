// Splits the core (core.ts: what the browser knows of all calls, screens, settings and entities), so that the admin starts equally fast
// however many definitions there are. The browser gets it in three steps: first the frame, which draws the navigation; with a list that is
// opened first, the part that this list needs besides; and after the first page the whole core.
//
// A lookup must give the same answer in a part as in the whole core. So a call brings along the call that screens would choose instead
// (theMain), and a path brings along the screen that it leads to.
import { packCalls, unpackCalls, type Core, type PackedCalls, type PackedCore } from './core.ts';
import { callFor, fullName, resourceFor, theMain } from '../contract/find.ts';
import type { Call, NavEntry, Resource, Schema } from '../contract/types.ts';

/** The definitions that a list adds to the frame. */
export type CorePart = Pick<Core, 'calls' | 'resources' | 'settings' | 'entities'>;
/** A part as it is sent to the browser. */
export type PackedPart = Omit<CorePart, 'calls'> & { calls: PackedCalls };
/** All that a list is drawn with before the whole core has arrived: what its module `virtual:perennial/screen/<route>` exports. */
export interface ScreenStart {
  resource: Resource;
  /** Kind and name of the schema of its rows: "entities/subscription". */
  schemaName: string;
  schema: Schema | undefined;
  part: PackedPart;
}

/** Whether a screen can be drawn from the frame and its own part: a plain list whose address has no variable in it. */
export const isListOnly = (resource: Resource): boolean =>
  resource.list !== undefined && !resource.page && !resource.record && !resource.form && !resource.route.includes('[');

/**
 * The frame: the screens in the navigation, with the calls that decide whether a person may open them, and the calls that the admin's own
 * code names. Everything else of the core (hosts, facts, plans, navigation) is small and stays whole.
 * @param namedCalls full names of calls ("saved-views.delete"); those that do not exist are ignored
 */
export function frameOf(core: Core, namedCalls: readonly string[]): Core {
  const names = noNames();
  const entries = [...core.navigation.main, ...core.navigation.lower].flatMap((entry): NavEntry[] => [entry, ...(entry.items ?? [])]);
  for (const { to, redirectTo } of entries) for (const path of [to, redirectTo]) if (path && !isExternal(path)) addPath(core, names, path);
  for (const name of namedCalls) if (core.calls[name]) addCall(core, names, core.calls[name]);
  return { ...core, ...pick(core, names) };
}

/**
 * The part of a list, without what the frame has: its calls, the screens above and below its address, and everything that its own file or
 * the schema of its rows names: calls, paths, and entities with the screens of their records.
 * @param schema the schema of the list's rows
 */
export function partFor(core: Core, frame: Core, resource: Resource, schema: Schema | undefined): CorePart {
  const names = noNames();
  const { route, calls: table } = resource;
  for (const other of Object.keys(core.resources)) if (other.startsWith(`${route}/`)) addRoute(core, names, other);
  const steps = route.split('/');
  for (const [i] of steps.entries()) addRoute(core, names, steps.slice(0, i + 1).join('/'));
  for (const verb of ['list', 'order'] as const) {
    const call = callFor(core, resource, verb);
    if (call) addCall(core, names, call);
  }
  for (const key of ['export', 'counts']) {
    const call = core.calls[`${table}.${key}`];
    if (call) addCall(core, names, call);
  }
  // Any text of the file may be such a name. A text that only looks like one makes the part a little larger, and does no harm.
  const addNamesIn = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(addNamesIn);
    else if (node !== null && typeof node === 'object') Object.values(node).forEach(addNamesIn);
    else if (typeof node === 'string') {
      const call = core.calls[fullName(node, table)];
      if (call) addCall(core, names, call);
      if (node.startsWith('/')) addPath(core, names, node);
      if (Object.hasOwn(core.entities, node)) names.entities.add(node);
    }
  };
  addNamesIn(resource);
  addNamesIn(schema);
  for (const head of Object.values(core.resources))
    if (head.of && names.entities.has(head.of) && head.has.includes('record')) addRoute(core, names, head.route);
  const part = pick(core, names);
  return {
    calls: without(part.calls, frame.calls),
    resources: without(part.resources, frame.resources),
    settings: without(part.settings, frame.settings),
    entities: without(part.entities, frame.entities),
  };
}

export const packPart = (part: CorePart, hosts: PackedCore['hosts']): PackedPart => ({ ...part, calls: packCalls(part.calls, hosts) });
export const unpackPart = (part: PackedPart, hosts: PackedCore['hosts']): CorePart => ({ ...part, calls: unpackCalls(part.calls, hosts) });

/** The core with a part added at its end. The order matters: of several calls of one verb, lookups take the first. */
export const withPart = (core: Core, part: CorePart): Core => ({
  ...core,
  calls: { ...core.calls, ...part.calls },
  resources: { ...core.resources, ...part.resources },
  settings: { ...core.settings, ...part.settings },
  entities: { ...core.entities, ...part.entities },
});

/** The names of the definitions that a part is made of, gathered before they are picked out of the core. */
interface Names {
  calls: Set<string>;
  routes: Set<string>;
  settings: Set<string>;
  entities: Set<string>;
}
const noNames = (): Names => ({ calls: new Set(), routes: new Set(), settings: new Set(), entities: new Set() });

/** Adds a call, its entity, and the calls that screens would choose for its verb: on the entity, and within its table. */
function addCall(core: Core, names: Names, call: Call): void {
  if (names.calls.has(call.name)) return;
  names.calls.add(call.name);
  if (call.of) names.entities.add(call.of);
  const sameVerb = Object.values(core.calls).filter(other => other.does === call.does && other.of === call.of);
  const sameTable = sameVerb.filter(other => other.table === call.table);
  for (const main of [theMain(sameVerb), theMain(sameTable)]) if (main) addCall(core, names, main);
}

/** Adds a screen by its route, its entity, and the call that decides whether a person may open it (mayOpen in navigation.ts). */
function addRoute(core: Core, names: Names, route: string): void {
  const head = core.resources[route];
  if (!head || names.routes.has(route)) return;
  names.routes.add(route);
  if (head.of) names.entities.add(head.of);
  const call = callFor(core, head, head.has[0] === 'list' ? 'list' : 'read');
  if (call) addCall(core, names, call);
}

/** Adds the screen that a path of the admin ("/settings/general") leads to, and the settings page that it shows. */
function addPath(core: Core, names: Names, path: string): void {
  const found = resourceFor(core, path);
  if (!found) return;
  addRoute(core, names, found.resource.route);
  if (found.params.setting !== undefined) names.settings.add(found.params.setting);
}
const isExternal = (path: string): boolean => /^\w+:/.test(path);

const pick = (core: Core, names: Names): CorePart => ({
  calls: only(core.calls, names.calls),
  resources: only(core.resources, names.routes),
  settings: only(core.settings, names.settings),
  entities: only(core.entities, names.entities),
});
/** The definitions with these names, in the order of the core: lookups take the first one that fits. */
const only = <T>(all: Record<string, T>, names: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
/** The definitions that another collection lacks. */
const without = <T>(all: Record<string, T>, others: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(others, name)));
