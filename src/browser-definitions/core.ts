// The part of the definitions that the admin needs at once: calls without their schemas, and the heads of screens, settings and entities.
import type {
  Call,
  Definitions,
  FactDefinition,
  Host,
  Navigation,
  Plan,
  RecordHints,
  Resource,
  Schema,
  SettingHints,
} from '../contract/types.ts';
import { isRead, LIST_PARAMS, paramName, pathParams } from '../contract/calls.ts';
import type { Validator } from '../contract/validation/validate.ts';

export type ResourceHead = Pick<
  Resource,
  'route' | 'title' | 'of' | 'calls' | 'icon' | 'module' | 'feature' | 'permission' | 'when' | 'page' | 'card' | 'pages'
> & { has: ('list' | 'record' | 'form')[] };
export type SettingHead = Omit<SettingHints, 'sections'> & { name: string; title: string; description?: string };
/** What of a record's hints is needed where its schema is not: to name it, to find it, and to know what makes it stale. */
export type RecordHead = Pick<RecordHints, 'name' | 'key' | 'label' | 'detail' | 'image' | 'from'>;
export interface EntityHead {
  name: string;
  title: string;
  record?: RecordHead;
}
export interface Core {
  hosts: Record<string, Host>;
  ambient: string[];
  /** Calls with the names of their parameters but without schemas and titles; their forms are in `virtual:perennial/forms/<table>`. */
  calls: Record<string, Call>;
  navigation: Navigation;
  facts: Record<string, FactDefinition>;
  /** The plans that are for sale. */
  plans: Pick<Plan, 'name' | 'rank'>[];
  resources: Record<string, ResourceHead>;
  settings: Record<string, SettingHead>;
  entities: Record<string, EntityHead>;
}

/** What only the server needs of a call: how its verb works. */
const SERVER_ONLY = [
  'like',
  'where',
  'sort',
  'limit',
  'part',
  'answer',
  'runs',
  'screen',
  'catalogue',
  'chart',
  'report',
  'document',
  'entries',
  'set',
  'rate',
] as const;

/** What a list is asked by under another name on the wire: the browser has to know it. */
const isOfLists = (as: string | undefined): boolean => (LIST_PARAMS as readonly (string | undefined)[]).includes(as);

const light = ({ title: _title, assumed: _assumed, ...whole }: Call, entity: Schema | undefined): Call => {
  const call: Call = { ...whole };
  for (const name of SERVER_ONLY) delete call[name];
  const inPath = pathParams(call.path);
  const fields = Object.keys(call.body?.properties ?? {});
  const twice = fields.filter(name => inPath.includes(name));
  // A schema of its own that allows nothing else, or parameters alone.
  const named = call.body ? fields : call.in.map(({ name }) => name);
  const takesLess =
    call.does === 'update' &&
    (call.body ? call.body.additionalProperties === false : call.in.length > 0) &&
    Object.keys(entity?.properties ?? {}).some(name => !named.includes(name));
  return {
    ...call,
    ...(takesLess ? { takes: named } : {}),
    in: call.in.map(({ name, as, required }) => ({ name, ...(isOfLists(as) ? { as } : {}), required, schema: {} })),
    ...(call.body ? { body: twice.length ? { properties: Object.fromEntries(twice.map(name => [name, {}])) } : {} } : {}),
  };
};

/** The core of loaded definitions, as the virtual module `virtual:perennial/core` gives it. */
export function coreOf(definitions: Definitions): Core {
  return {
    hosts: definitions.hosts,
    ambient: definitions.ambient,
    navigation: definitions.navigation,
    plans: definitions.plans.filter(plan => !plan.flagged).map(({ name, rank }) => ({ name, rank })),
    calls: map(definitions.calls, call => light(call, definitions.entities[call.of])),
    facts: map(definitions.facts, fact => ({ name: fact.name, schema: {} })),
    resources: map(
      definitions.resources,
      ({ route, title, of, calls, icon, module, feature, permission, when, page, card, pages, list, record, form }) => ({
        route,
        title,
        of,
        calls,
        icon,
        module,
        feature,
        permission,
        when,
        page,
        ...(card ? { card } : {}),
        ...(pages ? { pages } : {}),
        has: [...(list ? ['list' as const] : []), ...(record ? ['record' as const] : []), ...(form ? ['form' as const] : [])],
      }),
    ),
    settings: map(definitions.settings, (schema, name) => {
      const {
        sections: _sections,
        side: _side,
        actions: _actions,
        ...hints
      } = schema['x-setting'] ?? { category: '', type: '', permission: '' };
      return { ...hints, name, title: schema.title ?? name, ...(schema.description ? { description: schema.description } : {}) };
    }),
    entities: map(definitions.entities, (schema, name) => ({
      name,
      title: schema.title ?? name,
      ...(schema['x-record'] ? { record: recordHead(schema['x-record']) } : {}),
    })),
  };
}
const recordHead = ({ name, key, label, detail, image, from }: RecordHints): RecordHead => ({
  name,
  key,
  label,
  ...(detail ? { detail } : {}),
  ...(image ? { image } : {}),
  ...(from ? { from } : {}),
});
const map = <A, B>(record: Record<string, A>, one: (value: A, name: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, one(value, name)]));

/** Host -> table -> calls, each as [key, "METHOD /path", does, of, "id,reason?", what else differs from the defaults]. */
export type PackedCalls = Record<string, Record<string, [string, string, Call['does'], string, string, Partial<Call>?][]>>;
export type PackedCore = Omit<Core, 'calls'> & { calls: PackedCalls };

const usual = (hosts: Core['hosts'], call: Pick<Call, 'host' | 'of' | 'page'>): Partial<Call> => {
  const host = hosts[call.host];
  const total = host?.pagers[call.page ?? 'whole']?.total;
  return {
    out: host?.out ?? '',
    page: 'whole',
    invalidates: call.of ? [call.of] : [],
    ...(host?.ok ? { ok: host.ok } : {}),
    ...(total ? { total } : {}),
  };
};

/** Calls as they travel: without what follows from their host and name. */
export function packCalls(all: Core['calls'], hosts: Core['hosts']): PackedCalls {
  const calls: PackedCalls = {};
  for (const call of Object.values(all)) {
    const { name: _name, table, key, host, method, path, does, of, in: params, ...rest } = call;
    const known = usual(hosts, call) as Record<string, unknown>;
    const more = Object.fromEntries(
      Object.entries(rest).filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(known[member])),
    );
    const row: PackedCalls[string][string][number] = [
      key,
      `${method} ${path}`,
      does,
      of,
      params.map(({ name, as, required }) => `${name}${required ? '' : '?'}${as === undefined ? '' : ` as ${as}`}`).join(),
    ];
    if (Object.keys(more).length) row.push(more);
    ((calls[host] ??= {})[table] ??= []).push(row);
  }
  return calls;
}

/** Calls again, with every default. */
export function unpackCalls(packed: PackedCalls, hosts: Core['hosts']): Core['calls'] {
  const calls: Core['calls'] = {};
  for (const [host, tables] of Object.entries(packed)) {
    for (const [table, rows] of Object.entries(tables)) {
      for (const [key, route, does, of, params, more = {}] of rows) {
        const [method, path] = route.split(' ') as [Call['method'], string];
        const call = {
          name: `${table}.${key}`,
          table,
          key,
          host: host as Call['host'],
          method,
          path,
          does,
          of,
          page: more.page ?? 'whole',
        };
        calls[call.name] = {
          ...usual(hosts, call),
          ...call,
          ...more,
          in:
            params === ''
              ? []
              : params.split(',').map(text => {
                  const param = paramName(text);
                  return {
                    name: param?.name ?? text,
                    ...(param?.as === undefined ? {} : { as: param.as }),
                    required: param?.required ?? true,
                    schema: {},
                  };
                }),
        } as Call;
      }
    }
  }
  return calls;
}

export const packCore = (core: Core): PackedCore => ({ ...core, calls: packCalls(core.calls, core.hosts) });
export const unpackCore = (packed: PackedCore): Core => ({ ...packed, calls: unpackCalls(packed.calls, packed.hosts) });

/** The calls whose input a person fills in: writes that screens name as actions, and creates and updates of the tables they use. */
export function formCalls(definitions: Definitions): string[] {
  const names = new Set<string>();
  const tables = new Set<string>();
  for (const resource of Object.values(definitions.resources)) {
    if (resource.calls) tables.add(resource.calls);
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) node.forEach(visit);
      else if (node !== null && typeof node === 'object') {
        for (const [key, value] of Object.entries(node)) {
          if ((key === 'call' || key === 'undo') && typeof value === 'string') names.add(value);
          else visit(value);
        }
      }
    };
    visit(resource);
  }
  // Settings pages name their calls in full.
  for (const page of Object.values(definitions.settings)) for (const action of page['x-setting']?.actions ?? []) names.add(action.call);
  for (const call of Object.values(definitions.calls)) if (tables.has(call.table) && !isRead(call)) names.add(call.name);
  return [...names]
    .filter(name => {
      const call = definitions.calls[name];
      return call !== undefined && !isRead(call) && (call.in.length > 0 || call.body !== undefined);
    })
    .sort();
}

/** The forms of one table's calls, by "calls/<name>": the call's whole input as a schema, and its validator. */
export interface TableForms {
  schemas: Loads<Schema>;
  validators: Loads<Validator>;
}
export type Loads<T> = Record<string, () => Promise<{ default: T }>>;

/** The same by table: the forms of a table's calls are found together. */
export function formTables(definitions: Definitions): Record<string, string[]> {
  const tables: Record<string, string[]> = {};
  for (const name of formCalls(definitions)) (tables[(definitions.calls[name] as Call).table] ??= []).push(name);
  return tables;
}
