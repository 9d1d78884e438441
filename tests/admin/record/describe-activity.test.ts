// The entries of a subscription's log in words: what changed, from what to what.
import { describe, expect, it } from 'vitest';
import { setZone } from '../../../src/admin/platform/format.ts';
import { icons } from '../../../src/admin/ui/icons.tsx';
import { eventIcon, eventWords } from '../../../src/admin/record/log/describe-activity.ts';
import { EVENT_KINDS } from '../../../src/domain/text/event-kinds.ts';
import { nextInput, patchRows } from '../../../src/admin/form/actions/row-pages.ts';
import { optionsOf } from '../../../src/contract/paths.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { productDefinitions } from '../../support/definitions.ts';

setZone('America/New_York');
const definitions = productDefinitions();
const keys = optionsOf(definitions.entities.activity?.properties?.key).map(option => String(option.value));
const say = (key: string, data: JsonObject) => eventWords(key, data, 'USD');

describe('an entry of the log', () => {
  it('says what changed, before and after', () => {
    expect(say('quantity_updated', { name: 'Ember Espresso', before: { quantity: 1 }, after: { quantity: 3 } })).toEqual({
      about: 'Ember Espresso',
      changes: [{ from: '1', to: '3' }],
    });
    expect(
      say('price_updated', { name: 'Ember Espresso', currencyCode: 'EUR', before: { price: '20.40' }, after: { price: '9.50' } }).changes,
    ).toEqual([{ from: '€20.40', to: '€9.50' }]);
    expect(
      say('order_rescheduled', { orderId: 145_190_009, before: { billingDateEpoch: 1795615200 }, after: { billingDateEpoch: 1795788000 } }),
    ).toEqual({ about: 'Order 9', changes: [{ from: 'Nov 25, 2026', to: 'Nov 27, 2026' }] });
    expect(say('order_made_in_shop', { orderId: 145_190_009, shopOrder: 'TX9B' }).more).toBe('Its number there is TX9B.');
    expect(say('order_refunded_in_shop', { orderId: 145_190_009, shopOrder: 'TX9B' }).more).toContain('refund it here too');
    const ended = { skipped: [1795615200], moved: [1795788000, 1795874400] };
    expect(say('subscription_paused', { after: { resumeDateEpoch: null }, ended }).more).toBe(
      'Until it is resumed. Skipped for good: the order of Nov 25, 2026. Lost their own dates: the orders moved to Nov 27, 2026, Nov 28, 2026.',
    );
    expect(say('subscription_rescheduled', { ended: { skipped: [], moved: [1795788000] } }).more).toBe(
      'Lost its own date: the order moved to Nov 27, 2026.',
    );
    expect(
      say('billing_policy_updated', {
        before: { deliveryPolicy: { interval: 'WEEK', intervalCount: 1 } },
        after: { deliveryPolicy: { interval: 'WEEK', intervalCount: 2 } },
      }).changes,
    ).toEqual([{ from: 'every week', to: 'every 2 weeks' }]);
    expect(
      say('payment_method_changed', {
        before: { brand: 'visa', lastDigits: '4242' },
        after: { brand: 'paypal', paypalAccountEmail: 'ann@example.com' },
      }).changes,
    ).toEqual([{ from: 'Visa •••• 4242', to: 'PayPal ann@example.com' }]);
    expect(say('product_swapped', { before: { name: 'A', quantity: 1 }, after: { name: 'B', quantity: 2 } }).changes).toEqual([
      { from: 'A', to: 'B × 2' },
    ]);
  });
  it('says how large a discount is, and which bounds a frequency got', () => {
    expect(say('discount_added', { title: 'Sorry', type: 'PERCENTAGE', value: '10', orderLimit: 3 })).toEqual({
      about: 'Sorry',
      changes: [],
      more: '10% off, in 3 orders.',
    });
    expect(
      say('discount_removed', { title: 'Ten off', code: 'TEN', type: 'FIXED_AMOUNT', value: '10', orderLimit: null, currencyCode: 'EUR' }),
    ).toEqual({ about: 'TEN', changes: [], more: '€10.00 off.' });
    expect(say('discount_added', { title: 'Free', type: 'FREE_SHIPPING', value: null, orderLimit: 1 }).more).toBe(
      'Free shipping, in one order.',
    );
    const policy = (minCycles: number | null, maxCycles: number | null): JsonObject => ({
      deliveryPolicy: { interval: 'WEEK', intervalCount: 1 },
      billingPolicy: { interval: 'WEEK', intervalCount: 1, minCycles, maxCycles },
    });
    expect(say('billing_policy_updated', { before: policy(null, 12), after: policy(1, null) }).changes).toEqual([
      { from: 'no minimum', to: 'minimum 1 order' },
      { from: 'maximum 12 orders', to: 'no maximum' },
    ]);
    expect(say('one_time_change_undone', { name: 'Ember', quantity: 1, instead: 'Decaf' })).toEqual({
      about: 'Ember',
      changes: [],
      more: 'Decaf had taken its place.',
    });
  });
  it('says what was emptied or filled', () => {
    expect(say('note_updated', { before: '', after: 'Ring twice' }).changes).toEqual([{ from: 'nothing', to: '“Ring twice”' }]);
    expect(say('tags_updated', { before: ['vip'], after: [] }).changes).toEqual([{ from: 'vip', to: 'nothing' }]);
  });
  it('says why a payment failed and what comes next', () => {
    expect(
      say('payment_failed_retry', {
        orderId: 145_190_008,
        amount: '26.90',
        currencyCode: 'CAD',
        errorCategory: 'insufficient_funds',
        nextRetryEpoch: 1795615200,
      }),
    ).toEqual({ about: 'Order 8', changes: [], more: 'Insufficient funds, $26.90. Nothing was charged. Tried again on Nov 25, 2026.' });
  });
  it('reads amounts of older entries, which count minor units', () => {
    expect(say('order_placed', { cycle: 7, total: 2690 })).toEqual({ about: 'Order 7', changes: [], more: '$26.90 charged.' });
  });
  it('says of a charge what it was for, how it was paid and who set it off, so that two charges can be distinguished', () => {
    const charge = { total: '26.90', currencyCode: 'USD', method: { brand: 'visa', lastDigits: '4242' } };
    expect(
      say('order_placed', {
        ...charge,
        orderId: 145_190_007,
        shopifyOrderNumber: 1043,
        dateEpoch: 1793023200,
        recovered: true,
        trigger: 'RETRY',
      }),
    ).toEqual({
      about: 'Order 7, #1043 in your store',
      changes: [],
      more: '$26.90 charged to Visa •••• 4242 for the order due on Oct 26, 2026. Charged by a retry. Recovered after failed payments, which took no money.',
    });
    expect(
      say('order_placed', { ...charge, orderId: 145_190_008, dateEpoch: 1795615200, trigger: 'MANUAL', startedBy: 'ana@example.com' }).more,
    ).toBe('$26.90 charged to Visa •••• 4242. Charged by hand by ana@example.com.');
    expect(say('order_charged_now', { orderId: 145_190_008, dueEpoch: 1795615200, nextBillingDateEpoch: 1795788000 })).toEqual({
      about: 'Order 8',
      changes: [],
      more: 'It was due on Nov 25, 2026. Next order on Nov 27, 2026.',
    });
    expect(say('order_charged_now', { orderId: 145_190_008, dueEpoch: 1795615200, wasFailed: true }).more).toBe(
      'Its payment of Nov 25, 2026 had failed.',
    );
    for (const key of ['order_placed', 'order_charged_now'])
      expect(EVENT_KINDS.filter(kind => new RegExp(kind.keys).test(key)).map(kind => kind.id)).toEqual(['payments', 'orders']);
  });
  it('names the reason of a cancellation, and the end of a pause only where one is set', () => {
    expect(say('subscription_cancelled', { reason: 'Too expensive', comment: 'Called us.' }).more).toBe(
      'Reason: Too expensive. “Called us.”',
    );
    expect(say('subscription_paused', { after: { status: 'PAUSED', resumeDateEpoch: null } }).more).toBe('Until it is resumed.');
    expect(say('subscription_paused', {}).more).toBeUndefined();
  });
  it('never fails on data of another shape', () => {
    for (const key of keys)
      for (const data of [
        {},
        { before: null, after: null },
        { before: 'x', after: 'y', name: 5 },
        { before: [], after: {}, total: null },
      ] as JsonObject[])
        expect(() => say(key, data), key).not.toThrow();
  });
  it('has an icon that exists, and a group, for every kind that there is', () => {
    for (const key of keys) {
      expect(icons[eventIcon(key)], `${key}: ${eventIcon(key)}`).toBeDefined();
    }
    const grouped = keys.filter(key => EVENT_KINDS.some(kind => new RegExp(kind.keys).test(key)));
    expect(keys.filter(key => !grouped.includes(key))).toEqual([]);
  });
});

describe('rows that come in pages', () => {
  const part = (count: number, more: JsonObject = {}) => ({
    data: Array.from({ length: count }, (_, i) => ({ id: i })),
    pageInfo: { hasNextPage: true, hasPreviousPage: false, ...more },
  });
  it('go on by cursor, by offset or by page', () => {
    const pagers = definitions.hosts.main!.pagers;
    expect(nextInput(pagers.cursor, [part(25, { nextCursor: 'abc' })])).toEqual({ after: 'abc' });
    expect(nextInput(pagers.offset, [part(25), part(10)])).toEqual({ offset: 35 });
    expect(nextInput(pagers.page, [part(25)])).toEqual({ page: 2 });
    expect(nextInput(pagers.cursor, [part(25, { hasNextPage: false })])).toBeUndefined();
    expect(nextInput(pagers.whole, [part(25)])).toBeUndefined();
  });
  it('are changed in place, in single answers and in pages', () => {
    const skip = (row: unknown) => ({ ...(row as JsonObject), status: 'SKIPPED' });
    expect(patchRows({ data: [{ id: 1 }], requestId: 'x' }, skip)).toEqual({ data: [{ id: 1, status: 'SKIPPED' }], requestId: 'x' });
    expect(patchRows({ pages: [{ data: [{ id: 1 }] }], pageParams: [{}] }, skip)).toEqual({
      pages: [{ data: [{ id: 1, status: 'SKIPPED' }] }],
      pageParams: [{}],
    });
    expect(patchRows(undefined, skip)).toBeUndefined();
    expect(patchRows({ data: { id: 1 } }, skip)).toEqual({ data: { id: 1 } });
  });
});
