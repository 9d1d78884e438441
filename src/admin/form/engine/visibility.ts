// Which places of a form its conditions hide, as the value stands.
import { hasConditions, hiddenPointers, inside, strip } from '../../../contract/validation/condition.ts';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { parentOf } from './path.ts';

export type Facts = Record<string, JsonValue>;

export class Visibility {
  private readonly schema: Schema;
  private readonly facts: Facts;
  private readonly conditional: boolean;
  private hidden: Set<string>;

  constructor(schema: Schema, facts: Facts, value: JsonObject) {
    this.schema = schema;
    this.facts = facts;
    this.conditional = hasConditions(schema);
    this.hidden = this.conditional ? hiddenPointers(schema, value, facts) : new Set();
  }

  /** Whether a condition of the place itself hides it. */
  isHidden(pointer: string): boolean {
    return this.hidden.has(pointer);
  }

  /** Whether it, or something around it, is hidden. */
  isInsideHidden(pointer: string): boolean {
    return inside(pointer, this.hidden);
  }

  /** What is to be saved of a value: without what is hidden. */
  strip(value: JsonObject): JsonObject {
    return (this.conditional ? strip(this.schema, value, this.facts) : value) as JsonObject;
  }

  /** Asks the conditions again and adds the channels of what comes and goes. False where there are no conditions. */
  follow(value: JsonObject, channels: Set<string>): boolean {
    if (!this.conditional) return false;
    const next = hiddenPointers(this.schema, value, this.facts);
    for (const pointer of next) if (!this.hidden.has(pointer)) channels.add(`${parentOf(pointer)}#`);
    for (const pointer of this.hidden) if (!next.has(pointer)) channels.add(`${parentOf(pointer)}#`);
    this.hidden = next;
    return true;
  }
}
