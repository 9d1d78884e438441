// What an action of the portal is: a question, and the buttons that answer it.
import type { JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import type { PurchaseType } from '../offers/upsell.ts';

export type Does = { action: ActionKey; input: JsonObject } | { add: number; way: PurchaseType } | { cancelFor: number | null };
/** One way to do it: a button. */
export interface Choice {
  label: string;
  does: Does;
}
export interface Action {
  /** In addresses: "SKIP", "QUANTITY". */
  id: string;
  /** Of which product, where it is about one: a line, or a variant that is offered. */
  of?: number;
  label: string;
  question: string;
  /** Why it can't be done now although it is allowed. */
  refusal?: string;
  /** What has to be filled in before there are choices. */
  field?: { type: 'number' | 'date'; label: string; value: string; min: string; max: string };
  choices: Choice[];
  /** The text after it was done. */
  done: string;
}
/** What an address says besides the action. */
export interface Asked {
  of?: number;
  /** What was filled in. */
  to?: string;
}
