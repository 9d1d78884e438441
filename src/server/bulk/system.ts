// Updates of all subscriptions (or customers) that the system does: started by settings pages, listed among the bulk actions, one of a kind at a time.
import { accessOf } from '../../contract/access.ts';
import type { JsonObject } from '../../contract/types.ts';
import { invalid, invalidState, Refusal, type Context } from '../context.ts';
import { CONTRACT_UPDATE } from '../jobs/contract-update.ts';
import { startRun, type RunRow } from './run.ts';
import { RECALCULATE_CUSTOMER_TAGS } from './customer-tags.ts';
import { chargeOffsets, deliveryDateFields } from './order-schedule.ts';
import { billingHours, productPrices, shippingPrices } from './updates.ts';

interface SystemAction {
  permission: string;
  feature?: string;
  /** What the run is given. @throws Refusal when it can't be started. */ input?(context: Context): Promise<JsonObject>;
  describe(input: JsonObject): string;
}

/** The order schedule as it is saved when the update is started. */
const savedSchedule = async (context: Context): Promise<JsonObject> => ({ page: await context.setting('order-schedule') });

/** By action_key (settings, section 14). */
export const SYSTEM_ACTIONS: Readonly<Record<string, SystemAction>> = {
  [productPrices.kind]: { permission: 'autoUpdates', feature: 'auto_updates', describe: () => 'Bulk update of product prices started' },
  [shippingPrices.kind]: { permission: 'autoUpdates', feature: 'auto_updates', describe: () => 'Bulk update of shipping prices started' },
  [billingHours.kind]: {
    permission: 'generalSettings',
    describe: ({ billingHour }) => `Bulk update of the billing hour to ${String(billingHour)}:00 started`,
    input: async context => {
      const { billingHour } = await context.setting('general');
      if (typeof billingHour !== 'number')
        throw invalidState('No billing hour is set. Set one and save, then move your subscriptions to it.');
      return { billingHour };
    },
  },
  [chargeOffsets.kind]: { permission: 'orderSchedule', describe: () => 'Bulk update of the charge offset started', input: savedSchedule },
  [deliveryDateFields.kind]: {
    permission: 'orderSchedule',
    describe: () => 'Bulk update of the delivery and pickup date fields started',
    input: savedSchedule,
  },
  [RECALCULATE_CUSTOMER_TAGS]: { permission: 'subscriptionTags', describe: () => 'Recalculation of customer tags started' },
};

/** Starts one; it goes on by itself. @throws Refusal 403, 409 while another of its kind is under way, 422 for an unknown key */
export async function startSystem(context: Context, key: string): Promise<RunRow> {
  const action = Object.hasOwn(SYSTEM_ACTIONS, key) ? SYSTEM_ACTIONS[key] : undefined;
  if (!action)
    throw invalid([
      {
        pointer: '/action_key',
        rule: 'enum',
        message: `There is no system bulk action “${key.slice(0, 60)}”. Choose one of: ${Object.keys(SYSTEM_ACTIONS).join(', ')}.`,
      },
    ]);
  const access = accessOf(context.session);
  if (!access.can(action.permission, 'WRITE'))
    throw new Refusal(
      403,
      'FORBIDDEN',
      `You may not do this: it needs the permission “${context.definitions.permissions[action.permission]?.label ?? action.permission}” to make changes.`,
    );
  if (action.feature && !access.planHas(action.feature))
    throw new Refusal(403, 'FEATURE_NOT_IN_PLAN', "Your plan doesn't include this. Choose another plan to use it.");
  const input = (await action.input?.(context)) ?? {};
  const run = await startRun(context, { kind: key, queue: CONTRACT_UPDATE, input });
  await context.log({
    action: `bulk_update.${key.toLowerCase()}`,
    category: 'Settings',
    description: action.describe(input),
    entity: 'run',
    entityId: run.id,
    after: { runId: run.id, ...input },
  });
  return run;
}
