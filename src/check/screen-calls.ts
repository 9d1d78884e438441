// The calls that screens name: they exist, take the parameters given, and are what they are named for.
import { callFor, placeholders } from '../contract/find.ts';
import { fieldOf, pointer } from '../contract/paths.ts';
import type { With, Schema, Call, Action } from '../contract/types.ts';
import { checkWhen } from './conditions.ts';
import { type Screen, isObjectAt, templates, path } from './screen-fields.ts';
import { known, own, schemaOf } from './context.ts';

export function actionName(here: Screen, at: string, name: string): void {
  const { resource } = here;
  const all = [
    ...(resource.actions ?? []),
    ...(resource.list?.rowActions ?? []),
    ...(resource.list?.bulk ?? []),
    ...[...(resource.record?.main ?? []), ...(resource.record?.side ?? [])].flatMap(section =>
      'rowActions' in section ? (section.rowActions ?? []) : [],
    ),
  ];
  known(
    here.context,
    here.file,
    at,
    name,
    all.map(action => action.id),
    one => `This screen has no action "${one}".`,
  );
}

export function callWith(
  here: Screen,
  at: string,
  name: string,
  given: With | undefined,
  entity: Schema | undefined,
  row: Schema | undefined,
  mustList: boolean,
  member = 'call',
  withMember = 'with',
): Call | undefined {
  const { context, file } = here;
  const call = own(context.definitions.calls, name);
  if (!call) {
    const table = here.resource.calls;
    // The missing table is reported itself.
    if (table && name.startsWith(`${table}.`) && !context.definitions.tables[table]) return undefined;
    const short = table && name.startsWith(`${table}.`) ? Object.keys(context.definitions.tables[table]?.calls ?? {}) : undefined;
    context.report({
      file,
      pointer: isObjectAt(here, at) ? `${at}/${member}` : at,
      message: `There is no call "${name}".`,
      ...(short
        ? { wanted: name.slice((table as string).length + 1), among: short }
        : { wanted: name, among: Object.keys(context.definitions.calls) }),
    });
    return undefined;
  }
  if (mustList && !['list', 'query'].includes(call.does))
    context.report({
      file,
      pointer: `${at}/${member}`,
      message: `${call.name} does "${call.does}"; the rows of a section come from a list.`,
    });
  const params = [...new Set([...call.in.map(param => param.name), ...Object.keys(call.body?.properties ?? {})])];
  const open = call.body && (call.body.additionalProperties ?? !call.body.properties) !== false;
  for (const [param, value] of Object.entries(given ?? {})) {
    const place = `${at}/${withMember}${pointer([param])}`;
    if (!open)
      if (!params.includes(param))
        context.report({
          file,
          pointer: place,
          on: 'key',
          message: `${call.name} takes no "${param}".${params.length && params.length <= 12 ? ` It takes ${params.join(', ')}.` : ''}`,
          wanted: param,
          among: params,
        });
    templates(here, place, value, entity, row);
  }
  return call;
}

/** {name} in the words of an action: a field of its record or row, a parameter of its call, how many, or what the call answers. */
function texts({ context, file }: Screen, at: string, action: Action, params: string[], record: Schema | undefined, row = record): void {
  if (!row) return;
  for (const key of ['confirmTitle', 'confirm', 'confirmMany', 'submit', 'done'] as const) {
    const text = action[key];
    if (typeof text !== 'string') continue;
    for (const name of placeholders(text)) {
      if (name === 'count' || /^[@:/]|^answer\b/.test(name) || params.includes(name.split('.')[0] as string)) continue;
      const field = name.replace(/^row\./, '');
      if (fieldOf(row, field) || (record && fieldOf(record, field))) continue;
      context.report({
        file,
        pointer: `${at}/${key}`,
        message: `There is no field "${field}" in ${row.title ?? 'this entity'}, so {${name}} stays empty.`,
        wanted: field,
        among: [...Object.keys(row.properties ?? {}), ...params],
      });
    }
  }
}

const paramsOf = (call: Call): string[] => [...call.in.map(param => param.name), ...Object.keys(call.body?.properties ?? {})];

/** A parameter that the call needs, and that the dialog neither asks for nor finds filled in: the call would be refused each time. */
function notGiven({ context, file, resource }: Screen, at: string, action: Action, call: Call): void {
  if (!action.prompt || action.linkOnly) return;
  const key = context.definitions.entities[resource.of ?? '']?.['x-record']?.key ?? 'id';
  const given = new Set([
    ...action.prompt,
    ...Object.keys(action.with ?? {}),
    ...Object.keys(action.prerequisite?.provides ?? {}),
    key,
    'id',
    'version',
  ]);
  const needed = [
    ...call.in.flatMap(({ name, required, schema }) => (required && schema.default === undefined && !schema['x-ui']?.when ? [name] : [])),
    ...(call.body?.required ?? []).filter(
      name => call.body?.properties?.[name]?.default === undefined && !call.body?.properties?.[name]?.['x-ui']?.when,
    ),
  ];
  for (const name of needed)
    if (!given.has(name) && !context.definitions.ambient.includes(name))
      context.report({
        file,
        pointer: `${at}/prompt`,
        on: 'key',
        message: `${call.name} needs "${name}", which is not given: name it in "prompt", or fill it in by "with".`,
      });
}

export function actionOf(
  here: Screen,
  at: string,
  action: Action,
  entity: Schema | undefined,
  row: Schema | undefined,
  bulk = false,
): void {
  const { context, file } = here;
  const call = callWith(here, at, action.call, bulk ? undefined : action.with, entity, row, false);
  if (action.undo) callWith(here, at, action.undo, action.undoWith, entity, row, false, 'undo', 'undoWith');
  if (context.options.icons) known(context, file, `${at}/icon`, action.icon, context.options.icons, name => `There is no icon "${name}".`);
  if (action.when) checkWhen(context, file, `${at}/when`, action.when, row ?? entity ?? 'unknown', entity);
  action.confirmWhen?.forEach(({ when }, i) =>
    checkWhen(context, file, `${at}/confirmWhen/${i}/when`, when, row ?? entity ?? 'unknown', entity),
  );
  if (action.to?.startsWith('/')) path(here, `${at}/to`, action.to);
  if (action.preview) {
    if (!here.resource.record?.preview)
      context.report({ file, pointer: `${at}/preview`, on: 'key', message: 'The record screen has no "preview" that would show it.' });
    else if (!action.confirm && !action.prompt?.length)
      context.report({
        file,
        pointer: `${at}/preview`,
        on: 'key',
        message: 'This action has no dialog to show it in: it neither asks nor confirms.',
      });
  }
  if (!call) return;
  const params = paramsOf(call);
  texts(here, at, action, params, entity, row);
  if (!bulk) notGiven(here, at, action, call);
  action.prompt?.forEach((name, i) => known(context, file, `${at}/prompt/${i}`, name, params, one => `${call.name} takes no "${one}".`));
  if (!action.prerequisite) return;
  const first = callWith(here, `${at}/prerequisite`, action.prerequisite.call, undefined, entity, row, false);
  for (const name of Object.keys(action.prerequisite.provides))
    known(context, file, `${at}/prerequisite/provides${pointer([name])}`, name, params, one => `${call.name} takes no "${one}".`);
  if (!first) return;
  const own = paramsOf(first);
  action.prerequisite.prompt?.forEach((name, i) => {
    known(context, file, `${at}/prerequisite/prompt/${i}`, name, own, one => `${first.name} takes no "${one}".`);
    if (params.includes(name))
      context.report({
        file,
        pointer: `${at}/prerequisite/prompt/${i}`,
        message: `Both ${first.name} and ${call.name} take "${name}"; one dialog can't ask for both.`,
      });
  });
}

/** What lacks a call: the file of its table, or for calls that are made of the entity the file that is to be written for it. */
export function lacks({ context, resource }: Screen, call: string): string {
  const file = `schemas/calls/${resource.calls ?? ''}.json`;
  if (context.documents[file] !== undefined) return `${file} has no call ${call}`;
  const own = `schemas/calls/${resource.of ?? ''}s.json`;
  const made = `${resource.calls ?? ''} is made of schemas/entities/${resource.of ?? ''}.json`;
  return `${made} and has no call ${call}: write ${own} with it, and name that in "calls"`;
}

/** Reports where the screen's table has no call that does one of these. */
export function needs(here: Screen, at: string, verbs: ('read' | 'get' | 'update' | 'create' | 'set' | 'list')[], purpose: string): void {
  const { resource, context, file } = here;
  if (!resource.calls) {
    // The loading of definitions reports what keeps an entity from being served without a table.
    if (!schemaOf(context.definitions, resource.of))
      context.report({ file, pointer: at, on: 'key', message: `"calls" is missing: no call table to ${purpose}.` });
    return;
  }
  if (context.definitions.tables[resource.calls] && !verbs.some(verb => callFor(context.definitions, resource, verb))) {
    context.report({
      file,
      pointer: at,
      on: 'key',
      message:
        lacks(here, `that does ${verbs.map(verb => `"${verb}"`).join(' or ')} for ${resource.of ?? 'this screen'}, to ${purpose}`) + '.',
    });
  }
}
