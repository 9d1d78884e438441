// The alert center: what raises an alert in the rows of a store and what ends it, closing by hand, rests, rights, and stores apart.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS, checkOf } from '../../../../src/server/features/alerts/catalogue.ts';
import type { Check } from '../../../../src/server/features/alerts/alert-check.ts';
import { dueChecks, runCheck, scopeOf, unresolvedAlerts } from '../../../../src/server/features/alerts/raise.ts';
import { runBulk } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import { putOff } from '../../../../src/server/engine/charging/due.ts';
import { moveClockJob } from '../../../../src/server/features/clock/jobs/move-clock.ts';
import { alertStore, checkStore } from '../../../../src/server/features/alerts/jobs/alerts.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { customerWith, inDays, makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

const STORE = 1;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(oneEngine)('alert center on %s', engine => {
  let server: TestServer;
  let goods: Goods;
  /** How far the store's clock is ahead of real time. */
  let ahead = 0;

  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 40, stores: 2 }, config: { workers: 0 }, jobs: true });
    goods = await stockGoods(server);
    // Nothing of the seed may be wrong by itself: each test makes its own trouble.
    await sql("update products set status = 'ACTIVE', deleted_at = null");
    await sql('update variants set deleted_at = null where id <> 505');
    await sql("update variants set inventory_policy = 'continue'");
    await sql('update payment_methods set expiry_year = 2090 where expiry_year is not null');
    await sql('update records set data = data || \'{"status":"DRAFT"}\' where entity = \'selling-plan-group\'');
    await sql("delete from billing_attempts where created_at > now() - interval '40 days'");
    await sql("update contracts set dunning = null, next_billing_at = now() + interval '20 days' where status = 'ACTIVE'");
    await sql('update orders set next_retry_at = null');
    await sql(
      'update contract_lines set variant_id = (select min(id) from variants where variants.store_id = contract_lines.store_id and deleted_at is null) where variant_id is null',
    );
    for (const check of CHECKS) await find(check);
    expect(await open()).toEqual([]);
  });
  afterAll(() => server.close());

  const sql = async <R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await server.services.db.ownerQuery<R & object>(text, values)).rows;
  const inScope = <T>(work: (scope: ReturnType<typeof scopeOf>) => Promise<T>): Promise<T> =>
    server.services.db.inStore(STORE, async trx => {
      const store = await trx.selectFrom('stores').selectAll().where('id', '=', STORE).executeTakeFirstOrThrow();
      return work(scopeOf(trx, store, new Date(Date.now() + ahead), server.services.definitions.plans));
    });
  const need = (key: string): Check => {
    const check = checkOf(key);
    if (!check) throw new Error(key);
    return check;
  };
  const find = (check: Check | string) => inScope(scope => runCheck(scope, typeof check === 'string' ? need(check) : check));
  const open = () => inScope(async ({ trx }) => (await unresolvedAlerts(trx, STORE)).map(row => row.type_key));
  const call = async (key: string, input = {}, options = {}) => {
    const answer = await server.call(`alerts.${key}`, input, options);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer;
  };
  const affected = async (id: number) => (await call('data', { id })).data as Record<string, unknown>[];
  const events = async (id: number) =>
    ((await call('logs', { alertId: id })).data as { event: string }[]).map(one => one.event).toReversed();
  /** Moves the store's clock, as the call for demo stores does at its end. */
  const moveTo = async (ms: number) => {
    ahead = ms;
    await sql(`update stores set clock_offset_ms = ${ms} where id = ${STORE}`);
    server.services.sessions.forget(STORE);
  };

  describe('what raises an alert, and what ends it', () => {
    it('an archived, drafted or deleted product of an active subscription', async () => {
      const { id } = await makeContract(server, goods, { nextBillingDateEpoch: inDays(40) });
      await sql(`update products set status = 'ARCHIVED' where store_id = ${STORE} and id = ${goods.plain}`);
      const alert = await find('INACTIVE_PRODUCTS');
      expect(alert).toMatchObject({
        status: 'OPEN',
        severity: 'HIGH',
        affected_count: 1,
        summary: '1 active subscription holds a product that was deleted, archived or made a draft.',
      });
      expect((await call('read', { id: alert?.id })).data).toMatchObject({
        impact: { mrr: '40.00', orders: 0 },
        mapping: [{ fromVariantId: goods.plain, fromTitle: 'Goods plain (1 subscription)' }],
        recommendedAction: { kind: 'BULK_ACTION', target: 'SWAP_PRODUCT' },
      });
      expect(await affected(alert!.id)).toMatchObject([{ contractId: id, label: 'Goods plain', reason: 'ARCHIVED' }]);
      await sql(
        `update contract_lines set variant_id = null, product_id = null where contract_id = ${id} and variant_id = ${goods.digital}`,
      );
      expect(await find('INACTIVE_PRODUCTS')).toMatchObject({ id: alert?.id, affected_count: 1 });
      expect(await affected(alert!.id)).toMatchObject([{ label: 'Goods plain, Goods digital' }]);
      expect((await server.call('subscription-contract.pause', { id })).status).toBe(200);
      expect(await find('INACTIVE_PRODUCTS')).toBeUndefined();
      expect(await events(alert!.id)).toEqual(['OPENED', 'RESOLVED_AUTO']);
      await sql(`update products set status = 'ACTIVE' where store_id = ${STORE} and id = ${goods.plain}`);
    });

    it('a card past its month, in the time zone of the store', async () => {
      const { id, methods } = await makeContract(server, goods, { nextBillingDateEpoch: inDays(10) });
      const [{ y, m } = { y: 0, m: 0 }] = await sql<{ y: number; m: number }>(
        "select extract(year from now() at time zone 'America/New_York')::int as y, extract(month from now() at time zone 'America/New_York')::int as m",
      );
      await sql(`update payment_methods set expiry_year = ${y}, expiry_month = ${m} where id = ${methods[0]}`);
      expect(await find('EXPIRED_METHODS')).toBeUndefined();
      const month = y * 12 + m - 2;
      await sql(
        `update payment_methods set expiry_year = ${Math.floor(month / 12)}, expiry_month = ${(month % 12) + 1}, brand = 'visa' where id = ${methods[0]}`,
      );
      const alert = await find('EXPIRED_METHODS');
      expect(alert).toMatchObject({ affected_count: 1, impact: { mrr: 4000, orders: 1 } });
      expect(await affected(alert!.id)).toMatchObject([{ contractId: id, label: 'Visa •••• 4242', customerName: 'Ann Lee' }]);
      await sql(`update payment_methods set expiry_year = 2090 where id = ${methods[0]}`);
      expect(await find('EXPIRED_METHODS')).toBeUndefined();
    });

    it('an order that is due since more than six hours, a retry, a charge without an answer, and one that is put off from hour to hour', async () => {
      const ids = [
        await makeContract(server, goods),
        await makeContract(server, goods),
        await makeContract(server, goods),
        await makeContract(server, goods),
      ].map(one => one.id);
      await sql(`update contracts set next_billing_at = now() - interval '5 hours' where id = ${ids[0]}`);
      expect(await find('OVERDUE_ORDERS')).toBeUndefined();
      await sql(`update contracts set next_billing_at = now() - interval '7 hours' where id = ${ids[0]}`);
      const order = (contract: number | undefined, status: string, retry: string) =>
        sql(`insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, next_retry_at, updated_at)
        select ${STORE}, id * 10000 + 9, id, customer_id, 9, 9, '${status}', now(), now(), now(), 'USD', ${retry}, now() - interval '7 hours' from contracts where id = ${contract}`);
      await order(ids[1], 'FAILED', "now() - interval '7 hours'");
      await order(ids[2], 'PROCESSING', 'null');
      // Tried every hour since the ninth hour before now, and put off each time.
      await sql(`update contracts set next_billing_at = now() - interval '9 hours' where id = ${ids[3]}`);
      for (let hour = 9; hour >= 0; hour--)
        await inScope(async scope =>
          putOff({ ...scope, storeId: STORE, now: () => new Date(Date.now() - hour * HOUR) } as never, 'ORDERS', ids[3] as number),
        );
      const alert = await find('OVERDUE_ORDERS');
      expect(alert).toMatchObject({ severity: 'CRITICAL', affected_count: 4 });
      expect(Object.fromEntries((await affected(alert!.id)).map(row => [row.contractId, row.reason]))).toEqual({
        [ids[0]!]: 'NOT_CHARGED',
        [ids[1]!]: 'NOT_RETRIED',
        [ids[2]!]: 'NO_ANSWER',
        [ids[3]!]: 'PUT_OFF',
      });
      await sql(`delete from orders where cycle = 9 and contract_id = any($1::bigint[])`, [ids]);
      await sql(`update contracts set next_billing_at = now() + interval '20 days' where id = any($1::bigint[])`, [ids]);
      expect(await find('OVERDUE_ORDERS')).toBeUndefined();
    });

    it('charges of which the provider can’t tell what became, until a person who may charge says so', async () => {
      const ids = [(await makeContract(server, goods)).id, (await makeContract(server, goods)).id] as const;
      for (const id of ids) {
        await sql(`insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total, attempts, idempotency_key, unclear_since)
          select ${STORE}, id * 10000 + 9, id, customer_id, 9, 9, 'PROCESSING', now(), now(), now(), 'USD', 4000, 1, 'key-' || id, now() from contracts where id = ${id}`);
        await sql(`insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, payment_method_id, amount, currency_code, ready)
          select ${STORE}, id * 10000 + 9, id, 1, 'SCHEDULED', 'key-' || id, payment_method_id, 4000, 'USD', false from contracts where id = ${id}`);
      }
      const alert = await find('CHARGE_UNCLEAR');
      expect(alert).toMatchObject({ severity: 'CRITICAL', affected_count: 2 });
      const rows = await affected(alert!.id);
      expect(rows.map(row => [row.contractId, row.orderId, row.amount]).sort()).toEqual(ids.map(id => [id, id * 10_000 + 9, '40.00']));
      const [charged, not] = ids.map(id => ({ id, orderId: id * 10_000 + 9 }));
      const history = async (id: number) => (await server.call('subscription-contract.ordersHistory', { id })).data[0];
      expect(await history(ids[0])).toMatchObject({ status: 'PROCESSING', actions: ['confirmCharge', 'chargeAgain'] });
      for (const key of ['confirmCharge', 'chargeAgain'])
        expect((await server.call(`subscription-contract.${key}`, charged, { as: 'readOnly' })).status).toBe(403);
      expect((await server.call('subscription-contract.confirmCharge', charged)).status).toBe(200);
      expect((await server.call('subscription-contract.chargeAgain', not)).status).toBe(200);
      expect(await history(ids[0])).toMatchObject({ status: 'PAID', attemptsCount: 1, unclearSinceEpoch: null });
      expect(await history(ids[1])).toMatchObject({
        status: 'PAID',
        attempts: [
          { ready: true, success: null, errorCode: null, errorCategory: null },
          { success: true, trigger: 'MANUAL' },
        ],
      });
      expect(
        await sql(
          "select distinct action from account_log where action in ('subscription.confirmCharge', 'subscription.chargeAgain') order by 1",
        ),
      ).toEqual([{ action: 'subscription.chargeAgain' }, { action: 'subscription.confirmCharge' }]);
      expect(await find('CHARGE_UNCLEAR')).toBeUndefined();
      expect(
        await sql(`select outcome->>'ok' as ok from gateway_charges where amount = 4000 and idempotency_key like '%-${not!.orderId}-2'`),
      ).toEqual([{ ok: 'true' }]);
      await sql('delete from billing_attempts where contract_id = any($1::bigint[])', [ids]);
    });

    it('twice as many failed charges as usual, twenty at least', async () => {
      const { id } = await makeContract(server, goods);
      let key = 0;
      const attempts = async (count: number, failed: number, at: string) =>
        sql(`insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, amount, currency_code, ready, success, error_category, created_at)
        select ${STORE}, ${id} * 10000 + 5000 + ${++key} * 1000 + n, ${id}, 1, 'SCHEDULED', 'spike-${key}-' || n, 100, 'USD', true, n > ${failed}, case when n > ${failed} then null else 'card_declined' end, now() - interval '${at}' from generate_series(1, ${count}) n`);
      await attempts(400, 40, '10 days');
      await attempts(50, 10, '3 hours');
      expect(await find('PAYMENT_FAILURE_SPIKE')).toBeUndefined(); // 20% against 10%, but only ten
      await attempts(50, 10, '2 hours');
      expect(await find('PAYMENT_FAILURE_SPIKE')).toBeUndefined(); // twice as many is not more than twice
      await attempts(10, 5, '1 hour');
      const alert = await find('PAYMENT_FAILURE_SPIKE');
      expect(alert).toMatchObject({
        affected_count: 25,
        summary: '23% of the first charges failed in the last 24 hours (25 orders of 110), against 10% in the 30 days before.',
      });
      expect(await affected(alert!.id)).toMatchObject([{ contractId: id, failure: 'card_declined' }]);
      await sql("update billing_attempts set created_at = created_at - interval '1 day' where idempotency_key like 'spike-%'");
      expect(await find('PAYMENT_FAILURE_SPIKE')).toBeUndefined();
      await sql("delete from billing_attempts where idempotency_key like 'spike-%'");
    });

    it('charges that fail on the store’s side, until the orders are paid', async () => {
      const { id } = await makeContract(server, goods, { tokens: ['tok_decline_PAYMENT_PROVIDER_IS_NOT_ENABLED'] });
      const [{ customer } = { customer: 0 }] = await sql<{ customer: number }>(
        `select customer_id as customer from contracts where id = ${id}`,
      );
      await sql(
        `insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total, error_category) values (${STORE}, ${id}0007, ${id}, ${customer}, 7, 7, 'FAILED', now(), now(), now(), 'USD', 4000, 'provider_disabled')`,
      );
      await sql(
        `insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, amount, currency_code, ready, success, error_category, created_at) values (${STORE}, ${id}0007, ${id}, 1, 'SCHEDULED', 'off-${id}', 4000, 'USD', true, false, 'provider_disabled', now() - interval '30 hours')`,
      );
      const alert = await find('GATEWAY_DISABLED');
      expect(alert).toMatchObject({
        severity: 'CRITICAL',
        affected_count: 1,
        summary: '1 order failed for a reason on your side: payment provider not enabled.',
      });
      expect(await affected(alert!.id)).toMatchObject([{ contractId: id, failure: 'provider_disabled' }]);
      await sql(`update orders set status = 'PAID' where id = ${id}0007`);
      expect(await find('GATEWAY_DISABLED')).toBeUndefined();
    });

    it('a payment that no retry recovered, until it is charged or a week is over', async () => {
      const { id } = await makeContract(server, goods);
      await sql(
        `insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, amount, currency_code, ready, success, error_category, created_at) values (${STORE}, ${id}0006, ${id}, 4, 'RETRY', 'lost-${id}', 4000, 'USD', true, false, 'insufficient_funds', now() - interval '2 days')`,
      );
      await sql(`update contracts set dunning = '{"state":"IN_RECOVERY","orderId":${id}0006}' where id = ${id}`);
      expect(await find('RETRIES_EXHAUSTED')).toBeUndefined();
      await sql(`update contracts set dunning = '{"state":"LOST","orderId":${id}0006}' where id = ${id}`);
      const alert = await find('RETRIES_EXHAUSTED');
      expect(await affected(alert!.id)).toMatchObject([{ contractId: id, failure: 'insufficient_funds' }]);
      await sql("update billing_attempts set created_at = now() - interval '8 days' where idempotency_key like 'lost-%'");
      expect(await find('RETRIES_EXHAUSTED')).toBeUndefined();
    });

    it('less stock than the orders of the next seven days need', async () => {
      const { id } = await makeContract(server, goods, {
        lines: [{ variantId: goods.other, quantity: 3, discountType: 'NONE' }],
        nextBillingDateEpoch: inDays(5),
      });
      await sql(
        `update variants set inventory_management = 'shopify', inventory_policy = 'deny', inventory_quantity = 3 where id = ${goods.other}`,
      );
      expect(await find('OUT_OF_STOCK')).toBeUndefined();
      await sql(`update variants set inventory_quantity = 2 where id = ${goods.other}`);
      const alert = await find('OUT_OF_STOCK');
      expect(alert).toMatchObject({ affected_count: 1, impact: { mrr: null, orders: 1 } });
      expect(await affected(alert!.id)).toMatchObject([{ label: 'Goods other', inStock: 2, needed: 3, orders: 1 }]);
      await sql(`update contracts set next_billing_at = now() + interval '8 days' where id = ${id}`);
      expect(await find('OUT_OF_STOCK')).toBeUndefined();
    });

    it('a published selling plan group on no product', async () => {
      await sql(
        `insert into records (store_id, entity, id, data) values (${STORE}, 'selling-plan-group', 88001, '{"name":"Lonely","merchantCode":"lonely","status":"DRAFT"}')`,
      );
      expect(await find('UNMAPPED_PLAN')).toBeUndefined();
      await sql('update records set data = data || \'{"status":"ACTIVE"}\' where id = 88001');
      const alert = await find('UNMAPPED_PLAN');
      expect(await affected(alert!.id)).toMatchObject([{ groupId: 88001, label: 'Lonely', code: 'lonely' }]);
      await sql(`insert into plan_products (store_id, group_id, product_id) values (${STORE}, 88001, ${goods.plain})`);
      expect(await find('UNMAPPED_PLAN')).toBeUndefined();
    });

    it('the subscriptions of a free plan, from nine tenths of its limit on', async () => {
      const [{ n } = { n: 0 }] = await sql<{ n: number }>(
        `select coalesce(sum(n), 0)::int as n from counters where store_id = ${STORE} and name = 'contracts' and key in ('ACTIVE', 'PAUSED')`,
      );
      const check = (limit: number) =>
        server.services.db.inStore(STORE, async trx => {
          const store = await trx.selectFrom('stores').selectAll().where('id', '=', STORE).executeTakeFirstOrThrow();
          return runCheck(
            scopeOf(trx, store, new Date(), [
              { ...server.services.definitions.plans[0]!, id: store.billing_plan_id, subscriptionLimit: limit },
            ]),
            need('PLAN_LIMIT'),
          );
        });
      expect(await check(Math.floor(n / 0.9) + 2)).toBeUndefined();
      expect(await check(n)).toMatchObject({ summary: `You have ${n} of the ${n} subscriptions that your plan allows.` });
      expect(await check(n - 2)).toMatchObject({ summary: `You have ${n} subscriptions, 2 more than your plan allows.` });
      expect(await find('PLAN_LIMIT')).toBeUndefined();
    });
  });

  it('names a shop that waits for a person, with the reason, until it is connected', async () => {
    expect(await find('SHOP_NOT_CONNECTED')).toBeFalsy();
    const fault = '{"is":"CURRENCIES","shop":"EUR","store":"USD"}';
    await sql(`insert into store_connections (store_id, address, api_key, status, error, due_at)
      values (${STORE}, 'https://shop.example/admin-api', '••••', 'UNREACHABLE', '${fault}', null)`);
    expect(await find('SHOP_NOT_CONNECTED')).toBeFalsy();
    await sql(`update store_connections set status = 'NOT_CONNECTED' where store_id = ${STORE}`);
    const alert = await find('SHOP_NOT_CONNECTED');
    expect(await affected(alert!.id)).toMatchObject([
      { label: 'https://shop.example/admin-api', detail: 'The shop sells in EUR, this store in USD. Both need the same currency.' },
    ]);
    await sql(`delete from store_connections where store_id = ${STORE}`);
    await find('SHOP_NOT_CONNECTED');
    expect(await open()).not.toContain('SHOP_NOT_CONNECTED');
  });

  describe('resolving', () => {
    it('D087 D088 copies failed collections again; the alert is closed when that worked, and open with the reason when it did not', async () => {
      const [{ id: collection } = { id: 0 }] = await sql<{ id: number }>(
        `select id from collections where store_id = ${STORE} order by id limit 1`,
      );
      await sql(
        `insert into plan_collections (store_id, group_id, collection_id) values (${STORE}, 88001, ${collection}) on conflict do nothing`,
      );
      const fail = () =>
        sql(
          `update collections set sync_status = 'FAILED', sync_error = 'The copy stopped.' where id = ${collection} and store_id = ${STORE}`,
        );
      await fail();
      const alert = await find('COLLECTION_SYNC_FAILED');
      const id = alert!.id;
      expect(await affected(id)).toMatchObject([{ collectionId: collection, detail: 'The copy stopped.' }]);
      expect((await call('resolutionStatus', { id })).data).toMatchObject({ status: 'NOT_STARTED', alertStatus: 'OPEN' });
      expect((await call('startResolution', { id })).data).toMatchObject({ resolutionId: id });
      expect((await call('resolutionStatus', { id })).data).toMatchObject({
        status: 'IN_PROGRESS',
        processed: 0,
        total: 1,
        alertStatus: 'RESOLVING',
      });
      expect(await server.call('alerts.startResolution', { id })).toMatchObject({
        status: 409,
        body: { message: 'This alert is being resolved already.' },
      });
      expect(await server.call('alerts.markResolved', { id })).toMatchObject({ status: 409 });
      await fail();
      await checkStore(server.services, STORE);
      expect((await call('read', { id })).data).toMatchObject({ status: 'OPEN', error: 'One collection could not be copied again.' });
      await call('startResolution', { id });
      await sql(
        `update collections set sync_status = 'COMPLETED', seed_status = 'COMPLETED' where id = ${collection} and store_id = ${STORE}`,
      );
      await checkStore(server.services, STORE);
      expect((await call('read', { id })).data).toMatchObject({ status: 'RESOLVED', resolution: 'AUTO' });
      expect(await events(id)).toEqual(['OPENED', 'RESOLUTION_STARTED', 'FAILED', 'RESOLUTION_STARTED', 'RESOLVED_AUTO']);
      expect((await call('data', { id })).data).toEqual([]);
    });

    /** Lets the bulk action of a resolution run to its end. */
    const finish = async (bulkId: number): Promise<void> => {
      await runBulk(server.services, { storeId: STORE, bulkId }, new AbortController().signal);
      await checkStore(server.services, STORE);
    };

    it('D087 D088 swaps inactive products in all affected subscriptions by a bulk action, and closes itself when none is left', async () => {
      const made = [await makeContract(server, goods), await makeContract(server, goods)];
      await sql(`update products set status = 'ARCHIVED' where store_id = ${STORE} and id = ${goods.plain}`);
      const id = (await find('INACTIVE_PRODUCTS'))!.id;
      const { mapping, actions } = (await call('read', { id })).data;
      expect(actions).toContain('startResolution');
      const none = await server.call('alerts.startResolution', { id, mapping });
      expect(none).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/mapping', message: 'Choose what takes the place of at least one product.' }] },
      });
      expect((await call('read', { id })).data.status).toBe('OPEN');
      const started = (await call('startResolution', { id, mapping: [{ ...mapping[0], toVariantId: goods.other }], discount: 10 })).data;
      expect(started).toMatchObject({ resolutionId: id, bulkActionId: expect.any(Number) });
      const { bulkActionIds, ...progress } = (await call('resolutionStatus', { id })).data;
      expect(progress).toMatchObject({ status: 'IN_PROGRESS', processed: 0, alertStatus: 'RESOLVING' });
      expect(bulkActionIds).toHaveLength(2);
      for (const bulkId of bulkActionIds as number[]) await finish(bulkId);
      expect((await call('resolutionStatus', { id })).data).toMatchObject({ status: 'COMPLETED', alertStatus: 'RESOLVED' });
      expect(await events(id)).toEqual([expect.stringMatching(/OPENED$/), 'RESOLUTION_STARTED', 'RESOLVED_AUTO']);
      for (const { id: contract } of made) {
        const view = (await server.call('subscription-contract.read', { id: contract })).data;
        expect(view.lines.map((line: { variantId: number }) => line.variantId)).toContain(goods.other);
        expect(view.lines.map((line: { variantId: number }) => line.variantId)).not.toContain(goods.plain);
      }
      expect(
        await sql(`select 1 from contract_discounts where contract_id = any($1::bigint[]) and value = 10 and order_limit = 1`, [
          made.map(one => one.id),
        ]),
      ).toHaveLength(2);
      await sql(`update products set status = 'ACTIVE' where store_id = ${STORE} and id = ${goods.plain}`);
    });

    it('D087 D088 asks for new cards once a day, and stays open until customers enter them', async () => {
      const { id: contract, methods } = await makeContract(server, goods);
      await sql(`update payment_methods set expiry_year = 2020 where id = ${methods[0]}`);
      const id = (await find('EXPIRED_METHODS'))!.id;
      await finish((await call('startResolution', { id })).data.bulkActionId);
      expect((await call('read', { id })).data).toMatchObject({ status: 'OPEN', error: null });
      // Its outcome is announced after it is over, too.
      expect((await call('resolutionStatus', { id })).data).toMatchObject({
        status: 'COMPLETED',
        processed: 1,
        total: 1,
        alertStatus: 'OPEN',
      });
      const [last] = (await call('logs', { alertId: id })).data as { event: string; note: string; by: string }[];
      expect(last).toMatchObject({
        event: 'REFRESHED',
        note: 'The customers were asked. The alert closes as they enter new cards.',
        by: 'System',
      });
      const mails = () => sql(`select 1 from outbox where contract_id = ${contract} and template = 'PAYMENT_METHOD_UPDATE'`);
      expect(await mails()).toHaveLength(1);
      await finish((await call('startResolution', { id })).data.bulkActionId);
      expect(await mails()).toHaveLength(1);
      await sql(`update payment_methods set expiry_year = 2090 where id = ${methods[0]}`);
      await find('EXPIRED_METHODS');
      expect((await call('read', { id })).data.status).toBe('RESOLVED');
    });

    it('D087 charges overdue orders only when their number was typed', async () => {
      const { id: contract } = await makeContract(server, goods);
      await sql(
        `update contracts set next_billing_at = now() - interval '7 hours', base_at = now() - interval '7 hours' where id = ${contract}`,
      );
      const id = (await find('OVERDUE_ORDERS'))!.id;
      expect(await server.call('alerts.startResolution', { id })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/confirmCount' }] },
      });
      expect(await server.call('alerts.startResolution', { id, confirmCount: 7 })).toMatchObject({ status: 422 });
      expect(await sql("select 1 from bulk_actions where action_key = 'CHARGE_ORDER'")).toEqual([]);
      await finish((await call('startResolution', { id, confirmCount: 1 })).data.bulkActionId);
      expect((await call('read', { id })).data).toMatchObject({ status: 'RESOLVED', resolution: 'AUTO' });
      expect(await sql(`select 1 from orders where contract_id = ${contract} and status = 'PAID'`)).toHaveLength(1);
    });

    it('D087 an alert that is resolved elsewhere says so', async () => {
      await sql(`delete from plan_products where group_id = 88001`);
      const alert = await find('UNMAPPED_PLAN');
      expect(await server.call('alerts.startResolution', { id: alert!.id })).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('can’t be resolved from here') },
      });
      expect(await server.call('alerts.startResolution', { id: 999_999 })).toMatchObject({ status: 404 });
    });

    it('by hand it rests for seven days, unless more are affected; then it is raised again under a new id', async () => {
      const [first] = await sql<{ id: number }>("select id from alerts where type_key = 'UNMAPPED_PLAN' and status = 'OPEN'");
      expect((await call('markResolved', { id: first?.id }, { as: 'admin' })).data).toMatchObject({
        status: 'RESOLVED',
        resolution: 'MANUAL',
        actions: [],
      });
      expect(await find('UNMAPPED_PLAN')).toBeUndefined();
      await moveTo(6 * DAY);
      expect(await find('UNMAPPED_PLAN')).toBeUndefined();
      await sql(
        `insert into records (store_id, entity, id, data) values (${STORE}, 'selling-plan-group', 88002, '{"name":"Second","merchantCode":"second","status":"ACTIVE"}')`,
      );
      const grown = await find('UNMAPPED_PLAN');
      expect(grown).toMatchObject({ affected_count: 2, status: 'OPEN' });
      expect(grown?.id).not.toBe(first?.id);
      expect(await events(grown!.id)).toEqual(['REOPENED']);
      await call('markResolved', { id: grown?.id });
      await moveTo(14 * DAY);
      const again = await find('UNMAPPED_PLAN');
      expect(again?.id).toBeGreaterThan(grown!.id);
      await moveTo(0);
      await sql("update alerts set created_at = now(), last_checked_at = now() where status = 'OPEN'");
    });
  });

  describe('checking', () => {
    it('by hand at most once in five minutes, and says what has grown or shrunk', async () => {
      const [{ id } = { id: 0 }] = await sql<{ id: number }>("select id from alerts where type_key = 'UNMAPPED_PLAN' and status = 'OPEN'");
      const early = await server.call('alerts.refresh', { id });
      expect(early).toMatchObject({ status: 429, body: { message: 'Checked moments ago, try again later' } });
      expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(200);
      expect((await call('read', { id })).data.canRefresh).toBe(false);
      const later = () => sql(`update alerts set last_checked_at = now() - interval '6 minutes' where id = ${id}`);
      await later();
      expect((await call('read', { id })).data.canRefresh).toBe(true);
      expect((await call('refresh', { id })).body.message).toBe('Checked again. Nothing has changed.');
      await sql('update records set data = data || \'{"status":"DRAFT"}\' where id = 88002');
      await later();
      expect((await call('refresh', { id })).body.message).toBe('Checked again. Fewer are affected than before.');
      await sql('update records set data = data || \'{"status":"DRAFT"}\' where id = 88001');
      await later();
      expect(await call('refresh', { id })).toMatchObject({
        body: { message: 'Nothing is left of it. The alert is resolved.' },
        data: { status: 'RESOLVED' },
      });
      expect((await events(id)).filter(event => event === 'REFRESHED')).toHaveLength(2);
      expect(await server.call('alerts.refresh', { id })).toMatchObject({ status: 409 });
    });

    it('payments and orders are due every hour, the rest once a day, by the clock of the store', async () => {
      const due = (ms: number) =>
        inScope(async ({ trx }) => (await dueChecks(trx, STORE, new Date(Date.now() + ms))).map(check => check.key).sort());
      await checkStore(server.services, STORE);
      await sql(`update alert_types set last_checked_at = now() where store_id = ${STORE}`);
      expect(await due(10 * 60_000)).toEqual([]);
      expect(await due(HOUR)).toEqual([
        'CHARGE_UNCLEAR',
        'GATEWAY_DISABLED',
        'OVERDUE_ORDERS',
        'PAYMENT_DISPUTED',
        'PAYMENT_FAILURE_SPIKE',
        'RETRIES_EXHAUSTED',
      ]);
      expect(await due(DAY)).toEqual(CHECKS.map(check => check.key).sort());
      await moveTo(DAY);
      await checkStore(server.services, STORE);
      const rows = await sql<{ at: Date }>(`select last_checked_at as at from alert_types where store_id = ${STORE}`);
      expect(rows.every(row => Math.abs(row.at.getTime() - Date.now() - DAY) < 60_000)).toBe(true);
      await moveTo(0);
      await sql('update alert_types set last_checked_at = null');
    });

    it('several processes at once raise one alert with one history', async () => {
      await sql('update records set data = data || \'{"status":"ACTIVE"}\' where id in (88001, 88002)');
      await sql("delete from alerts where type_key = 'UNMAPPED_PLAN'");
      await Promise.all([1, 2, 3, 4].map(() => checkStore(server.services, STORE)));
      const rows = await sql<{ id: number }>("select id from alerts where type_key = 'UNMAPPED_PLAN'");
      expect(rows).toHaveLength(1);
      expect(await events(rows[0]!.id)).toEqual(['OPENED']);
      await alertStore.run(server.services, { storeId: STORE }, { signal: new AbortController().signal } as never);
      expect(await events(rows[0]!.id)).toEqual(['OPENED']);
    });

    it('a kind that is switched off closes its alert and is looked for no more; on looks at once', async () => {
      const kind = async () => ((await call('types')).data as { id: string }[]).find(one => one.id === 'UNMAPPED_PLAN');
      expect(await kind()).toMatchObject({ isOn: true, status: 'ALERT', alertId: expect.any(Number), every: 'DAY' });
      expect((await call('watch', { typeKey: 'UNMAPPED_PLAN', isOn: false })).data).toMatchObject({ status: 'OFF', alertId: null });
      await sql('update alert_types set last_checked_at = null');
      await checkStore(server.services, STORE);
      expect(await open()).not.toContain('UNMAPPED_PLAN');
      expect((await call('watch', { typeKey: 'UNMAPPED_PLAN', isOn: true })).data).toMatchObject({ status: 'ALERT' });
      expect(await open()).toContain('UNMAPPED_PLAN');
      expect(await server.call('alerts.watch', { typeKey: 'NOTHING', isOn: true })).toMatchObject({ status: 404 });
    });
  });

  describe('the list', () => {
    it('D008 S271 S059 has as many as the badge says, the heaviest first, then the newest', async () => {
      const { id } = await customerWith(server, 'tok_success');
      expect(id).toBeGreaterThan(0);
      await makeContract(server, goods);
      await sql(`update products set status = 'DRAFT' where store_id = ${STORE} and id = ${goods.plain}`);
      await find('INACTIVE_PRODUCTS');
      const list = (await call('unresolved')).data as { severity: string; createdAt: string }[];
      expect(list.length).toBeGreaterThanOrEqual(2);
      const weight = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];
      expect(list.map(one => weight.indexOf(one.severity))).toEqual(
        list.map(one => weight.indexOf(one.severity)).toSorted((a, b) => a - b),
      );
      expect((await server.call('start-up.session')).data.alertCount).toBe(list.length);
      const home = (await server.call('home.alerts')).data;
      expect(home.total).toBe(list.length);
      expect(home.alerts.map((one: { id: number }) => one.id)).toEqual(list.slice(0, 3).map(one => (one as unknown as { id: number }).id));
    });

    it('D051 D052 an alert has the fields of its schema and no others', async () => {
      const [{ id } = { id: 0 }] = (await call('unresolved')).data as { id: number }[];
      const fields = Object.keys(server.services.definitions.entities.alert!.properties ?? {});
      expect(Object.keys((await call('read', { id })).data).filter(name => !fields.includes(name))).toEqual([]);
      expect(server.services.definitions.entities.alert!.properties!.typeKey!.oneOf!.map(one => [one.const, one.title])).toEqual(
        CHECKS.map(check => [check.key, check.title]),
      );
    });

    it('pages of affected records, in one order and without gaps', async () => {
      await sql(`update products set status = 'ACTIVE' where store_id = ${STORE} and id = ${goods.plain}`);
      for (let i = 0; i < 5; i++) await makeContract(server, goods);
      await sql(`update products set status = 'ARCHIVED' where store_id = ${STORE} and id = ${goods.plain}`);
      const alert = await find('INACTIVE_PRODUCTS');
      const whole = await affected(alert!.id);
      expect(whole.length).toBe(alert?.affected_count);
      const pages = [];
      for (let page = 1; ; page++) {
        const answer = await call('data', { id: alert?.id, page, pageSize: 2 });
        pages.push(...(answer.data as unknown[]));
        expect(answer.body.pageInfo).toMatchObject({ total: whole.length });
        if (!answer.body.pageInfo?.hasNextPage) break;
      }
      expect(pages).toEqual(whole);
    });
  });

  describe('rights and stores', () => {
    it('who may not write reads all and changes nothing', async () => {
      const [{ id } = { id: 0 }] = (await call('unresolved', {}, { as: 'readOnly' })).data as { id: number }[];
      for (const [key, input] of [
        ['refresh', { id }],
        ['markResolved', { id }],
        ['startResolution', { id }],
        ['watch', { typeKey: 'UNMAPPED_PLAN', isOn: false }],
      ] as const) {
        expect((await server.call(`alerts.${key}`, input, { as: 'readOnly' })).status, key).toBe(403);
      }
      for (const [key, input] of [
        ['read', { id }],
        ['data', { id }],
        ['types', {}],
        ['logs', {}],
        ['resolutionStatus', { id }],
      ] as const)
        expect((await server.call(`alerts.${key}`, input, { as: 'readOnly' })).status, key).toBe(200);
    });

    it('another store sees nothing of it', async () => {
      const stranger = await server.signIn('owner', 2);
      const [{ id } = { id: 0 }] = (await call('unresolved')).data as { id: number }[];
      const theirs = (await server.call('alerts.unresolved', {}, { as: stranger })).data as { id: number }[];
      expect(theirs.map(one => one.id)).not.toContain(id);
      for (const key of ['read', 'data', 'refresh', 'markResolved', 'startResolution', 'resolutionStatus'])
        expect((await server.call(`alerts.${key}`, { id }, { as: stranger })).status, key).toBe(404);
      expect((await server.call('alerts.logs', { alertId: id }, { as: stranger })).data).toEqual([]);
      await server.call('alerts.watch', { typeKey: 'INACTIVE_PRODUCTS', isOn: false }, { as: stranger });
      expect(await open()).toContain('INACTIVE_PRODUCTS');
      expect(((await call('types')).data as { id: string; isOn: boolean }[]).find(one => one.id === 'INACTIVE_PRODUCTS')?.isOn).toBe(true);
    });
  });

  describe('a clock that is moved forward', () => {
    it('raises and closes alerts on the way, at the time of the store', async () => {
      await sql(`update products set status = 'ACTIVE' where store_id = ${STORE} and id = ${goods.plain}`);
      const { id: contract, methods } = await makeContract(server, goods, { nextBillingDateEpoch: inDays(3) });
      await sql(
        `update contracts set next_billing_at = now() + interval '200 days' where store_id = ${STORE} and id <> ${contract} and status = 'ACTIVE'`,
      );
      await sql(`update contracts set resume_at = null where store_id = ${STORE}`);
      await sql(`update orders set next_retry_at = null where store_id = ${STORE}`);
      const [{ y, m, left } = { y: 0, m: 0, left: 0 }] = await sql<{
        y: number;
        m: number;
        left: number;
      }>(`select extract(year from t)::int as y, extract(month from t)::int as m,
        ((date_trunc('month', t) + interval '1 month')::date - t::date)::int as left from (select now() at time zone 'America/New_York' as t) n`);
      await sql(`update payment_methods set expiry_year = ${y}, expiry_month = ${m} where id = ${methods[0]}`);
      await find('EXPIRED_METHODS');
      const advance = async (days: number): Promise<void> => {
        const run = await server.call('clock.advance', { days });
        expect(run.status, JSON.stringify(run.body)).toBe(200);
        await moveClockJob.run(server.services, { storeId: STORE, runId: run.data.id }, {
          signal: new AbortController().signal,
          attempt: 1,
        } as never);
      };
      const alert = async () =>
        (
          await sql<{ status: string; ahead: number }>(
            `select status, extract(epoch from coalesce(resolved_at, created_at) - now())::int / 86400 as ahead from alerts where store_id = ${STORE} and type_key = 'EXPIRED_METHODS' order by id desc limit 1`,
          )
        )[0];
      await advance(left + 1);
      expect(await alert()).toMatchObject({ status: 'OPEN' });
      expect(Math.abs((await alert())!.ahead - left)).toBeLessThanOrEqual(1);
      await sql(`update payment_methods set expiry_year = 2090 where id = ${methods[0]}`);
      await advance(1);
      expect(await alert()).toMatchObject({ status: 'RESOLVED' });
      expect(Math.abs((await alert())!.ahead - left - 2)).toBeLessThanOrEqual(1);
      await moveTo(0);
    });
  });
});
