// A gift with its program, so that the calls about gifts have something to answer, and their inputs.
import type { JsonObject } from '../../../../src/contract/types.ts';
import { checkOutGift } from '../../../../src/server/engine/gifts/check-out-gift.ts';
import { transactIn } from '../../../../src/server/engine/runtime.ts';
import type { TestServer } from '../../../support/server.ts';
import { ADDRESS } from '../../features/subscriptions/fixture.ts';

export async function giftsScene(
  server: TestServer,
  must: (name: string, input: JsonObject) => Promise<any>,
  one: (text: string, params?: unknown[]) => Promise<number>,
): Promise<Record<string, JsonObject>> {
  await must('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: true });
  const variantId = await one(
    "select v.id from variants v join products p on p.store_id = v.store_id and p.id = v.product_id and p.status = 'ACTIVE' where v.store_id = 1 and v.deleted_at is null and not p.is_gift_card order by v.id limit 1",
  );
  const program = await must('gift-programs.create', {
    name: 'Zzprogram',
    plans: [{ label: 'Zzplan', orders: 3, intervalCount: 1, interval: 'MONTH' }],
    shippingMode: 'FREE',
    variantIds: [variantId],
  });
  await must('gift-programs.activate', { id: program.id });
  const giver = await one("select id from customers where store_id = 1 and email <> '' order by id desc limit 1");
  const { contract } = await transactIn(
    server.services,
    1,
  )(context =>
    checkOutGift(
      { ...context, source: 'Shopify' },
      {
        customerId: giver,
        giftPlanLoopId: program.plans[0].loopId,
        lines: [{ variantId }],
        recipientFirstName: 'Zzfirst',
        recipientLastName: 'Zzlast',
        recipientEmail: 'zzrecipient@mail.example',
        senderName: 'Zzsender',
        senderMessage: 'Zzmessage',
        address: ADDRESS,
      },
    ),
  );
  const gift = { id: contract.id };
  const of = (...keys: string[]): Record<string, JsonObject> => Object.fromEntries(keys.map(key => [`gift-subscriptions.${key}`, gift]));
  const letter = { prefKey: 'GIFT_SUBSCRIPTION_RECEIVED' };
  return {
    ...of('read', 'ordersSchedule', 'ordersHistory', 'cpToken', 'deliveryMethod', 'lines', 'readProductsToSwap', 'readActivityLogs'),
    'gift-subscriptions.fetchPreferences': { category: 'GIFT', type: 'PREFERENCES' },
    'gift-programs.read': { id: program.id },
    'gift-programs.productVariants': { id: program.id },
    'gift-programs.unmappedProductVariants': { id: program.id },
    'gift-notifications.read': letter,
    'gift-notifications.preview': letter,
    'gift-notifications.versions': letter,
  };
}
