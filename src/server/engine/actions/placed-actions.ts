// Actions of schemas/actions that are kept to be run later, one subscription at a time: by a flow, a suggestion, an offer. `place` is where
// a file says that its action is offered (`in`).
import type { Definitions, FieldError, JsonObject } from '../../../contract/types.ts';
import type { Need } from '../../platform/auth/needs.ts';
import type { Context } from '../../platform/context.ts';
import type { PortalConfig } from '../portal-link.ts';
import type { SubscriptionAction } from './action.ts';
import { ACTIONS, accessFor, nameLine } from './catalogue.ts';
import { readInput } from './action-input.ts';
import { t } from '../../../domain/text/t.ts';

export type Place = keyof SubscriptionAction['in'] & string;
/** An action as it is kept: its key, and what its form asks for. */
export type KeptAction = {
  action: string;
  input?: JsonObject;
};
type Asking = Pick<Context, 'definitions' | 'session' | 'now'>;

/** Charging asks the payment gateway, which is no work of a transaction; what else may be done is said in schemas/actions. */
const isIn = (place: Place, action: SubscriptionAction): boolean => !action.charges && place in action.in;

/** The action of a key, where it may be used in this place. */
export const actionIn = (place: Place, key: string): SubscriptionAction | undefined => {
  const action = ACTIONS.get(key);
  return action && isIn(place, action) ? action : undefined;
};

/** The actions of a place that this installation can do, as an editor needs them. */
export const actionsIn = (
  place: Place,
  context: { config: PortalConfig; definitions: Pick<Definitions, 'entities' | 'permissions'> },
): JsonObject[] =>
  [...ACTIONS.values()]
    .filter(action => isIn(place, action) && !action.unavailable?.(context.config))
    .map(action => {
      const { key, label, group, description, form, requiredPermission } = nameLine(action, context.definitions);
      return {
        key: key ?? null,
        label: label ?? null,
        group: group ?? null,
        description: description ?? null,
        form: form ?? null,
        requiredPermission: requiredPermission ?? null,
      };
    });

/** The actions with the defaults of their forms, without what those hide. */
export const filledIn = (context: Asking, place: Place, actions: readonly KeptAction[] | undefined): JsonObject[] =>
  (actions ?? []).map(({ action: key, input }) => {
    const action = actionIn(place, key);
    return { action: key, input: action ? readInput(context, action, input).input : (input ?? {}) };
  });

/** What is wrong with one action; the right to do it is asked when it is written (`x-grants`). Pointers begin at the action. */
export function actionErrors(context: Asking, place: Place, { action: key, input }: KeptAction): FieldError[] {
  const action = actionIn(place, key);
  if (!action) return [{ pointer: '/action', rule: 'enum', message: t`Choose an action from the list.` }];
  if (input?.mode === 'FILE') return [{ pointer: '/input/mode', rule: 'enum', message: t`There is no file here. Choose another way.` }];
  return readInput(context, action, input).errors;
}

/** The rights that an action asks for, with its input; none for a key that is no action. */
export function needsOfAction({ definitions }: Pick<Context, 'definitions'>, key: string, input: JsonObject = {}): Need[] {
  const action = ACTIONS.get(key);
  if (!action) return [];
  const mode = accessFor(action, definitions);
  return [action.permission, ...(action.alsoNeeds?.(input) ?? [])].map(permission => ({ permission, mode }));
}
