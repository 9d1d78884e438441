// The state machine of an entity (x-states), as button and server both read it.
import type { JsonValue, Move, Schema } from './types.ts';
import { at, optionsOf } from './paths.ts';

/** The moves of an entity by action, empty without x-states. */
export const movesOf = (entity: Schema | undefined): Record<string, Move> => entity?.['x-states']?.moves ?? {};

export type Verdict = { ok: true; to: string } | { ok: false; message: string };

/**
 * Whether an action may run in the record's present state. The refusal is the move's own text or says which state
 * would be right. Guards are asked elsewhere.
 */
export function mayMove(entity: Schema, action: string, record: unknown): Verdict {
  const states = entity['x-states'];
  const move = states?.moves[action];
  if (!states || !move) return { ok: false, message: `"${action}" is not a move of this record.` };
  const state = at(record, states.field) ?? null;
  if (move.from.includes(state as string | null)) return { ok: true, to: move.to };
  const options = optionsOf(entity.properties?.[states.field]);
  const label = (value: JsonValue): string =>
    options.find(option => option.value === value)?.title.toLowerCase() ?? (value === null ? 'new' : String(value).toLowerCase());
  const name = entity['x-record']?.name.one ?? 'record';
  const wanted = move.from.map(label);
  const list = wanted.length > 1 ? `${wanted.slice(0, -1).join(', ')} or ${wanted.at(-1)}` : wanted[0];
  return { ok: false, message: move.error ?? `This ${name} is ${label(state)}. It must be ${list} for this.` };
}
