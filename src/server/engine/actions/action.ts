// What an action of the catalogue is: the form it asks for, which right it needs, and the engine's own
// action that it runs on each subscription.
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import type { ACTION_KINDS, ActionKey } from '../../../generated/actions.ts';
import { invalidState } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import type { PendingCharge } from '../charging/place-order.ts';
import type { PendingRefund } from '../charging/refund.ts';
import type { PortalConfig } from '../portal-link.ts';
import type { Status } from '../states.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { later } from '../../../domain/text/t.ts';

/** What a row has of its own: the further columns of a CSV file. */
export type RowValues = Readonly<Record<string, string>>;
/**
 * The order that a row is for, in its values under this name, which no column of a file can have: of a row that is tried again the order
 * that was charged the first time, of a button the order that its page named.
 */
export const NAMED_ORDER = '#order';
/** The order that a row is for; undefined where the action chooses it. */
export const namedOrder = (values: RowValues | null): number | undefined =>
  values?.[NAMED_ORDER] === undefined ? undefined : Number(values[NAMED_ORDER]);

/** The way back of an action. */
export interface Undoing {
  /** The action of the state machine that is asked before the way back. */
  action: string;
  /** What the way back needs to know, once the action was applied; undefined: it would not lead back exactly. */
  remember(work: UnitOfWork, was: Aggregate['before'], subscription: Aggregate): JsonObject | undefined;
  /** Brings the subscription back. @throws Refusal: the row is skipped for this reason */
  apply(work: UnitOfWork, subscription: Aggregate, was: JsonObject): void;
}

/**
 * What the server does for an action; what is said of it stands in schemas/actions. `I` is the input of its form, `One` that of its call,
 * where they differ.
 */
export interface ActionCode<I = JsonObject, One = I> {
  /** What the installation lacks for it, as a sentence: it is not offered then. Undefined: nothing. */
  unavailable?(config: PortalConfig): string | undefined;
  /** Areas whose WRITE an input needs besides, where it does what another single action is for. */
  alsoNeeds?(input: I | One): readonly string[];
  /** Variants of the lines are needed (stock, prices). */
  variants?: true;
  /** What the form's schema can't say about its input. */
  check?(input: I, now: Date): FieldError[];
  /** Orders that it needs besides those that come with a subscription. */
  orderIds?(context: EngineContext, contractIds: readonly number[], input: I): Promise<number[]>;
  /** Subscriptions it leaves alone, with the reason; asked for all of a chunk at once. */
  refusals?(work: UnitOfWork, aggregates: readonly Aggregate[], input: I): Promise<Map<number, string>>;
  /** How a run of it is taken back; actions that say "undo" have it. */
  undoing?: Undoing;
  /** What its call does to one subscription, by products, orders and days of that one. Left out: what `apply` does. @throws Refusal */
  one?(work: UnitOfWork, subscription: Aggregate, input: One): unknown;
  /** Its call answers a charge to take, or null. */
  mayCharge?: true;
  /** Its call answers a refund to make. */
  refunds?: true;
  /** What a call that may charge does as long as it does not, to show it beforehand. Left out: it can't be shown. */
  uncharged?(work: UnitOfWork, subscription: Aggregate, input: One): unknown;
  /** Its call means the order that is next where it names none: sent several times at once, it changes that order alone. */
  meansNext?: true;
  /** Ids of further subscriptions of the customer that its call changes likewise, where its `alsoOthers` wishes so. */
  others?(work: UnitOfWork, subscription: Aggregate): Promise<number[]>;
  /** Changes the subscription by the input of its form. @throws Refusal: the row is skipped for this reason */
  apply(work: UnitOfWork, subscription: Aggregate, input: I, values: RowValues): unknown;
}
type Said = (typeof ACTION_KINDS)[ActionKey];
/** An action of the catalogue: what schemas/actions says of it, and what the server does for it. */
export interface SubscriptionAction<I = JsonObject> extends Omit<Said, 'states' | 'forMany'>, ActionCode<I> {
  states?: readonly Status[];
  forMany?: { states: readonly Status[]; otherwise: string };
}

/** What an action that charges or refunds answers. */
export type Charging = PendingCharge | PendingRefund | null;

export const NOTHING_CHANGES = later`Nothing changes for this subscription.`;
/** Ends a row as skipped. */
export const skip = (reason: string): Error => invalidState(reason);
