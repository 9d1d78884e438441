// Gifts on a running server: programs, the purchase, orders that cost nothing more, what staff do to a gift, and who hears of what.
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { checkOutGift } from '../../../../src/server/engine/gifts/check-out-gift.ts';
import type { GiftPurchase } from '../../../../src/server/engine/gifts/gift-purchase.ts';
import { moveClock } from '../../../../src/server/engine/charging/run-due.ts';
import { transactIn } from '../../../../src/server/engine/runtime.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { ADDRESS, customerWith, inDays } from '../subscriptions/fixture.ts';

describe('gifts', () => {
  const at = serverWithGoods({ seed: { contracts: 6, stores: 1 } });
  let plan: string;
  let program: number;
  beforeAll(async () => {
    await done('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: true, collectRecipientPhone: 'OPTIONAL' });
    const made = await done('gift-programs.create', {
      name: 'Coffee for a friend',
      plans: [{ label: '3 months', orders: 3, intervalCount: 1, interval: 'MONTH', discountType: 'PERCENTAGE', discountValue: '10' }],
      shippingMode: 'PER_ORDER',
      shippingPricePerOrder: '10',
    });
    program = made.id;
    plan = made.plans[0].loopId;
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => at.server.call(name, input);
  const { ok: done } = at;
  const refused = async (name: string, input: JsonObject, status = 409): Promise<any> => {
    const { body, ...answer } = await call(name, input);
    expect(answer.status, JSON.stringify(body)).toBe(status);
    return body.errors?.length ? body.errors.map((one: any) => one.message).join(' ') : body.message;
  };
  let n = 0;
  const buy = async (over: Partial<GiftPurchase> = {}): Promise<number> => {
    const giver = await customerWith(at.server);
    const transact = transactIn(at.server.services, 1);
    const { contract } = await transact(context =>
      checkOutGift(
        { ...context, source: 'Shopify' },
        {
          customerId: giver.id,
          giftPlanLoopId: plan,
          lines: [{ variantId: at.goods.plain }],
          recipientFirstName: 'Jonas',
          recipientLastName: 'Berg',
          recipientEmail: `jonas${++n}@mail.example`,
          senderName: 'Ann',
          senderMessage: 'Happy birthday!',
          address: ADDRESS,
          ...over,
        },
      ),
    );
    return contract.id;
  };
  const mails = async (id: number): Promise<string[]> =>
    (
      await at.server.services.db.ownerQuery<{ template: string; recipient: string }>(
        `select template, recipient from outbox where contract_id = ${id} and template not like 'ADMIN%' order by id`,
      )
    ).rows.map(row => `${row.template} ${row.recipient.replace(/\d+/, '')}`);
  const move = async (days: number): Promise<void> => {
    const [store] = (await at.server.services.db.ownerQuery<{ ms: number }>('select clock_offset_ms as ms from stores where id = 1')).rows;
    const from = new Date(Date.now() + Number(store?.ms));
    await moveClock(at.server.services, 1, from, new Date(from.getTime() + days * 86_400_000), async () => undefined);
    at.server.services.sessions.forget(1);
  };

  it('D292 programs are on or off; one that is on has products and a plan that is chosen at first', async () => {
    expect(at.server.services.definitions.calls['gift-programs.create']).toMatchObject({ host: 'v2' });
    expect(await refused('gift-programs.activate', { id: program })).toBe('Add products to this program.');
    expect(await refused('gift-programs.create', { name: 'Empty', plans: [] }, 422)).toContain('Add at least one gift plan.');
    const { name, plans } = await done('gift-programs.read', { id: program });
    expect(plans[0]).toMatchObject({ isDefault: true, orders: 3 });
    const two = [...plans, { ...plans[0], loopId: undefined, label: 'Two' }];
    expect(await refused('gift-programs.update', { id: program, name, plans: two, shippingMode: 'FREE' }, 422)).toContain(
      'Choose one default plan.',
    );
  });

  it('D299 products of a program are added, listed and deleted by its address; each is in one program', async () => {
    const shopify = (id: number): number => 700_000 + id;
    await done('gift-programs.addProductVariants', {
      id: program,
      productVariants: [
        { variantShopifyId: shopify(at.goods.plain) },
        { variantShopifyId: shopify(at.goods.other) },
        { variantShopifyId: shopify(at.goods.digital) },
      ],
    });
    expect((await done('gift-programs.productVariants', { id: program })).map((one: any) => one.id).sort()).toEqual([
      at.goods.plain,
      at.goods.other,
      at.goods.digital,
    ]);
    expect(
      await refused(
        'gift-programs.addProductVariants',
        { id: program, productVariants: [{ variantShopifyId: shopify(at.goods.giftCard) }] },
        422,
      ),
    ).toContain('Gift cards');
    const without = (await done('gift-programs.unmappedProductVariants', { id: program, limit: 250 })).map((one: any) => one.id);
    expect(without).toContain(at.goods.soldOut);
    expect(without).not.toContain(at.goods.plain);
    expect(without).not.toContain(at.goods.giftCard);
    await done('gift-programs.removeProductVariants', { id: program, ids: [at.goods.digital] });
    expect((await done('gift-programs.activate', { id: program })).productVariantCount).toBe(2);
    const other = await done('gift-programs.create', {
      name: 'Second',
      plans: [{ label: 'One', orders: 1, intervalCount: 1, interval: 'WEEK' }],
    });
    const shared = { id: other.id, productVariants: [{ variantShopifyId: shopify(at.goods.plain) }] };
    expect(await refused('gift-programs.addProductVariants', shared, 422)).toBe('This variant is already in program Coffee for a friend.');
    expect(await refused('gift-programs.delete', { id: program })).toBe('Deactivate the program first.');
    await done('gift-programs.delete', { id: other.id });
  });

  it('the checkout refuses a gift to oneself, without a name, with too long a message, and what is not in the program', async () => {
    const giver = await customerWith(at.server);
    for (const [over, sentence] of [
      [{ customerId: giver.id, recipientEmail: `person${giver.id}@mail.example` }, 'Recipient and buyer e-mail must differ.'],
      [{ recipientFirstName: ' ' }, 'Enter the first name of the recipient.'],
      [{ senderMessage: 'x'.repeat(251) }, 'The message can have 250 characters at most.'],
      [{ lines: [{ variantId: at.goods.soldOut }] }, 'This product is not part of the gift program.'],
    ] as [Partial<GiftPurchase>, string][])
      await expect(buy(over), sentence).rejects.toMatchObject({ errors: [{ message: sentence }] });
  });

  it('is paid once: 3 × 20.00 less 10 % and shipping for each order, and no order after it costs anything', async () => {
    const id = await buy();
    const gift = await done('gift-subscriptions.read', { id });
    expect(gift).toMatchObject({ status: 'ACTIVE', paidAmount: '84.00', totalOrders: 3, completedOrders: 1, unsentAmount: '56.00' });
    expect(gift.lines).toHaveLength(1);
    const contract = await done('subscription-contract.read', { id });
    expect(contract).toMatchObject({ source: 'GIFT', customerPaymentMethodId: null, prepaidCreditsLeft: 2 });
    expect(await mails(id)).toEqual(['GIFT_SUBSCRIPTION_CREATED person@mail.example', 'GIFT_SUBSCRIPTION_RECEIVED jonas@mail.example']);
    await move(75);
    const history = await done('gift-subscriptions.ordersHistory', { id });
    expect(history.map((one: any) => [one.status, one.totalPrice])).toEqual([
      ['PAID', '0.00'],
      ['PAID', '0.00'],
      ['PAID', '84.00'],
    ]);
    expect(history[0].tags ?? contract.tags).toBeDefined();
    expect(await done('gift-subscriptions.read', { id })).toMatchObject({ status: 'COMPLETED', completedOrders: 3, remainingOrders: 0 });
    expect(await mails(id)).toEqual([
      'GIFT_SUBSCRIPTION_CREATED person@mail.example',
      'GIFT_SUBSCRIPTION_RECEIVED jonas@mail.example',
      'GIFT_SUBSCRIPTION_UPCOMING_ORDER jonas@mail.example',
      'GIFT_SUBSCRIPTION_UPCOMING_ORDER jonas@mail.example',
      'GIFT_SUBSCRIPTION_COMPLETED jonas@mail.example',
    ]);
    const { rows } = await at.server.services.db.ownerQuery(`select 1 from billing_attempts where contract_id = ${id}`);
    expect(rows).toEqual([]);
    for (const action of ['chargeNow', 'cancel', 'rescheduleContract'])
      expect(
        await refused(`gift-subscriptions.${action}`, {
          id,
          ...(action === 'rescheduleContract' ? { nextBillingDateEpoch: inDays(200) } : {}),
          ...(action === 'chargeNow' ? { orderId: id * 10_000 + 1 } : {}),
        }),
      ).toBe(action === 'cancel' ? 'This gift is already completed.' : 'This gift is not active.');
  });

  it('is given back in parts by the payment that paid, with a letter to the giver, whatever became of the gift', async () => {
    const id = await buy();
    const read = () => done('gift-subscriptions.read', { id });
    expect(await read()).toMatchObject({ isRefundable: false, refundableAmount: '0.00', refundedAmount: null });
    expect(await refused('gift-subscriptions.refund', { id, amount: '1.00' })).toContain('Nothing was charged here');
    await at.server.services.db.ownerQuery(`update orders set charged = '{"gateway": "TEST", "reference": "ch_gift_${id}"}'
      where store_id = 1 and contract_id = ${id}`);
    expect(await read()).toMatchObject({ isRefundable: true, refundableAmount: '84.00', actions: expect.arrayContaining(['refund']) });
    expect((await at.server.call('gift-subscriptions.refund', { id, amount: '1.00' }, { as: 'readOnly' })).status).toBe(403);
    expect(await refused('gift-subscriptions.refund', { id, amount: '84.01' }, 422)).toContain('at most 84.00');
    await done('gift-subscriptions.cancel', { id });
    const back = await done('gift-subscriptions.refund', { id, amount: '56.00', reason: 'Moved abroad' });
    expect(back).toMatchObject({ status: 'CANCELLED', refundedAmount: '56.00', refundableAmount: '28.00' });
    const rest = await done('gift-subscriptions.refund', { id, amount: '28.00' });
    expect(rest).toMatchObject({ refundedAmount: '84.00', isRefundable: false });
    expect((await mails(id)).filter(mail => mail.includes('REFUND'))).toEqual([
      'GIFT_SUBSCRIPTION_REFUNDED person@mail.example',
      'GIFT_SUBSCRIPTION_REFUNDED person@mail.example',
    ]);
    const { rows } = await at.server.services.db.ownerQuery<{ amount: number; reason: string; status: string }>(
      `select amount::integer as amount, reason, status from refunds where contract_id = ${id} order by id`,
    );
    expect(rows).toEqual([
      { amount: 5600, reason: 'Moved abroad', status: 'DONE' },
      { amount: 2800, reason: '', status: 'DONE' },
    ]);
    const { rows: there } = await at.server.services.db.ownerQuery<{ amount: number }>(
      `select sum(amount)::integer as amount from gateway_refunds where charge_reference = 'ch_gift_${id}'`,
    );
    expect(there[0]?.amount).toBe(8400);
  });

  it('D084 a gift can be charged now, rescheduled, cancelled and reactivated, and none of it costs the giver anything', async () => {
    const id = await buy();
    const now = async (): Promise<number> =>
      Math.floor(
        (
          await at.server.services.db.ownerQuery<{ at: Date }>(
            "select now() + clock_offset_ms * interval '1 millisecond' as at from stores where id = 1",
          )
        ).rows[0]!.at.getTime() / 1000,
      );
    const later = (await now()) + 20 * 86_400;
    const moved = await done('gift-subscriptions.rescheduleContract', { id, nextBillingDateEpoch: later });
    expect(Math.abs(moved.nextOrderDateEpoch - later)).toBeLessThan(86_400);
    expect(
      await refused('gift-subscriptions.rescheduleContract', { id, nextBillingDateEpoch: (await now()) + 400 * 86_400 }, 422),
    ).toContain('365 days');
    // Pressed ten times, it is one order.
    const orderId = moved.nextOrderId;
    const presses = await Promise.all(Array.from({ length: 10 }, () => at.server.call('gift-subscriptions.chargeNow', { id, orderId })));
    expect(presses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await done('gift-subscriptions.read', { id })).toMatchObject({ completedOrders: 2, remainingOrders: 1, status: 'ACTIVE' });
    expect(await refused('gift-subscriptions.chargeNow', { id }, 422)).toBeDefined();
    const cancelled = await done('gift-subscriptions.cancel', { id, reason: 'Changed their mind' });
    expect(cancelled).toMatchObject({
      status: 'CANCELLED',
      unsentAmount: '28.00',
      cancellationReason: 'Changed their mind',
      nextOrderDateEpoch: null,
    });
    expect(await refused('gift-subscriptions.chargeNow', { id, orderId: orderId + 1 })).toBe('This gift is not active.');
    const again = await done('gift-subscriptions.reactivate', { id });
    expect(again).toMatchObject({ status: 'ACTIVE', remainingOrders: 1 });
    expect(await done('gift-subscriptions.chargeNow', { id, orderId: again.nextOrderId })).toMatchObject({
      status: 'COMPLETED',
      remainingOrders: 0,
    });
    expect((await done('gift-subscriptions.readActivityLogs', { id })).map((one: any) => one.key)).toEqual(
      expect.arrayContaining(['gift_created', 'gift_received', 'order_charged_now', 'subscription_cancelled', 'subscription_reactivated']),
    );
  });

  it('is changed on its own page: product within the program, address, note; the page of the subscription leaves it alone', async () => {
    const id = await buy();
    const [line] = (await done('gift-subscriptions.lines', { id })) as [JsonObject];
    const offered = await done('gift-subscriptions.readProductsToSwap', { id });
    expect(offered.flatMap((one: any) => one.variants.map((variant: any) => [variant.id, variant.isCurrent]))).toEqual([
      [at.goods.other, false],
      [at.goods.plain, true],
    ]);
    expect(await refused('gift-subscriptions.swapLine', { id, lineId: line.id!, variantId: at.goods.soldOut }, 422)).toBe(
      'This product is not part of the gift program.',
    );
    expect((await done('gift-subscriptions.swapLine', { id, lineId: line.id!, variantId: at.goods.other })).products).toContain(
      'Goods other',
    );
    const address = { ...ADDRESS, city: 'Queens' };
    expect((await done('gift-subscriptions.updateShippingAddress', { id, address })).shippingAddress.city).toBe('Queens');
    expect((await done('gift-subscriptions.deliveryMethod', { id })).deliveryType).toBe('SHIPPING');
    expect((await done('gift-subscriptions.updateNote', { id, note: 'Called twice.' })).note).toBe('Called twice.');
    expect(await done('gift-subscriptions.cpToken', { id })).toMatchObject({
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      link: expect.stringContaining(`/a/loop_subscriptions/gift/${id}?token=`),
    });
    for (const [name, input] of [
      ['cancel', { cancellationReason: 'Too expensive' }],
      ['pause', {}],
      ['addLine', { variantId: at.goods.other, quantity: 1 }],
    ] as const)
      expect(await refused(`subscription-contract.${name}`, { id, ...input })).toBe(
        'This is a gift. Its orders are changed on the page of the gift.',
      );
    expect((await call('gift-subscriptions.read', { id: 10_001 })).status).toBe(404);
    expect((await call('gift-subscriptions.readActivityLogs', { id: 10_001 })).status).toBe(404);
  });

  it('starts on its day: the recipient hears of it then, and not at all where it was cancelled before', async () => {
    const now = (
      await at.server.services.db.ownerQuery<{ at: Date }>(
        "select now() + clock_offset_ms * interval '1 millisecond' as at from stores where id = 1",
      )
    ).rows[0]!.at;
    const startsAt = new Date(now.getTime() + 10 * 86_400_000);
    const [kept, dropped] = [await buy({ startsAt }), await buy({ startsAt })];
    expect(await done('gift-subscriptions.read', { id: kept })).toMatchObject({ status: 'UPCOMING', completedOrders: 1 });
    expect(await refused('gift-subscriptions.chargeNow', { id: kept, orderId: kept * 10_000 + 1 })).toBe('This gift has not started yet.');
    await done('gift-subscriptions.cancel', { id: dropped });
    await move(12);
    expect(await done('gift-subscriptions.read', { id: kept })).toMatchObject({ status: 'ACTIVE' });
    expect(await mails(kept)).toEqual(['GIFT_SUBSCRIPTION_CREATED person@mail.example', 'GIFT_SUBSCRIPTION_RECEIVED jonas@mail.example']);
    expect(await mails(dropped)).toEqual(['GIFT_SUBSCRIPTION_CREATED person@mail.example']);
    expect((await done('gift-programs.read', { id: program })).runningCount).toBeGreaterThan(0);
  });

  it('D203 preferences of gifts are fetched by category and type, and saved by their keys', async () => {
    const of = { category: 'GIFT', type: 'PREFERENCES' };
    const value = async (key: string): Promise<unknown> =>
      (await done('gift-subscriptions.fetchPreferences', of)).find((one: any) => one.key === key)?.value;
    expect(await value('isGiftEnabled')).toBe('true');
    await done('gift-subscriptions.updatePreferences', { ...of, settings: [{ key: 'orderTag', value: 'present' }] });
    expect(await value('orderTag')).toBe('present');
    expect((await call('gift-subscriptions.fetchPreferences', { category: 'DUNNING', type: 'RETRY' })).status).toBe(422);
    const { orders } = (
      await at.server.services.db.ownerQuery<{ orders: number }>(
        "select count(*)::integer as orders from orders o join gifts g on g.id = o.contract_id where o.status = 'PAID' and not 'gift' = any(o.tags)",
      )
    ).rows[0]!;
    expect(orders).toBe(0);
  });

  it('e-mails about gifts are written, switched and tried out on their own page, and others are not there', async () => {
    const rows = await done('gift-notifications.fetchNotificationPreferences');
    expect(rows.map((row: any) => [row.key.replace('GIFT_SUBSCRIPTION_', ''), row.recipientType, row.isEnabled])).toEqual([
      ['CREATED', 'GIFTER', true],
      ['RECEIVED', 'RECIPIENT', true],
      ['UPCOMING_ORDER', 'RECIPIENT', true],
      ['THANKS_MESSAGE', 'GIFTER', true],
      ['COMPLETED', 'RECIPIENT', true],
    ]);
    const key = 'GIFT_SUBSCRIPTION_RECEIVED';
    const preferences: JsonObject[] = [
      { key, isEnabled: false },
      { key: 'GIFT_SUBSCRIPTION_UPCOMING_ORDER', daysBefore: 7 },
    ];
    const after = await done('gift-notifications.updateNotificationPreferences', { preferences });
    expect([after[1].isEnabled, after[2].daysBefore]).toEqual([false, 7]);
    expect((await mails(await buy())).map(one => one.split(' ')[0])).toEqual(['GIFT_SUBSCRIPTION_CREATED']);
    await done('gift-notifications.switch', { prefKey: key, enabled: true });
    const saved = await done('gift-notifications.save', { prefKey: key, subject: '{{ giverName }} thinks of you' });
    expect(saved).toMatchObject({ isCustomised: true, reader: 'RECIPIENT' });
    expect((await done('gift-notifications.preview', { prefKey: key })).subject).toBe('Anna thinks of you');
    expect(await done('gift-notifications.reset', { prefKey: key })).toMatchObject({ isCustomised: false });
    expect((await call('gift-notifications.read', { prefKey: 'UPCOMING_ORDER' })).status).toBe(404);
    expect((await done('gift-notifications.list')).length).toBe(5);
    const general = await done('email-templates.list', { pageSize: 100 });
    expect(general.some((row: any) => row.prefKey.startsWith('GIFT_'))).toBe(false);
  });

  it('D168 texts of gifts are fetched and updated', async () => {
    const { translations } = { translations: [{ key: 'giftWriteThanks', value: 'Send thanks' }] };
    await done('texts.updateGiftSubscriptionTexts', { translations });
    const rows = await done('texts.fetchGiftSubscriptionTexts');
    expect(rows.find((row: any) => row.key === 'giftWriteThanks').value).toBe('Send thanks');
    expect((await done('texts.giftCategories')).map((one: any) => one.categoryId)).toEqual(['gift']);
  });

  it('keeps its books: what was paid is what was placed, and nothing is due of a gift that is over', async () => {
    const wrong = await at.server.services.db
      .ownerQuery(`select g.id from gifts g join contracts c on c.store_id = g.store_id and c.id = g.id
      where c.prepaid_credits <> coalesce((select sum(credits) from credit_transactions t where t.contract_id = c.id), 0)
        or (c.status in ('CANCELLED', 'EXPIRED') and (c.next_billing_at is not null or c.base_at is not null))
        or (c.status = 'ACTIVE' and (c.prepaid_credits = 0 or c.next_billing_at is distinct from g.next_order_at))
        or g.total_orders - c.prepaid_credits <> (select count(*) from orders o where o.contract_id = c.id and o.status = 'PAID')
        or g.paid_amount <> (select sum(o.total) from orders o where o.contract_id = c.id and o.status = 'PAID')`);
    expect(wrong.rows).toEqual([]);
  });
});
