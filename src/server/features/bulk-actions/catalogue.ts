// The actions that can be done to many subscriptions at once, in the order they are offered.
import { movesOf } from '../../../contract/states.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import { EDITS, type PortalConfig, type Status, STATUSES } from '../../engine/index.ts';
import { ACTION_KINDS, type ActionKey } from '../../../generated/actions.ts';
import * as calls from '../subscriptions/action-calls.ts';
import type { TryableHandler } from '../subscriptions/action-calls.ts';
import type { ActionCode, BulkAction } from './bulk-action.ts';
import { deliveryMethod, shippingPrice } from './actions/delivery.ts';
import {
  addOrderNote,
  assignBackup,
  exportSubscription,
  sendPaymentUpdate,
  sendPortalLink,
  updateAttributes,
  updateNote,
  updateTags,
} from './actions/details.ts';
import { chargeOrder, reschedule, skipOrder, unskipOrder } from './actions/orders.ts';
import { addDiscount, recalculate, removeDiscount, updateFrequency, updateMinMax, updatePrice } from './actions/prices.ts';
import { addProduct, removeProduct, swapProduct, updateQuantity } from './actions/products.ts';
import { cancel, pause, reactivate, resume } from './actions/status.ts';
import { t } from '../../../domain/text/t.ts';

/** What the server does for the actions whose run on many differs from their call; the others do what their call does to one. */
const OWN: Partial<Record<ActionKey, unknown>> = {
  PAUSE_SUBSCRIPTION: pause,
  RESUME_SUBSCRIPTION: resume,
  CANCEL_SUBSCRIPTION: cancel,
  REACTIVATE_SUBSCRIPTION: reactivate,
  ADD_ORDER_NOTE: addOrderNote,
  SKIP_ORDER: skipOrder,
  UNSKIP_ORDER: unskipOrder,
  RESCHEDULE: reschedule,
  CHARGE_ORDER: chargeOrder,
  UPDATE_FREQUENCY: updateFrequency,
  UPDATE_MIN_MAX_CYCLES: updateMinMax,
  SWAP_PRODUCT: swapProduct,
  ADD_PRODUCT: addProduct,
  REMOVE_PRODUCT: removeProduct,
  UPDATE_QUANTITY: updateQuantity,
  UPDATE_PRICE: updatePrice,
  ADD_DISCOUNT: addDiscount,
  REMOVE_DISCOUNT: removeDiscount,
  RECALCULATE_DISCOUNT: recalculate,
  UPDATE_SHIPPING_PRICE: shippingPrice,
  UPDATE_DELIVERY_METHOD: deliveryMethod,
  UPDATE_TAGS: updateTags,
  UPDATE_NOTE: updateNote,
  UPDATE_ATTRIBUTES: updateAttributes,
  SEND_PAYMENT_UPDATE_EMAIL: sendPaymentUpdate,
  SEND_PORTAL_LINK: sendPortalLink,
  ASSIGN_BACKUP_PAYMENT: assignBackup,
  EXPORT_SUBSCRIPTION: exportSubscription,
};

/** What the call of an action does to one subscription, done to each. @throws Error at the start where there is no such function */
function ofCall({ key, call }: (typeof ACTION_KINDS)[ActionKey]): ActionCode {
  const handler = (calls as Record<string, unknown>)[call?.split('.')[1] ?? ''] as TryableHandler | undefined;
  if (!handler?.tryable)
    throw new Error(
      `schemas/actions/${key}.json: nothing does it to many subscriptions. Give its call a handler made by edit() in ` +
        'src/server/features/subscriptions/action-calls.ts, or the action code of its own in src/server/features/bulk-actions/actions.',
    );
  const { work: change } = handler.tryable;
  // Only calls of offers look at the request, and none of them is an action.
  return {
    apply: (work, subscription, input) =>
      (change as (w: typeof work, on: typeof subscription, given: typeof input) => never)(work, subscription, input),
  };
}

/** All actions on subscriptions by their keys, in the order in which they are offered. */
export const ACTIONS: ReadonlyMap<string, BulkAction> = new Map(
  Object.values(ACTION_KINDS).map(kind => [
    kind.key,
    { ...kind, ...((OWN[kind.key] as ActionCode | undefined) ?? ofCall(kind)) } as BulkAction,
  ]),
);

for (const { key, undo, undoing } of ACTIONS.values())
  if ((undo === true) !== (undoing !== undefined))
    throw new Error(
      `schemas/actions/${key}.json: "undo" and the code of the action (src/server/features/bulk-actions/actions) must agree.`,
    );

/** The action of a bulk action that was kept. @throws Error for a key that no row holds */
export function actionOf(key: string): BulkAction {
  const action = ACTIONS.get(key);
  if (!action) throw new Error(`There is no bulk action "${key}".`);
  return action;
}

/** What this installation has all it needs for, in the order in which it is offered. */
export const offeredActions = ({ config }: { config: PortalConfig }): BulkAction[] =>
  [...ACTIONS.values()].filter(action => action.in.includes('bulk') && !action.unavailable?.(config));

/**
 * The action of a key that somebody sent, to do it or to ask about it.
 * @throws Refusal 409 where the installation lacks what it needs, 422 for an unknown key
 */
export function offeredAction({ config }: { config: PortalConfig }, key: string, pointer = '/actionKey'): BulkAction {
  const action = ACTIONS.get(key);
  if (!action?.in.includes('bulk')) {
    const keys = offeredActions({ config }).map(one => one.key);
    throw invalid([
      { pointer, rule: 'enum', message: t`There is no bulk action “${key.slice(0, 60)}”. Choose one of: ${keys.join(', ')}.` },
    ]);
  }
  const reason = action.unavailable?.(config);
  if (reason) throw invalidState(reason);
  return action;
}

/** The states of subscriptions that an action is for. */
export function statesOf(action: BulkAction, definitions: Pick<Definitions, 'entities'>): readonly Status[] {
  if (action.states || action.action === null) return action.states ?? STATUSES;
  return (movesOf(definitions.entities.subscription)[action.action]?.from as Status[] | undefined) ?? EDITS[action.action] ?? [];
}

/** What the right of the single action must be: some areas can only be read, and an export only reads. */
export const accessFor = (action: BulkAction, { permissions }: Pick<Definitions, 'permissions'>): 'READ' | 'WRITE' =>
  action.keeps || !permissions[action.permission]?.availableAccessMode.includes('WRITE') ? 'READ' : 'WRITE';

/** States as the wire has them: none where all will do. */
const narrow = (states: readonly Status[]): Status[] => (states.length === STATUSES.length ? [] : [...states]);

/** A line of bulkActionsNameList. */
export const nameLine = (action: BulkAction, definitions: Pick<Definitions, 'entities' | 'permissions'>): JsonObject => ({
  key: action.key,
  label: action.title,
  icon: action.icon,
  group: action.group,
  description: action.description,
  isSystem: false,
  requiredFeature: 'bulk_actions',
  requiredPermission: action.permission,
  requiredAccess: accessFor(action, definitions),
  form: action.asks ? action.key : null,
  columns: [...(action.columns ?? [])],
  sendsMail: action.mails === true,
  canUndo: action.undo === true,
  canNotify: action.notifies === true,
  chargesCards: action.charges === true,
  confirmAbove: action.confirmAbove ?? null,
  states: narrow(statesOf(action, definitions)),
});
