// What features say that values of a kind give (`x-grants` names the kind); `grants.ts` asks them.
import type { Definitions, JsonValue } from '../../../contract/types.ts';
import type { Need } from './needs.ts';

/** What values of a kind give; a feature exports them as `grants` from its grants.ts. */
export interface GrantKind {
  needs(value: JsonValue, context: { definitions: Definitions }): readonly Need[];
  /** Where in the value an error stands: "/access". */
  at?: string;
  /**
   * Rights, which are the same whatever stands beside them: what was given before may stay when others change the rest. Gives the rights in
   * a value, each under the name by which it is found in the value of before.
   */
  rights?(value: JsonValue): readonly (readonly [name: string, right: JsonValue])[];
}
export type GrantKinds = Readonly<Record<string, GrantKind>>;
