import { describe, expect, it } from 'vitest';
import { firstDelivery, type DeliveryTerms } from '../../../src/domain/schedule/first-delivery.ts';
import { anchorLabel, anchorOf } from '../../../src/domain/calendar/anchor.ts';
import { at, local } from '../support.ts';

const ZONE = 'America/New_York';
const weekly = { interval: 'WEEK', intervalCount: 1 } as const;
const monthly = { interval: 'MONTH', intervalCount: 1 } as const;
const terms = (changes: Partial<DeliveryTerms> = {}): DeliveryTerms => ({
  billing: weekly,
  delivery: weekly,
  anchor: { type: 'WEEKDAY', day: 3 },
  preAnchorBehavior: 'ASAP',
  cutOffDays: 2,
  ...changes,
});

function days(orderedAt: string, changes: Partial<DeliveryTerms> = {}, billingHour: number | null = null): [string, string] {
  const first = firstDelivery(at(orderedAt, ZONE), terms(changes), ZONE, billingHour);
  return [local(first.shipsAt, ZONE), local(first.nextChargeAt, ZONE)];
}

// The 1st of March 2026 is a Sunday, and on the 8th the clocks go forward.
describe('weekly on Wednesday with a cut-off of 2 days', () => {
  it.each([
    ['Sunday', '2026-03-01T15:00', 'ASAP', '2026-03-01 15:00', '2026-03-04 15:00'],
    ['Sunday', '2026-03-01T15:00', 'NEXT', '2026-03-04 15:00', '2026-03-11 15:00'],
    ['Monday, inside the cut-off', '2026-03-02T15:00', 'ASAP', '2026-03-02 15:00', '2026-03-11 15:00'],
    ['Monday, inside the cut-off', '2026-03-02T15:00', 'NEXT', '2026-03-11 15:00', '2026-03-18 15:00'],
    ['Wednesday itself', '2026-03-04T15:00', 'ASAP', '2026-03-04 15:00', '2026-03-11 15:00'],
    ['Wednesday itself', '2026-03-04T15:00', 'NEXT', '2026-03-04 15:00', '2026-03-11 15:00'],
  ] as const)('ordered on %s (%s), %s: ships %s, next charge %s', (_, orderedAt, preAnchorBehavior, ships, charge) => {
    expect(days(orderedAt, { preAnchorBehavior })).toEqual([ships, charge]);
  });

  it("counts days in the store's zone: late on Sunday in New York is Monday elsewhere", () => {
    expect(days('2026-03-01T23:59', { preAnchorBehavior: 'NEXT' })[0]).toBe('2026-03-04 23:59');
    expect(days('2026-03-02T00:00', { preAnchorBehavior: 'NEXT' })[0]).toBe('2026-03-11 00:00');
  });

  it('ships at once at the moment of the order, everything later at the billing hour', () => {
    expect(days('2026-03-01T15:00', {}, 6)).toEqual(['2026-03-01 15:00', '2026-03-04 06:00']);
    expect(days('2026-03-01T15:00', { preAnchorBehavior: 'NEXT' }, 6)).toEqual(['2026-03-04 06:00', '2026-03-11 06:00']);
    expect(days('2026-03-04T15:00', { preAnchorBehavior: 'NEXT' }, 6)[0]).toBe('2026-03-04 15:00');
  });
});

describe('other plans', () => {
  it('charges one interval later when there is no anchor', () => {
    expect(days('2026-01-31T10:00', { anchor: null, billing: monthly, delivery: monthly })).toEqual([
      '2026-01-31 10:00',
      '2026-02-28 10:00',
    ]);
  });

  it('keeps the full interval after an anchor day on longer plans', () => {
    const biweekly = { interval: 'WEEK', intervalCount: 2 } as const;
    const changes = { billing: biweekly, delivery: biweekly };
    expect(days('2026-03-04T15:00', changes)[1]).toBe('2026-03-18 15:00');
    expect(days('2026-03-01T15:00', { ...changes, preAnchorBehavior: 'NEXT' })).toEqual(['2026-03-04 15:00', '2026-03-18 15:00']);
    expect(days('2026-03-01T15:00', changes)[1]).toBe('2026-03-04 15:00');
  });

  it('finds the last day of the month', () => {
    const changes = { billing: monthly, delivery: monthly, anchor: { type: 'MONTHDAY', day: 32 }, cutOffDays: 5 } as const;
    expect(days('2026-02-10T10:00', { ...changes, preAnchorBehavior: 'NEXT' })).toEqual(['2026-02-28 10:00', '2026-03-31 10:00']);
    expect(days('2026-02-25T10:00', { ...changes, preAnchorBehavior: 'NEXT' })).toEqual(['2026-03-31 10:00', '2026-04-30 10:00']);
    expect(days('2026-02-28T10:00', changes)).toEqual(['2026-02-28 10:00', '2026-03-31 10:00']);
  });

  it('finds the day of the year', () => {
    const yearly = { interval: 'YEAR', intervalCount: 1 } as const;
    const changes = { billing: yearly, delivery: yearly, anchor: { type: 'YEARDAY', day: 4, month: 4 }, cutOffDays: 10 } as const;
    expect(days('2026-04-05T10:00', { ...changes, preAnchorBehavior: 'NEXT' })).toEqual(['2027-04-04 10:00', '2028-04-04 10:00']);
    expect(days('2026-03-30T10:00', changes)).toEqual(['2026-03-30 10:00', '2027-04-04 10:00']);
  });

  it('charges a prepaid plan again when the deliveries paid at checkout are sent', () => {
    const changes = { billing: { interval: 'WEEK', intervalCount: 3 }, delivery: weekly } as const;
    expect(days('2026-03-01T15:00', changes)[1]).toBe('2026-03-18 15:00');
    expect(days('2026-03-01T15:00', { ...changes, preAnchorBehavior: 'NEXT' })).toEqual(['2026-03-04 15:00', '2026-03-25 15:00']);
    expect(local(firstDelivery(at('2026-03-01T15:00', ZONE), terms(changes), ZONE, null).nextDeliveryAt, ZONE)).toBe('2026-03-04 15:00');
  });
});

describe('anchors of the wire', () => {
  it('reads the flat fields', () => {
    expect(anchorOf({ anchorType: 'WEEKDAY', anchorDay: 3 })).toEqual({ type: 'WEEKDAY', day: 3 });
    expect(anchorOf({ anchorType: 'YEARDAY', anchorDay: 4, anchorMonth: 4 })).toEqual({ type: 'YEARDAY', day: 4, month: 4 });
    expect([
      anchorOf({}),
      anchorOf({ anchorType: null, anchorDay: 3 }),
      anchorOf({ anchorType: 'MONTHDAY' }),
      anchorOf({ anchorType: 'YEARDAY', anchorDay: 3 }),
    ]).toEqual([null, null, null, null]);
  });

  it('D258 D259 D261 says them in words', () => {
    expect([anchorLabel({ type: 'WEEKDAY', day: 1 }), anchorLabel({ type: 'WEEKDAY', day: 7 })]).toEqual(['on Monday', 'on Sunday']);
    expect([1, 2, 3, 4, 11, 21, 31, 32].map(day => anchorLabel({ type: 'MONTHDAY', day }))).toEqual([
      'on the 1st',
      'on the 2nd',
      'on the 3rd',
      'on the 4th',
      'on the 11th',
      'on the 21st',
      'on the 31st',
      'on the last day of the month',
    ]);
    expect([anchorLabel({ type: 'YEARDAY', day: 4, month: 1 }), anchorLabel({ type: 'YEARDAY', day: 25, month: 12 })]).toEqual([
      'on January 4',
      'on December 25',
    ]);
  });
});
