// The store's delivery methods, and the referral programme.
import type { JsonValue } from '../../../../contract/types.ts';
import { invalid, type Context } from '../../../platform/context.ts';
import { DELIVERY_METHODS } from '../documents.ts';
import { readSetting, writeSetting } from '../../../platform/records/settings.ts';
import { t } from '../../../../domain/text/t.ts';

/** Changes which delivery methods customers may choose; at least one stays on. The same document as the settings page general. */
export async function updateMultipleDeliveryOptions(
  context: Context,
  input: Partial<Record<(typeof DELIVERY_METHODS)[number], boolean>>,
): Promise<JsonValue> {
  const { data } = await readSetting(context, 'general', true);
  const before = Array.isArray(data.multipleDeliveryOptions) ? data.multipleDeliveryOptions : [];
  const on = DELIVERY_METHODS.filter(method => input[method] ?? before.includes(method));
  if (on.length === 0) throw invalid([{ pointer: '', rule: 'minItems', message: t`Keep at least one delivery method on.` }]);
  const { data: after } = await writeSetting(context, 'general', { ...data, multipleDeliveryOptions: on });
  return Object.fromEntries(DELIVERY_METHODS.map(method => [method, (after.multipleDeliveryOptions as string[]).includes(method)]));
}

/** Notes that the referral programme was opened. */
export async function merchantReferralClick(context: Context, { source = 'NAVIGATION' }: { source?: string }): Promise<JsonValue> {
  await context.log({
    action: 'referral.opened',
    category: 'Store',
    description: 'Referral programme opened',
    entity: 'store',
    entityId: context.storeId,
    after: { source },
  });
  return { tracked: true };
}
