// Finding things by name or path in the loaded definitions: calls by verb, screens by route, texts by template.
import type { Call, Definitions, Does, JsonObject, JsonValue, NavEntry, Navigation, With } from './types.ts';
import { at, atPointer } from './paths.ts';

/**
 * Among several calls of a verb for an entity, the one that screens use: marked `main`, else the first that
 * is about whole records, and all of them.
 */
export const theMain = (calls: readonly Call[]): Call | undefined =>
  calls.find(call => call.main) ?? calls.find(call => !call.set && !call.isPart) ?? calls.find(call => !call.isPart);

/** The call of a screen for a verb, in the screen's table, on the screen's entity (or `of`). */
export function callFor(
  definitions: Pick<Definitions, 'calls'>,
  resource: { calls?: string; of?: string },
  does: Does,
  of = resource.of,
): Call | undefined {
  return theMain(
    Object.values(definitions.calls).filter(
      call => call.table === resource.calls && call.does === does && (of === undefined || call.of === of),
    ),
  );
}

/** "subscription-contract.pause", or "pause" within a screen whose `calls` is that table. */
export function callNamed(definitions: Pick<Definitions, 'calls'>, name: string, resource?: { calls?: string }): Call | undefined {
  return definitions.calls[fullName(name, resource?.calls)];
}
/** The full name of a call that may be given without its table. */
export const fullName = (name: string, table: string | undefined): string => (name.includes('.') || !table ? name : `${table}.${name}`);

export interface RouteMatch<R> {
  resource: R;
  params: Record<string, string>;
}
/**
 * The screen at a path ("/subscriptions/12"): a word beats a bracket, segment by segment from the left. The
 * query and slashes at the ends don't count.
 */
export function resourceFor<R extends { route: string; of?: string; page?: string }>(
  definitions: { resources: Record<string, R> },
  path: string,
): RouteMatch<R> | undefined {
  const wanted = segments(path);
  let best: (RouteMatch<R> & { score: string }) | undefined;
  for (const resource of Object.values(definitions.resources)) {
    const pattern = patternOf(resource.route);
    if (pattern.length !== wanted.length) continue;
    const params: Record<string, string> = {};
    let score = '';
    const fits = pattern.every((segment, i) => {
      const bracket = /^\[(\w+)\]$/.exec(segment);
      score += bracket ? '0' : '1';
      if (!bracket) return segment === wanted[i];
      params[bracket[1] as string] = safeDecode(wanted[i] as string);
      return true;
    });
    if (fits && (!best || score > best.score)) best = { resource, params, score };
  }
  return best && { resource: best.resource, params: { ...best.params, ...ownSetting(best.resource) } };
}
/** A screen of one settings page under an address of its own answers like the bracket that serves all of them: `setting` is its page. */
const ownSetting = ({ of, page }: { of?: string; page?: string }): { setting?: string } =>
  page === 'settings-page' && of?.startsWith('settings/') ? { setting: of.slice('settings/'.length) } : {};
/** Whether a path has a screen: a resource file, and for /settings/<name> behind the bracket, the settings page itself. */
export function hasScreen(
  definitions: { resources: Record<string, { route: string; of?: string; page?: string }>; settings: Record<string, unknown> },
  path: string,
): boolean {
  const match = resourceFor(definitions, path);
  const setting = match?.params.setting;
  return match !== undefined && (setting === undefined || Object.hasOwn(definitions.settings, setting));
}
const segments = (path: string): string[] =>
  path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean);
const patterns = new Map<string, string[]>();
/** The segments of a screen's route. Kept: every look for a screen goes through all routes. */
function patternOf(route: string): string[] {
  const found = patterns.get(route) ?? segments(route);
  patterns.set(route, found);
  return found;
}
const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A route with its brackets filled: routeTo("subscriptions/[id]", { id: 12 }) -> "/subscriptions/12". */
export const routeTo = (route: string, params: Record<string, JsonValue | undefined> = {}): string =>
  '/' +
  route
    .replace(/^\//, '')
    .replace(/\[(\w+)\]/g, (whole, name: string) =>
      params[name] === undefined || params[name] === null ? whole : encodeURIComponent(String(params[name])),
    );

export interface Place {
  section?: NavEntry;
  item?: NavEntry;
}
/**
 * The navigation's section and sub-entry a path belongs to: the longest entry that the path equals or
 * lies below; a sub-entry beats its section.
 */
export function placeOf(navigation: Navigation, path: string): Place {
  const here = '/' + segments(path).join('/');
  const below = (to: string): number => (here === to || here.startsWith(to === '/' ? '/' : to + '/') ? to.length : -1);
  let best: Place & { length: number } = { length: -1 };
  for (const section of [...navigation.main, ...navigation.lower]) {
    if (!section.external && below(section.to) > best.length) best = { section, length: below(section.to) };
    for (const item of section.items ?? [])
      if (!item.external && below(item.to) >= best.length && below(item.to) >= 0) best = { section, item, length: below(item.to) };
  }
  return { ...(best.section ? { section: best.section } : {}), ...(best.item ? { item: best.item } : {}) };
}

/** The screens above a path by its address alone, the outermost first: "/products" above "/products/import". */
export function parentsOf({ resources }: { resources: Record<string, { title: string }> }, path: string): { title: string; to: string }[] {
  const names = segments(path);
  return names.slice(0, -1).flatMap((_, i) => {
    const route = names.slice(0, i + 1).join('/');
    const screen = resources[route];
    return screen ? [{ title: screen.title, to: `/${route}` }] : [];
  });
}

/**
 * The browser title: "{section} > {subsection} - {product}" (S066); `own` is the title of the screen
 * itself, where it is no navigation entry.
 */
export function titleOf(navigation: Navigation, path: string, product: string, own?: string): string {
  const { section, item } = placeOf(navigation, path);
  const names = [section?.title, item?.title ?? own].filter((name, i, all): name is string => !!name && all.indexOf(name) === i);
  return names.length ? `${names.join(' > ')} - ${product}` : own ? `${own} - ${product}` : product;
}

/** "{firstName} {lastName}" filled from a record; what is absent leaves no gap. Fields may be dotted. */
export function template(text: string, record: unknown): string {
  return text
    .replace(/\{([\w.[\]]+)\}/g, (_, path: string) => textOf(at(record, path)))
    .replace(/ {2,}/g, ' ')
    .trim();
}
const textOf = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

export interface FillScope {
  record?: unknown;
  root?: unknown;
  row?: unknown;
  facts?: Record<string, JsonValue>;
  params?: Record<string, string>;
}
/**
 * Values for a call's parameters: "{field}" is a field of the record, "{/path}" from the root, "{@fact}" of the session, "{row.field}"
 * of the row an action stands on, "{:id}" a bracket of the route. A value that is one placeholder alone
 * keeps its type; what is absent is left out.
 */
export function fill(values: With | undefined, scope: FillScope): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(values ?? {})) {
    const filled = one(value, scope);
    if (filled !== undefined) result[name] = filled;
  }
  return result;
}
function one(value: JsonValue, scope: FillScope): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(item => one(item, scope)).filter((item): item is JsonValue => item !== undefined);
  if (value !== null && typeof value === 'object') return fill(value, scope);
  if (typeof value !== 'string') return value;
  const whole = /^\{([^{}]+)\}$/.exec(value);
  if (whole) return lookUp(whole[1] as string, scope);
  return value.replace(/\{([^{}]+)\}/g, (_, path: string) => textOf(lookUp(path, scope)));
}
function lookUp(path: string, scope: FillScope): JsonValue | undefined {
  if (path.startsWith('@')) return scope.facts?.[path.slice(1)];
  if (path.startsWith(':')) return scope.params?.[path.slice(1)];
  if (path.startsWith('/')) return atPointer(scope.root ?? scope.record, path);
  if (path.startsWith('row.')) return at(scope.row, path.slice(4));
  return at(scope.record, path);
}
/** The placeholders in a text or in values: ["field", "row.id", "@plan.id"]; of "{n?one|many}" and "{at:relative}" the fields alone. */
export const placeholders = (value: JsonValue): string[] =>
  typeof value === 'string'
    ? [...value.matchAll(/\{([^{}]+)\}/g)].map(match => (match[1] as string).replace(/(?<=.)[?:].*$/, ''))
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(placeholders)
      : [];
