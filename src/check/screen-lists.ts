// The lists of screens: every column, tab, filter, order and action of theirs names something that exists.
import type { Call, Column, JsonObject, Resource, Schema } from '../contract/types.ts';
import { callFor } from '../contract/find.ts';
import { filterSchema } from '../contract/filter-schema.ts';
import { fieldOf, pointer } from '../contract/paths.ts';
import { compileValidator } from '../contract/validation/compile.ts';
import { validate } from '../contract/validation/validate.ts';
import { checkWhen } from './conditions.ts';
import { checkOptions } from './options.ts';
import { rendererFor } from './renderer-for.ts';
import { actionName, actionOf, lacks, needs } from './screen-calls.ts';
import { fieldName, isObjectAt, path, templates, type Screen } from './screen-fields.ts';
import { known, own, schemaOf } from './context.ts';

/** The fields that rows of a list have, where lists don't carry whole records. */
export const rowOf = (entity: Schema | undefined): string[] | undefined => {
  const { listFields: row, key = 'id' } = entity?.['x-record'] ?? {};
  return row && [key, 'version', ...row];
};

/** `row`: the fields that the rows have, where they are not whole records. */
export function columns(here: Screen, at: string, list: Column[], entity: Schema | undefined, row?: readonly string[]): void {
  const { renderers } = here.context.options;
  list.forEach((column, i) => {
    const raw = `${at}/${i}`;
    const place = (below: string): string => (isObjectAt(here, raw) ? raw + below : raw);
    fieldName(here, place('/field'), column.field, entity);
    if (row && entity && fieldOf(entity, column.field))
      known(
        here.context,
        here.file,
        place('/field'),
        column.field.split('.')[0],
        row,
        name => `x-record.listFields of ${entity.title} doesn't list "${name}", so its lists don't carry it.`,
      );
    if (list.findIndex(other => other.field === column.field && other.cell === column.cell) !== i)
      here.context.report({ file: here.file, pointer: place('/field'), message: `The column "${column.field}" stands here twice.` });
    known(
      here.context,
      here.file,
      place('/permission'),
      column.permission,
      Object.keys(here.context.definitions.permissions),
      name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
    );
    if (renderers?.cells)
      known(
        here.context,
        here.file,
        place('/cell'),
        column.cell,
        renderers.cells,
        name => `There is no cell "${name}" in renderers/cells.`,
      );
    if (column.options && renderers?.cells) {
      const cell = column.cell ?? rendererFor((entity && fieldOf(entity, column.field)) ?? {}, 'cells', new Set(renderers.cells));
      if (cell && renderers.cells.includes(cell))
        checkOptions(here.context, here.file, place('/options'), 'cells', cell, column.options, entity);
    }
  });
}

/** The list of a screen; `raw` is the file as it is written. */
export function list(here: Screen, resource: Resource, raw: JsonObject): void {
  const { context, file } = here;
  const screen = resource.list as NonNullable<Resource['list']>;
  const rawList = raw.list as JsonObject;
  let call: Call | undefined;
  if (screen.call) {
    known(context, file, '/list/call', screen.call, Object.keys(context.definitions.calls), name => `There is no call "${name}".`);
    call = context.definitions.calls[screen.call];
    if (call && call.does !== 'list')
      context.report({ file, pointer: '/list/call', message: `${call.name} does "${call.does}", not "list".` });
    else if (call?.page === 'whole' || (call && call.page === undefined))
      context.report({
        file,
        pointer: '/list/call',
        message: `${call.name} gives all its rows at once; a list asks for pages. Give the call a "page": "page" in its table.`,
      });
  } else {
    needs(here, '/list', ['list'], 'fill the list');
    call = callFor(context.definitions, resource, 'list');
  }
  const entity = schemaOf(context.definitions, call?.of ?? resource.of);
  columns(here, '/list/columns', screen.columns, entity, rowOf(entity));
  screen.optional?.forEach((name, i) =>
    known(
      context,
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
    const table = resource.calls && context.definitions.tables[resource.calls];
    if (table && !own(table.calls, 'counts'))
      context.report({
        file,
        pointer: at,
        on: 'key',
        message: `${lacks(here, '"counts"')}, so this tab has no number.`,
      });
    else if (screen.tabs?.findIndex(other => other.count === tab.count) !== i)
      context.report({
        file,
        pointer: at,
        message: `Another tab has the count "${tab.count}" already, so both would have the same number.`,
      });
    // A count in capitals is a value that the tab filters by; others ("all", "failing") are names of their own.
    else if (/^[A-Z_]+$/.test(tab.count))
      known(
        context,
        file,
        at,
        tab.count,
        Object.values(tab.filter ?? {}).flatMap(value => (Array.isArray(value) ? value.map(String) : [])),
        one => `A count in capitals is the value that its tab filters by, and this tab doesn't filter by "${one}".`,
      );
  });
  screen.tabs?.forEach((tab, i) => {
    if (screen.tabs?.findIndex(other => other.title === tab.title) !== i)
      context.report({ file, pointer: `/list/tabs/${i}/title`, message: `Another tab is called "${tab.title}" already.` });
    if (!tab.columns) return;
    columns(here, `/list/tabs/${i}/columns`, tab.columns, entity, rowOf(entity));
    tab.columns.forEach((column, j) =>
      known(
        context,
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
      known(context, file, `/list/filters/${i}`, name, filter, one =>
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
        known(context, file, `${at}/sort/field`, order.field, sort, one =>
          fieldOf(entity, one)
            ? `x-record.sort of ${entity.title} doesn't list "${one}", so the server can't sort by it.`
            : `There is no field "${one}" in ${entity.title}.`,
        );
    }
    if (screen.search !== undefined && !entity['x-record']?.search?.length)
      context.report({
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
        known(context, file, at + pointer([name]), name, filter, one =>
          fieldOf(entity, one)
            ? `x-record.filter of ${entity.title} doesn't list "${one}", so the server can't filter by it.`
            : `There is no field "${one}" in ${entity.title}.`,
        );
      for (const wrong of validate(schema, compileValidator(schema), given))
        if (wrong.rule !== 'additionalProperties' || wrong.pointer.split('/').length > 2)
          context.report({ file, pointer: at + wrong.pointer, message: wrong.message });
    });
  }
  templates(here, '/list/rowTo', screen.rowTo, entity, entity);
  if (screen.rowTo?.startsWith('/')) path(here, '/list/rowTo', screen.rowTo);
  if (screen.refreshWhile) checkWhen(context, file, '/list/refreshWhile', screen.refreshWhile, entity ?? 'unknown', entity);
  if (screen.empty?.action) actionName(here, '/list/empty/action', screen.empty.action);
  screen.bulk?.forEach((action, i) => actionOf(here, `/list/bulk/${i}`, action, entity, entity, true));
  // A named one is reported where it is written, under /actions.
  screen.rowActions?.forEach((action, i) => {
    if (!here.resource.actions?.some(({ id }) => id === (rawList.rowActions as unknown[])[i]))
      actionOf(here, `/list/rowActions/${i}`, action, entity, entity);
  });
  if (rawList.order === true && resource.calls && !callFor(context.definitions, resource, 'order', call?.of))
    context.report({
      file,
      pointer: '/list/order',
      on: 'key',
      message: `${lacks(here, 'that does "order"')}, to keep the order of rows.`,
    });
}
