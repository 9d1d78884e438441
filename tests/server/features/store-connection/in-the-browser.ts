// The whole way of a merchant and a shopper, in a browser and in the shop: connected, plans seen and bought there, a renewal that is an
// order there, a price that comes over, a difference that is decided, and the end of it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { publishStorefront } from '../../../../src/server/features/storefront/jobs/publish.ts';
import { sharedBrowser, violations, visit } from '../../../support/browser/browser.ts';
import { deliverAll } from '../../../support/events.ts';
import { jobWith } from '../../../support/job.ts';
import { group, monthly } from '../selling-plans/plans.ts';
import { add, pay, shopper } from './bought-there.ts';
import type { Scene } from './orders-paid-here.ts';

/** The built admin; without it there is nothing to look at. */
export const ADMIN = fileURLToPath(new URL('../../../../dist/admin', import.meta.url));

export const inTheBrowser = ({ vendure, query, works, variantId, changeVariant, server, line, hears, connect }: Scene): void => {
  describe.runIf(existsSync(ADMIN))('a merchant', () => {
    test('connects the shop, sells a plan there, renews it, decides on a difference, and disconnects', async () => {
      const { url, signIn } = server();
      const { page, context, problems } = await visit(await sharedBrowser(), { url, signIn, token: signIn } as Parameters<typeof visit>[1]);
      const said = (text: RegExp | string) => page.getByText(text).first().waitFor({ timeout: 30_000 });
      const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
      const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      const menu = async (name: string) => {
        await page
          .getByRole('button', { name: /^(More actions|More|Actions)$/ })
          .first()
          .click();
        await page.getByRole('menuitem', { name }).click();
      };
      const disconnect = async () => {
        await page.goto('/settings/store-connection');
        await page.getByRole('link', { name: line().url }).first().click();
        await menu('Disconnect');
        await confirm('Disconnect');
        await said('This store stands alone');
        await works();
      };
      await disconnect();

      await press('Connect shop');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address of the Admin API').fill(line().url);
      await dialog.getByLabel('API key').fill(vendure.apiKey);
      await confirm('Connect');
      await said(/Being checked|Connected/);
      // One is enough: no second shop is offered.
      await page.getByRole('button', { name: 'Connect shop' }).waitFor({ state: 'detached' });
      await changeVariant('HB-250-B', { price: 950, stockLevels: [{ stockLocationId: '1', stockOnHand: 90 }] });
      await works();
      await page.goto('/settings/store-connection');
      await said('Connected');

      const [product] = await query("select id from products where store_id = 1 and handle = 'harbour-blend' and deleted_at is null");
      const made = await server().call(
        'selling-plan-groups.create',
        group({ publish: true, productsToAdd: { productIds: [product?.id] }, sellingPlans: [monthly({ fixedDiscountValue: 20 })] }),
      );
      await publishStorefront.run(server().services, { storeId: 1 }, jobWith());
      await works();
      const cart = shopper(vendure.adminUrl);
      const { product: shown } = await cart.ask('{ product(slug: "harbour-blend") { variants { sku perennialPlans { id price } } } }');
      const [plan] = shown.variants.find((one: any) => one.sku === 'HB-250-B').perennialPlans;
      expect(plan.price).toBe(912);
      await add(cart, await variantId('HB-250-B'), 1, plan.id);
      const number = await pay(cart, 'iris@shop.example');
      await hears('ORDER');
      await works();

      await page.goto('/settings/store-connection/purchases');
      const bought = page.getByRole('row', { name: new RegExp(number) });
      await bought.getByText('Subscription made').waitFor();
      const [{ id } = {}] = await query("select id from contracts where store_id = 1 and customer_email = 'iris@shop.example'");
      await bought.getByRole('link', { name: new RegExp(String(id)) }).click();
      await page.getByText('iris@shop.example').first().waitFor();

      // A card is entered, and the renewal is an order there.
      await query(
        `with m as (insert into payment_methods (store_id, shopify_id, customer_id, type, brand, last_digits, expiry_month, expiry_year, gateway_token)
          select 1, 'pm_iris', customer_id, 'CREDIT_CARD', 'visa', '4242', 12, 2040, 'tok_success' from contracts where id = $1 returning id)
        update contracts set payment_method_id = (select id from m) where id = $1`,
        [id],
      );
      const { body } = await server().call('subscription-contract.chargeNow', { id, orderId: Number(id) * 10_000 + 2 });
      expect(body.message).toBe('OK');
      await deliverAll(server().services);
      await works();
      await page.goto('/settings/store-connection/orders');
      await expect.poll(() => page.getByRole('row', { name: /Made/ }).count()).toBeGreaterThanOrEqual(2);

      // A price that changes there is here; one that is changed here waits for a choice.
      await changeVariant('HB-250-B', { price: 1000 });
      await hears('VARIANT');
      await query("update variants set price = 1500 where store_id = 1 and sku = 'HB-250-B' and deleted_at is null");
      await query('update store_connections set due_at = now()');
      await works();
      await page.goto('/settings/store-connection/differences');
      const differs = page.getByRole('row', { name: /250 g \/ Beans/ });
      await differs.getByText('15.00').waitFor();
      await differs.getByText('12.00').waitFor();
      expect(await violations(page)).toEqual([]);
      await differs.getByRole('button', { name: /Actions|More/ }).click();
      await page.getByRole('menuitem', { name: 'Make it so here' }).click();
      await confirm('Make it so here');
      await said('It becomes what it is in the shop.');
      await works();
      await expect.poll(() => query("select price from variants where sku = 'HB-250-B' and deleted_at is null")).toEqual([{ price: 1200 }]);

      await disconnect();
      // The page of a connection that was just deleted may read it once more.
      expect(problems.filter(one => !/404 \(Not Found\).*\/store-connections\/\d+/.test(one))).toEqual([]);
      await context.close();
      await server().call('selling-plan-groups.delete', { lspgId: made.data.lspgId });
      // What follows finds a connected store again.
      await connect();
    });
  });
};
