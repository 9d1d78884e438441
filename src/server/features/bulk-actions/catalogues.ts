// Catalogues of bulk actions: those there are, and the fields of one.
import type { JsonObject } from '../../../contract/types.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { titleOf } from './titles.ts';
import { SYSTEM_ACTIONS } from './updates/system-updates.ts';
import { later } from '../../../domain/text/t.ts';
import { fieldsOf, nameLine, offeredAction, offeredActions } from '../../engine/index.ts';

/** The actions that are offered, those of the system besides (C325). */
export const bulkActions = (context: CatalogueContext): JsonObject[] => [
  ...offeredActions(context).map(action => nameLine(action, context.definitions)),
  ...Object.entries(SYSTEM_ACTIONS).map(([key, { feature, permission }]): JsonObject => ({
    key,
    label: titleOf(key),
    icon: 'wrench',
    group: 'OTHER',
    description: later`Started from settings in the name of the system.`,
    isSystem: true,
    requiredFeature: feature ?? null,
    requiredPermission: permission,
    requiredAccess: 'WRITE',
    form: null,
    columns: [],
    sendsMail: false,
    canUndo: false,
    canNotify: false,
    chargesCards: false,
    confirmAbove: null,
    states: [],
  })),
];

/** The fields of an action's form (C328); `form` names the entity whose schema draws it. */
export const bulkActionFields = (context: CatalogueContext, { key }: JsonObject): JsonObject => {
  const action = offeredAction(context, String(key), '/key');
  return { ...nameLine(action, context.definitions), fields: fieldsOf(context.definitions, action) };
};
