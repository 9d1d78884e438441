// The tags that say when and how an order was due, one by one (C345, C346); the same texts as on the page of the order schedule.
import { orderScheduleOf, TAG_FIELDS } from '../../../../domain/schedule/order-schedule-settings.ts';
import type { OrderTag, OrderTagKey } from '../../../../domain/schedule/order-tags.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalid, Refusal, Reply, type Context } from '../../../platform/context.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import { PAGE, savePart } from './order-schedule.ts';
import { t } from '../../../../domain/text/t.ts';

const wire = (page: JsonObject, tagKey: OrderTagKey): JsonObject => ({
  entity: 'ORDER',
  ...(orderScheduleOf(page).tags.find(tag => tag.tagKey === tagKey) as OrderTag),
});

/** D192, D193: the tag of a key. */
export const fetchByKey = async (context: Context, { tagKey }: { tagKey: OrderTagKey }): Promise<JsonValue> =>
  wire((await readSetting(context, PAGE)).data, tagKey);

/** Saves the tag of a key; errors point to the call's own fields. */
export async function upsert(
  context: Context,
  { tagKey, enabled, value, dateFormat }: { tagKey: OrderTagKey; enabled: boolean; value: string; dateFormat?: string },
): Promise<Reply> {
  const field = TAG_FIELDS[tagKey];
  const before = (await readSetting(context, PAGE)).data[field] as JsonObject | undefined;
  const hasDate = before !== undefined && 'dateFormat' in before;
  try {
    const { data } = await savePart(context, { [field]: { ...before, enabled, value, ...(hasDate && dateFormat ? { dateFormat } : {}) } });
    return new Reply(wire(data, tagKey), { message: t`Order schedule settings saved.` });
  } catch (error) {
    if (!(error instanceof Refusal) || !error.errors) throw error;
    throw invalid(
      error.errors.map(one => ({
        ...one,
        pointer: one.pointer.startsWith(`/${field}/`) ? one.pointer.slice(field.length + 1) : one.pointer,
      })),
    );
  }
}
