// The calls behind bulk actions, by their names, in one place.
import { t } from '../../../domain/text/t.ts';

export const TABLE = 'bulk-actions';
export const ENTITY = 'bulk-action';
export const ROW_ENTITY = 'bulk-action-row';
export const pageOf = (id: number): string => `/bulk-actions/${id}`;
export const NAMES = { one: t`subscription`, many: t`subscriptions` };
/** The entity whose records are subscriptions, and the screen that lists them. */
export const SUBSCRIPTIONS = { entity: 'subscription', route: 'subscriptions', list: 'subscription-contract.list' } as const;
export const BULK = {
  names: `${TABLE}.bulkActionsNameList`,
  config: `${TABLE}.config`,
  count: `${TABLE}.entityCount`,
  validate: `${TABLE}.validateEntityIds`,
  preview: `${TABLE}.preview`,
  create: `${TABLE}.create`,
  queue: `${TABLE}.queue`,
  run: `${TABLE}.runBulkAction`,
  read: `${TABLE}.read`,
  progress: `${TABLE}.progress`,
  failures: `${TABLE}.failureCounts`,
  busy: `${TABLE}.checkInProgress`,
  cancel: `${TABLE}.cancel`,
  undo: `${TABLE}.undo`,
  retry: `${TABLE}.retryFailed`,
  result: `${TABLE}.resultFile`,
  template: `${TABLE}.template`,
  rows: `${TABLE}.rows`,
} as const;

/** The action that only reads: it makes a file. */
export const EXPORT = 'EXPORT_SUBSCRIPTION';

/** The schema of an action's input ("PAUSE_SUBSCRIPTION" -> "actions/PAUSE_SUBSCRIPTION"); actions that need nothing have none. */
export const inputName = (actionKey: string): string => `actions/${actionKey}`;
