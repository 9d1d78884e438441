// What a move between states writes besides the state.
import type { Schema } from '../contract/types.ts';

/**
 * The fields of an entity with states (`x-states`) that a move may write from what it is given: those that people may change. The state
 * itself is written by the move alone. The check refuses a move with a parameter that is none of them.
 */
export const writtenByMove = (entity: Schema): string[] =>
  Object.entries(entity.properties ?? {}).flatMap(([name, { readOnly }]) =>
    readOnly === true || name === entity['x-states']?.field || name === (entity['x-record']?.key ?? 'id') ? [] : [name],
  );
