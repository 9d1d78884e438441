// An action of schemas/actions on one subscription, from code: flows, campaigns and treatments run it as a bulk action does a row.
import type { Facts } from '../../../navigation/navigation.ts';
import type { Definitions, FieldError, JsonObject } from '../../../contract/types.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { invalid } from '../../platform/context.ts';
import type { CameWith } from '../charging/declined-links.ts';
import type { EngineContext } from '../context.ts';
import type { PendingCharge } from '../charging/place-order.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { applyTo, mailsOf, prepare } from './apply.ts';
import { NAMED_ORDER, NOTHING_CHANGES } from './action.ts';
import { actionOf } from './catalogue.ts';
import { changesOf, type Change } from './describe-changes.ts';
import { checkInput } from './action-input.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** Who runs an action: its line in the log of the subscription says so. */
export interface ActionSource {
  source: EngineContext['source'];
  /** Written into every line of the log: { "flowId": "…" }. */
  noteData?: JsonObject;
  /** Which e-mails leave; left out: those of the action's own kind, or those that its input asks for in "notify". */
  mails?: 'ALL' | 'CUSTOMER' | 'NONE';
  /** The order that is charged, where the button showed which one: never another one that is next by then. */
  orderId?: number;
  /** What of the subscription was given with the charge: it is taken back when that is declined. */
  cameWith?: CameWith;
}
export interface ActionResult {
  /** DONE: the subscription was changed, or an e-mail written. SKIPPED: it was left as it was, and `sentence` says why. */
  status: 'DONE' | 'SKIPPED';
  /** One sentence for the log of its caller: "Pause: Status from Active to Paused." or the reason it was left out. */
  sentence: string;
  changes: Change[];
  /** Of actions that charge: to be taken through the gateway after the transaction (takeCharges), and settled by it. */
  pending: PendingCharge | null;
}

/** Params of an action with their defaults, and what is wrong with them: for those who keep params to run them later. */
export const checkParams = (
  definitions: Pick<Definitions, 'actions'>,
  key: ActionKey,
  params: JsonObject,
  now: Date,
  facts: Facts = {},
): { input: JsonObject; errors: FieldError[] } => checkInput(definitions, facts, now, actionOf(key), params);

/**
 * Runs an action on one subscription in the transaction of `context` and writes it: the contract is locked, the state machine and the
 * guards are asked, and one line of its log says what was done. Whatever the engine refuses comes back as SKIPPED with its sentence, with
 * nothing written. Safe to repeat for a caller that records the result in the same transaction.
 * @throws Refusal 422 for params that the action's form does not allow; errors of the database
 */
export async function runAction(
  context: EngineContext & { definitions: Pick<Definitions, 'actions'> },
  key: ActionKey,
  contractId: number,
  params: JsonObject,
  source: ActionSource,
): Promise<ActionResult> {
  const action = actionOf(key);
  const { input, errors } = checkParams(context.definitions, key, params, context.now());
  if (errors.length) throw invalid(errors);
  const skipped = (sentence: string): ActionResult => ({ status: 'SKIPPED', sentence, changes: [], pending: null });
  const missing = action.unavailable?.(context.config);
  if (missing) return skipped(missing);
  const { mails = mailsOf(action, input) } = source;
  const work = await UnitOfWork.open({
    ...context,
    source: source.source,
    userEmail: '',
    ...(source.noteData ? { noteData: source.noteData } : {}),
    ...(mails === 'ALL' ? {} : { mails }),
  });
  const { orderId, cameWith } = source;
  const orderIds = (await action.orderIds?.(work.context, [contractId], input)) ?? [];
  const [subscription] = await work.load([contractId], orderId === undefined ? orderIds : [...orderIds, orderId]);
  if (!subscription) return skipped(t`This subscription does not exist any more.`);
  if (cameWith) work.chargesAsked.set(contractId, { cameWith });
  const was = subscription.before;
  const refusals = await prepare(work, action, [subscription], input);
  const applied = await applyTo(
    work,
    subscription,
    action,
    input,
    orderId === undefined ? {} : { [NAMED_ORDER]: String(orderId) },
    refusals,
  );
  if (applied.status === 'SKIPPED') return skipped(translated(applied.reason ?? NOTHING_CHANGES));
  const changed = await work.conclude();
  const changes = changesOf(work, was, subscription);
  await work.write(changed);
  const told = changes.map(({ title, before, after }) => `${title} from ${before} to ${after}`).join('; ');
  return { status: 'DONE', sentence: told ? `${action.title}: ${told}.` : `${action.title}.`, changes, pending: applied.pending };
}
