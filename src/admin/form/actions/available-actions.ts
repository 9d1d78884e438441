// Which actions a record or a row offers now, and why one that is shown can't be used: by condition, state, and the rights of the session.
import { allowsCall } from '../../../contract/access.ts';
import { holds } from '../../../contract/validation/condition.ts';
import { fullName } from '../../../contract/find.ts';
import { at } from '../../../contract/paths.ts';
import { isRead } from '../../../contract/request.ts';
import { mayMove, movesOf } from '../../../contract/states.ts';
import type { Action, Call, JsonObject, JsonValue, Schema, Session } from '../../../contract/types.ts';
import { inSentence, t } from '../../../domain/text/t.ts';

export interface ActionScope {
  calls: Record<string, Call>;
  /** The screen's own call table, for actions that name only a key. */
  table?: string | undefined;
  /** Entity that the screen shows, and its schema. */
  of?: string | undefined;
  schema?: Schema | undefined;
  record: JsonObject;
  row?: JsonObject | undefined;
  session: Session;
  facts: Record<string, JsonValue>;
  /** A record's page: its answer lists what the record allows (`actions`). Elsewhere a field of that name is the record's own. */
  isRecord?: boolean;
  /** Nothing of the screen may be changed: actions that would are not offered, instead of each with its reason. */
  isReadOnly?: boolean;
}
export interface AvailableAction {
  action: Action;
  call: Call;
  /** Why it can't be used now, in a sentence; undefined: it can. */
  refusal: string | undefined;
}

const names = (value: JsonValue | undefined): string[] | undefined =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined;

/**
 * The offer of one action, or undefined where it is not offered at all: its condition does not hold, its move (x-states) does not start
 * from the present state, or the server lists what a row allows (`actions`) and this is not among it.
 * What the server lists for the record disables instead: the state allows the move, but something else stands in its way.
 */
export function availabilityOf(given: Action, scope: ActionScope): AvailableAction | undefined {
  const { calls, table, of, schema, record, row, session, facts } = scope;
  const call = calls[fullName(given.call, table)];
  const here = { siblings: row ?? record, root: record, facts };
  if (!call || !holds(given.when, here)) return undefined;
  if (scope.isReadOnly && !isRead(call)) return undefined;
  const instead = given.confirmWhen?.find(({ when }) => holds(when, here));
  const action = instead ? { ...given, confirm: instead.text } : given;
  const isOwnMove = row === undefined && call.of === of && schema !== undefined && call.key in movesOf(schema);
  if (isOwnMove && !mayMove(schema, call.key, record).ok) return undefined;
  const ofRow = names(row?.actions);
  if (ofRow && !isRead(call) && !ofRow.includes(call.key)) return undefined;
  const verdict = allowsCall(call, session);
  if (!verdict.ok) return { action, call, refusal: verdict.message };
  const allowed = ofRow || !scope.isRecord ? undefined : names(record.actions);
  // The server lists the calls of the record's own table; one of another table it names where it refuses it.
  const isListed = fullName(given.call, table) === `${table}.${call.key}` || typeof at(record, `refusals.${call.key}`) === 'string';
  if (allowed && isListed && call.of === of && !isRead(call) && !allowed.includes(call.key))
    return { action, call, refusal: reasonOf(call, scope) };
  return { action, call, refusal: undefined };
}

/** Why the server does not allow an action: its own sentence where it gives one (`refusals`), else what the state would have to be. */
function reasonOf(call: Call, { record, schema }: ActionScope): string {
  const given = at(record, `refusals.${call.key}`);
  if (typeof given === 'string') return given;
  const states = schema?.['x-states'];
  const name = schema?.['x-record']?.name.one ?? t`record`;
  const state = states && at(record, states.field);
  const label =
    inSentence(schema?.properties?.[states?.field ?? '']?.oneOf?.find(one => one.const === state)?.title ?? '') ||
    String(state ?? '').toLowerCase();
  const wayBack =
    states &&
    Object.entries(states.moves).find(
      ([key, move]) =>
        key in movesOf(schema) &&
        move.title &&
        move.to !== state &&
        move.from.includes(state as string) &&
        /^(resume|reactivate|publish|restore)/i.test(key),
    );
  // What came upon it by itself: it "has failed" and "has expired", where others "are" paused or cancelled.
  if (wayBack) {
    const title = wayBack[1].title as string;
    return /^(failed|expired)$/.test(label)
      ? t`This ${name} has ${label}. ${title} it first.`
      : t`This ${name} is ${label}. ${title} it first.`;
  }
  return label ? t`This ${label} ${name} does not allow it at the moment.` : t`This ${name} does not allow it at the moment.`;
}

/** Why a section is closed to a person who may not read it. */
export const refusalOf = ({ title }: { title?: string }): string =>
  title
    ? t`You don't have permission to see ${inSentence(title)}. Ask an admin of your store for it.`
    : t`You don't have permission to see this. Ask an admin of your store for it.`;

/** Whether none of the actions that change something is allowed to this person; where there are none, nothing is missing. */
export function isReadOnly(
  actions: readonly Action[],
  { calls, table, session }: Pick<ActionScope, 'calls' | 'table' | 'session'>,
): boolean {
  const writes = actions.map(action => calls[fullName(action.call, table)]).filter(call => call !== undefined && !isRead(call));
  return writes.length > 0 && writes.every(call => !allowsCall(call!, session).ok);
}

export const availableActionsOf = (actions: readonly Action[], scope: ActionScope): AvailableAction[] =>
  actions.flatMap(action => availabilityOf(action, scope) ?? []);

/** The offers of a place: the head's buttons and menu, or a section's, where `group` names the section by its id. */
export const placed = (offers: readonly AvailableAction[], at: 'head' | 'section', group?: string): AvailableAction[] =>
  offers.filter(({ action: { place, group: section } }) =>
    at === 'head' ? place !== 'section' && place !== 'row' : place === 'section' && group !== undefined && section === group,
  );
