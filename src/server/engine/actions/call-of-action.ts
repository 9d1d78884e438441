// What a call does whose line says "act": an action on one subscription, with its version, its line in the account log, and the whole
// contract as the answer. A charge is written down first, then taken through the gateway, then settled.
import { accessOf } from '../../../contract/access.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { invalid, ownTransactions, Refusal, type Context, type Handler } from '../../platform/context.ts';
import { ACTION_KINDS, type ActionKey } from '../../../generated/actions.ts';
import type { Aggregate } from '../aggregate.ts';
import { takeCharges } from '../charging/charge.ts';
import { takeRefund } from '../charging/refund.ts';
import type { Transact } from '../runtime.ts';
import { engineOf, type EngineContext } from '../context.ts';
import { contractView } from '../contract-response.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { logAction } from './account-log.ts';
import { act, type Acted, type ActOptions } from './act.ts';
import type { ActionCode, Charging } from './action.ts';
import { ACTIONS } from './catalogue.ts';
import { knowNext, type KnownNext } from './known-next.ts';
import { idOf, type Naming } from './named-subscription.ts';

type Input = Naming & { orderId?: number; alsoOthers?: boolean };
type Work<I> = (work: UnitOfWork, subscription: Aggregate, input: I, context: Context) => unknown;

/** What a call does to a subscription, for code that shows it without its being done. */
export interface Acting {
  /** The action of the state machine. */
  action: string;
  work: Work<never>;
  others?: ActionCode['others'];
}
export type ActingHandler = Handler & { acting?: Acting };

/** The orders that an input names besides those ahead and open. */
export const ordersIn = (input: { orderId?: number }): number[] => (input.orderId === undefined ? [] : [input.orderId]);

/** Runs an action in the transaction of `context` and writes the account log. @throws Refusal 404, 409, 422 */
export async function change<I extends { id: number }, T>(
  context: Context,
  action: string,
  input: I,
  work: (work: UnitOfWork, subscription: Aggregate, input: I, context: Context) => T | Promise<T>,
  options: Pick<ActOptions, 'attempts' | 'knownNext'> = {},
): Promise<Acted<T>> {
  const acted = await act(
    engineOf(context),
    input.id,
    { action, expectedVersion: context.expectedVersion, orderIds: ordersIn(input as Input), ...options },
    (w, subscription) => work(w, subscription, input, context),
  );
  await logAction(context, action, acted);
  return acted;
}

/**
 * The same change on other subscriptions of the customer, in the transaction of the first: all of them change, or none.
 * @throws Refusal what one of them refuses, with its number before the sentence
 */
export async function changeOthers(
  context: Context,
  action: string,
  ids: readonly number[],
  work: (w: UnitOfWork, subscription: Aggregate) => unknown,
): Promise<Acted<unknown>[]> {
  const changed: Acted<unknown>[] = [];
  for (const id of ids) {
    try {
      changed.push(await act(engineOf(context), id, { action }, work));
    } catch (error) {
      if (error instanceof Refusal && (error.status === 409 || error.status === 422))
        throw new Refusal(error.status, error.code, t`Subscription #${id}: ${error.message}`, error.errors);
      throw error;
    }
  }
  return changed;
}

/** An input may do what another area is for. @throws Refusal 403 for a person who may not write in one of these areas */
export function refuseMore(context: Context, areas: readonly string[]): void {
  const access = accessOf(context.session);
  for (const area of areas) {
    if (access.can(area, 'WRITE')) continue;
    const label = translated(context.definitions.permissions[area]?.label ?? area);
    throw new Refusal(403, 'FORBIDDEN', t`This needs the permission “${label}” too. Ask an admin of your store.`);
  }
}

async function changed<I extends Input>(
  context: Context,
  action: string,
  given: I,
  work: Work<I>,
  { others, knownNext }: Pick<ActionCode, 'others'> & Pick<ActOptions, 'knownNext'>,
) {
  const id = await idOf(context, given);
  let ids: number[] = [];
  const apply = async (w: UnitOfWork, subscription: Aggregate, input: I & { id: number }): Promise<void> => {
    if (input.alsoOthers && others) ids = await others(w, subscription);
    await work(w, subscription, input, context);
  };
  const acted = await change(context, action, { ...given, id }, apply, knownNext ? { knownNext } : {});
  for (const other of await changeOthers(context, action, ids, (w, subscription) =>
    work(w, subscription, { ...given, id: subscription.contract.id }, context),
  ))
    await logAction(context, action, other);
  return contractView(engineOf(context), id, acted);
}

/** Takes the charge or makes the refund that a change answered, outside of its transaction, and settles it. */
export async function takeCharge(context: Context, pending: Charging): Promise<void> {
  if (!pending) return;
  if ('refund' in pending) {
    const asPerson: Transact = settle => context.transaction(inner => settle(engineOf(inner)));
    // Without an outcome it stays under way, as its order says, and is looked up later.
    await takeRefund(asPerson, context.gateway, pending).catch(() => undefined);
    return;
  }
  await takeCharges(
    settle => context.transaction(inner => settle({ ...engineOf(inner), source: 'System', userEmail: '' } satisfies EngineContext)),
    context.gateway,
    [pending],
  );
}

function charging(action: string, work: Work<Input>, alsoNeeds: ActionCode['alsoNeeds']): Handler {
  return ownTransactions(async (context: Context, given: Input): Promise<JsonValue> => {
    refuseMore(context, alsoNeeds?.(given as never) ?? []);
    const { id, result } = await context.transaction(async inner => {
      const named = await idOf(inner, given);
      return { id: named, ...(await change(inner, action, { ...given, id: named }, work, { attempts: 2 })) };
    });
    await takeCharge(context, result as Charging);
    return context.transaction(inner => contractView(engineOf(inner), id));
  });
}

/** What the form of an action does, where its call takes the same input. @throws Refusal 422 what the code's own check says */
const checked =
  ({ check, apply }: ActionCode) =>
  (work: UnitOfWork, subscription: Aggregate, input: JsonObject): unknown => {
    const errors = check?.(input, work.at) ?? [];
    if (errors.length) throw invalid(errors);
    return apply(work, subscription, input, {});
  };

/**
 * The handler of a call that does an action. `work` is what it does where a feature does it; else it is the action's own code.
 * @throws Error at the start for an action without either
 */
export function callOfAction<I extends Naming>(key: ActionKey, work?: Work<I>): ActingHandler {
  const code = ACTIONS.get(key);
  const { action } = ACTION_KINDS[key];
  const does = (work ?? code?.one ?? (code && checked(code))) as Work<Input> | undefined;
  if (!does || action === null) throw new Error(`schemas/actions/${key}.json: nothing does it to a subscription.`);
  if (!work && (code?.mayCharge || code?.refunds)) {
    const handler: ActingHandler = charging(action, does, code.alsoNeeds);
    if (code.uncharged) handler.acting = { action, work: code.uncharged as Work<never> };
    return handler;
  }
  const others = work ? undefined : code?.others;
  const handler: ActingHandler = async (context: Context, input: Input, known?: KnownNext): Promise<JsonValue> => {
    if (!work) refuseMore(context, code?.alsoNeeds?.(input as never) ?? []);
    if (known) context.afterCommit(known.forget);
    return changed(context, action, input, does, { ...(others ? { others } : {}), knownNext: known?.next }).catch((error: unknown) => {
      known?.forget();
      throw error;
    });
  };
  if (!work && code?.meansNext)
    handler.prepare = async (context: Context, input: Input): Promise<KnownNext | undefined> =>
      input.orderId === undefined && context.expectedVersion === undefined ? knowNext(context, input) : undefined;
  return Object.assign(handler, { acting: { action, work: does as Work<never>, ...(others ? { others } : {}) } });
}

/** The handler of a call whose line does an action; undefined where a feature has what it does. */
export function handlerOfCall({ name }: { name: string }): ActingHandler | undefined {
  const key = Object.values(ACTION_KINDS).find(kind => kind.calls.includes(name))?.key;
  return key !== undefined && ACTIONS.has(key) ? callOfAction(key) : undefined;
}
