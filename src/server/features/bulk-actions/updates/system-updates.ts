// Updates of all subscriptions (or customers) that the system does: started by settings pages, listed among
// the bulk actions, one of a kind at a time.
import type { JsonObject } from '../../../../contract/types.ts';
import { invalid, invalidState, type Context } from '../../../platform/context.ts';
import { CONTRACT_UPDATE } from '../jobs/contract-update.ts';
import type { SystemRun } from '../../../platform/records/registry.ts';
import { startSystemRun } from '../../../platform/records/runs.ts';
import type { RunRow } from '../../../platform/queue/system-run.ts';
import { RECALCULATE_CUSTOMER_TAGS } from './customer-tags-update.ts';
import { presetBundles } from '../../bundles/preset-update.ts';
import { chargeOffsets, deliveryDateFields } from './order-schedule-update.ts';
import { billingHours, productPrices, shippingPrices } from './store-updates.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** The order schedule as it is saved when the update is started. */
const savedSchedule = async (context: Context): Promise<JsonObject> => ({ page: await context.setting('order-schedule') });

/** What all of them share: the job that does the work. */
const update = { queue: CONTRACT_UPDATE };

/** By action_key (settings, section 14). */
export const SYSTEM_ACTIONS: Readonly<Record<string, SystemRun>> = {
  [productPrices.kind]: {
    ...update,
    permission: 'autoUpdates',
    feature: 'auto_updates',
    describe: () => 'Bulk update of product prices started',
  },
  [shippingPrices.kind]: {
    ...update,
    permission: 'autoUpdates',
    feature: 'auto_updates',
    describe: () => 'Bulk update of shipping prices started',
  },
  [billingHours.kind]: {
    ...update,
    permission: 'generalSettings',
    describe: ({ billingHour }) => `Bulk update of the billing hour to ${String(billingHour)}:00 started`,
    input: async context => {
      const { billingHour } = await context.setting('general');
      if (typeof billingHour !== 'number')
        throw invalidState(t`No billing hour is set. Set one and save, then move your subscriptions to it.`);
      return { billingHour };
    },
  },
  [chargeOffsets.kind]: {
    ...update,
    permission: 'orderSchedule',
    describe: () => 'Bulk update of the charge offset started',
    input: savedSchedule,
  },
  [deliveryDateFields.kind]: {
    ...update,
    permission: 'orderSchedule',
    describe: () => 'Bulk update of the delivery and pickup date fields started',
    input: savedSchedule,
  },
  [presetBundles.kind]: {
    ...update,
    permission: 'bundleManagement',
    feature: 'bundles',
    describe: ({ bundleId }) => `Bulk update of subscriptions with the preset bundle ${String(bundleId)} started`,
    // Which bundle is said by its own call alone.
    input: async () => {
      throw invalidState(t`Start this update on the page of a preset bundle.`);
    },
  },
  [RECALCULATE_CUSTOMER_TAGS]: {
    ...update,
    permission: 'subscriptionTags',
    describe: () => 'Recalculation of customer tags started',
    message: later`Customer tags are being recalculated. It goes on when you leave this page.`,
  },
};

/** Starts one; it goes on by itself. @throws Refusal 403, 409 while another of its kind is under way, 422 for an unknown key */
export async function startSystem(context: Context, key: string): Promise<RunRow> {
  const action = Object.hasOwn(SYSTEM_ACTIONS, key) ? SYSTEM_ACTIONS[key] : undefined;
  if (!action)
    throw invalid([
      {
        pointer: '/action_key',
        rule: 'enum',
        message: t`There is no system bulk action “${key.slice(0, 60)}”. Choose one of: ${Object.keys(SYSTEM_ACTIONS).join(', ')}.`,
      },
    ]);
  return startSystemRun(context, key, action);
}
