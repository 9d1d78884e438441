// One file with a list and a form is three screens: the list, the form for a new record, and the form of one that exists.
import { restTableName } from './rest.ts';
import type { CallTable, JsonObject, Schema } from './types.ts';

/**
 * The screens of a file as they would be written one by one, by route. Those that have a file of their own win over these. The actions of
 * the form are those of the page of a record.
 */
export function screensOf(
  route: string,
  raw: JsonObject,
  entities: Record<string, Schema>,
  tables: Record<string, CallTable>,
): Record<string, JsonObject> {
  const of = typeof raw.of === 'string' ? raw.of : undefined;
  const rest = of === undefined ? undefined : restTableName(of);
  const given = raw.calls === undefined && rest !== undefined && tables[rest] ? { ...raw, calls: rest } : raw;
  const {
    list,
    form,
    card: _card,
    actions: listActions,
    page,
    options,
    ...both
  } = given as JsonObject & {
    list?: JsonObject;
    form?: JsonObject;
  };
  const record = entities[of ?? '']?.['x-record'];
  if (!list || !form || !record) return { [route]: given };
  // A page of its own (figures above a list) is that of the list; forms are drawn as ever.
  const drawn = { ...(page === undefined ? {} : { page }), ...(options === undefined ? {} : { options }) };
  const { actions: formActions, starts, ...fields } = form;
  const { one } = record.name;
  const calls = tables[String(given.calls)]?.calls ?? {};
  const own = (actions: unknown): JsonObject[] => (Array.isArray(actions) ? (actions as JsonObject[]) : []);
  const has = (actions: unknown, id: string): boolean => own(actions).some(action => action.id === id || (action as unknown) === id);
  const create = { id: 'create', call: 'create', title: `Create ${one}`, icon: 'plus', primary: true, to: `/${route}/create` };
  const remove = {
    id: 'delete',
    call: 'delete',
    title: 'Delete',
    icon: 'trash-2',
    tone: 'critical',
    place: 'menu',
    confirmTitle: `Delete “${record.label}”?`,
    confirm: 'Deleting is final.',
    submit: 'Delete',
    dismiss: `Keep ${one}`,
    done: `“${record.label}” was deleted.`,
    to: `/${route}`,
  };
  return {
    [route]: {
      ...both,
      ...drawn,
      list,
      ...(raw.card ? { card: raw.card } : {}),
      actions: [...own(listActions), ...(calls.create && !has(listActions, 'create') ? [create] : [])],
    },
    ...(calls.create
      ? {
          [`${route}/create`]: {
            ...both,
            title: `New ${one}`,
            form: { title: `New ${one}`, created: `/${route}/{id}`, ...fields, ...(starts === undefined ? {} : { starts }) },
          },
        }
      : {}),
    [`${route}/[id]`]: {
      ...both,
      title: one.charAt(0).toUpperCase() + one.slice(1),
      form: { ...fields, title: record.label },
      actions: [...own(formActions), ...(calls.delete && !has(formActions, 'delete') ? [remove] : [])],
    },
  } as Record<string, JsonObject>;
}
