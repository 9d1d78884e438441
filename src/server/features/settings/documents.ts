// What calls about settings answer parts of, each in the form that its line says.
import { orderScheduleOf } from '../../../domain/schedule/order-schedule-settings.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { readSetting } from '../../platform/records/settings.ts';
import { hasZapiet, zapietOf } from './zapiet.ts';

/**
 * The order schedule as the specification's calls know it: weekdays of charges (all: none), days from
 * charge to delivery by place (C341, C342).
 */
export const orderSchedule = async (context: RuleContext): Promise<JsonObject> =>
  orderScheduleOf((await readSetting(context, 'order-schedule')).data) as unknown as JsonObject;

/** Whether Zapiet is installed and chooses the days of deliveries (C202). */
export const zapiet = async (context: RuleContext): Promise<JsonObject> => ({
  isIntegrated: hasZapiet(context),
  appInstalled: zapietOf(context).appInstalled === true,
});
