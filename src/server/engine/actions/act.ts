// One action on one subscription, from opening to writing: locks it, compares the version that the caller knows, performs and writes.
import type { JsonObject } from '../../../contract/types.ts';
import { notFound } from '../../platform/context.ts';
import { checkVersion } from '../../platform/records/version-check.ts';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { copyOf, type ContractRow } from '../rows.ts';
import { refuseOtherNext, type KnownNext } from './known-next.ts';
import { perform } from './perform.ts';
import { contractView } from '../contract-response.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { later } from '../../../domain/text/t.ts';

export interface ActOptions {
  /** The action's name: a move of x-states or an edit of states.ts. */
  action: string;
  /** The version that the caller read; undefined: no check. */
  expectedVersion?: number;
  /** The order that was next when the call came in, of a call that means that one without its id. */
  knownNext?: KnownNext['next'];
  /** Orders that the action names, besides those ahead and open. */
  orderIds?: readonly number[];
  /** Ids for this many billing attempts will be needed. */
  attempts?: number;
  /** Settings read before, where several actions run in one transaction. */
  work?: UnitOfWork;
}

/** What an action left: the contract, its row as it was, what was noted about it, and what the change itself answered. */
export interface Acted<T> {
  subscription: Aggregate;
  work: UnitOfWork;
  before: ContractRow;
  notes: { key: string; data: JsonObject }[];
  result: T;
}

/**
 * Runs an action and writes the contract, its log and its e-mails in the transaction of `context`. Gives the contract as it is now.
 * @throws Refusal 404, 409 STALE_VERSION with both versions, 409 INVALID_STATE (also where `knownNext` is not next any more), and what the
 *   action itself refuses
 */
export async function act<T>(
  context: EngineContext,
  contractId: number,
  options: ActOptions,
  change: (work: UnitOfWork, subscription: Aggregate) => T | Promise<T>,
): Promise<Acted<T>> {
  const work = options.work ?? (await UnitOfWork.open(context));
  const [subscription] = await work.load([contractId], options.orderIds);
  if (!subscription) throw notFound(later`subscription`);
  if (options.expectedVersion !== undefined && options.expectedVersion !== subscription.contract.version) {
    const current: JsonObject = await contractView(context, contractId);
    checkVersion({ expectedVersion: options.expectedVersion }, 'subscription', current, subscription.contract.version, {
      by: '',
      at: subscription.contract.updated_at,
    });
  }
  if (options.knownNext) refuseOtherNext(subscription.contract, options.knownNext);
  await work.loadVariants([subscription], options.attempts !== undefined);
  if (options.attempts) await work.reserveAttemptIds(options.attempts);
  const before = copyOf(subscription.contract);
  const { result } = await perform(work, subscription, { action: options.action, apply: change });
  const notes = work.notes.map(({ key, data }) => ({ key, data }));
  await work.flush();
  return { subscription, work, before, notes, result };
}
