// Checkout links and upgrades on a running server: where a link leads, what a cart is offered, publishing.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { whileLocked } from '../../../support/locks.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { offerPlans } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('the checkout on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 }, config: { shop: false } });
  let plan: number;
  beforeAll(async () => {
    await offerPlans(at.server, [at.goods.plain, at.goods.other]);
    [{ id: plan }] = await done('checkout-links.planChoices', { variantIds: [at.goods.plain] });
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => at.server.call(name, input);
  const { ok: done } = at;
  const open = (url: string) => at.server.app.inject({ method: 'GET', url: new URL(url, 'http://x').pathname });

  it('a link fills the cart of the store, counts who opened it, and says so once it is deleted', async () => {
    const { id, url } = await done('checkout-links.create', {
      name: 'Newsletter',
      items: [{ variantId: at.goods.plain, quantity: 2, sellingPlanId: plan }],
      discountCode: 'WELCOME10',
      utmSource: 'newsletter',
    });
    const answer = await open(url);
    expect(answer.statusCode).toBe(303);
    const to = new URL(String(answer.headers.location));
    expect([to.hostname, to.pathname]).toEqual(['fernandember.myshopify.com', `/cart/${700_000 + at.goods.plain}:2`]);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ discount: 'WELCOME10', utm_source: 'newsletter' });
    expect(to.searchParams.get('selling_plan')).toMatch(/^\d+$/);
    await open(url);
    await at.server.settled();
    expect(await done('checkout-links.read', { id })).toMatchObject({ clicks: 2, recentClicks: 2 });
    // However many open it at once, none waits for another's count.
    await whileLocked(
      at.server.services.db,
      trx => sql`select 1 from checkout_visits where link_id = ${id}::bigint for update`.execute(trx),
      async () => {
        for (let i = 0; i < 3; i++) expect((await open(url)).statusCode).toBe(303);
      },
    );
    await at.server.settled();
    expect(await done('checkout-links.read', { id })).toMatchObject({ clicks: 5 });
    expect((await call('checkout-links.delete', { id })).status).toBe(200);
    expect((await open(url)).body).toContain('This link is no longer available.');
    expect((await open('/c/1/aaaaaaaaaaaaaaaaaaaaa')).statusCode).toBe(404);
  });

  it('products with different plans go by a page that hands them to the cart', async () => {
    const { url } = await done('checkout-links.create', {
      name: 'Both',
      items: [{ variantId: at.goods.plain, sellingPlanId: plan }, { variantId: at.goods.other }],
      redirect: 'CART',
    });
    const page = await open(url);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https:;");
    expect(page.body).toContain('<form method="post" action="https://fernandember.myshopify.com/cart/add">');
    expect(page.body).toContain('name="items[0][selling_plan]"');
    expect(page.body).not.toContain('name="items[1][selling_plan]"');
    expect(page.body).toContain('name="return_to" value="/cart"');
  });

  it('tells what is wrong with a link', async () => {
    const wrong = async (over: JsonObject): Promise<string[]> => {
      const { status, body } = await call('checkout-links.create', { name: 'Wrong', items: [{ variantId: at.goods.plain }], ...over });
      expect(status).toBe(422);
      return body.errors.map((error: JsonObject) => error.message);
    };
    expect(await wrong({ items: [] })).toEqual(['Choose at least one product.']);
    expect(await wrong({ discountCode: 'NOPE' })).toEqual(['Discount code not found.']);
    expect(await wrong({ items: [{ variantId: at.goods.digital, sellingPlanId: plan }] })).toEqual([
      'This plan is not available for the chosen variant.',
    ]);
  });

  it('D080 D204 the checkout widget is published and unpublished by isCheckoutWidgetPublished; a cart is offered upgrades meanwhile', async () => {
    const group = Number(
      (
        await at.server.services.db.ownerQuery<{ id: number }>(
          'select group_id as id from plan_products where product_id = $1 order by group_id desc limit 1',
          [at.goods.plain],
        )
      ).rows[0]?.id,
    );
    const { id } = await done('checkout.create', { name: 'Subscribe', planGroupId: group });
    const early = await call('checkout.updateCheckoutWidget', { isCheckoutWidgetPublished: true });
    expect([early.status, early.body.errors]).toMatchObject([
      422,
      [{ pointer: '/isCheckoutWidgetPublished', message: 'Nothing is shown yet: turn an upgrade on first.' }],
    ]);
    await done('checkout.activate', { id });
    const offers = (): Promise<any> =>
      done('checkout.offers', { lines: [{ variantId: at.goods.plain, quantity: 2 }, { variantId: at.goods.digital }] });
    expect(await done('checkout.isCheckoutWidgetPublished')).toEqual({ isCheckoutWidgetPublished: false });
    expect(await offers()).toEqual([]);
    await done('checkout.updateCheckoutWidget', { isCheckoutWidgetPublished: true });
    expect(await done('checkout.isCheckoutWidgetPublished')).toEqual({ isCheckoutWidgetPublished: true });
    expect(await offers()).toMatchObject([
      { variantId: at.goods.plain, upgradeId: id, buttonText: 'Upgrade to a subscription', plans: [{ saving: expect.any(String) }] },
    ]);
    // The title says what the line saves, as the plan beside it does; the plan is the default one, wherever it stands.
    const { db } = at.server.services;
    const { rows } = await db.ownerQuery<{ plans: JsonObject[] }>("select data -> 'sellingPlans' as plans from records where id = $1", [
      group,
    ]);
    const [first = {}] = rows[0]?.plans ?? [];
    const other = { ...first, lspId: 990_001, position: 99, isDefault: true, fixedDiscountType: 'PERCENTAGE', fixedDiscountValue: '50' };
    await db.ownerQuery("update records set data = jsonb_set(data, '{sellingPlans}', $1::jsonb) where id = $2", [
      JSON.stringify([
        { ...first, isDefault: false },
        { ...other, recurringDiscountType: null },
      ]),
      group,
    ]);
    const [shown] = await offers();
    expect(shown.plans).toMatchObject([{ sellingPlanId: 990_001, saving: shown.plans[0].price }]);
    expect(shown.title).toContain(shown.plans[0].saving);
    await db.ownerQuery("update records set data = jsonb_set(data, '{sellingPlans}', $1::jsonb) where id = $2", [
      JSON.stringify(rows[0]?.plans),
      group,
    ]);
    await done('checkout.deactivate', { id });
    expect(await offers()).toEqual([]);
    await at.server.services.db.exec("update stores set is_demo = false, plan_name = 'basic' where id = 1");
    at.server.services.sessions.forget(1);
    await done('checkout.updateCheckoutWidget', { isCheckoutWidgetPublished: false });
    expect((await call('checkout.updateCheckoutWidget', { isCheckoutWidgetPublished: true })).body.errors[0].message).toBe(
      'Your store plan does not allow checkout blocks.',
    );
    expect(await done('checkout.getStoreCustomerAccountVersion')).toEqual({ version: 'NEW' });
    expect((await done('checkout.getStoreCheckoutProfiles'))[0].editorUrl).toMatch(
      /^https:\/\/fernandember\.myshopify\.com\/admin\/settings\/checkout/,
    );
  });
});
