// A gift that was bought, for tests of what follows: by the engine, as the shop of a running server buys it.
import { checkOutGift } from '../../../../src/server/engine/gifts/check-out-gift.ts';
import type { GiftPurchase } from '../../../../src/server/engine/gifts/gift-purchase.ts';
import { transactIn } from '../../../../src/server/engine/runtime.ts';
import type { GoodsServer } from '../subscriptions/goods-server.ts';
import { ADDRESS, customerWith } from '../subscriptions/fixture.ts';

/** Turns gifts on, with a program of two products; gives what carts call its plan of three orders at 10 % less. */
export async function offerGifts(at: GoodsServer): Promise<string> {
  await at.ok('settings.set', {
    settingsPage: 'gift-preferences',
    isGiftEnabled: true,
    allowRecipientSkip: true,
    allowRecipientOrderNow: true,
  });
  const { id, plans } = await at.ok('gift-programs.create', {
    name: 'Coffee for a friend',
    plans: [{ label: '3 months', orders: 3, intervalCount: 1, interval: 'MONTH', discountType: 'PERCENTAGE', discountValue: '10' }],
    shippingMode: 'PER_ORDER',
    shippingPricePerOrder: '10',
    variantIds: [at.goods.plain, at.goods.other],
  });
  await at.ok('gift-programs.activate', { id });
  return plans[0].loopId;
}

let recipients = 0;
/** Buys one; gives its number, who gave it, and where the recipient's letter leads, without the host. */
export async function give(
  at: GoodsServer,
  plan: string,
  over: Partial<GiftPurchase> = {},
): Promise<{ id: number; giver: number; recipient: string; link: string }> {
  const giver = over.customerId ?? (await customerWith(at.server)).id;
  const recipientEmail = over.recipientEmail ?? `jonas${++recipients}@mail.example`;
  const { contract } = await transactIn(
    at.server.services,
    1,
  )(context =>
    checkOutGift(
      { ...context, source: 'Shopify' },
      {
        customerId: giver,
        giftPlanLoopId: plan,
        lines: [{ variantId: at.goods.plain }],
        recipientFirstName: 'Jonas',
        recipientLastName: 'Berg',
        senderName: 'Ann',
        senderMessage: 'Happy birthday!',
        address: ADDRESS,
        ...over,
        recipientEmail,
      },
    ),
  );
  return { id: contract.id, giver, recipient: recipientEmail, link: await linkOf(at, contract.id) };
}

/** Where the newest letter to the recipient of a gift leads; '' where none leads anywhere. */
export async function linkOf({ server }: GoodsServer, id: number): Promise<string> {
  const { rows } = await server.services.db.ownerQuery<{ text: string }>(
    "select text from outbox where contract_id = $1 and template = 'GIFT_SUBSCRIPTION_RECEIVED' order by id desc limit 1",
    [id],
  );
  const [, path = ''] = /https?:\/\/[^/\s]+(\/a\/loop_subscriptions\/gift\/[^\s)]+)/.exec(rows[0]?.text ?? '') ?? [];
  return path;
}
