// Hosts, calls and their tables.
import type { JsonObject, JsonValue, Schema } from './schema.ts';

export type Does =
  | 'list'
  | 'read'
  | 'create'
  | 'update'
  | 'delete'
  | 'get'
  | 'set'
  | 'duplicate'
  | 'move'
  | 'order'
  | 'count'
  | 'export'
  | 'start'
  | 'progress'
  | 'catalogue'
  | 'chart'
  | 'figures'
  | 'join'
  | 'leave'
  | 'texts'
  | 'translate'
  | 'query'
  | 'act'
  | 'command';
export type HostName =
  | 'main'
  | 'app'
  | 'v2'
  | 'bulk'
  | 'apiService'
  | 'widgetEngine'
  | 'themeEngine'
  | 'reporting'
  | 'alertCentre'
  | 'user'
  | 'external'
  | 'rest';
export type Host = {
  name: HostName;
  config: string;
  prefix: string;
  out: string;
  ok?: string;
  pagers: Record<string, Pager>;
};
/** How a list is paged: the names of its parameters and where the answer says what comes next. */
export interface Pager {
  size?: string;
  page?: string;
  offset?: string;
  after?: string;
  before?: string;
  next?: string;
  previous?: string;
  total?: string;
  /** The total and the place in it stand in the Content-Range header of the answer: "suppliers 0-24/319". */
  contentRange?: true;
  maxSize?: number;
}
export interface Param {
  name: string;
  /** What the verb calls it, where the wire has another name: `collectionId as id`. */
  as?: string;
  schema: Schema;
  required: boolean;
}

/** One line of the wire, defaults filled in. `name` is "<table>.<key>", e.g. "subscription-contract.pause". */
export interface Call {
  name: string;
  table: string;
  key: string;
  host: HostName;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  does: Does;
  of: string;
  /** Path, query and body members, in one flat list; `body` is set instead where the body is one schema. */
  in: Param[];
  body?: Schema;
  /** In the admin, of an update that takes less than its record has: the names of its fields. */
  takes?: string[];
  query?: string[]; // of a write: these go to the query
  /** Another call that this one is the same as, under a route of its own. */
  like?: string;
  /** Among several calls of a verb for an entity, the one that screens use; without one, the first. */
  main?: boolean;
  /** Values that the records of the call have: they narrow lists and reads, and are what a create gives. */
  where?: JsonObject;
  /** Of a list, export or count: sort and order where none is asked for. */
  sort?: { field: string; order: 'ASC' | 'DESC' };
  /** Of a list without pages: so many records at most. */
  limit?: number;
  /** Of get and set: the fields of the document that the call is about. */
  part?: string[];
  /** Of figures: the measure that is answered, or several by names of their own. */
  figures?: string | Record<string, string>;
  /** Of get, read, start and progress: the form of the answer, with "{path}" for values of the document, record or run. */
  answer?: JsonValue;
  /** Of a read with `answer`: it is no whole record, so that no screen opens one by it. */
  isPart?: true;
  /** Of start and progress: the kinds of system run. */
  runs?: string[];
  /** Of act: the action on a subscription that it does; without it the one that names this call. */
  action?: string;
  /** Of count: the screen whose tabs are counted. */
  screen?: string;
  /** Of catalogue: which one. */
  catalogue?: string;
  /** Of chart: the component "<page>.<key>" that it answers; without it the parameter `path` names one. */
  chart?: string;
  /** Of list and export: the report (schemas/reports) that it serves. */
  report?: string;
  /** Of get: a document of a feature's documents.ts, where it is not the one that `of` names. */
  document?: string;
  /** Of get and set: settings as a list of entries { category, type, key, value, … }. */
  entries?: true;
  /** Of list, join and leave: the set of the owner's entity, "selling-plan-group.collections". */
  set?: string;
  wrap?: string; // the body is sent under this key
  out: string;
  total?: string;
  ok?: string;
  page?: string;
  invalidates: string[];
  poll?: { call: string; path: string; values: JsonValue[]; with?: JsonObject };
  encode?: string;
  decode?: string;
  /** Members of the answer that hold texts of definitions, such as titles: the admin shows them in the person's language. */
  says?: readonly string[];
  permission?: string; // area; READ for reads, WRITE for writes
  /** Further areas whose READ it needs. */
  also?: string[];
  feature?: string; // plan feature that must be there
  public?: boolean; // no token needed (sign-in)
  /** How often an API token may make it; absent: as often as calls of its kind. */
  rate?: Rate;
  title?: string;
  assumed?: string;
}
/** So many requests at once, and as many again in so many seconds. */
export interface Rate {
  requests: number;
  seconds: number;
}
export interface CallTable {
  name: string;
  title: string;
  host: HostName;
  base: string;
  permission?: string;
  of?: string;
  calls: Record<string, Call>;
}

// --- resources: screens ---
