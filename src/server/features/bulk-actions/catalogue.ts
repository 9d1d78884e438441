// The actions that can be done to many subscriptions at once, in the order they are offered.
import { movesOf } from '../../../contract/states.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import type { PortalConfig } from '../subscriptions/engine/portal-link.ts';
import { EDITS, STATUSES, type Status } from '../subscriptions/engine/states.ts';
import type { BulkAction } from './bulk-action.ts';
import { deliveryMethod, shippingPrice } from './actions/delivery.ts';
import {
  assignBackup,
  exportSubscription,
  sendPaymentUpdate,
  sendPortalLink,
  updateAttributes,
  updateNote,
  updateTags,
} from './actions/details.ts';
import { chargeOrder, reschedule, skipOrder, unskipOrder } from './actions/orders.ts';
import {
  addDiscount,
  recalculate,
  removeDiscount,
  updateFrequency,
  updateMinMax,
  updatePrice,
  updateSellingPlan,
} from './actions/prices.ts';
import { addProduct, removeProduct, swapProduct, updateQuantity } from './actions/products.ts';
import { cancel, pause, reactivate, resume } from './actions/status.ts';

// Each names the input of its own form.
const ALL = [
  pause,
  resume,
  cancel,
  reactivate,
  skipOrder,
  unskipOrder,
  reschedule,
  chargeOrder,
  updateFrequency,
  updateSellingPlan,
  updateMinMax,
  swapProduct,
  addProduct,
  removeProduct,
  updateQuantity,
  updatePrice,
  addDiscount,
  removeDiscount,
  recalculate,
  shippingPrice,
  deliveryMethod,
  updateTags,
  updateNote,
  updateAttributes,
  sendPaymentUpdate,
  sendPortalLink,
  assignBackup,
  exportSubscription,
] as unknown as readonly BulkAction[];

export const ACTIONS: ReadonlyMap<string, BulkAction> = new Map(ALL.map(action => [action.key, action]));

/** The action of a bulk action that was kept. @throws Error for a key that no row holds */
export function actionOf(key: string): BulkAction {
  const action = ACTIONS.get(key);
  if (!action) throw new Error(`There is no bulk action "${key}".`);
  return action;
}

/** What this installation has all it needs for, in the order in which it is offered. */
export const offeredActions = ({ config }: { config: PortalConfig }): BulkAction[] =>
  [...ACTIONS.values()].filter(action => !action.unavailable?.(config));

/**
 * The action of a key that somebody sent, to do it or to ask about it.
 * @throws Refusal 409 where the installation lacks what it needs, 422 for an unknown key
 */
export function offeredAction({ config }: { config: PortalConfig }, key: string, pointer = '/actionKey'): BulkAction {
  const action = ACTIONS.get(key);
  if (!action) {
    const keys = offeredActions({ config }).map(one => one.key);
    throw invalid([
      { pointer, rule: 'enum', message: `There is no bulk action “${key.slice(0, 60)}”. Choose one of: ${keys.join(', ')}.` },
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
  label: action.label,
  group: action.group,
  description: action.description,
  isSystem: false,
  requiredFeature: 'bulk_actions',
  requiredPermission: action.permission,
  requiredAccess: accessFor(action, definitions),
  form: action.form,
  columns: [...(action.columns ?? [])],
  sendsMail: action.mails === true,
  canNotify: NOTIFIES.has(action.key),
  chargesCards: action.charges === true,
  confirmAbove: action.confirmAbove ?? null,
  states: narrow(statesOf(action, definitions)),
});

const NOTIFIES = new Set([
  'PAUSE_SUBSCRIPTION',
  'RESUME_SUBSCRIPTION',
  'CANCEL_SUBSCRIPTION',
  'REACTIVATE_SUBSCRIPTION',
  'SKIP_ORDER',
  'UNSKIP_ORDER',
  'RESCHEDULE',
]);
