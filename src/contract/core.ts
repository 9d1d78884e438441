// The part of the definitions that the admin needs at once: calls without their schemas, and the heads of screens, settings and entities.
import type { Call, Definitions, FactDefinition, Host, Navigation, RecordHints, Resource, SettingHints } from './types.ts';
import { isRead, pathParams } from './calls.ts';

export type ResourceHead = Pick<Resource, 'route' | 'title' | 'of' | 'calls' | 'icon' | 'module' | 'feature' | 'permission' | 'when' | 'page'> & { has: ('list' | 'record' | 'form')[] };
export type SettingHead = Omit<SettingHints, 'sections'> & { name: string; title: string; description?: string };
export interface EntityHead { name: string; title: string; record?: RecordHints }
export interface Core {
  hosts: Record<string, Host>; ambient: string[];
  /** Calls with the names of their parameters but without schemas; those are in `virtual:perennial/loaders` under "calls/<name>". */
  calls: Record<string, Call>;
  navigation: Navigation; facts: Record<string, FactDefinition>;
  resources: Record<string, ResourceHead>; settings: Record<string, SettingHead>; entities: Record<string, EntityHead>;
}

const light = (call: Call): Call => {
  const inPath = pathParams(call.path);
  const twice = Object.keys(call.body?.properties ?? {}).filter(name => inPath.includes(name));
  return {
    ...call, in: call.in.map(param => ({ name: param.name, required: param.required, schema: {} })),
    ...(call.body ? { body: twice.length ? { properties: Object.fromEntries(twice.map(name => [name, {}])) } : {} } : {}),
  };
};

/** The core of loaded definitions, as the virtual module `virtual:perennial/core` gives it. */
export function coreOf(definitions: Definitions): Core {
  return {
    hosts: definitions.hosts, ambient: definitions.ambient, navigation: definitions.navigation,
    calls: map(definitions.calls, light),
    facts: map(definitions.facts, fact => ({ name: fact.name, schema: {} })),
    resources: map(definitions.resources, ({ route, title, of, calls, icon, module, feature, permission, when, page, list, record, form }) =>
      ({ route, title, of, calls, icon, module, feature, permission, when, page, has: [...(list ? ['list' as const] : []), ...(record ? ['record' as const] : []), ...(form ? ['form' as const] : [])] })),
    settings: map(definitions.settings, (schema, name) => {
      const { sections: _sections, ...hints } = schema['x-setting'] ?? { category: '', type: '', permission: '' };
      return { ...hints, name, title: schema.title ?? name, ...(schema.description ? { description: schema.description } : {}) };
    }),
    entities: map(definitions.entities, (schema, name) => ({ name, title: schema.title ?? name, ...(schema['x-record'] ? { record: schema['x-record'] } : {}) })),
  };
}
const map = <A, B>(record: Record<string, A>, one: (value: A, name: string) => B): Record<string, B> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, one(value, name)]));

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
  for (const call of Object.values(definitions.calls)) if (tables.has(call.table) && !isRead(call)) names.add(call.name);
  return [...names].filter(name => { const call = definitions.calls[name]; return call !== undefined && !isRead(call) && (call.in.length > 0 || call.body !== undefined); }).sort();
}
