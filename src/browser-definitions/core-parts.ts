// The core in parts, so that the start grows no more with the catalogue: what the frame needs, what one list needs besides, and the rest,
// which comes later.
// A part answers what is asked of it as the whole core would: with a call comes the one that screens use of its verb, with a path the
// screen that it leads to.
import { packCalls, unpackCalls, type Core, type PackedCalls, type PackedCore } from './core.ts';
import { callFor, fullName, resourceFor, theMain } from '../contract/find.ts';
import type { Call, NavEntry, Resource, Schema } from '../contract/types.ts';

/** What of the core a screen brings with it. */
export type CorePart = Pick<Core, 'calls' | 'resources' | 'settings' | 'entities'>;
export type PackedPart = Omit<CorePart, 'calls'> & { calls: PackedCalls };
/** The module of a screen that can be drawn before the rest of the core is there. */
export interface ScreenStart {
  resource: Resource;
  /** Kind and name of its rows' schema: "entities/subscription". */
  schemaName: string;
  schema: Schema | undefined;
  part: PackedPart;
}

/** Names of what is gathered. */
interface Names {
  calls: Set<string>;
  routes: Set<string>;
  settings: Set<string>;
  entities: Set<string>;
}
const noNames = (): Names => ({ calls: new Set(), routes: new Set(), settings: new Set(), entities: new Set() });

function addCall(core: Core, names: Names, call: Call): void {
  if (names.calls.has(call.name)) return;
  names.calls.add(call.name);
  if (call.of) names.entities.add(call.of);
  const ofVerb = Object.values(core.calls).filter(one => one.does === call.does && one.of === call.of);
  for (const main of [theMain(ofVerb), theMain(ofVerb.filter(one => one.table === call.table))]) if (main) addCall(core, names, main);
}
function addRoute(core: Core, names: Names, route: string): void {
  const head = core.resources[route];
  if (!head || names.routes.has(route)) return;
  names.routes.add(route);
  if (head.of) names.entities.add(head.of);
  // The call that decides whether the screen may be opened (navigation.ts, mayOpen).
  const call = callFor(core, head, head.has[0] === 'list' ? 'list' : 'read');
  if (call) addCall(core, names, call);
}
function addPath(core: Core, names: Names, path: string): void {
  const found = resourceFor(core, path);
  if (!found) return;
  addRoute(core, names, found.resource.route);
  if (found.params.setting !== undefined) names.settings.add(found.params.setting);
}
/** In the order of the whole, which decides between calls of one verb. */
const only = <T>(all: Record<string, T>, names: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
const partOf = (core: Core, names: Names): CorePart => ({
  calls: only(core.calls, names.calls),
  resources: only(core.resources, names.routes),
  settings: only(core.settings, names.settings),
  entities: only(core.entities, names.entities),
});

/**
 * What the frame needs before anything else is known: the pages that the navigation names with what decides about them, and the calls that
 * the admin's own code names (`named`).
 */
export function frameOf(core: Core, named: readonly string[]): Core {
  const names = noNames();
  const entries = [...core.navigation.main, ...core.navigation.lower].flatMap((entry): NavEntry[] => [entry, ...(entry.items ?? [])]);
  for (const { to, redirectTo } of entries)
    for (const path of [to, redirectTo]) if (path && !/^\w+:/.test(path)) addPath(core, names, path);
  for (const name of named) if (core.calls[name]) addCall(core, names, core.calls[name]);
  return { ...core, ...partOf(core, names) };
}

/**
 * What a list needs besides the frame: its calls, the screens at and around its address, and whatever its file and the schema of its rows
 * name: calls, paths, entities with their screens.
 */
export function partFor(core: Core, frame: Core, resource: Resource, schema: Schema | undefined): CorePart {
  const names = noNames();
  const { route, calls: table } = resource;
  const steps = route.split('/');
  for (const one of Object.keys(core.resources)) if (one.startsWith(`${route}/`)) addRoute(core, names, one);
  for (const [i] of steps.entries()) addRoute(core, names, steps.slice(0, i + 1).join('/'));
  for (const does of ['list', 'order'] as const) {
    const call = callFor(core, resource, does);
    if (call) addCall(core, names, call);
  }
  for (const key of ['export', 'counts']) {
    const call = core.calls[`${table}.${key}`];
    if (call) addCall(core, names, call);
  }
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (node !== null && typeof node === 'object') Object.values(node).forEach(visit);
    else if (typeof node === 'string') {
      const call = core.calls[fullName(node, table)];
      if (call) addCall(core, names, call);
      if (node.startsWith('/')) addPath(core, names, node);
      if (Object.hasOwn(core.entities, node)) names.entities.add(node);
    }
  };
  visit(resource);
  visit(schema);
  for (const head of Object.values(core.resources))
    if (head.of && names.entities.has(head.of) && head.has.includes('record')) addRoute(core, names, head.route);
  const part = partOf(core, names);
  const besides = <T>(all: Record<string, T>, there: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(there, name)));
  return {
    calls: besides(part.calls, frame.calls),
    resources: besides(part.resources, frame.resources),
    settings: besides(part.settings, frame.settings),
    entities: besides(part.entities, frame.entities),
  };
}

/** Whether a screen is drawn with the frame and its own part alone: a plain list at a fixed address. */
export const isListOnly = (resource: Resource): boolean =>
  resource.list !== undefined && !resource.page && !resource.record && !resource.form && !resource.route.includes('[');

export const packPart = (part: CorePart, hosts: PackedCore['hosts']): PackedPart => ({ ...part, calls: packCalls(part.calls, hosts) });
export const unpackPart = (part: PackedPart, hosts: PackedCore['hosts']): CorePart => ({ ...part, calls: unpackCalls(part.calls, hosts) });
/** The core with what a screen brought. What was there stays before it: the order decides between calls of one verb. */
export const joined = (core: Core, part: CorePart): Core => ({
  ...core,
  calls: { ...core.calls, ...part.calls },
  resources: { ...core.resources, ...part.resources },
  settings: { ...core.settings, ...part.settings },
  entities: { ...core.entities, ...part.entities },
});
