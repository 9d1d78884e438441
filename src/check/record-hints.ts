// What makes a schema a record or a settings page: keys, searches, filters, states; fields and sections.
import { sectionOfAction } from './screen-fields.ts';
import { placeholders } from '../contract/find.ts';
import { fieldOf, pointer, optionsOf } from '../contract/paths.ts';
import type { Schema, JsonObject } from '../contract/types.ts';
import { compileValidator } from '../contract/validation/compile.ts';
import { withDefaults } from '../contract/validation/defaults.ts';
import { validate } from '../contract/validation/validate.ts';
import { checkWhen } from './conditions.ts';
import { listed } from './grammar.ts';
import { checkOptions } from './options.ts';
import { nearest } from './source.ts';
import { type CheckContext, known } from './context.ts';

export function checkRecord(context: CheckContext, file: string, schema: Schema): void {
  const fields = Object.keys(schema.properties ?? {});
  const field = (at: string, name: string | undefined): void => {
    if (name !== undefined && !fieldOf(schema, name))
      context.report({
        file,
        pointer: at,
        message: `There is no field "${name}" in ${schema.title ?? 'this entity'}.`,
        wanted: name,
        among: fields,
      });
  };
  const record = schema['x-record'];
  if (record) {
    if (record.key !== undefined) field('/x-record/key', record.key);
    else if (!schema.properties?.id)
      context.report({
        file,
        pointer: '/x-record',
        on: 'key',
        message: 'There is no field "id"; name the field that identifies a record as "key".',
      });
    const { tables } = context.options;
    const table = (at: string, name: string | undefined): void => {
      if (tables) known(context, file, at, name, tables, one => `No migration makes a table "${one}".`);
    };
    table('/x-record/table', record.table);
    for (const [name, set] of Object.entries(record.sets ?? {})) table(`/x-record/sets${pointer([name])}/table`, set.table);
    field('/x-record/image', record.image);
    for (const name of placeholders(record.label ?? '')) field('/x-record/label', name);
    for (const name of placeholders(record.detail ?? '')) field('/x-record/detail', name);
    for (const list of ['filter', 'sort', 'search', 'listFields'] as const)
      record[list]?.forEach((name, i) => field(`/x-record/${list}/${i}`, name));
    record.unique?.forEach((one, i) => {
      if (typeof one === 'string') return field(`/x-record/unique/${i}`, one);
      field(`/x-record/unique/${i}/field`, one.field);
      one.within.forEach((name, j) => field(`/x-record/unique/${i}/within/${j}`, name));
    });
    record.export?.columns.forEach((name, i) => field(`/x-record/export/columns/${i}`, name));
    for (const [name, from] of Object.entries(record.export?.from ?? {})) field(`/x-record/export/from${pointer([name])}`, from);
    known(
      context,
      file,
      '/x-record/permission',
      record.permission,
      Object.keys(context.definitions.permissions),
      name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
    );
    known(
      context,
      file,
      '/x-record/feature',
      record.feature,
      context.planFeatures,
      name => `There is no plan feature "${name}" in schemas/common/plans.json.`,
    );
    record.from?.forEach((name, i) =>
      known(
        context,
        file,
        `/x-record/from/${i}`,
        name,
        Object.keys(context.definitions.entities),
        wrong => `There is no entity "${wrong}" in schemas/entities.`,
      ),
    );
    for (const name of Object.keys(schema.properties ?? {}))
      if (context.definitions.ambient.includes(name))
        context.report({
          file,
          pointer: `/properties${pointer([name])}`,
          on: 'key',
          message: `"${name}" tells which store a call is for, so a record can't be sent with a field of this name. Choose another one.`,
        });
    for (const name of Object.keys(record.columns ?? {}))
      if (!fieldOf(schema, name))
        context.report({
          file,
          pointer: `/x-record/columns${pointer([name])}`,
          on: 'key',
          message: `There is no field "${name}" in ${schema.title ?? 'this entity'}.`,
          wanted: name,
          among: fields,
        });
  }
  const states = schema['x-states'];
  if (!states) return;
  field('/x-states/field', states.field);
  const options = optionsOf(schema.properties?.[states.field]).map(option => String(option.value));
  if (schema.properties?.[states.field] && options.length === 0)
    context.report({ file, pointer: '/x-states/field', message: `${states.field} has no options, so it has no states. Give it a oneOf.` });
  if (options.length === 0) return;
  for (const [action, move] of Object.entries(states.moves)) {
    const at = `/x-states/moves${pointer([action])}`;
    const state = (below: string, value: string | null): void => {
      if (value !== null && !options.includes(value))
        context.report({
          file,
          pointer: at + below,
          message: `${JSON.stringify(value)} is not a state of ${states.field}. It has ${listed(options)}.`,
          wanted: value,
          among: options,
        });
    };
    move.from.forEach((value, i) => state(`/from/${i}`, value));
    state('/to', move.to);
    if (context.options.guards)
      known(
        context,
        file,
        `${at}/guard`,
        move.guard,
        context.options.guards,
        name => `There is no guard "${name}", so nothing would stand in the way of this move.`,
      );
  }
}

/** What every settings page has beside its fields (`settingRecord`), or the call that saves it takes. */
const RESERVED = new Set(['id', 'version', 'updatedAt', 'updatedBy', 'settingsPage', '__proto__', 'constructor', 'prototype']);

/** A group of the index of settings that only this page is in is perhaps another one misspelt. */
function groupOf(context: CheckContext, file: string, group: string | undefined): void {
  const { settings, resources } = context.definitions;
  const groups = [
    ...Object.entries(settings).flatMap(([name, page]) => (file.endsWith(`/${name}.json`) ? [] : (page['x-setting']?.group ?? []))),
    ...Object.values(resources).flatMap(screen => screen.card?.group ?? []),
  ];
  if (group === undefined || groups.includes(group) || nearest(group, groups) === undefined) return;
  const message = `No other page is in the group "${group}". Groups are ${listed([...new Set(groups)])}.`;
  context.report({ file, pointer: '/x-setting/group', message, wanted: group, among: groups });
}

export function checkSetting(context: CheckContext, file: string, schema: Schema, pairs: Map<string, string>): void {
  const setting = schema['x-setting'];
  if (!setting) return;
  const { definitions } = context;
  known(
    context,
    file,
    '/x-setting/permission',
    setting.permission,
    Object.keys(definitions.permissions),
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  known(
    context,
    file,
    '/x-setting/feature',
    setting.feature,
    context.planFeatures,
    name => `There is no plan feature "${name}" in schemas/common/plans.json.`,
  );
  if (context.options.icons)
    known(context, file, '/x-setting/icon', setting.icon, context.options.icons, name => `There is no icon "${name}".`);
  for (const name of Object.keys(schema.properties ?? {})) {
    const at = { file, pointer: `/properties${pointer([name])}`, on: 'key' as const };
    if (RESERVED.has(name))
      context.report({
        ...at,
        message: `Every settings page has "${name}" already, so what is typed here would be lost. Choose another name.`,
      });
    else if (!/^[A-Za-z_$][\w$-]*$/.test(name))
      context.report({
        ...at,
        message: `"${name}" can't be the name of a field: use letters, digits, _, - and $, beginning with a letter.`,
      });
  }
  setting.actions?.forEach((action, i) =>
    sectionOfAction(context, file, `/x-setting/actions/${i}`, action, [...(setting.sections ?? []), ...(setting.side ?? [])]),
  );
  const { panels } = context.options.renderers ?? {};
  setting.side?.forEach(({ panel, options }, i) => {
    if (!panels) return;
    known(context, file, `/x-setting/side/${i}/panel`, panel, panels, name => `There is no panel "${name}" in renderers/panels.`);
    if (options && panels.includes(panel)) checkOptions(context, file, `/x-setting/side/${i}/options`, 'panels', panel, options);
  });
  groupOf(context, file, setting.group);
  const pair = `${setting.category} ${setting.type}`;
  const other = pairs.get(pair);
  if (other)
    context.report({
      file,
      pointer: '/x-setting/type',
      message: `${other} has the category ${setting.category} and the type ${setting.type} already; each page needs a pair of its own.`,
    });
  else pairs.set(pair, file);
  const placed = new Map<string, string>();
  setting.sections?.forEach((section, i) => {
    section.fields.forEach((name, j) => {
      const at = `/x-setting/sections/${i}/fields/${j}`;
      if (!fieldOf(schema, name))
        context.report({
          file,
          pointer: at,
          message: `There is no field "${name}" on this page.`,
          wanted: name,
          among: Object.keys(schema.properties ?? {}),
        });
      else if (placed.has(name)) context.report({ file, pointer: at, message: `"${name}" stands in two sections.` });
      placed.set(name, at);
    });
    if (section.when) checkWhen(context, file, `/x-setting/sections/${i}/when`, section.when, schema, schema);
  });
  setting.actions?.forEach((action, i) =>
    known(
      context,
      file,
      `/x-setting/actions/${i}/call`,
      action.call,
      Object.keys(definitions.calls),
      name => `There is no call "${name}". A settings page names calls in full: table.key.`,
    ),
  );
  setting.actions?.forEach((action, i) =>
    action.offerAfterSave?.forEach((name, j) => {
      if (!schema.properties?.[name])
        context.report({
          file,
          pointer: `/x-setting/actions/${i}/offerAfterSave/${j}`,
          message: `There is no field "${name}" on this page.`,
          wanted: name,
          among: Object.keys(schema.properties ?? {}),
        });
    }),
  );
  if (setting.sections) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!placed.has(name) && field['x-ui']?.widget !== 'unseen' && ![...placed.keys()].some(one => one.startsWith(`${name}.`)))
        context.report({
          file,
          pointer: `/properties${pointer([name])}`,
          on: 'key',
          message: `"${name}" stands in no section, so it would not be seen.`,
        });
    }
  }
  try {
    const defaults = withDefaults<JsonObject>(schema, {});
    const wrong = validate(schema, compileValidator(schema), defaults)[0];
    if (wrong)
      context.report({
        file,
        pointer: `/properties${pointer(wrong.pointer.split('/').slice(1, 2))}`,
        on: 'key',
        message: `A page starts from its defaults, and these are not valid: ${wrong.message}`,
      });
  } catch {
    /* reported elsewhere */
  }
}
