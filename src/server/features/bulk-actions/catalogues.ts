// Catalogues of bulk actions: those there are, and the fields of one.
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { ACTIONS, actionOf, nameLine } from './catalogue.ts';
import { fieldsOf } from './fields.ts';
import { titleOf } from './titles.ts';
import { SYSTEM_ACTIONS } from './updates/system-updates.ts';

/** The actions there are, those of the system besides (C325). */
export const bulkActions = (context: RuleContext): JsonObject[] => [
  ...[...ACTIONS.values()].map(action => nameLine(action, context.definitions)),
  ...Object.entries(SYSTEM_ACTIONS).map(([key, { feature, permission }]): JsonObject => ({
    key,
    label: titleOf(key),
    group: 'OTHER',
    description: `Started from settings in the name of the system.`,
    isSystem: true,
    requiredFeature: feature ?? null,
    requiredPermission: permission,
    requiredAccess: 'WRITE',
    form: null,
    columns: [],
    sendsMail: false,
    canNotify: false,
    chargesCards: false,
    confirmAbove: null,
    states: [],
  })),
];

/** The fields of an action's form (C328); `form` names the entity whose schema draws it. */
export const bulkActionFields = (context: RuleContext, { key }: JsonObject): JsonObject => {
  const action = actionOf(String(key), '/key');
  return { ...nameLine(action, context.definitions), fields: fieldsOf(context.definitions, action) };
};
