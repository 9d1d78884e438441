// The log of a subscription: narrowed to what it is about over all of its length, and what each charge says of who set it off.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { EVENT_KINDS } from '../../../../src/domain/text/event-kinds.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from './goods-server.ts';

describe.each(oneEngine)('the log of a subscription on %s', engine => {
  const at = serverWithGoods({ engine });
  const { ok } = at;

  it('finds what is of one kind among thousands of entries, page by page, of a subscription and of a customer', async () => {
    const { id, customerId } = await at.make();
    await at.server.services.db.ownerQuery(
      `insert into events (store_id, contract_id, key, source, created_at) select 1, ${id}, 'payment_failed', 'System', now() - interval '2 years' from generate_series(1, 30)`,
    );
    await at.server.services.db.ownerQuery(
      `insert into events (store_id, contract_id, key, source, created_at) select 1, ${id}, 'note_updated', 'System', now() - interval '1 year' from generate_series(1, 2000)`,
    );
    for (const [call, key] of [
      ['subscription-contract.activity', id],
      ['customers-app.activity', customerId],
    ] as const) {
      const first = await at.server.call(call, { id: key, kind: 'payments', limit: 25 });
      expect((first.data as JsonObject[]).map(one => one.key)).toEqual(Array.from({ length: 25 }, () => 'payment_failed'));
      expect(first.body.pageInfo).toMatchObject({ total: 30, hasNextPage: true });
      const second = await at.server.call(call, { id: key, kind: 'payments', limit: 25, offset: 25 });
      expect([(second.data as JsonObject[]).length, second.body.pageInfo?.hasNextPage]).toEqual([5, false]);
      expect((await at.server.call(call, { id: key, kind: 'anything' })).status).toBe(422);
    }
    const kinds = at.server.services.definitions.calls['subscription-contract.activity']?.in
      .find(param => param.name === 'kind')
      ?.schema.oneOf?.map(one => one.const);
    expect(kinds).toEqual(EVENT_KINDS.map(kind => kind.id));
  });

  it('D054 of two charges each says what it was for and who set it off: the schedule, or a person by name', async () => {
    const { id, view } = await at.make();
    await ok('subscription-contract.chargeNow', { id, orderId: view.nextOrderId as number, keepSchedule: true });
    const next = await ok('subscription-contract.read', { id });
    await ok('subscription-contract.chargeNow', { id, orderId: next.nextOrderId as number, keepSchedule: true });
    const placed = (await at.server.call('subscription-contract.activity', { id, kind: 'payments' })).data as {
      key: string;
      data: JsonObject;
    }[];
    const charges = placed.filter(one => one.key === 'order_placed');
    expect(charges.map(one => one.data.trigger)).toEqual(['MANUAL', 'MANUAL']);
    const by = String(charges[0]?.data.startedBy);
    expect(by).toContain('@');
    const history = (await at.server.call('subscription-contract.ordersHistory', { id })).data as {
      attempts: JsonObject[];
      processedAtEpoch: number;
      billingDateEpoch: number;
    }[];
    expect(history.slice(0, 2).map(order => order.attempts[0]?.startedBy)).toEqual([by, by]);
    const [asked] = placed.filter(one => one.key === 'order_charged_now');
    expect(Number(asked?.data.dueEpoch)).toBeGreaterThan(history[0]?.processedAtEpoch ?? Infinity);
  });

  it('D240 the status codes run from 1 to 5', async () => {
    const { codes } = (await ok('subscription-contract.counts', {})) as { codes: Record<string, number> };
    expect(Object.values(codes).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    expect(codes).toEqual({ ACTIVE: 1, CANCELLED: 2, FAILED: 3, PAUSED: 4, EXPIRED: 5 });
  });

  it('D247 a discount is for 1 to 500 orders, or for ever', async () => {
    const { id } = await at.make();
    const add = (orderLimit: number | null) =>
      at.server.call('subscription-contract.addDiscount', {
        id,
        kind: 'MANUAL',
        title: 'Long',
        type: 'PERCENTAGE',
        value: '5',
        orderLimit,
      });
    expect([(await add(500)).status, (await add(null)).status]).toEqual([200, 200]);
    for (const wrong of [0, 501]) expect((await add(wrong)).body.errors?.[0]).toMatchObject({ pointer: '/orderLimit' });
  });

  it('does not ask for a payment method without an e-mail address', async () => {
    const { id } = await at.make();
    await at.server.services.db.ownerQuery(
      `update contracts set customer_email = '', customer_name = '' where store_id = 1 and id = ${id}`,
    );
    expect((await ok('subscription-contract.read', { id })).customerName).toBe('Customer without a name');
    const asked = await at.server.call('subscription-contract-app.editPaymentMethod', { id });
    expect([asked.status, asked.body.message]).toEqual([409, 'The customer has no e-mail address.']);
  });
});
