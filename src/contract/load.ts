// The text of every definition file -> the definitions: references followed, defaults filled in, names made full.
import type {
  Action,
  CallTable,
  Column,
  Definitions,
  FactDefinition,
  Host,
  JsonObject,
  ListSection,
  NavEntry,
  Navigation,
  News,
  PanelSection,
  PermissionArea,
  Plan,
  Popup,
  Resource,
  Schema,
  SearchSource,
  Section,
  SetUp,
  Start,
} from './types.ts';
import { actionsIn, callsOfActions, linkVariables, TABLE, withButtons } from './actions.ts';
import { metricsOf, pagesOf, reportsOf } from './analytics.ts';
import { callTable, type RawTable } from './calls.ts';
import { fullName } from './find.ts';
import { integrationEventsOf, integrationsOf } from './integrations.ts';
import { eventsOf, messagesOf } from './messages.ts';
import { humanise } from './paths.ts';
import { textsOf } from './texts.ts';
import { readyRoles } from './ready-roles.ts';
import { reportTable, REPORTS_ROUTE, screenOfReport, tableOfReport } from './reports.ts';
import { restTables } from './rest.ts';
import { screensOf } from './whole-resource.ts';
import { References, type Mistake, type Report } from './refs.ts';

export class DefinitionError extends Error {
  readonly mistakes: Mistake[];
  constructor(mistakes: Mistake[]) {
    super(
      mistakes
        .slice(0, 20)
        .map(one => `${one.file} ${one.pointer}\n  ${one.message}`)
        .join('\n'),
    );
    this.name = 'DefinitionError';
    this.mistakes = mistakes;
  }
}

/**
 * Path from the root of the project ("schemas/entities/order.json") -> text. Throws DefinitionError;
 * check.ts says more, with line and suggestion.
 */
export function load(files: Record<string, string>): Definitions {
  const mistakes: Mistake[] = [];
  const documents: Record<string, unknown> = {};
  for (const [file, text] of Object.entries(files)) {
    try {
      documents[file] = JSON.parse(text);
    } catch (error) {
      mistakes.push({ file, pointer: '', message: `This is not JSON: ${(error as Error).message}.` });
    }
  }
  const definitions = loadDocuments(documents, mistake => mistakes.push(mistake));
  if (mistakes.length) throw new DefinitionError(mistakes);
  return definitions;
}

const nameOf = (file: string, folder: string): string | undefined =>
  file.startsWith(folder) && file.endsWith('.json') ? file.slice(folder.length, -'.json'.length) : undefined;
const object = (value: unknown): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
/** What a form says whose records begin as one of the ready roles. */
const READY_ROLES = 'readyRoles';
/** Files of schemas/common that are lists of ours and not schemas. */
export const LISTS = [
  'params',
  'session',
  'permissions',
  'plans',
  'special',
  'switches',
  'set-up',
  'popups',
  'whats-new',
  'message-variables',
] as const;

/** The same on parsed documents; mistakes are reported and skipped, so that one doesn't hide the next. */
export function loadDocuments(documents: Record<string, unknown>, report: Report): Definitions {
  const references = new References(documents, report);
  const entries = Object.entries(documents).sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = (folder: string): Record<string, Schema> => {
    const found: Record<string, Schema> = {};
    for (const [file] of entries) {
      const name = nameOf(file, folder);
      if (name !== undefined && !(folder === 'schemas/common/' && (LISTS as readonly string[]).includes(name)))
        found[name] = references.schema(file);
    }
    return found;
  };
  const within = (file: string, member: string): Record<string, Schema> =>
    Object.fromEntries(
      Object.keys(object(object(documents[file])[member])).map(name => [
        name,
        references.schema(file, `/${member}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`),
      ]),
    );

  const rights = object(documents['schemas/common/permissions.json']);
  const modules = object(rights.modules) as Record<string, string>;
  const permissions: Record<string, PermissionArea> = Object.fromEntries(
    Object.entries(object(rights.areas)).map(([permissionKey, area]) => [
      permissionKey,
      {
        permissionKey,
        isHidden: false,
        loopFeatureKey: null,
        availableAccessMode: ['READ', 'WRITE'],
        moduleTitle: modules[object(area).loopModuleKey as string],
        ...object(area),
      } as PermissionArea,
    ]),
  );
  const roles = readyRoles(object(rights.roles), permissions);
  const entities = schemas('schemas/entities/');
  const settings = schemas('schemas/settings/');
  const common = schemas('schemas/common/');
  const params = within('schemas/common/params.json', 'params');
  const facts: Record<string, FactDefinition> = Object.fromEntries(
    Object.entries(within('schemas/common/session.json', 'facts')).map(([name, schema]) => [name, { name, schema }]),
  );
  const { hosts, ambient, rates } = hostsOf(object(documents['schemas/calls/_hosts.json']));

  const rawTables = new Map(
    entries.flatMap(([file, document]) => {
      const name = nameOf(file, 'schemas/calls/');
      return name === undefined ? [] : [[name, object(document) as unknown as RawTable] as const];
    }),
  );
  const screens = entries.flatMap(([file, document]) => {
    const route = nameOf(file, 'resources/');
    return route === undefined || route === 'navigation' ? [] : [{ file, route, raw: object(document) }];
  });
  const plain = restTables(Object.fromEntries(screens.map(({ file, raw }) => [file, raw])), entities, report);
  const tables: Record<string, CallTable> = {};
  const add = (name: string, raw: RawTable, file: string, own: (at: string) => Schema): void => {
    tables[name] = callTable(
      name,
      raw,
      {
        hosts,
        params,
        entities,
        settings,
        own,
        table: other => rawTables.get(other),
        tableParam: (other, param) =>
          rawTables.get(other)?.params?.[param] && references.schema(`schemas/calls/${other}.json`, `/params/${param}`),
      },
      mistake => report({ file, ...mistake }),
    );
  };
  const ofActions = callsOfActions(documents, references);
  const inputs = new Map(Object.entries(ofActions).map(([key, line]) => [`${TABLE}/calls/${key}/in`, line.in as Schema]));
  for (const [name, raw] of rawTables) {
    const file = `schemas/calls/${name}.json`;
    const whole = name === TABLE ? { ...raw, calls: { ...raw.calls, ...ofActions } } : raw;
    if (name !== '_hosts') add(name, whole, file, at => inputs.get(name + at) ?? references.schema(file, at));
  }
  for (const [name, raw] of Object.entries(plain))
    add(name, raw, `schemas/entities/${raw.of ?? ''}.json`, at => raw.params?.[at.slice('/params/'.length)] ?? {});
  const reports = reportsOf(documents);
  for (const report of Object.values(reports))
    if (entities[report.of]) add(reportTable(report.key), tableOfReport(report), `schemas/reports/${report.key}.json`, () => ({}));
  const calls = Object.fromEntries(Object.values(tables).flatMap(table => Object.values(table.calls).map(call => [call.name, call])));

  const actions = actionsIn(documents, references, calls);
  const metrics = metricsOf(documents);
  const resources: Record<string, Resource> = {};
  const written = new Set(screens.map(({ route }) => route));
  for (const { route, raw } of screens) {
    for (const [name, one] of Object.entries(screensOf(route, raw, entities, tables)))
      if (name === route || !written.has(name)) resources[name] = screen(name, withButtons(one, tables, actions, calls), tables, roles);
  }
  for (const report of Object.values(reports))
    if (entities[report.of]) {
      const route = `${REPORTS_ROUTE}/${report.key}`;
      resources[route] ??= screen(route, screenOfReport(report), tables);
    }
  return {
    hosts,
    ambient,
    rates,
    calls,
    tables,
    entities,
    settings,
    common,
    resources,
    navigation: navigationOf(object(documents['resources/navigation.json']), path => {
      const setting = /^\/settings\/([\w-]+)$/.exec(path)?.[1] ?? '';
      return settings[setting]?.title ?? resources[path.replace(/^\//, '')]?.title;
    }),
    facts,
    params,
    permissions,
    readyRoles: roles,
    plans: (object(documents['schemas/common/plans.json']).plans ?? []) as Plan[],
    setUp: setUpOf(object(documents['schemas/common/set-up.json'])),
    popups: (object(documents['schemas/common/popups.json']).popups ?? []) as Popup[],
    news: (object(documents['schemas/common/whats-new.json']).news ?? []) as News[],
    events: eventsOf(documents, references),
    messages: messagesOf(documents),
    integrations: integrationsOf(documents, references),
    integrationEvents: integrationEventsOf(documents),
    conditions: references.conditions(),
    actions,
    texts: textsOf(documents),
    metrics,
    analytics: pagesOf(documents, metrics),
    reports,
    messageVariables: {
      ...(object(object(documents['schemas/common/message-variables.json']).variables) as Definitions['messageVariables']),
      ...linkVariables(actions),
    },
  };
}

function hostsOf(document: JsonObject): Pick<Definitions, 'hosts' | 'ambient' | 'rates'> {
  const shared = object(document.pagers);
  const hosts = Object.fromEntries(
    Object.entries(object(document.hosts)).map(([name, raw]) => {
      const host = object(raw);
      return [
        name,
        {
          prefix: `/host/${name}`,
          out: 'data',
          ...host,
          name,
          pagers: { whole: {}, ...shared, ...object(host.pagers) },
        } as unknown as Host,
      ];
    }),
  );
  const once = { requests: 1, seconds: 1 };
  return { hosts, ambient: (document.ambient ?? []) as string[], rates: { single: once, list: once, ...object(document.rates) } };
}

function setUpOf(document: JsonObject): SetUp {
  const { tabs = [], stages = [] } = document as Partial<SetUp>;
  return { tabs, stages: stages.map(stage => ({ ...stage, needs: stage.needs ?? [], canSkip: stage.canSkip ?? false })) };
}

/** The navigation; an entry without a title has that of the page it leads to. */
function navigationOf(document: JsonObject, pageTitle: (path: string) => string | undefined): Navigation {
  const entry = (raw: unknown): NavEntry => {
    const one = object(raw) as NavEntry;
    return {
      ...one,
      title: one.title ?? pageTitle(String(one.to ?? '')) ?? '',
      id: one.id ?? String(one.to ?? '').replace(/^\//, ''),
      ...(one.items ? { items: one.items.map(entry) } : {}),
    };
  };
  const list = (value: unknown): NavEntry[] => (Array.isArray(value) ? value.map(entry) : []);
  return {
    main: list(document.main),
    lower: list(document.lower),
    search: Array.isArray(document.search) ? (document.search as SearchSource[]) : [],
  };
}

const column = (value: unknown): Column => (typeof value === 'string' ? { field: value } : (value as Column));
type RawAction = string | (Partial<Action> & { call: string });
/** A screen as written (strings for plain columns and actions) -> with every default. */
function screen(route: string, raw: JsonObject, tables: Record<string, CallTable>, roles: Record<string, Start> = {}): Resource {
  const { $schema: _schema, $comment: _comment, ...given } = raw;
  const one = given as unknown as Resource;
  const table = one.calls ? tables[one.calls] : undefined;
  const call = (name: string): string => fullName(name, one.calls);
  const action = (value: RawAction): Action => {
    const given = typeof value === 'string' ? { call: value } : value;
    const name = call(given.call);
    const known = tables[name.split('.')[0] as string]?.calls[name.slice(name.indexOf('.') + 1)];
    const key = name.slice(name.indexOf('.') + 1);
    const undo = given.undo ? call(given.undo) : undefined;
    return {
      ...given,
      call: name,
      id: given.id ?? key,
      title: given.title ?? known?.title ?? humanise(key),
      ...(undo ? { undo } : {}),
      ...(given.prerequisite ? { prerequisite: { ...given.prerequisite, call: call(given.prerequisite.call) } } : {}),
    };
  };
  const listed = (Array.isArray(one.actions) ? one.actions : []).map(value => action(value as RawAction));
  const own = new Map(listed.map(known => [known.id, known]));
  /** A word names one of the screen's own actions, with all that is said of it there; else a call. */
  const actions = (list: unknown): Action[] =>
    Array.isArray(list) ? list.map(value => (typeof value === 'string' ? own.get(value) : undefined) ?? action(value as RawAction)) : [];
  const section = (value: unknown): Section => {
    const part = value as Section;
    if ('columns' in part && 'call' in part && Array.isArray(part.columns))
      return {
        ...part,
        columns: part.columns.map(column),
        call: call(part.call),
        ...('rowActions' in part && part.rowActions ? { rowActions: actions(part.rowActions) } : {}),
      } as ListSection;
    if ('panel' in part)
      return {
        ...part,
        ...(part.call ? { call: call(part.call) } : {}),
        ...(part.rowActions ? { rowActions: actions(part.rowActions) } : {}),
      } as PanelSection;
    return part;
  };
  const sections = (list: unknown): Section[] => (Array.isArray(list) ? list.map(section) : []);
  return {
    ...one,
    route,
    title: one.title ?? humanise(route.split('/').at(-1) ?? route),
    ...((one.of ?? table?.of) ? { of: one.of ?? table?.of } : {}),
    ...(one.list
      ? {
          list: {
            ...one.list,
            columns: (one.list.columns ?? []).map(column),
            ...(one.list.tabs
              ? { tabs: one.list.tabs.map(tab => ({ ...tab, ...(tab.columns ? { columns: tab.columns.map(column) } : {}) })) }
              : {}),
            ...(one.list.call ? { call: call(one.list.call) } : {}),
            ...(one.list.bulk ? { bulk: actions(one.list.bulk) } : {}),
            ...(one.list.rowActions ? { rowActions: actions(one.list.rowActions) } : {}),
          },
        }
      : {}),
    ...(one.record
      ? {
          record: {
            ...one.record,
            main: sections(one.record.main),
            ...(one.record.side ? { side: sections(one.record.side) } : {}),
            ...(one.record.preview ? { preview: { ...one.record.preview, call: call(one.record.preview.call) } } : {}),
          },
        }
      : {}),
    ...(one.form
      ? {
          form: {
            ...one.form,
            ...(one.form.call ? { call: call(one.form.call) } : {}),
            ...((one.form.starts as unknown) === READY_ROLES ? { starts: roles } : {}),
            sections: sections(one.form.sections),
            ...(one.form.side ? { side: sections(one.form.side) } : {}),
          },
        }
      : {}),
    ...(one.actions ? { actions: listed } : {}),
  };
}
