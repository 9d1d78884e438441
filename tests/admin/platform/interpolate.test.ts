// Texts with fields in them, and what changed between two states, as people read them.
import { describe, expect, it } from 'vitest';
import { setZone } from '../../../src/admin/platform/format.ts';
import { setStoreClock } from '../../../src/admin/platform/store-clock.ts';
import { changedFields, conflictWords } from '../../../src/admin/form/actions/changes.ts';
import { policyWords, withInput, words, wordsOf } from '../../../src/admin/platform/interpolate.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { productDefinitions } from '../../support/definitions.ts';

setZone('America/New_York');
const { entities } = productDefinitions();
const schema = entities.subscription!;
const record: JsonObject = {
  id: 14519,
  customerName: 'Chloe Singh',
  status: 'ACTIVE',
  currencyCode: 'CAD',
  total: '1234.5',
  nextBillingDateEpoch: 1795615200,
  completedOrdersCount: 1,
  prepaidCreditsLeft: 2,
  isPrepaid: true,
  countryCode: 'CA',
  dunning: { state: 'IN_RECOVERY', lastErrorCategory: 'insufficient_funds', retriesLeft: 1 },
  tags: ['vip', 'gift'],
  cancellationComment: null,
};
const say = (text: string): string => words(text, { record, schema });

describe('a text of a screen', () => {
  it("say how far a moment is from the store's present one", () => {
    setStoreClock('2026-11-20T14:00:00Z');
    expect(words('Charged {nextBillingDateEpoch:relative}, on {nextBillingDateEpoch}.', { record, schema })).toBe(
      'Charged in 5 days, on Nov 25, 2026.',
    );
    setStoreClock('2026-11-27T14:00:00Z');
    expect(words('Charged {nextBillingDateEpoch:relative}.', { record, schema })).toBe('Charged 2 days ago.');
    expect(words('Ended {cancelledAt:relative}.', { record, schema })).toBe('Ended .');
    setStoreClock('');
  });
  it('shows amounts in the currency of the record, days in the zone of the store, options by their titles', () => {
    expect(say('{total} on {nextBillingDateEpoch}, {status}')).toBe('$1,234.50 on Nov 25, 2026, Active');
    expect(say('Payment failed: {dunning.lastErrorCategory}')).toBe('Payment failed: Insufficient funds');
  });
  it('names what a call was given where the record has no such field, by the words of the parameter', () => {
    const { calls } = productDefinitions();
    const delay = withInput({ record, schema }, calls['subscription-contract.delay'], { id: 14519, days: 3, status: 'PAUSED' });
    expect(words('{customerName}: delayed by {days}, {status}.', delay)).toBe('Chloe Singh: delayed by 3 days, Active.');
  });
  it('does not group ids by thousands, but counts', () => {
    expect(say('#{id} {customerName}')).toBe('#14519 Chloe Singh');
    expect(wordsOf(12480, schema.properties!.completedOrdersCount)).toBe('12,480');
  });
  it('chooses a word by number', () => {
    expect(say('{prepaidCreditsLeft} paid {prepaidCreditsLeft?delivery is|deliveries are} left')).toBe('2 paid deliveries are left');
    expect(say('{completedOrdersCount} {completedOrdersCount?order|orders}')).toBe('1 order');
  });
  it('leaves no gap and no loose separator for what is absent', () => {
    expect(say('{customerEmail} · {frequency} · since {nextBillingDateEpoch}')).toBe('since Nov 25, 2026');
    expect(say('{customerName} · {customerEmail} · {status}')).toBe('Chloe Singh · Active');
    expect(say('Reason: {cancellationReason}. {cancellationComment} End.')).toBe('Reason: . End.');
  });
  it('names fields of a row by its own schema', () => {
    const row = { cycle: 9, billingDateEpoch: 1795615200, total: '26.90', currencyCode: 'EUR' };
    expect(
      words('Order {row.cycle} on {row.billingDateEpoch}, {row.total}', { record, schema, row, rowSchema: entities['scheduled-order'] }),
    ).toBe('Order 9 on Nov 25, 2026, €26.90');
  });
  it('joins lists, says yes and no, names countries', () => {
    expect(say('{tags}')).toBe('vip, gift');
    expect(say('{isPrepaid}')).toBe('Yes');
    expect(say('{countryCode}')).toBe('Canada');
  });
});

describe('a billing policy', () => {
  it('names its frequency and its day', () => {
    expect(policyWords({ interval: 'MONTH', intervalCount: 1 })).toBe('Every month');
    expect(policyWords({ interval: 'MONTH', intervalCount: 3, anchorType: 'MONTHDAY', anchorDay: 15, anchorMonth: null })).toMatch(
      /^Every 3 months .*15th/,
    );
    expect(policyWords({ interval: 'WEEK', intervalCount: 2, anchorType: 'WEEKDAY', anchorDay: 3, anchorMonth: null })).toMatch(
      /^Every 2 weeks .*Wednesday/,
    );
  });
});

describe('a change that came too late', () => {
  const now = { ...record, status: 'PAUSED', nextBillingDateEpoch: null, tags: ['vip'], version: 8, updatedAt: '2026-11-21T10:00:00Z' };
  it('names the fields that differ, without version and times', () => {
    expect(changedFields(schema, record, now).map(({ title, before, after }) => [title, before, after])).toEqual([
      ['Status', 'Active', 'Paused'],
      ['Next order', 'Nov 25, 2026', ''],
      ['Tags', 'vip, gift', 'vip'],
    ]);
  });
  it('is worded in a sentence that says who, what and what to do', () => {
    const text = conflictWords(
      { current: now, version: 8, yourVersion: 7, changedBy: 'Jonah Whitfield', changedAt: '2026-11-21T15:00:00Z' },
      schema,
      record,
    );
    expect(text).toBe(
      'Jonah Whitfield changed this meanwhile on Nov 21, 2026, 10:00 AM: status is now Paused, next order, tags is now vip. You see the new state now; look at it and try again.',
    );
    expect(conflictWords({ current: record, version: 8, yourVersion: 7 }, schema, record)).toBe(
      'Someone else or a scheduled run changed this meanwhile. You see the new state now; look at it and try again.',
    );
  });
});
