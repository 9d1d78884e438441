// Which action may run in which state: the moves of schemas/entities/subscription.json, and the edits that leave the state as it is.
import { ACTION_KINDS } from '../../generated/actions.ts';
import schema from '../../../schemas/entities/subscription.json' with { type: 'json' };
import type { Move } from '../../contract/types.ts';
import { invalidState } from '../platform/context.ts';
import { ERASED, isErased } from './erased.ts';
import { isGift, refusalOfGift } from './gifts/gift.ts';
import type { Aggregate } from './aggregate.ts';
import { guards, LAST_PRODUCT, OF_AN_UNCLEAR_CHARGE, refusalWhileCharged } from './guards.ts';
import { hasLiveLine } from './charging/stock.ts';
import { refusalOfPrepaid } from './prepaid.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { later, t, translated } from '../../domain/text/t.ts';

export type Status = 'ACTIVE' | 'PAUSED' | 'CANCELLED' | 'EXPIRED' | 'FAILED';
export const STATUSES: readonly Status[] = ['ACTIVE', 'PAUSED', 'FAILED', 'CANCELLED', 'EXPIRED'];
/** The numbers that the platform uses for the states (D018, D019). */
export const STATUS_CODES: Readonly<Record<Status, number>> = { ACTIVE: 1, CANCELLED: 2, FAILED: 3, PAUSED: 4, EXPIRED: 5 };

const moves = schema['x-states'].moves as Record<string, Move>;

/** @throws Error at the start for a guard that there is none of: without it the move would be allowed to everybody. */
function requireGuards(): void {
  for (const [action, { guard }] of Object.entries(moves))
    if (guard !== undefined && !guards[guard])
      throw new Error(
        `schemas/entities/subscription.json  /x-states/moves/${action}/guard: there is no guard "${guard}". There are: ` +
          `${Object.keys(guards).join(', ')}.`,
      );
}
requireGuards();

/** Actions that keep the state, by the names of their calls, and the states they are for: `states` of schemas/actions. */
export const EDITS: Readonly<Record<string, readonly Status[]>> = Object.fromEntries(
  Object.values(ACTION_KINDS).flatMap(({ action, states }) => (action && states ? [[action, states as Status[]]] : [])),
);

const ENDED = later`Reactivate this subscription to make changes.`;
/** Why an edit is refused in a state, and what would help. */
function wrongState(status: Status): string {
  if (status === 'CANCELLED' || status === 'EXPIRED') return translated(ENDED);
  return status === 'PAUSED'
    ? t`This subscription is paused. Resume it to change its orders.`
    : t`Billing of this subscription has ended. Reactivate it to change its orders.`;
}

/** An ended subscription without a product that still exists may get one: reactivating asks for it. */
const dependsOnProducts = (action: string): boolean => action === 'addLine';

/** The sentence that refuses an action in a state, whatever else holds; null where the state alone does not decide. */
export const refusalIn = (status: Status, action: string): string | null => (dependsOnProducts(action) ? null : byState(status, action));

function byState(status: Status, action: string): string | null {
  const move = moves[action];
  if (move) return move.from.includes(status) ? null : move.error === undefined ? wrongState(status) : translated(move.error);
  const states = EDITS[action];
  if (!states) throw new Error(`"${action}" is not an action of subscriptions.`);
  return states.includes(status) ? null : wrongState(status);
}

/** The sentence that refuses an action in the present state, or null when it may run. */
export function refusalOf(work: UnitOfWork, subscription: Aggregate, action: string): string | null {
  if (isErased(subscription.contract.customer_email)) return translated(ERASED);
  const ofGift = isGift(subscription.contract) ? refusalOfGift(work, action) : null;
  const ofPrepaid = refusalOfPrepaid(work.context, subscription.contract, action);
  if (ofGift ?? ofPrepaid) return ofGift ?? ofPrepaid;
  const refusal = byState(subscription.contract.status as Status, action);
  if (refusal) return dependsOnProducts(action) && !hasLiveLine(work, subscription) ? null : refusal;
  const charged = refusalWhileCharged(subscription, action);
  if (charged) return charged;
  const guard = moves[action] ? moves[action].guard : action;
  return (guard ? guards[guard]?.(work, subscription) : null) ?? null;
}

/** @throws Refusal 409 with the sentence of the state machine */
export function mustAllow(work: UnitOfWork, subscription: Aggregate, action: string): void {
  const refusal = refusalOf(work, subscription, action);
  if (refusal) throw invalidState(refusal);
}

const BY_HAND: readonly string[] = [
  ...Object.keys(moves).filter(name => !['create', 'autoResume', 'expire', 'fail', 'recover'].includes(name)),
  ...Object.keys(EDITS).filter(name => !OF_AN_UNCLEAR_CHARGE.has(name)),
];

/** What is not offered although the action itself would only refuse some of it: removing a product, where there is no other. */
const pointless = (subscription: Aggregate, action: string): string | null =>
  action === 'removeLine' && subscription.lines.length === 1 ? translated(LAST_PRODUCT) : null;

/** The calls that do an action, by its name: a refusal is that of each. */
const CALLS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(ACTION_KINDS).flatMap(({ action, calls }) => (action ? [[action, calls.map(name => name.split('.')[1] as string)]] : [])),
);
const withCalls = (name: string): string[] => [...new Set([name, ...(CALLS[name] ?? [])])];

/** Names of the actions that the present state allows. */
export const allowedActions = (work: UnitOfWork, subscription: Aggregate): string[] =>
  BY_HAND.filter(name => (refusalOf(work, subscription, name) ?? pointless(subscription, name)) === null);

/** Actions whose state is right but that something else forbids, each with the sentence that says what: the tooltip of its button. */
export function refusedActions(work: UnitOfWork, subscription: Aggregate): Record<string, string> {
  const status = subscription.contract.status as Status;
  const fits = BY_HAND.filter(name => (moves[name]?.from ?? EDITS[name] ?? []).includes(status));
  return Object.fromEntries(
    fits.flatMap(name => {
      const refusal = refusalOf(work, subscription, name) ?? pointless(subscription, name);
      return refusal === null ? [] : withCalls(name).map(call => [call, refusal]);
    }),
  );
}
