// The state machine of an entity (x-states), as button and server both read it.
import type { JsonValue, Move, Schema } from './types.ts';
import { at, optionsOf } from './paths.ts';
import { listed } from './validation/sentences.ts';
import { inSentence, t, translated } from '../domain/text/t.ts';

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
  if (!states || !move) return { ok: false, message: t`"${action}" is not a move of this record.` };
  const state = at(record, states.field) ?? null;
  if (move.from.includes(state as string | null)) return { ok: true, to: move.to };
  const options = optionsOf(entity.properties?.[states.field]);
  if (move.error) return { ok: false, message: translated(move.error) };
  const label = (value: JsonValue): string => {
    const title = options.find(option => option.value === value)?.title;
    return title === undefined ? (value === null ? t`new` : String(value).toLowerCase()) : inSentence(translated(title));
  };
  const one = entity['x-record']?.name.one;
  const name = one === undefined ? t`record` : translated(one);
  return { ok: false, message: t`This ${name} is ${label(state)}. It must be ${listed(move.from.map(label))} for this.` };
}
