// A call table as written -> calls with every default filled in.
import type { Call, CallTable, Does, Host, HostName, JsonObject, JsonValue, Pager, Param, Rate, Schema } from './types.ts';
import { humanise } from './paths.ts';
import type { Mistake } from './refs.ts';
import { bodyOf, editable } from './call-bodies.ts';
import { filterSchema } from './filter-schema.ts';

/** One line of a call table, as written. `in` lists parameters ("reason?", "ids[]") or is a schema of the whole input. */
export type RawCall = {
  route: string;
  does: Does;
  of?: string;
  in?: string[] | Schema;
  query?: string[];
  wrap?: string;
  out?: string;
  total?: string;
  ok?: string;
  page?: string;
  invalidates?: string[];
  action?: string;
  like?: string;
  main?: boolean;
  where?: JsonObject;
  sort?: { field: string; order: 'ASC' | 'DESC' };
  limit?: number;
  part?: string[];
  answer?: JsonValue;
  runs?: string[];
  screen?: string;
  catalogue?: string;
  chart?: string;
  figures?: string | Record<string, string>;
  report?: string;
  document?: string;
  entries?: true;
  derived?: true;
  set?: string;
  poll?: { call: string; path: string; values: JsonValue[]; with?: JsonObject };
  says?: string[];
  encode?: string;
  decode?: string;
  permission?: string | null;
  also?: string[];
  feature?: string;
  public?: boolean;
  rate?: Rate;
  title?: string;
  assumed?: string;
};
export type RawTable = {
  title: string;
  host: HostName;
  base: string;
  permission?: string | null;
  of?: string;
  feature?: string;
  says?: string[];
  /** Parameters only this table knows; they win over those of common/params.json. */
  params?: Record<string, Schema>;
  calls: Record<string, RawCall>;
};
export interface Surroundings {
  hosts: Record<string, Host>;
  params: Record<string, Schema>;
  entities: Record<string, Schema>;
  settings: Record<string, Schema>;
  /** Schema at a place of the table's own file, references followed. */
  own: (pointer: string) => Schema;
  /** Another table as written, for calls that are `like` one of its own. */
  table?: (name: string) => RawTable | undefined;
  /** A parameter that another table names, references followed. */
  tableParam?: (table: string, name: string) => Schema | undefined;
}

/** Verbs that take what a list is narrowed and ordered by. */
const OF_LISTS: readonly Does[] = ['list', 'export'];
export const READS: readonly Does[] = [...OF_LISTS, 'read', 'get', 'count', 'progress', 'catalogue', 'chart', 'figures', 'texts', 'query'];
/** Whether the call only looks: it needs READ, is repeated freely and sends its input in the query. */
export const isRead = (call: Pick<Call, 'does'>): boolean => READS.includes(call.does);
/** {id} and {path} of a route, in order. */
export const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string);

export interface ParamName {
  name: string;
  list: boolean;
  required: boolean;
  as?: string;
}
/** "ids[]?" -> { name: "ids", list: true, required: false }; "query? as q" is called `query` on the wire and `q` by the verb. */
export function paramName(text: string): ParamName | undefined {
  const match = /^(\w+)(\[\])?(\?)?(?: as (\w+))?$/.exec(text);
  return match
    ? { name: match[1] as string, list: match[2] !== undefined, required: match[3] === undefined, ...(match[4] ? { as: match[4] } : {}) }
    : undefined;
}

/** The field that identifies a record of an entity. */
export const keyOf = (entity: Schema | undefined): string => entity?.['x-record']?.key ?? 'id';

/** The page and the field of a set that belongs to a settings page ("settings/swap-general.excludedProductIds"); else undefined. */
export function settingSetOf(set: string): { page: string; field: string } | undefined {
  const [, page, field] = /^settings\/([a-z-]+)\.(\w+)$/.exec(set) ?? [];
  return page && field ? { page, field } : undefined;
}

/** What a list takes besides the parameters of its pager. */
export const LIST_PARAMS = ['sort', 'order', 'q', 'filter'] as const;

export const callTable = (
  name: string,
  raw: RawTable,
  around: Surroundings,
  report: (mistake: Omit<Mistake, 'file'>) => void,
): CallTable => {
  const calls: Record<string, Call> = {};
  for (const [key, line] of Object.entries(raw.calls ?? {})) {
    const call = oneCall(name, key, likeAnother(key, line, raw, around, report), raw, around, report);
    if (call) calls[key] = call;
  }
  return {
    name,
    title: raw.title,
    host: raw.host,
    base: raw.base ?? '',
    ...(raw.permission ? { permission: raw.permission } : {}),
    ...(raw.of ? { of: raw.of } : {}),
    calls,
  };
};

/** A line that is `like` another takes over what it does not say itself; route and host are its own. */
function likeAnother(
  key: string,
  line: RawCall,
  raw: RawTable,
  around: Surroundings,
  report: (mistake: Omit<Mistake, 'file'>) => void,
): RawCall {
  if (line.like === undefined) return line;
  const [tableName = '', targetKey = ''] = line.like.split('.');
  const table = around.table?.(tableName);
  const target = table?.calls?.[targetKey];
  if (!table || !target || target.like !== undefined) {
    report({
      pointer: `/calls/${key}/like`,
      message: target ? `"${line.like}" is itself like another call. Name that one.` : `There is no call "${line.like}".`,
      wanted: line.like,
    });
    return line;
  }
  if (target.in !== undefined && !Array.isArray(target.in))
    report({
      pointer: `/calls/${key}/like`,
      message: `"${line.like}" has a schema of its own as its input; only calls with named parameters can be likened.`,
    });
  if (target.does !== line.does)
    report({ pointer: `/calls/${key}/does`, message: `"${line.like}" does "${target.does}", so what is like it does the same.` });
  const { assumed: _assumed, main: _main, ...same } = target;
  // Of another table: it asks for what its own table asks for, and for what the other asks where its own asks for nothing.
  const { permission = table.permission, feature = table.feature } = raw;
  return { of: table.of, permission, feature, title: target.title, ...same, ...line };
}

function oneCall(
  table: string,
  key: string,
  line: RawCall,
  raw: RawTable,
  around: Surroundings,
  report: (mistake: Omit<Mistake, 'file'>) => void,
): Call | undefined {
  const at = (member: string): string => `/calls/${key}${member}`;
  const [method, rest = ''] = String(line.route ?? '').split(' ');
  if (!method || !/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)) return undefined; // the meta-schema says so with its place
  const path = (raw.base ?? '') + (rest === '/' ? '' : rest) || '/';
  const host = around.hosts[raw.host];
  const of = line.of ?? raw.of ?? '';
  const entity = around.entities[of];
  const document = of.startsWith('settings/') ? around.settings[of.slice('settings/'.length)] : entity;

  const schemaOf = (name: string): Schema | undefined => {
    const borrowed = line.like === undefined ? undefined : around.tableParam?.(line.like.split('.')[0] as string, name);
    if (borrowed) return borrowed;
    if (raw.params && Object.prototype.hasOwnProperty.call(raw.params, name)) return around.own(`/params/${name}`);
    if (Object.prototype.hasOwnProperty.call(around.params, name)) return around.params[name];
    return name === keyOf(entity) ? entity?.properties?.[name] : undefined;
  };
  const list: Param[] = [];
  const add = (name: string, required: boolean, where: string, isList = false, as?: string): void => {
    if (list.some(param => param.name === name)) return;
    const isFilter = as === 'filter' && OF_LISTS.includes(line.does) && entity?.['x-record']?.filter?.length;
    const schema = isFilter
      ? filterSchema(entity)
      : (schemaOf(name) ?? (as === undefined ? undefined : (schemaOf(as) ?? entity?.properties?.[as])));
    if (!schema) {
      const among = [...Object.keys(raw.params ?? {}), ...Object.keys(around.params)];
      report({
        pointer: where,
        message: `There is no parameter "${name}" in common/params.json or in "params" of this table.`,
        wanted: name,
        among,
      });
    }
    const one = editable(schema ?? {});
    const item = isList ? { type: 'array' as const, title: one.title ?? humanise(name), items: one } : one;
    list.push({ name, ...(as === undefined ? {} : { as }), required, schema: item });
  };
  const aliases = new Map(
    (Array.isArray(line.in) ? line.in : []).flatMap(text => {
      const { name, as } = paramName(String(text)) ?? {};
      return name && as ? [[name, as] as const] : [];
    }),
  );
  for (const name of pathParams(path)) add(name, true, at('/route'), false, aliases.get(name));

  let body: Schema | undefined;
  if (Array.isArray(line.in)) {
    line.in.forEach((text, i) => {
      const param = paramName(String(text));
      if (param) add(param.name, param.required, at(`/in/${i}`), param.list, param.as);
    });
  } else if (line.in) {
    body = around.own(at('/in'));
    if (!body.type) body = { type: 'object', ...body };
    for (const [name, schema] of Object.entries(body.properties ?? {})) {
      if (line.query?.includes(name) && !list.some(param => param.name === name))
        list.push({ name, schema, required: body.required?.includes(name) ?? false });
    }
  } else {
    const identify = (): void => {
      if (!pathParams(path).length) add(keyOf(entity), true, at('/in'));
    };
    switch (line.does) {
      case 'read':
      case 'delete':
      case 'duplicate':
      case 'move':
        identify();
        break;
      case 'update':
        identify();
        body = entity && bodyOf(entity, true);
        break;
      case 'create':
        body = entity && bodyOf(entity, false);
        break;
      case 'set':
        body = document ? bodyOf(document, true) : { type: 'object' };
        break;
      case 'order':
        add('ids', true, at('/in'));
        break;
      case 'join':
      case 'leave':
        identify();
        add('ids', true, at('/in'));
        break;
      case 'progress':
        add('runId', false, at('/in'));
        break;
      default:
        break;
    }
  }
  for (const name of line.query ?? []) if (!body?.properties?.[name]) add(name, false, at('/query'));

  const page = line.page ?? 'whole';
  const pager: Pager | undefined = host?.pagers[page];
  if (line.does === 'export') add('columns', false, at('/does'));
  if (line.does === 'list' || line.page) {
    for (const [role, name] of Object.entries(pager ?? {})) {
      if (
        ['size', 'page', 'offset', 'after', 'before'].includes(role) &&
        typeof name === 'string' &&
        !list.some(param => param.name === name)
      ) {
        const base = around.params[name] ?? {};
        list.push({ name, required: false, schema: role === 'size' && pager?.maxSize ? { ...base, maximum: pager.maxSize } : base });
      }
    }
  }
  if (OF_LISTS.includes(line.does)) {
    const hints = entity?.['x-record'];
    for (const name of LIST_PARAMS) {
      if (list.some(param => (param.as ?? param.name) === name)) continue;
      if (name === 'q' ? !hints?.search?.length : name === 'filter' ? !hints?.filter?.length : !hints?.sort?.length) continue;
      const base = around.params[name] ?? {};
      list.push({
        name,
        required: false,
        schema: name === 'filter' ? filterSchema(entity as Schema) : name === 'sort' ? { ...base, enum: hints?.sort ?? [] } : base,
      });
    }
  }
  const permission = line.permission === null ? undefined : (line.permission ?? raw.permission);
  const feature = line.feature ?? raw.feature;
  const says = line.says ?? raw.says;
  return {
    name: `${table}.${key}`,
    table,
    key,
    host: raw.host,
    method: method as Call['method'],
    path,
    does: line.does,
    of,
    in: list,
    ...(body ? { body } : {}),
    ...(line.query ? { query: line.query } : {}),
    ...(line.wrap ? { wrap: line.wrap } : {}),
    out: line.out ?? host?.out ?? '',
    ...((line.total ?? pager?.total) ? { total: line.total ?? pager?.total } : {}),
    ...((line.ok ?? host?.ok) ? { ok: line.ok ?? host?.ok } : {}),
    page,
    invalidates: line.invalidates ?? (of ? [of] : []),
    ...given(line, AS_WRITTEN),
    ...(line.main ? { main: true } : {}),
    ...(line.limit === undefined ? {} : { limit: line.limit }),
    ...(line.answer === undefined ? {} : { answer: line.answer }),
    ...(line.answer !== undefined && line.does === 'read' ? { isPart: true as const } : {}),
    ...(line.entries ? { entries: true as const } : {}),
    ...(line.poll ? { poll: { ...line.poll, call: line.poll.call.includes('.') ? line.poll.call : `${table}.${line.poll.call}` } } : {}),
    ...(says ? { says } : {}),
    ...(permission && !line.public ? { permission } : {}),
    ...(feature ? { feature } : {}),
    ...(line.public ? { public: true } : {}),
    title: line.title ?? humanise(key),
  };
}

/** What a line says goes into its call as it stands. */
const AS_WRITTEN = [
  'action',
  'like',
  'sort',
  'part',
  'runs',
  'screen',
  'catalogue',
  'chart',
  'figures',
  'report',
  'document',
  'set',
  'encode',
  'decode',
  'rate',
  'assumed',
  'where',
  'also',
] as const;
const given = <K extends keyof RawCall>(line: RawCall, names: readonly K[]): Pick<RawCall, K> =>
  Object.fromEntries(names.flatMap(name => (line[name] ? [[name, line[name]]] : []))) as Pick<RawCall, K>;

const NONE: readonly string[] = [];
const inputs = new WeakMap<Call, { ambient: readonly string[]; schema: Schema }>();
/**
 * One schema for the whole input of a call, flat as the client gives it; `ambient` names are allowed besides.
 * The server and the dialogs validate by it.
 */
export function inputSchema(call: Call, ambient: readonly string[] = NONE): Schema {
  const known = inputs.get(call);
  if (known?.ambient === ambient) return known.schema;
  const properties: Record<string, Schema> = {};
  for (const name of ambient) properties[name] = { readOnly: true };
  for (const param of call.in) properties[param.name] = param.schema;
  Object.assign(
    properties,
    Object.fromEntries(
      Object.entries(call.body?.properties ?? {}).filter(
        ([name, field]) => !(field.readOnly && call.in.some(param => param.name === name)),
      ),
    ),
  );
  const required = [
    ...new Set([
      ...call.in.filter(param => param.required && !ambient.includes(param.name)).map(param => param.name),
      ...(call.body?.required ?? []),
    ]),
  ];
  const open = call.body ? (call.body.additionalProperties ?? !call.body.properties) : false;
  const schema: Schema = {
    type: 'object',
    title: call.title ?? humanise(call.key),
    properties,
    ...(required.length ? { required } : {}),
    additionalProperties: open,
    ...(call.body?.minProperties !== undefined ? { minProperties: call.body.minProperties } : {}),
    ...(call.body?.anyOf ? { anyOf: call.body.anyOf } : {}),
  };
  inputs.set(call, { ambient, schema });
  return schema;
}
