// The screens: every column, filter, section, action and parameter names something that exists.
import type { Action, Call, Column, JsonObject, Resource, Schema, Section } from '../contract/types.ts';
import { filterSchema } from '../contract/filter-schema.ts';
import { compileValidator } from '../contract/validation/compile.ts';
import { callFor } from '../contract/find.ts';
import { fieldOf, pointer } from '../contract/paths.ts';
import { rendererFor } from './renderer-for.ts';
import { validate } from '../contract/validation/validate.ts';
import { checkWhen } from './conditions.ts';
import { checkOptions } from './options.ts';
import { REFERENCES } from './references.ts';
import { isObject, known, own, schemaOf, tags, type World } from './world.ts';
import { actionOf, actionName, callWith } from './screen-calls.ts';
import { sectionOfAction, type Screen, templates, isObjectAt, path, fieldName } from './screen-fields.ts';

const ANY: Schema = { additionalProperties: {} };

export function checkScreens(world: World): void {
  const patterns = new Map<string, string>();
  for (const [file, document] of Object.entries(world.documents)) {
    const route = /^resources\/(.+)\.json$/.exec(file)?.[1];
    if (!route || route === 'navigation' || !world.sound(file) || !isObject(document)) continue;
    const pattern = route.replace(/\[\w+\]/g, '[]');
    const before = patterns.get(pattern);
    if (before) world.report({ file, pointer: '', message: `${before} has the same route but for the name of the bracket.` });
    else patterns.set(pattern, file);
    const resource = world.definitions.resources[route];
    if (!resource) continue;
    screen(world, file, resource, document);
    // Beside a list the form is the page of a record, and its actions are those of that page.
    const page = recordPage(world, route, document);
    if (page) {
      const here: Screen = { world, file, resource: page, entity: schemaOf(world.definitions, page.of), brackets: ['id'] };
      formOf(here, page);
      const { actions } = document.form as JsonObject;
      if (Array.isArray(actions))
        actions.forEach((_, i) => actionOf(here, `/form/actions/${i}`, page.actions?.[i] as Action, here.entity, undefined));
    }
  }
}

/** The page of a record that a file makes besides its list; undefined where it makes none. */
function recordPage(world: World, route: string, { list, form }: JsonObject): Resource | undefined {
  const page = world.definitions.resources[`${route}/[id]`];
  return isObject(list) && isObject(form) && page?.form && !world.documents[`resources/${route}/[id].json`] ? page : undefined;
}

function screen(world: World, file: string, resource: Resource, raw: JsonObject): void {
  const { definitions, options } = world;
  known(
    world,
    file,
    '/calls',
    resource.calls,
    Object.keys(definitions.tables),
    name => `There is no call table schemas/calls/${name}.json.`,
  );
  known(world, file, '/of', raw.of, tags(definitions), name => `There is no entity "${name}" in schemas/entities.`);
  known(world, file, '/module', resource.module, world.modules, name => `There is no module "${name}" in schemas/common/permissions.json.`);
  known(
    world,
    file,
    '/feature',
    resource.feature,
    world.features,
    name => `No permission area belongs to a feature "${name}" (loopFeatureKey in schemas/common/permissions.json).`,
  );
  known(
    world,
    file,
    '/permission',
    resource.permission,
    Object.keys(definitions.permissions),
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  if (options.icons) known(world, file, '/icon', resource.icon, options.icons, name => `There is no icon "${name}".`);
  if (options.renderers?.pages)
    known(world, file, '/page', resource.page, options.renderers.pages, name => `There is no page "${name}" in renderers/pages.`);
  if (resource.page && resource.options) checkOptions(world, file, '/options', 'pages', resource.page, resource.options);
  if (resource.when) checkWhen(world, file, '/when', resource.when, undefined);
  if (!resource.page && !resource.list && !resource.record && !resource.form)
    world.report({ file, pointer: '', message: 'This screen shows nothing: it needs a page, a list, a record or a form.' });

  const here: Screen = {
    world,
    file,
    resource,
    entity: schemaOf(definitions, resource.of),
    brackets: [...resource.route.matchAll(/\[(\w+)\]/g)].map(match => match[1] as string),
  };
  if (resource.list) list(here, resource, raw);
  if (resource.record) {
    templates(here, '/record/title', resource.record.title, here.entity);
    templates(here, '/record/subtitle', resource.record.subtitle, here.entity);
    fieldName(here, '/record/badge', resource.record.badge, here.entity);
    resource.record.main.forEach((section, i) => sectionOf(here, `/record/main/${i}`, section));
    resource.record.side?.forEach((section, i) => sectionOf(here, `/record/side/${i}`, section));
    needs(here, '/record', ['read', 'get'], 'show a record');
    if (resource.record.preview) previewOf(here, resource.record.preview);
    if (resource.record.refreshWhile)
      checkWhen(world, file, '/record/refreshWhile', resource.record.refreshWhile, here.entity ?? 'unknown', here.entity);
  }
  if (resource.form) formOf(here, resource);
  const { record, form: own } = resource;
  const sections = [...(record?.main ?? []), ...(record?.side ?? []), ...(own?.sections ?? []), ...(own?.side ?? [])];
  resource.actions?.forEach((action, i) => {
    actionOf(here, `/actions/${i}`, action, here.entity, undefined);
    sectionOfAction(world, file, `/actions/${i}`, action, sections);
  });
}

function formOf(here: Screen, resource: Resource): void {
  const { world, file } = here;
  const { definitions } = world;
  if (!resource.form) return;
  const { call: name, from } = resource.form;
  const call = name ? own(definitions.calls, name) : undefined;
  if (name && !call)
    world.report({
      file,
      pointer: '/form/call',
      message: `There is no call "${name}".`,
      wanted: name,
      among: Object.keys(definitions.calls),
    });
  if (call && !call.body)
    world.report({
      file,
      pointer: '/form/call',
      message: `${call.name} has no schema of its whole input ("in" with properties), so no form can be drawn for it.`,
    });
  const filled: Screen = call?.body ? { ...here, entity: call.body } : here;
  for (const [key, field] of Object.entries(from ?? {})) fieldName(filled, `/form/from${pointer([key])}`, field, filled.entity);
  if (resource.form.lockedWhen)
    checkWhen(here.world, here.file, '/form/lockedWhen/when', resource.form.lockedWhen.when, here.entity ?? 'unknown', here.entity);
  resource.form.sections.forEach((section, i) => sectionOf(filled, `/form/sections/${i}`, section));
  resource.form.side?.forEach((section, i) => sectionOf(filled, `/form/side/${i}`, section));
  if (!name && !resource.of?.startsWith('settings/')) needs(here, '/form', ['update', 'create', 'set'], 'save the form');
}

/** The read behind the previews of a record's actions. */
function previewOf(here: Screen, { call: name, panel }: NonNullable<NonNullable<Resource['record']>['preview']>): void {
  const { world, file } = here;
  const call = own(world.definitions.calls, name);
  if (!call)
    world.report({
      file,
      pointer: '/record/preview/call',
      message: `There is no call "${name}".`,
      wanted: name,
      among: Object.keys(world.definitions.calls),
    });
  else {
    const missing = ['action', 'params'].filter(param => !call.in.some(one => one.name === param));
    if (call.does !== 'query' || missing.length)
      world.report({
        file,
        pointer: '/record/preview/call',
        message: `${call.name} can't preview actions: it has to do "query" and to take action and params.`,
      });
  }
  const { panels } = world.options.renderers ?? {};
  if (panels) known(world, file, '/record/preview/panel', panel, panels, one => `There is no panel "${one}" in renderers/panels.`);
}

/** What lacks a call: the file of its table, or for calls that are made of the entity the file that is to be written for it. */
function lacks({ world, resource }: Screen, call: string): string {
  const file = `schemas/calls/${resource.calls ?? ''}.json`;
  if (world.documents[file] !== undefined) return `${file} has no call ${call}`;
  const own = `schemas/calls/${resource.of ?? ''}s.json`;
  return `${resource.calls ?? ''} is made of schemas/entities/${resource.of ?? ''}.json and has no call ${call}: write ${own} with it, and name that in "calls"`;
}

function needs(here: Screen, at: string, verbs: ('read' | 'get' | 'update' | 'create' | 'set' | 'list')[], purpose: string): void {
  const { resource, world, file } = here;
  if (!resource.calls) {
    // What keeps an entity from being served without a table is told where the definitions are loaded.
    if (!schemaOf(world.definitions, resource.of))
      world.report({ file, pointer: at, on: 'key', message: `"calls" is missing: no call table to ${purpose}.` });
    return;
  }
  if (world.definitions.tables[resource.calls] && !verbs.some(verb => callFor(world.definitions, resource, verb))) {
    world.report({
      file,
      pointer: at,
      on: 'key',
      message:
        lacks(here, `that does ${verbs.map(verb => `"${verb}"`).join(' or ')} for ${resource.of ?? 'this screen'}, to ${purpose}`) + '.',
    });
  }
}

/** The fields that rows of a list have, where lists don't carry whole records. */
const rowOf = (entity: Schema | undefined): string[] | undefined => {
  const { listFields: row, key = 'id' } = entity?.['x-record'] ?? {};
  return row && [key, 'version', ...row];
};

/** `row`: the fields that the rows have, where they are not whole records. */
function columns(here: Screen, at: string, list: Column[], entity: Schema | undefined, row?: readonly string[]): void {
  const { renderers } = here.world.options;
  list.forEach((column, i) => {
    const raw = `${at}/${i}`;
    const place = (below: string): string => (isObjectAt(here, raw) ? raw + below : raw);
    fieldName(here, place('/field'), column.field, entity);
    if (row && entity && fieldOf(entity, column.field))
      known(
        here.world,
        here.file,
        place('/field'),
        column.field.split('.')[0],
        row,
        name => `x-record.listFields of ${entity.title} doesn't list "${name}", so its lists don't carry it.`,
      );
    if (list.findIndex(other => other.field === column.field && other.cell === column.cell) !== i)
      here.world.report({ file: here.file, pointer: place('/field'), message: `The column "${column.field}" stands here twice.` });
    known(
      here.world,
      here.file,
      place('/permission'),
      column.permission,
      Object.keys(here.world.definitions.permissions),
      name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
    );
    if (renderers?.cells)
      known(here.world, here.file, place('/cell'), column.cell, renderers.cells, name => `There is no cell "${name}" in renderers/cells.`);
    if (column.options && renderers?.cells) {
      const cell = column.cell ?? rendererFor((entity && fieldOf(entity, column.field)) ?? {}, 'cells', new Set(renderers.cells));
      if (cell && renderers.cells.includes(cell))
        checkOptions(here.world, here.file, place('/options'), 'cells', cell, column.options, entity);
    }
  });
}

function list(here: Screen, resource: Resource, raw: JsonObject): void {
  const { world, file } = here;
  const screen = resource.list as NonNullable<Resource['list']>;
  const rawList = raw.list as JsonObject;
  let call: Call | undefined;
  if (screen.call) {
    known(world, file, '/list/call', screen.call, Object.keys(world.definitions.calls), name => `There is no call "${name}".`);
    call = world.definitions.calls[screen.call];
    if (call && call.does !== 'list')
      world.report({ file, pointer: '/list/call', message: `${call.name} does "${call.does}", not "list".` });
    else if (call?.page === 'whole' || (call && call.page === undefined))
      world.report({
        file,
        pointer: '/list/call',
        message: `${call.name} gives all its rows at once; a list asks for pages. Give the call a "page": "page" in its table.`,
      });
  } else {
    needs(here, '/list', ['list'], 'fill the list');
    call = callFor(world.definitions, resource, 'list');
  }
  const entity = schemaOf(world.definitions, call?.of ?? resource.of);
  columns(here, '/list/columns', screen.columns, entity, rowOf(entity));
  screen.optional?.forEach((name, i) =>
    known(
      world,
      file,
      `/list/optional/${i}`,
      name,
      screen.columns.map(column => column.field),
      one => `"${one}" is not among the columns.`,
    ),
  );
  screen.tabs?.forEach((tab, i) => {
    if (tab.count === undefined) return;
    const at = `/list/tabs/${i}/count`;
    const table = resource.calls && world.definitions.tables[resource.calls];
    if (table && !own(table.calls, 'counts'))
      world.report({
        file,
        pointer: at,
        on: 'key',
        message: `${lacks(here, '"counts"')}, so this tab has no number.`,
      });
    else if (screen.tabs?.findIndex(other => other.count === tab.count) !== i)
      world.report({ file, pointer: at, message: `Another tab has the count "${tab.count}" already, so both would have the same number.` });
  });
  screen.tabs?.forEach((tab, i) => {
    if (screen.tabs?.findIndex(other => other.title === tab.title) !== i)
      world.report({ file, pointer: `/list/tabs/${i}/title`, message: `Another tab is called "${tab.title}" already.` });
    if (!tab.columns) return;
    columns(here, `/list/tabs/${i}/columns`, tab.columns, entity, rowOf(entity));
    tab.columns.forEach((column, j) =>
      known(
        world,
        file,
        `/list/tabs/${i}/columns/${j}`,
        column.field,
        screen.columns.map(one => one.field),
        one => `"${one}" is not among the columns.`,
      ),
    );
  });
  const filter = entity?.['x-record']?.filter ?? [];
  const sort = entity?.['x-record']?.sort ?? [];
  if (entity) {
    screen.filters?.forEach((name, i) =>
      known(world, file, `/list/filters/${i}`, name, filter, one =>
        fieldOf(entity, one)
          ? `x-record.filter of ${entity.title} doesn't list "${one}", so the server can't filter by it.`
          : `There is no field "${one}" in ${entity.title}.`,
      ),
    );
    for (const [at, order] of [
      ['/list', screen.sort] as const,
      ...(screen.tabs ?? []).map((tab, i) => [`/list/tabs/${i}`, tab.sort] as const),
    ]) {
      if (order)
        known(world, file, `${at}/sort/field`, order.field, sort, one =>
          fieldOf(entity, one)
            ? `x-record.sort of ${entity.title} doesn't list "${one}", so the server can't sort by it.`
            : `There is no field "${one}" in ${entity.title}.`,
        );
    }
    if (screen.search !== undefined && !entity['x-record']?.search?.length)
      world.report({
        file,
        pointer: '/list/search',
        on: 'key',
        message: `x-record.search of ${entity.title} lists no field, so nothing can be found.`,
      });
    const schema = filterSchema(entity);
    screen.tabs?.forEach((tab, i) => {
      const at = `/list/tabs/${i}/filter`;
      const given = tab.filter ?? {};
      for (const name of Object.keys(given))
        known(world, file, at + pointer([name]), name, filter, one =>
          fieldOf(entity, one)
            ? `x-record.filter of ${entity.title} doesn't list "${one}", so the server can't filter by it.`
            : `There is no field "${one}" in ${entity.title}.`,
        );
      for (const wrong of validate(schema, compileValidator(schema), given))
        if (wrong.rule !== 'additionalProperties' || wrong.pointer.split('/').length > 2)
          world.report({ file, pointer: at + wrong.pointer, message: wrong.message });
    });
  }
  templates(here, '/list/rowTo', screen.rowTo, entity, entity);
  if (screen.rowTo?.startsWith('/')) path(here, '/list/rowTo', screen.rowTo);
  if (screen.refreshWhile) checkWhen(world, file, '/list/refreshWhile', screen.refreshWhile, entity ?? 'unknown', entity);
  if (screen.empty?.action) actionName(here, '/list/empty/action', screen.empty.action);
  screen.bulk?.forEach((action, i) => actionOf(here, `/list/bulk/${i}`, action, entity, entity, true));
  // One that is named is told where it is written, under /actions.
  screen.rowActions?.forEach((action, i) => {
    if (!here.resource.actions?.some(({ id }) => id === (rawList.rowActions as unknown[])[i]))
      actionOf(here, `/list/rowActions/${i}`, action, entity, entity);
  });
  if (rawList.order === true && resource.calls && !callFor(world.definitions, resource, 'order', call?.of))
    world.report({
      file,
      pointer: '/list/order',
      on: 'key',
      message: `${lacks(here, 'that does "order"')}, to keep the order of rows.`,
    });
}

function sectionOf(here: Screen, at: string, section: Section): void {
  const { world, file, entity } = here;
  known(
    world,
    file,
    `${at}/permission`,
    section.permission,
    Object.keys(world.definitions.permissions),
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  if (section.when) checkWhen(world, file, `${at}/when`, section.when, entity ?? 'unknown', entity);
  if ('panel' in section) {
    const { renderers } = world.options;
    if (renderers?.panels) {
      known(world, file, `${at}/panel`, section.panel, renderers.panels, name => `There is no panel "${name}" in renderers/panels.`);
      if (section.options && renderers.panels.includes(section.panel)) panelOptions(here, `${at}/options`, section.panel, section.options);
    }
    const call = section.call ? callWith(here, at, section.call, section.with, entity, undefined, false) : undefined;
    fieldName(here, `${at}/rows`, section.rows, entity);
    // Rows that neither a field nor a call tells about may have any field.
    const rows = (section.rows ? entity && fieldOf(entity, section.rows)?.items : schemaOf(world.definitions, call?.of)) ?? ANY;
    section.rowActions?.forEach((action, i) => actionOf(here, `${at}/rowActions/${i}`, action, entity, rows));
    return;
  }
  if ('call' in section) {
    const call = callWith(here, at, section.call, section.with, entity, undefined, true);
    const rows = schemaOf(world.definitions, call?.of);
    columns(here, `${at}/columns`, section.columns, rows, call?.does === 'list' ? rowOf(rows) : undefined);
    templates(here, `${at}/rowTo`, section.rowTo, rows, rows);
    if (section.rowTo?.startsWith('/')) path(here, `${at}/rowTo`, section.rowTo);
    section.rowActions?.forEach((action, i) => actionOf(here, `${at}/rowActions/${i}`, action, entity, rows));
    return;
  }
  section.fields.forEach((name, i) => fieldName(here, `${at}/fields/${i}`, name, entity));
  if (section.action) actionName(here, `${at}/action`, section.action);
}

/** The options of a panel: what of them names the page's own actions and sections, besides what options name anywhere. */
function panelOptions(here: Screen, at: string, panel: string, options: JsonObject): void {
  const { world, file, entity, resource } = here;
  checkOptions(world, file, at, 'panels', panel, options, entity);
  const sections = [...(resource.record?.main ?? []), ...(resource.record?.side ?? [])].flatMap(section => section.id ?? []);
  const visit = (value: unknown, place: string, where: string): void => {
    if (Array.isArray(value)) value.forEach((one, i) => visit(one, place, `${where}/${i}`));
    else if (isObject(value)) for (const [key, inner] of Object.entries(value)) visit(inner, `${place}/${key}`, where + pointer([key]));
    else if (typeof value === 'string' && REFERENCES[place] === 'action') actionName(here, where, value);
    else if (REFERENCES[place] === 'section')
      known(world, file, where, value, sections, id => `No section of this page has the id "${id}".`);
  };
  visit(options, `panels/${panel}`, at);
}
