// The screens: every column, filter, section, action and parameter names something that exists.
import type { Action, JsonObject, Resource, Schema, Section } from '../contract/types.ts';
import { fieldOf, pointer } from '../contract/paths.ts';
import { checkWhen } from './conditions.ts';
import { checkOptions } from './options.ts';
import { REFERENCES } from './references.ts';
import { isObject, known, own, schemaOf, tags, type CheckContext } from './context.ts';
import { actionOf, actionName, callWith, needs } from './screen-calls.ts';
import { columns, list, rowOf } from './screen-lists.ts';
import { sectionOfAction, type Screen, templates, path, fieldName } from './screen-fields.ts';

const ANY: Schema = { additionalProperties: {} };

export function checkScreens(context: CheckContext): void {
  const patterns = new Map<string, string>();
  for (const [file, document] of Object.entries(context.documents)) {
    const route = /^resources\/(.+)\.json$/.exec(file)?.[1];
    if (!route || route === 'navigation' || !context.sound(file) || !isObject(document)) continue;
    const pattern = route.replace(/\[\w+\]/g, '[]');
    const before = patterns.get(pattern);
    if (before) context.report({ file, pointer: '', message: `${before} has the same route but for the name of the bracket.` });
    else patterns.set(pattern, file);
    const resource = context.definitions.resources[route];
    if (!resource) continue;
    screen(context, file, resource, document);
    // Beside a list the form is the page of a record, and its actions are those of that page.
    const page = recordPage(context, route, document);
    if (page) {
      const here: Screen = { context, file, resource: page, entity: schemaOf(context.definitions, page.of), brackets: ['id'] };
      formOf(here, page);
      const { actions } = document.form as JsonObject;
      if (Array.isArray(actions))
        actions.forEach((_, i) => actionOf(here, `/form/actions/${i}`, page.actions?.[i] as Action, here.entity, undefined));
    }
  }
}

/** The page of a record that a file makes besides its list; undefined where it makes none. */
function recordPage(context: CheckContext, route: string, { list, form }: JsonObject): Resource | undefined {
  const page = context.definitions.resources[`${route}/[id]`];
  return isObject(list) && isObject(form) && page?.form && !context.documents[`resources/${route}/[id].json`] ? page : undefined;
}

function screen(context: CheckContext, file: string, resource: Resource, raw: JsonObject): void {
  const { definitions, options } = context;
  known(
    context,
    file,
    '/calls',
    resource.calls,
    Object.keys(definitions.tables),
    name => `There is no call table schemas/calls/${name}.json.`,
  );
  known(context, file, '/of', raw.of, tags(definitions), name => `There is no entity "${name}" in schemas/entities.`);
  known(
    context,
    file,
    '/module',
    resource.module,
    context.modules,
    name => `There is no module "${name}" in schemas/common/permissions.json.`,
  );
  known(
    context,
    file,
    '/feature',
    resource.feature,
    context.features,
    name => `No permission area belongs to a feature "${name}" (loopFeatureKey in schemas/common/permissions.json).`,
  );
  known(
    context,
    file,
    '/permission',
    resource.permission,
    Object.keys(definitions.permissions),
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  if (options.icons) known(context, file, '/icon', resource.icon, options.icons, name => `There is no icon "${name}".`);
  if (options.renderers?.pages)
    known(context, file, '/page', resource.page, options.renderers.pages, name => `There is no page "${name}" in renderers/pages.`);
  if (resource.page && resource.options) checkOptions(context, file, '/options', 'pages', resource.page, resource.options);
  if (resource.when) checkWhen(context, file, '/when', resource.when, undefined);
  if (!resource.page && !resource.list && !resource.record && !resource.form)
    context.report({ file, pointer: '', message: 'This screen shows nothing: it needs a page, a list, a record or a form.' });

  const here: Screen = {
    context,
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
      checkWhen(context, file, '/record/refreshWhile', resource.record.refreshWhile, here.entity ?? 'unknown', here.entity);
  }
  if (resource.form) formOf(here, resource);
  const { record, form: own } = resource;
  const sections = [...(record?.main ?? []), ...(record?.side ?? []), ...(own?.sections ?? []), ...(own?.side ?? [])];
  resource.actions?.forEach((action, i) => {
    actionOf(here, `/actions/${i}`, action, here.entity, undefined);
    sectionOfAction(context, file, `/actions/${i}`, action, sections);
  });
}

function formOf(here: Screen, resource: Resource): void {
  const { context, file } = here;
  const { definitions } = context;
  if (!resource.form) return;
  const { call: name, from } = resource.form;
  const call = name ? own(definitions.calls, name) : undefined;
  if (name && !call)
    context.report({
      file,
      pointer: '/form/call',
      message: `There is no call "${name}".`,
      wanted: name,
      among: Object.keys(definitions.calls),
    });
  if (call && !call.body)
    context.report({
      file,
      pointer: '/form/call',
      message: `${call.name} has no schema of its whole input ("in" with properties), so no form can be drawn for it.`,
    });
  const filled: Screen = call?.body ? { ...here, entity: call.body } : here;
  for (const [key, field] of Object.entries(from ?? {})) fieldName(filled, `/form/from${pointer([key])}`, field, filled.entity);
  for (const [name, { values }] of Object.entries(resource.form.starts ?? {}))
    for (const key of Object.keys(values)) fieldName(filled, `/form/starts${pointer([name, 'values', key])}`, key, filled.entity);
  if (resource.form.lockedWhen)
    checkWhen(here.context, here.file, '/form/lockedWhen/when', resource.form.lockedWhen.when, here.entity ?? 'unknown', here.entity);
  resource.form.sections.forEach((section, i) => sectionOf(filled, `/form/sections/${i}`, section));
  resource.form.side?.forEach((section, i) => sectionOf(filled, `/form/side/${i}`, section));
  if (!name && !resource.of?.startsWith('settings/')) needs(here, '/form', ['update', 'create', 'set'], 'save the form');
}

/** The read behind the previews of a record's actions. */
function previewOf(here: Screen, { call: name, panel }: NonNullable<NonNullable<Resource['record']>['preview']>): void {
  const { context, file } = here;
  const call = own(context.definitions.calls, name);
  if (!call)
    context.report({
      file,
      pointer: '/record/preview/call',
      message: `There is no call "${name}".`,
      wanted: name,
      among: Object.keys(context.definitions.calls),
    });
  else {
    const missing = ['action', 'params'].filter(param => !call.in.some(one => one.name === param));
    if (call.does !== 'query' || missing.length)
      context.report({
        file,
        pointer: '/record/preview/call',
        message: `${call.name} can't preview actions: it has to do "query" and to take action and params.`,
      });
  }
  const { panels } = context.options.renderers ?? {};
  if (panels) known(context, file, '/record/preview/panel', panel, panels, one => `There is no panel "${one}" in renderers/panels.`);
}

function sectionOf(here: Screen, at: string, section: Section): void {
  const { context, file, entity } = here;
  known(
    context,
    file,
    `${at}/permission`,
    section.permission,
    Object.keys(context.definitions.permissions),
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  if (section.when) checkWhen(context, file, `${at}/when`, section.when, entity ?? 'unknown', entity);
  if ('panel' in section) {
    const { renderers } = context.options;
    if (renderers?.panels) {
      known(context, file, `${at}/panel`, section.panel, renderers.panels, name => `There is no panel "${name}" in renderers/panels.`);
      if (section.options && renderers.panels.includes(section.panel)) panelOptions(here, `${at}/options`, section.panel, section.options);
    }
    const call = section.call ? callWith(here, at, section.call, section.with, entity, undefined, false) : undefined;
    fieldName(here, `${at}/rows`, section.rows, entity);
    // Rows that neither a field nor a call tells about may have any field.
    const rows = (section.rows ? entity && fieldOf(entity, section.rows)?.items : schemaOf(context.definitions, call?.of)) ?? ANY;
    section.rowActions?.forEach((action, i) => actionOf(here, `${at}/rowActions/${i}`, action, entity, rows));
    return;
  }
  if ('call' in section) {
    const call = callWith(here, at, section.call, section.with, entity, undefined, true);
    const rows = schemaOf(context.definitions, call?.of);
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
  const { context, file, entity, resource } = here;
  checkOptions(context, file, at, 'panels', panel, options, entity);
  const sections = [...(resource.record?.main ?? []), ...(resource.record?.side ?? [])].flatMap(section => section.id ?? []);
  const visit = (value: unknown, place: string, where: string): void => {
    if (Array.isArray(value)) value.forEach((one, i) => visit(one, place, `${where}/${i}`));
    else if (isObject(value)) for (const [key, inner] of Object.entries(value)) visit(inner, `${place}/${key}`, where + pointer([key]));
    else if (typeof value === 'string' && REFERENCES[place] === 'action') actionName(here, where, value);
    else if (REFERENCES[place] === 'section')
      known(context, file, where, value, sections, id => `No section of this page has the id "${id}".`);
  };
  visit(options, `panels/${panel}`, at);
}
