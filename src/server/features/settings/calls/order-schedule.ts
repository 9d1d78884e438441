// The order schedule by the specification's calls: the same settings page, part by part, and its updates of
// the subscriptions there are (C339-C344).
import { orderScheduleAction } from '../../../../domain/schedule/order-schedule.ts';
import type { ChargeOffsetRow } from '../../../../domain/schedule/charge-offset.ts';
import { orderScheduleOf } from '../../../../domain/schedule/order-schedule-settings.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { runWire } from '../../../platform/queue/system-run.ts';
import { chargeOffsets as chargeOffsetUpdate, deliveryDateFields } from '../../bulk-actions/updates/order-schedule-update.ts';
import { startSystem } from '../../bulk-actions/updates/system-updates.ts';
import { invalid, invalidState, Reply, type Context } from '../../../platform/context.ts';
import { readSetting, refuseSetting, settingRecord, writeSetting, type SettingDocument } from '../../../platform/records/settings.ts';
import { t } from '../../../../domain/text/t.ts';

export const PAGE = 'order-schedule';

/** Saves some fields of the page and leaves the others. */
export async function savePart(context: Context, changes: JsonObject): Promise<SettingDocument> {
  refuseSetting(context, PAGE, 'WRITE');
  const before = await readSetting(context, PAGE, true);
  return writeSetting(context, PAGE, { ...before.data, ...changes });
}

const daysPart = (days: readonly number[]): JsonObject => ({
  onlyOnBillingDays: days.length > 0,
  ...(days.length ? { billingDays: [...days] } : {}),
});
const rowsPart = (rows: readonly ChargeOffsetRow[]): JsonObject => ({
  countryBasedChargeOffset: rows.map(row => ({
    countryCode: row.countryCode,
    provinceCodes: row.provinceCodes === 'ALL' ? [] : [...row.provinceCodes],
    offsetDays: row.offsetDays,
  })),
});

/** Saves the weekdays on which orders are charged; an empty list allows all (C340). */
export async function saveBillingDays(context: Context, { specificBillingDays }: { specificBillingDays: number[] }): Promise<Reply> {
  const { data } = await savePart(context, daysPart(specificBillingDays));
  return new Reply({ specificBillingDays: [...orderScheduleOf(data).billingDays] }, { message: t`Order schedule settings saved.` });
}

const offsetsWire = (page: JsonObject): JsonObject => {
  const { scheduleType, chargeOffset, countryBasedChargeOffset } = orderScheduleOf(page);
  return { scheduleType, chargeOffset, countryBasedChargeOffset: countryBasedChargeOffset as unknown as JsonValue };
};
/** Saves the days from charge to delivery; they count where dates are delivery dates (C339). */
export async function saveChargeOffsets(
  context: Context,
  { countryBasedChargeOffset, chargeOffset }: { countryBasedChargeOffset: ChargeOffsetRow[]; chargeOffset?: number },
): Promise<Reply> {
  refuseWithoutOffsets((await readSetting(context, PAGE)).data);
  const { data } = await savePart(context, {
    ...rowsPart(countryBasedChargeOffset),
    ...(chargeOffset === undefined ? {} : { chargeOffset }),
  });
  return new Reply(offsetsWire(data), { message: t`Order schedule settings saved.` });
}
/** Days before delivery have no meaning where dates are charge dates; saving them would silently come to nothing. */
function refuseWithoutOffsets(page: JsonObject): void {
  if (page.scheduleType !== 'DELIVERY')
    throw invalidState(
      t`The dates of your subscriptions are charge dates, so nothing is charged before them. Make them delivery dates first.`,
    );
}

/** D107, D236: a key that this call does not serve. */
function checkKey(given: string, own: string): void {
  let known = false;
  try {
    orderScheduleAction(given);
    known = given === own;
  } catch {
    /* said below, in the same words */
  }
  const message = t`Invalid action key: ${given}`;
  if (!known) throw invalid([{ pointer: '/actionKey', rule: 'enum', message }]);
}

const begin = async (context: Context, kind: string): Promise<Reply> =>
  new Reply(runWire(await startSystem(context, kind)), { message: t`The update has started. It goes on when you leave this page.` });

interface Change {
  actionKey: string;
  scheduleType?: string;
  chargeOffset?: number;
  specificBillingDays?: number[];
  countryBasedChargeOffset?: ChargeOffsetRow[];
  applyToExisting?: boolean;
}

/**
 * D191, C343: changes what is named of the order schedule and, where asked for, brings the existing
 * subscriptions to it. One update at a time.
 */
export async function change(
  context: Context,
  { actionKey, specificBillingDays, countryBasedChargeOffset, applyToExisting = false, ...rest }: Change,
): Promise<Reply> {
  checkKey(actionKey, 'orderSchedule');
  const changes: JsonObject = {
    ...(rest as JsonObject),
    ...(specificBillingDays ? daysPart(specificBillingDays) : {}),
    ...(countryBasedChargeOffset ? rowsPart(countryBasedChargeOffset) : {}),
  };
  const document = Object.keys(changes).length ? await savePart(context, changes) : await readSetting(context, PAGE);
  return applyToExisting
    ? begin(context, chargeOffsetUpdate.kind)
    : new Reply(settingRecord(document), { message: t`Order schedule settings saved.` });
}

/** D191, C344: the same for the fields that orders say their date in. */
export async function changeDateField(
  context: Context,
  {
    actionKey,
    applyToExisting = false,
    ...fields
  }: { actionKey: string; deliveryDateField?: JsonObject; pickupDateField?: JsonObject; applyToExisting?: boolean },
): Promise<Reply> {
  checkKey(actionKey, 'deliveryDateField');
  const document = Object.keys(fields).length ? await savePart(context, fields) : await readSetting(context, PAGE);
  return applyToExisting
    ? begin(context, deliveryDateFields.kind)
    : new Reply(settingRecord(document), { message: t`Order schedule settings saved.` });
}
