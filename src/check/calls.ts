// The call tables: hosts, entities, permissions, parameters, handlers, one call per verb and entity, one per route.
import { componentAt, componentsOf } from '../contract/analytics.ts';
import { codecs } from '../domain/codecs/index.ts';
import { isRead, settingSetOf, type RawCall, type RawTable } from '../contract/calls.ts';
import type { Call, Definitions, Schema } from '../contract/types.ts';
import { pointer } from '../contract/paths.ts';
import { writtenByMove } from '../domain/moves.ts';
import { isObject, known, own, schemaOf, tags, type CheckContext } from './context.ts';

/** The verbs that the server does by itself when the entity says how its records are kept. */
const GENERIC = ['list', 'read', 'create', 'update', 'delete', 'duplicate', 'order', 'move', 'count', 'export', 'join', 'leave'];
/** What a line may say besides for one verb or a few, and what these verbs need. */
const MEMBERS: Record<string, { verbs: readonly string[]; isNeeded?: boolean }> = {
  part: { verbs: ['get', 'set', 'texts', 'translate'] },
  action: { verbs: ['act'] },
  answer: { verbs: ['get', 'read', 'start', 'progress'] },
  runs: { verbs: ['start', 'progress'], isNeeded: true },
  screen: { verbs: ['count'], isNeeded: true },
  catalogue: { verbs: ['catalogue'], isNeeded: true },
  chart: { verbs: ['chart'] },
  figures: { verbs: ['figures'], isNeeded: true },
  document: { verbs: ['get'] },
  entries: { verbs: ['get', 'set'] },
  derived: { verbs: ['command'] },
  set: { verbs: ['list', 'join', 'leave'] },
  sort: { verbs: ['list', 'export'] },
  limit: { verbs: ['list'] },
  where: { verbs: ['list', 'read', 'create', 'update', 'delete', 'move', 'export', 'count', 'texts', 'translate', 'query', 'command'] },
};

export function checkCalls(context: CheckContext): void {
  const { definitions, report } = context;
  const routes = new Map<string, string>();
  for (const [file, document] of Object.entries(context.documents)) {
    const name = /^schemas\/calls\/(.+)\.json$/.exec(file)?.[1];
    if (!name || name === '_hosts' || !context.sound(file) || !isObject(document)) continue;
    const raw = document as unknown as RawTable;
    known(context, file, '/host', raw.host, Object.keys(definitions.hosts), host => `There is no host group "${host}" in _hosts.json.`);
    area(context, file, '/permission', raw.permission);
    known(
      context,
      file,
      '/feature',
      raw.feature,
      context.planFeatures,
      feature => `There is no plan feature "${feature}" in schemas/common/plans.json.`,
    );
    known(context, file, '/of', raw.of, tags(definitions), of => `There is no entity "${of}" in schemas/entities.`);
    for (const [key, line] of Object.entries(raw.calls)) one(context, file, name, key, line, raw, routes);
    for (const param of Object.keys(raw.params ?? {})) {
      const used = Object.values(definitions.tables[name]?.calls ?? {}).some(call => call.in.some(one => one.name === param));
      if (!used) report({ file, pointer: `/params${pointer([param])}`, on: 'key', message: `No call of this table takes "${param}".` });
    }
  }
}

const area = (context: CheckContext, file: string, at: string, name: string | null | undefined): void =>
  known(
    context,
    file,
    at,
    name ?? undefined,
    Object.keys(context.definitions.permissions),
    one => `There is no permission area "${one}" in schemas/common/permissions.json.`,
  );

function one(
  context: CheckContext,
  file: string,
  table: string,
  key: string,
  line: RawCall,
  raw: RawTable,
  routes: Map<string, string>,
): void {
  const { definitions } = context;
  const at = `/calls${pointer([key])}`;
  const report = (below: string, message: string, more: { on?: 'key'; wanted?: string; among?: string[] } = {}): void =>
    context.report({ file, pointer: at + below, message, ...more });
  const call = own(definitions.calls, `${table}.${key}`);
  if (!call) return;

  known(context, file, `${at}/of`, line.of, tags(definitions), of => `There is no entity "${of}" in schemas/entities.`);
  line.invalidates?.forEach((of, i) =>
    known(context, file, `${at}/invalidates/${i}`, of, tags(definitions), name => `There is no entity "${name}" in schemas/entities.`),
  );
  area(context, file, `${at}/permission`, line.permission);
  known(
    context,
    file,
    `${at}/feature`,
    line.feature,
    context.planFeatures,
    feature => `There is no plan feature "${feature}" in schemas/common/plans.json.`,
  );
  known(context, file, `${at}/encode`, line.encode, Object.keys(codecs), name => `There is no codec "${name}" in src/domain/codecs.`);
  known(context, file, `${at}/decode`, line.decode, Object.keys(codecs), name => `There is no codec "${name}" in src/domain/codecs.`);
  known(
    context,
    file,
    `${at}/page`,
    line.page,
    Object.keys(definitions.hosts[raw.host]?.pagers ?? {}),
    name => `The host group ${raw.host} has no pager "${name}".`,
  );
  if (line.poll)
    known(
      context,
      file,
      `${at}/poll/call`,
      line.poll.call.includes('.') ? line.poll.call : `${table}.${line.poll.call}`,
      Object.keys(definitions.calls),
      name => `There is no call "${name}".`,
    );

  if (!call.public && !call.permission && raw.permission !== null && line.permission !== null)
    report(
      '',
      'This call names no permission area, so everybody could use it. Name one, or write "permission": null if everybody who is ' +
        'signed in may.',
      { on: 'key' },
    );
  if (!isRead(call) && call.method === 'GET' && !(line.derived && call.does === 'command'))
    report('/route', `GET must not change anything, and "${call.does}" does. Use POST, PUT, PATCH or DELETE.`);
  if (line.page && !['list', 'query'].includes(call.does))
    report('/page', `Only a list has pages ("list" or "query"); this call does "${call.does}".`, { on: 'key' });
  if (line.query && call.method === 'GET') report('/query', 'Everything of a GET goes to the query anyway.', { on: 'key' });

  const route = `${raw.host} ${call.method} ${call.path.replace(/\{\w+\}/g, '{}')}`;
  const before = routes.get(route);
  if (before) report('/route', `${call.method} ${call.path} of the host group ${raw.host} is the route of ${before} already.`);
  else routes.set(route, `${table}.${key}`);

  members(context, file, at, call, line);
  if (
    ['read', 'update', 'delete', 'duplicate', 'move'].includes(call.does) &&
    !call.in.some(param => param.required) &&
    !call.body?.required?.length
  )
    report('', `Nothing says which record "${key}" is about. Give it a parameter that identifies one.`, { on: 'key' });

  const { handlers } = context.options;
  const handled = handlers?.includes(call.like ?? `${table}.${key}`) ?? false;
  const entity = schemaOf(definitions, call.of);
  if (call.of && !tags(definitions).includes(call.of)) return; // reported above
  if (call.does === 'move' && entity?.['x-states'] && !own(entity['x-states'].moves, key)) {
    report('', `x-states of ${call.of} has no move "${key}".`, { on: 'key', wanted: key, among: Object.keys(entity['x-states'].moves) });
  } else if (call.does === 'move' && !entity?.['x-states'] && !handled) {
    report('/does', `${call.of || 'The entity'} has no x-states, so there is nothing to move.`);
  }
  const action = Object.values(definitions.actions).find(one => one.calls.includes(call.name));
  if (call.does === 'act' && !action)
    report('/does', `No action does this call. Name one in "action", or this call in a file of schemas/actions.`);
  if (!handlers || handled || call.like) return;
  if (call.does === 'move' && entity?.['x-states']) checkStored(call, entity, report);
  const written = handlers.filter(name => name.startsWith(`${table}.`)).map(name => name.slice(table.length + 1));
  if (call.does === 'query' || call.does === 'command' || (action && !own(context.options.actionCode ?? {}, action.key))) {
    report('', `There is no function "${key}" in src/server/features/<feature>/calls/${table}.ts, and "${call.does}" needs one.`, {
      on: 'key',
      wanted: key,
      among: written,
    });
  } else if (
    GENERIC.includes(call.does) &&
    !settingSetOf(call.set ?? '') &&
    !entity?.['x-record'] &&
    !(call.does === 'move' && !entity?.['x-states'])
  ) {
    report(
      '/does',
      `The server can't ${call.does} ${call.of ? `"${call.of}", which has no x-record` : 'without an entity ("of")'}. Describe the ` +
        `record, or write a function "${key}" in src/server/features/<feature>/calls/${table}.ts.`,
    );
  }
}

/** What a move asks for besides the record is written into fields of the record; what is none would be lost. */
function checkStored(
  call: Call,
  entity: Schema,
  report: (below: string, message: string, more?: { wanted?: string; among?: string[] }) => void,
): void {
  const among = writtenByMove(entity);
  const own = new Set([entity['x-record']?.key ?? 'id', 'version']);
  const names = [...call.in.map(param => param.as ?? param.name), ...Object.keys(call.body?.properties ?? {})];
  for (const name of names)
    if (!own.has(name) && !among.includes(name) && !call.path.includes(`{${name}}`))
      report(
        '/in',
        `Nothing stores "${name}": a move writes its state, and fields of ${entity.title ?? call.of} that may be changed. ` +
          `Add such a field, or write a function "${call.key}" that uses it.`,
        { wanted: name, among },
      );
}

/** A set of a settings page is one of its list fields that refer to records; lists are about those, join and leave about the page. */
function settingSet(
  definitions: CheckContext['definitions'],
  call: Call,
  { page, field }: { page: string; field: string },
  report: (below: string, message: string, more?: { wanted?: string; among?: string[] }) => void,
): void {
  const fields = Object.entries(definitions.settings[page]?.properties ?? {}).flatMap(([name, schema]) => {
    const of = schema.type === 'array' ? schema['x-ui']?.of : undefined;
    return of ? [[name, of] as const] : [];
  });
  const of = fields.find(([name]) => name === field)?.[1];
  if (of === undefined)
    report('/set', `The settings page "${page}" has no list "${field}" that refers to records (x-ui.of).`, {
      wanted: `settings/${page}.${field}`,
      among: fields.map(([name]) => `settings/${page}.${name}`),
    });
  else if (call.of !== (call.does === 'list' ? of : `settings/${page}`))
    report(
      '/set',
      `The set "${call.set ?? ''}" belongs to settings/${page} and holds ${of}; "${call.does}" is about ${
        call.does === 'list' ? of : `settings/${page}`
      }.`,
    );
}

/** A nested list whose texts a call is about: of the entity that its `where` names as a category of texts. */
function localisedList(
  definitions: Definitions,
  line: RawCall,
  name: string,
  at: string,
  report: (below: string, message: string) => void,
): void {
  const entity = Object.values(definitions.entities).find(schema => schema['x-record']?.localised === line.where?.categoryId);
  if (!entity) report(at, 'The texts of a list are those of a record: name its category in "where".');
  else if (!entity.properties?.[name]?.items) report(at, `${entity.title ?? 'The record'} has no list "${name}".`);
}

/** The members that belong to single verbs, and the names in them. */
function members(context: CheckContext, file: string, at: string, call: Call, line: RawCall): void {
  const { definitions } = context;
  const report = (below: string, message: string, more: { on?: 'key'; wanted?: string; among?: string[] } = {}): void =>
    context.report({ file, pointer: at + below, message, ...more });
  const stated = line as Record<string, unknown>;
  for (const [name, { verbs, isNeeded }] of Object.entries(MEMBERS)) {
    if (stated[name] !== undefined && !verbs.includes(call.does))
      report(`/${name}`, `"${name}" is for ${verbs.map(verb => `"${verb}"`).join(', ')}; this call does "${call.does}".`, { on: 'key' });
    if (isNeeded && verbs.includes(call.does) && stated[name] === undefined && !call.like)
      report('/does', `"${call.does}" needs "${name}".`);
  }
  if (call.does === 'start' && (call.runs?.length ?? 0) > 1) report('/runs', 'A call starts one kind of run.');
  const entity = schemaOf(definitions, call.of);
  const fields = Object.keys(entity?.properties ?? {});
  const field = (below: string, name: string, on?: 'key'): void => {
    if (entity && !fields.includes(name.split('.')[0] as string))
      report(below, `${call.of} has no field "${name}".`, { ...(on ? { on } : {}), wanted: name, among: fields });
  };
  // What a query or command is called with is its function's.
  if (call.does !== 'query' && call.does !== 'command')
    for (const name of Object.keys(line.where ?? {})) field(`/where${pointer([name])}`, name, 'key');
  if (line.sort) field('/sort/field', line.sort.field);
  if (call.does === 'texts' || call.does === 'translate')
    line.part?.forEach((name, i) => localisedList(definitions, line, name, `/part/${i}`, report));
  else if (call.of !== 'session') line.part?.forEach((name, i) => field(`/part/${i}`, name));
  if (line.screen !== undefined) {
    const screen = own(definitions.resources, line.screen);
    if (!screen)
      report('/screen', `There is no screen "${line.screen}".`, { wanted: line.screen, among: Object.keys(definitions.resources) });
    else if (call.does === 'count' && !screen.list?.tabs?.some(tab => tab.count))
      report('/screen', `The screen "${line.screen}" has no tab with a "count".`);
  }
  if (line.chart !== undefined && !componentAt(definitions.analytics, line.chart))
    report('/chart', `There is no component "${line.chart}" in schemas/analytics.`, {
      wanted: line.chart,
      among: Object.values(definitions.analytics).flatMap(page => componentsOf(page).map(one => `${page.key}.${one.key}`)),
    });
  const ofSetting = settingSetOf(line.set ?? '');
  if (ofSetting) settingSet(definitions, call, ofSetting, report);
  else if (line.set !== undefined) {
    const [owner = '', name = ''] = line.set.split('.');
    const set = definitions.entities[owner]?.['x-record']?.sets?.[name];
    if (!set)
      report('/set', `There is no set "${line.set}".`, {
        wanted: line.set,
        among: Object.entries(definitions.entities).flatMap(([entityName, schema]) =>
          Object.keys(schema['x-record']?.sets ?? {}).map(one => `${entityName}.${one}`),
        ),
      });
    else if (call.does === 'list' ? call.of !== set.of : call.of !== owner)
      report(
        '/set',
        `The set "${line.set}" is one of ${owner} and holds ${set.of}; "${call.does}" is about ${call.does === 'list' ? set.of : owner}.`,
      );
  }
  const exported = entity?.['x-record']?.export;
  if (call.does === 'export' && entity && !exported)
    report('/does', `x-record of ${call.of} says nothing about "export": which columns the file has.`);
}
