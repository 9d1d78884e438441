// Plain REST: the calls of an entity whose screens name no call table, all of them made of its schema. A stock react-admin application with
// ra-data-simple-rest can talk to them.
import type { RawCall, RawTable } from './calls.ts';
import type { Mistake } from './refs.ts';
import type { JsonObject, Schema } from './types.ts';

/** The table of an entity's plain REST calls: "rest-supplier". */
export const restTableName = (entity: string): string => `rest-${entity}`;

/** Its address below /rest: the plural, "gift-card-batches". */
const baseOf = (many: string): string =>
  `/${many
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')}`;

/** The screens, by their file, that show an entity and name no call table. */
const withoutTable = (screens: Record<string, JsonObject>, entities: Record<string, Schema>): [string, JsonObject, string][] =>
  Object.entries(screens).flatMap(([file, screen]) =>
    (screen.list || screen.record || screen.form) && screen.calls === undefined && typeof screen.of === 'string' && entities[screen.of]
      ? [[file, screen, screen.of]]
      : [],
  );

/**
 * The tables as if they had been written, by name: list, read, create, update, delete and export, counts where a list has tabs, and order
 * where its rows are dragged.
 * `screens`: file -> screen as written, whose path without folder and ending is the route.
 */
export function restTables(
  screens: Record<string, JsonObject>,
  entities: Record<string, Schema>,
  report: (mistake: Mistake) => void,
): Record<string, RawTable> {
  const tables: Record<string, RawTable> = {};
  const bases = new Map<string, string>();
  for (const [file, screen, of] of withoutTable(screens, entities)) {
    const { 'x-record': record, properties = {} } = entities[of] as Schema;
    const wrong = (message: string): void => report({ file, pointer: '/of', message });
    if (!record || (record.key ?? 'id') !== 'id') {
      wrong(`Without "calls" a screen is served by plain REST, which needs an x-record in schemas/entities/${of}.json whose key is "id".`);
      continue;
    }
    if (!record.permission) {
      wrong(
        `Name the permission area of plain REST: "permission" in x-record of schemas/entities/${of}.json. Or name a call table in "calls".`,
      );
      continue;
    }
    const base = baseOf(record.name.many);
    const other = bases.get(base);
    if (other !== undefined && other !== of) {
      wrong(`${of} and ${other} have the same plural "${record.name.many}", so both would be served at /rest${base}.`);
      continue;
    }
    bases.set(base, of);
    const { many, one } = record.name;
    const Many = many.charAt(0).toUpperCase() + many.slice(1);
    const known = tables[restTableName(of)]?.calls.counts;
    const route = file.replace(/^resources\/|\.json$/g, '');
    const list = screen.list as JsonObject | undefined;
    const counts: RawCall | undefined =
      known ?? (list?.tabs && !list.call ? { route: 'GET /counts', does: 'count', screen: route, title: `${Many} by tab` } : undefined);
    const order: RawCall | undefined =
      tables[restTableName(of)]?.calls.order ??
      (list?.order === true ? { route: 'POST /order', does: 'order', title: `Order ${many}` } : undefined);
    tables[restTableName(of)] = {
      title: Many,
      host: 'rest',
      base,
      permission: record.permission,
      ...(record.feature ? { feature: record.feature } : {}),
      of,
      params: {
        id: properties.id ?? {},
        sort: { title: 'Sort', type: 'string', enum: [...new Set([...(record.sort ?? []), 'id'])] },
        order: { title: 'Order', type: 'string', enum: ['ASC', 'DESC'] },
      },
      calls: {
        list: { route: 'GET /', does: 'list', in: ['sort?', 'order?', 'id[]?'], page: 'range', encode: 'rest-query', title: Many },
        ...(counts ? { counts } : {}),
        ...(order ? { order } : {}),
        export: { route: 'GET /export', does: 'export', title: `Export ${many}` },
        read: { route: 'GET /{id}', does: 'read', title: one.charAt(0).toUpperCase() + one.slice(1) },
        create: { route: 'POST /', does: 'create', title: `Add ${one}` },
        update: { route: 'PUT /{id}', does: 'update', title: `Change ${one}` },
        delete: { route: 'DELETE /{id}', does: 'delete', title: `Delete ${one}` },
      },
    };
  }
  return tables;
}
