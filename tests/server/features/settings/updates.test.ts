import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DateTime } from 'luxon';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { overContracts, runUpdate } from '../../../../src/server/features/bulk-actions/updates/contract-update.ts';
import { productPrices } from '../../../../src/server/features/bulk-actions/updates/store-updates.ts';
import { autoUpdates } from '../../../../src/server/features/bulk-actions/jobs/auto-updates.ts';
import { oneEngine } from '../../../support/database.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';

const SHOP = 'fernandember.myshopify.com';
const ZONE = 'America/New_York';
interface Line {
  id: number;
  contract_id: number;
  variant_id: number;
  base_price: number;
  price: number;
  price_is_manual: boolean;
  quantity: number;
}

describe.each(oneEngine)('updates of all subscriptions on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, seed: { contracts: 260, stores: 2 }, tables: ['settings', 'preferences-app'] });
  });
  afterAll(() => server?.close());

  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  const set = async (page: string, over: JsonObject): Promise<void> => {
    const { data } = await server.call('settings.get', { settingsPage: page });
    const answer = await server.call('settings.set', { ...data, ...over, settingsPage: page });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  };
  const finished = async (runId: number): Promise<JsonObject> => {
    for (;;) {
      const { data } = await server.call('preferences-app.updateStatus', { runId });
      if (data.status === 'COMPLETED' || data.status === 'FAILED') return data;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  const run = async (name: string, input: JsonObject = { myshopify_domain: SHOP }): Promise<JsonObject> => {
    const started: Answered = await server.call(`preferences-app.${name}`, input);
    if (started.status !== 200) throw new Error(JSON.stringify(started.body));
    return finished(started.data.runId);
  };
  /** Recurring lines of running US dollar subscriptions, sold by a plan with a percentage off. */
  const lines = (): Promise<Line[]> =>
    query<Line>(`select l.id, l.contract_id, l.variant_id, l.base_price, l.price, l.price_is_manual, l.quantity from contract_lines l join contracts c on c.store_id = l.store_id and c.id = l.contract_id
    where l.store_id = 1 and c.status in ('ACTIVE', 'PAUSED') and c.currency_code = 'USD' and not l.one_time_added and not l.price_is_manual and c.delivery_interval = c.billing_interval and c.delivery_interval_count = c.billing_interval_count
      and jsonb_array_length(l.pricing_policy->'cycleDiscounts') = 1 and l.pricing_policy->'cycleDiscounts'->0->>'adjustmentType' = 'PERCENTAGE' order by l.id`);
  const lineOf = async (id: number): Promise<Line & { total: number; percent: number }> =>
    (
      await query<Line & { total: number; percent: number }>(
        "select l.*, c.total, (l.pricing_policy->'cycleDiscounts'->0->>'adjustmentValue')::numeric::float8 as percent from contract_lines l join contracts c on c.store_id = 1 and c.id = l.contract_id where l.store_id = 1 and l.id = $1",
        [id],
      )
    )[0] as Line & { total: number; percent: number };
  const price = (variantId: number, minor: number): Promise<unknown> =>
    query('update variants set price = $2 where store_id = 1 and id = $1', [variantId, minor]);
  const notes = (contractId: number, key: string): Promise<{ source: string; data: JsonObject }[]> =>
    query('select source, data from events where store_id = 1 and contract_id = $1 and key = $2 order by id desc', [contractId, key]);
  const active = () =>
    query<{ id: number; next: Date }>(
      "select id, next_billing_at as next from contracts where store_id = 1 and status = 'ACTIVE' and next_billing_at is not null order by id",
    );

  test('a subscription that is being charged is left as it is, and named with the reason', async () => {
    const [line] = await lines();
    if (!line) throw new Error('The seed has no such line.');
    const before = await lineOf(line.id);
    await price(line.variant_id, line.base_price + 700);
    await query(
      `insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total, attempts)
       select 1, $1::bigint * 10000 + 9999, id, customer_id, 9999, 1, 'PROCESSING', now(), now(), now(), 'USD', 100, 1 from contracts where store_id = 1 and id = $1`,
      [line.contract_id],
    );
    const done = await run('updateProductPrices');
    const skipped = (done.result as { skipped: JsonObject[] }).skipped.filter(one => one.subscriptionId === line.contract_id);
    expect(skipped).toEqual([
      { subscriptionId: line.contract_id, reason: 'This subscription has an order being processed. Try again in a few minutes.' },
    ]);
    expect((await lineOf(line.id)).price).toBe(before.price);
    await query('delete from orders where store_id = 1 and cycle = 9999');
    await price(line.variant_id, line.base_price);
    expect((await run('updateProductPrices')).status).toBe('COMPLETED');
  });

  test('a price with which one order would cost more than is counted is not taken over, and the subscription named with the reason', async () => {
    const [line] = await lines();
    if (!line) throw new Error('The seed has no such line.');
    await query('update contract_lines set quantity = 1000000 where id = $1', [line.id]);
    const before = await lineOf(line.id);
    await price(line.variant_id, 200_000);
    const done = await run('updateProductPrices');
    const skipped = (done.result as { skipped: JsonObject[] }).skipped.filter(one => one.subscriptionId === line.contract_id);
    expect(skipped).toEqual([
      {
        subscriptionId: line.contract_id,
        reason: 'One order would cost more than 1,000,000,000. Enter a smaller quantity or a lower price.',
      },
    ]);
    expect(await lineOf(line.id)).toEqual(before);
    await query('update contract_lines set quantity = $2 where id = $1', [line.id, line.quantity]);
    await price(line.variant_id, line.base_price);
    await run('updateProductPrices');
  });

  test('D154 product/update_prices gives subscriptions the new price with their discount applied again, and says so in their log', async () => {
    const [line] = await lines();
    if (!line) throw new Error('The seed has no such line.');
    const before = await lineOf(line.id);
    await price(line.variant_id, line.base_price + 1000);
    expect(await run('updateProductPrices')).toMatchObject({
      kind: 'UPDATE_PRODUCT_PRICE',
      status: 'COMPLETED',
      percent: 100,
      error: null,
    });
    const after = await lineOf(line.id);
    expect(after.base_price).toBe(line.base_price + 1000);
    expect(after.price).toBe(Math.round((after.base_price * (100 - after.percent)) / 100));
    expect(after.total - before.total).toBe((after.price - before.price) * line.quantity);
    expect((await notes(line.contract_id, 'price_updated'))[0]).toMatchObject({ source: 'System', data: { isAutomatic: true } });
    // A settings page asks for the work of its own buttons.
    expect((await server.call('preferences-app.updateStatus', { kind: 'UPDATE_PRODUCT_PRICE' })).data).toMatchObject({
      kind: 'UPDATE_PRODUCT_PRICE',
      status: 'COMPLETED',
    });
    expect((await server.call('preferences-app.updateStatus', { kind: 'UPDATE_SHIPPING_PRICE' })).data).toBeNull();
    // Again: nothing is left to do.
    expect(await run('updateProductPrices')).toMatchObject({ status: 'COMPLETED', succeeded: 0 });
    expect(await notes(line.contract_id, 'price_updated')).toHaveLength(1);
  });

  test('direction, hand-set prices and days of grace are obeyed', async () => {
    const all = await lines();
    const [up, down, byHand] = [
      all[1],
      all.find(line => line.variant_id !== all[1]?.variant_id),
      all.find(
        line =>
          ![all[1]?.variant_id].includes(line.variant_id) &&
          line.variant_id !== all.find(one => one.variant_id !== all[1]?.variant_id)?.variant_id,
      ),
    ];
    if (!up || !down || !byHand) throw new Error('The seed has too few products.');
    await set('auto-updates', { autoUpdateProductPrice: true, priceDirection: 'INCREASE_ONLY' });
    await price(up.variant_id, up.base_price + 500);
    await price(down.variant_id, down.base_price - 100);
    await query('update contract_lines set price_is_manual = true, price = 123 where store_id = 1 and id = $1', [byHand.id]);
    await price(byHand.variant_id, byHand.base_price + 700);
    await run('updateProductPrices');
    expect((await lineOf(up.id)).base_price).toBe(up.base_price + 500);
    expect((await lineOf(down.id)).base_price).toBe(down.base_price);
    expect(await lineOf(byHand.id)).toMatchObject({ base_price: byHand.base_price, price: 123, price_is_manual: true });

    // Orders that are due soon keep the old price.
    const now = new Date();
    await set('auto-updates', { autoUpdateProductPrice: true, priceDirection: 'BOTH', graceDays: 30, excludeManualPrice: false });
    await query('update contracts set next_billing_at = $2 where store_id = 1 and id = $1', [
      down.contract_id,
      new Date(now.getTime() + 86_400_000),
    ]);
    const held = await run('updateProductPrices');
    expect((held.result as { skipped: JsonObject[] }).skipped).toContainEqual({
      subscriptionId: down.contract_id,
      reason: 'Its next order is due within 30 days.',
    });
    expect((await lineOf(down.id)).base_price).toBe(down.base_price);
    await set('auto-updates', { autoUpdateProductPrice: true, graceDays: 0, excludeManualPrice: false, notifyCustomers: true });
    await query("delete from outbox where store_id = 1 and template = 'PRICE_UPDATED'");
    await run('updateProductPrices');
    expect((await lineOf(down.id)).base_price).toBe(down.base_price - 100);
    expect(await lineOf(byHand.id)).toMatchObject({ base_price: byHand.base_price + 700, price_is_manual: false });
    const mails = await query<{ contract_id: number; n: number }>(
      "select contract_id, count(*) as n from outbox where store_id = 1 and template = 'PRICE_UPDATED' group by contract_id",
    );
    expect(mails.find(mail => mail.contract_id === down.contract_id)?.n).toBe(1);
    await price(down.variant_id, down.base_price - 150);
    await run('updateProductPrices');
    expect(
      await query("select 1 as x from outbox where store_id = 1 and template = 'PRICE_UPDATED' and contract_id = $1", [down.contract_id]),
    ).toHaveLength(1);
  });

  test('a subscription in another currency is left and named', async () => {
    const [foreign] = await query<{ contract_id: number; variant_id: number; base_price: number; currency: string }>(
      "select l.contract_id, l.variant_id, l.base_price, c.currency_code as currency from contract_lines l join contracts c on c.store_id = l.store_id and c.id = l.contract_id and c.status = 'ACTIVE' and c.currency_code <> 'USD' where l.store_id = 1 and not l.one_time_added order by l.id limit 1",
    );
    if (!foreign) throw new Error('The seed has no subscription in another currency.');
    const result = await run('updateProductPrices');
    expect((result.result as { skipped: JsonObject[] }).skipped).toContainEqual({
      subscriptionId: foreign.contract_id,
      reason: `There is no price in ${foreign.currency}.`,
    });
    expect(
      await query('select base_price from contract_lines where store_id = 1 and contract_id = $1 and variant_id = $2', [
        foreign.contract_id,
        foreign.variant_id,
      ]),
    ).toContainEqual({ base_price: foreign.base_price });
  });

  test('D154 shipping/update_prices works out the shipping of every subscription again', async () => {
    const [contract] = await query<{ id: number }>(
      "update contracts set delivery_method = jsonb_set(delivery_method, '{shipping,shippingOption,code}', '\"EXPRESS\"') where store_id = 1 and id = (select id from contracts where store_id = 1 and status = 'ACTIVE' and currency_code = 'USD' and delivery_method->'shipping'->'shippingOption' is not null order by id limit 1) returning id",
    );
    if (!contract) throw new Error('The seed has no subscription that is shipped.');
    await query("update stores set details = jsonb_set(details, '{shippingOptions,1,price}', '\"21.25\"') where id = 1");
    expect(await run('updateShippingPrices')).toMatchObject({ kind: 'UPDATE_SHIPPING_PRICE', status: 'COMPLETED' });
    expect(await query('select delivery_price from contracts where store_id = 1 and id = $1', [contract.id])).toEqual([
      { delivery_price: 2125 },
    ]);
    expect((await notes(contract.id, 'shipping_price_updated'))[0]?.data).toMatchObject({ after: '21.25' });
  });

  test('the billing hour moves new schedules by itself and those there are by the button, on the same days', async () => {
    await set('general', { billingHour: null });
    expect((await server.call('preferences-app.updateBillingHour')).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'No billing hour is set. Set one and save, then move your subscriptions to it.',
    });
    const before = await active();
    await set('general', { billingHour: 22 });
    expect(await active()).toEqual(before);
    expect(await run('updateBillingHour', {})).toMatchObject({ kind: 'UPDATE_BILLING_HOUR', status: 'COMPLETED' });
    const after = await active();
    expect(after.map(one => one.id)).toEqual(before.map(one => one.id));
    for (const [index, { next }] of after.entries()) {
      const local = DateTime.fromJSDate(next, { zone: ZONE });
      expect([local.hour, local.minute, local.second]).toEqual([22, 0, 0]);
      expect(local.toISODate()).toBe(DateTime.fromJSDate(before[index]?.next as Date, { zone: ZONE }).toISODate());
    }
  });

  test('one update of a kind at a time, by who may change', async () => {
    await query("insert into runs (store_id, kind, status) values (1, 'UPDATE_PRODUCT_PRICE', 'IN_PROGRESS')");
    expect((await server.call('preferences-app.updateProductPrices', { myshopify_domain: SHOP })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'An update is already in progress.',
    });
    expect((await run('updateShippingPrices')).status).toBe('COMPLETED');
    await query("update runs set status = 'FAILED' where store_id = 1 and status = 'IN_PROGRESS'");
    expect((await server.call('preferences-app.updateProductPrices', { myshopify_domain: SHOP }, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('preferences-app.updateProductPrices', { myshopify_domain: 'another-store.myshopify.com' })).status).toBe(
      404,
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.call('preferences-app.updateProductPrices', { myshopify_domain: SHOP })),
    );
    expect(answers.map(answer => answer.status)).toContain(200);
    expect(answers.every(answer => answer.status === 200 || answer.body.code === 'INVALID_STATE')).toBe(true);
    while ((await query("select 1 from runs where store_id = 1 and status in ('QUEUED', 'IN_PROGRESS')")).length)
      await new Promise(resolve => setTimeout(resolve, 20));
    // Where the first was done before the last was asked for, a second may have followed; two at once never.
    expect(
      await query(
        'select a.id from runs a join runs b on (b.store_id, b.kind) = (a.store_id, a.kind) and b.id > a.id where b.started_at < a.finished_at',
      ),
    ).toEqual([]);
  });

  test('an update that was interrupted goes on where it was and changes no subscription twice', async () => {
    await query('update variants set price = price + 11 where store_id = 1');
    const [row] = await query<{ id: number }>("insert into runs (store_id, kind) values (1, 'UPDATE_PRODUCT_PRICE') returning id");
    const data = { storeId: 1, runId: row?.id ?? 0 };
    const noted = async (): Promise<number> =>
      (await query<{ n: number }>("select count(*) as n from events where store_id = 1 and key = 'price_updated'"))[0]?.n ?? 0;
    const before = await noted();
    let steps = 0;
    const failing = {
      ...server.services,
      definitions: server.services.definitions,
      db: {
        ...server.services.db,
        inStore: ((storeId, work, options) => {
          steps += 1;
          if (steps === 3) throw new Error('The process ends here.');
          return server.services.db.inStore(storeId, work, options);
        }) as typeof server.services.db.inStore,
      },
    };
    await expect(runUpdate(failing, overContracts(productPrices), data, new AbortController().signal, [])).rejects.toThrow(
      'The process ends here.',
    );
    const half = await noted();
    expect(half).toBeGreaterThan(before);
    await runUpdate(server.services, overContracts(productPrices), data, new AbortController().signal, []);
    const twice = await query(
      "select contract_id from events where store_id = 1 and key = 'price_updated' and id > (select max(id) from events) - $1 group by contract_id having count(*) > 1",
      [(await noted()) - before],
    );
    expect(twice).toEqual([]);
    expect(await finished(data.runId)).toMatchObject({ status: 'COMPLETED', processed: (await finished(data.runId)).total });
  });

  test("every day stores that want it take over new prices by themselves, others don't", async () => {
    await set('auto-updates', { autoUpdateProductPrice: true, priceDirection: 'BOTH', graceDays: 0 });
    await query("delete from runs where kind = 'UPDATE_PRODUCT_PRICE'");
    await query('update variants set price = price + 7');
    const job = jobWith();
    await autoUpdates.run(server.services, {}, job);
    await autoUpdates.run(server.services, {}, job);
    const runs = await query<{ store_id: number; id: number }>("select store_id, id from runs where kind = 'UPDATE_PRODUCT_PRICE'");
    expect(runs.map(one => one.store_id)).toEqual([1]);
    expect(await finished(runs[0]?.id ?? 0)).toMatchObject({ status: 'COMPLETED' });
  });
});
