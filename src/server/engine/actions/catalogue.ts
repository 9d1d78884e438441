// The actions on subscriptions, in the order they are offered: what schemas/actions says of each, with what the server does for it.
import { movesOf } from '../../../contract/states.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import type { PortalConfig } from '../portal-link.ts';
import { EDITS, type Status, STATUSES } from '../states.ts';
import { ACTION_KINDS, type ActionKey, type LinkKind, LINKS } from '../../../generated/actions.ts';
import { ACTION_CODE } from '../../../generated/action-code.ts';
import type { ActionCode, SubscriptionAction } from './action.ts';
import { t } from '../../../domain/text/t.ts';

const CODE: Partial<Record<ActionKey, unknown>> = ACTION_CODE;

/** The code of an action; of one without any, what its call does to one subscription is done to each. */
function codeOf({ key, call }: (typeof ACTION_KINDS)[ActionKey]): ActionCode | undefined {
  if (CODE[key]) return CODE[key] as ActionCode;
  const other = Object.values(ACTION_KINDS).find(one => one.key !== key && call !== undefined && one.calls.includes(call));
  const code = other && (CODE[other.key] as ActionCode | undefined);
  return code && { apply: code.one ?? code.apply };
}

/** Actions on subscriptions with code here, by key and in the order in which they are offered; those of features are calls alone. */
export const ACTIONS: ReadonlyMap<string, SubscriptionAction> = new Map(
  Object.values(ACTION_KINDS).flatMap(kind => {
    const code = codeOf(kind);
    return code ? [[kind.key, { ...kind, ...code } as SubscriptionAction]] : [];
  }),
);

for (const { key, undo, undoing } of ACTIONS.values())
  if ((undo === true) !== (undoing !== undefined))
    throw new Error(`schemas/actions/${key}.json: "undo" and "undoing" of its code (src/server/engine/actions/code) must agree.`);

/** The action of a bulk action that was kept. @throws Error for a key that no row holds */
export function actionOf(key: string): SubscriptionAction {
  const action = ACTIONS.get(key);
  if (!action) throw new Error(`There is no bulk action "${key}".`);
  return action;
}

/** What this installation has all it needs for, in the order in which it is offered. */
export const offeredActions = ({ config }: { config: PortalConfig }): SubscriptionAction[] =>
  [...ACTIONS.values()].filter(action => action.in.bulk && !action.unavailable?.(config));

/**
 * The action of a key from outside, to do it or to ask about it.
 * @throws Refusal 409 where the installation lacks what it needs, 422 for an unknown key
 */
export function offeredAction({ config }: { config: PortalConfig }, key: string, pointer = '/actionKey'): SubscriptionAction {
  const action = ACTIONS.get(key);
  if (!action?.in.bulk) {
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
export function statesOf(action: SubscriptionAction, definitions: Pick<Definitions, 'entities'>): readonly Status[] {
  if (action.forMany || action.action === null) return action.forMany?.states ?? STATUSES;
  return (movesOf(definitions.entities.subscription)[action.action]?.from as Status[] | undefined) ?? EDITS[action.action] ?? [];
}

/** What is said of a kind of link, with the states of subscriptions it is for, and the one in which it was done already. */
export function linkOf(
  kind: LinkKind,
  { entities }: Pick<Definitions, 'entities'>,
): (typeof LINKS)[LinkKind] & { states: readonly Status[]; done: string | null | undefined; charges: boolean } {
  const link = LINKS[kind];
  const action = actionOf(link.action);
  const move = action.action === null ? undefined : movesOf(entities.subscription)[action.action];
  return {
    ...link,
    states: (link.states as Status[] | undefined) ?? statesOf(action, { entities }),
    done: move?.to,
    charges: action.charges === true,
  };
}

/** What the right of the single action must be: some areas can only be read, and an export only reads. */
export const accessFor = (action: SubscriptionAction, { permissions }: Pick<Definitions, 'permissions'>): 'READ' | 'WRITE' =>
  action.keeps || !permissions[action.permission]?.availableAccessMode.includes('WRITE') ? 'READ' : 'WRITE';

/** States as the wire has them: none where all will do. */
const narrow = (states: readonly Status[]): Status[] => (states.length === STATUSES.length ? [] : [...states]);

/** A line of bulkActionsNameList. */
export const nameLine = (action: SubscriptionAction, definitions: Pick<Definitions, 'entities' | 'permissions'>): JsonObject => ({
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
