import { describe, expect, it } from 'vitest';
import {
  INVENTORY_DEFAULTS,
  isOutOfStock,
  planDelay,
  planPlatformRefusal,
  stockDecision,
  type StockLine,
} from '../../../src/domain/schedule/inventory.ts';
import { at, local } from '../support.ts';

const line = (id: number, changes: Partial<StockLine> = {}): StockLine => ({
  id,
  inventory_management: 'shopify',
  inventory_policy: 'deny',
  inventory_quantity: 5,
  quantity: 2,
  ...changes,
});
const out = (id: number, changes: Partial<StockLine> = {}) => line(id, { inventory_quantity: 1, ...changes });
const settings = { whenSomeAvailable: 'PARTIAL_ORDER', whenNoneAvailable: 'DELAY_ORDER' } as const;

describe('out of stock', () => {
  it('D031 D068 only when stock is managed, the policy is deny and less is there than asked for', () => {
    expect(isOutOfStock(line(1, { inventory_quantity: 1 }))).toBe(true);
    expect(isOutOfStock(line(1, { inventory_quantity: -4, quantity: 1 }))).toBe(true);
    expect(isOutOfStock(line(1))).toBe(false);
  });
  it('D069 not when exactly the quantity asked for is there', () => {
    expect(isOutOfStock(line(1, { inventory_quantity: 2, quantity: 2 }))).toBe(false);
  });
  it('D070 not when stock is not managed, whatever its quantity', () => {
    expect(isOutOfStock(out(1, { inventory_management: null, inventory_quantity: -10 }))).toBe(false);
    expect(isOutOfStock(out(1, { inventory_management: '' }))).toBe(false);
  });
  it('D071 not when the policy is not deny, whatever its quantity', () => {
    expect(isOutOfStock(out(1, { inventory_policy: 'continue', inventory_quantity: -10 }))).toBe(false);
    expect(isOutOfStock(out(1, { inventory_policy: 'DENY' }))).toBe(true);
  });
});

describe('the action', () => {
  it('is none of them when everything is there', () => {
    expect(stockDecision([line(1), line(2)], settings)).toEqual({ available: 'ALL', action: 'ALLOW_ORDER', billed: [1, 2], omitted: [] });
  });
  it('D072 is the one for no product when all lines are out', () => {
    expect(stockDecision([out(1), out(2)], settings)).toEqual({ available: 'NONE', action: 'DELAY_ORDER', billed: [], omitted: [] });
    expect(stockDecision([out(1)], { ...settings, whenNoneAvailable: 'ALLOW_ORDER' })).toEqual({
      available: 'NONE',
      action: 'ALLOW_ORDER',
      billed: [1],
      omitted: [],
    });
  });
  it('D073 is the one for at least one product when some are out', () => {
    expect(stockDecision([line(1), out(2)], { ...settings, whenSomeAvailable: 'SKIP_ORDER' })).toEqual({
      available: 'SOME',
      action: 'SKIP_ORDER',
      billed: [],
      omitted: [],
    });
  });
  it('D074 delays, skips or bills a part: only the lines that are there, the others are left out', () => {
    expect(stockDecision([line(1), out(2), line(3)], settings)).toEqual({
      available: 'SOME',
      action: 'PARTIAL_ORDER',
      billed: [1, 3],
      omitted: [2],
    });
    expect(stockDecision([line(1), out(2)], { ...settings, whenSomeAvailable: 'DELAY_ORDER' }).action).toBe('DELAY_ORDER');
    expect(stockDecision([line(1), out(2)], { ...settings, whenSomeAvailable: 'ALLOW_ORDER' })).toMatchObject({
      action: 'ALLOW_ORDER',
      billed: [1, 2],
    });
  });
  it('takes a bundle as out when any of its products is', () => {
    const lines = [
      line(1, { bundleTransactionId: 'b1' }),
      out(2, { bundleTransactionId: 'b1' }),
      line(3, { bundleTransactionId: 'b2' }),
      line(4),
    ];
    expect(stockDecision(lines, settings)).toMatchObject({ billed: [3, 4], omitted: [1, 2] });
    expect(stockDecision(lines.slice(0, 2), settings).available).toBe('NONE');
  });
});

const wait = (originalAt: string, checkedAt: string, delayMaxDays: number | null) =>
  planDelay({
    settings: { ...INVENTORY_DEFAULTS, delayMaxDays },
    originalAt: at(originalAt),
    checkedAt: at(checkedAt),
    zone: 'UTC',
    billingHour: 6,
  });

describe('waiting for stock', () => {
  it('looks again every day at the billing hour', () => {
    const next = wait('2026-01-01T06:00', '2026-01-03T11:00', 30);
    expect(next.kind === 'CHECK_AGAIN' && local(next.at)).toBe('2026-01-04 06:00');
  });
  it('gives up after the days allowed', () => {
    expect(wait('2026-01-01T06:00', '2026-01-30T06:00', 30).kind).toBe('CHECK_AGAIN');
    expect(wait('2026-01-01T06:00', '2026-01-31T06:00', 30)).toEqual({ kind: 'GIVE_UP', action: 'SKIP_ORDER' });
    expect(wait('2026-01-01T06:00', '2028-01-31T06:00', null).kind).toBe('CHECK_AGAIN');
  });
  it('goes by the same rules when the platform refuses, and skips after 5 tries what it would have allowed', () => {
    const refused = {
      triesMade: 1,
      settings: { ...INVENTORY_DEFAULTS, afterMaxDelay: 'PAUSE' as const },
      originalAt: at('2026-01-01T06:00'),
      checkedAt: at('2026-01-01T06:00'),
      zone: 'UTC',
      billingHour: 6,
    };
    expect(planPlatformRefusal({ ...refused, action: 'SKIP_ORDER' })).toEqual({ kind: 'GIVE_UP', action: 'SKIP_ORDER' });
    expect(planPlatformRefusal({ ...refused, action: 'ALLOW_ORDER' })).toEqual({ kind: 'CHECK_AGAIN', at: at('2026-01-02T06:00') });
    expect(planPlatformRefusal({ ...refused, action: 'PARTIAL_ORDER', triesMade: 5 })).toEqual({ kind: 'GIVE_UP', action: 'SKIP_ORDER' });
    expect(planPlatformRefusal({ ...refused, action: 'DELAY_ORDER', triesMade: 20, checkedAt: at('2026-01-31T06:00') })).toEqual({
      kind: 'GIVE_UP',
      action: 'PAUSE',
    });
  });
});
