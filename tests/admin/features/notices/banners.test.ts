import { describe, expect, it } from 'vitest';
import {
  bannerPeriods,
  isEligibleAnswer,
  isLimitExceeded,
  showsEligibility,
  showsPayments,
} from '../../../../src/admin/features/notices/banners/rules.ts';
import { dayOf } from '../../../../src/admin/platform/time-zone.ts';

describe('the rules of the banners', () => {
  it('S264 S265 S266 the limit is exceeded when expired is false or missing, and not when it is true', () => {
    expect(isLimitExceeded({ expired: false })).toBe(true);
    expect(isLimitExceeded({ expired: true })).toBe(false);
    expect(isLimitExceeded({})).toBe(true);
    expect(isLimitExceeded(null)).toBe(true);
    expect(isLimitExceeded({ expired: null })).toBe(true);
  });

  it('S270 eligibility is read from shop.features.eligibleForSubscriptions', () => {
    expect(isEligibleAnswer({ shop: { features: { eligibleForSubscriptions: true } } })).toBe(true);
    expect(isEligibleAnswer({ shop: { features: { eligibleForSubscriptions: false } } })).toBe(false);
    expect(isEligibleAnswer({ shop: { features: {} } })).toBe(false);
    expect(isEligibleAnswer({ eligibleForSubscriptions: true })).toBe(false);
  });

  it('S178 S179 S180 it shows for stores that are not eligible, but not on the plans partner_test and affiliate', () => {
    expect(showsEligibility(false, 'basic', '/dashboard')).toBe(true);
    expect(showsEligibility(true, 'basic', '/dashboard')).toBe(false);
    for (const plan of ['partner_test', 'affiliate']) expect([plan, showsEligibility(false, plan, '/dashboard')]).toEqual([plan, false]);
    for (const plan of ['', 'plus', 'partner-test', 'affiliates', 'PARTNER'])
      expect([plan, showsEligibility(false, plan, '/dashboard')]).toEqual([plan, true]);
  });

  it('S121 S122 it is not shown on /selling-plans and /widgets/storefront/[view], and shown beside them', () => {
    for (const path of ['/selling-plans', '/selling-plans/', '/widgets/storefront/library', '/widgets/storefront/preview'])
      expect([path, showsEligibility(false, 'basic', path)]).toEqual([path, false]);
    for (const path of [
      '/',
      '/dashboard',
      '/selling-plans/12',
      '/selling-plans/create',
      '/widgets/storefront',
      '/widgets/storefront/library/1',
      '/widgets',
      '/subscriptions',
      '/settings/selling-plans',
    ])
      expect([path, showsEligibility(false, 'basic', path)]).toEqual([path, true]);
  });

  it('S283 S284 S285 the payment banner looks at the last 30 days ending yesterday and the 30 days before, written YYYY-MM-DD', () => {
    expect(bannerPeriods('2026-11-21')).toEqual({
      startDate: '2026-10-22',
      endDate: '2026-11-20',
      comparisonStartDate: '2026-09-22',
      comparisonEndDate: '2026-10-21',
    });
    expect(bannerPeriods('2028-03-01')).toEqual({
      startDate: '2028-01-31',
      endDate: '2028-02-29',
      comparisonStartDate: '2028-01-01',
      comparisonEndDate: '2028-01-30',
    });
    expect(bannerPeriods('2026-01-01').endDate).toBe('2025-12-31');
    for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2028, 6, 1); day += 86_400_000) {
      const today = new Date(day).toISOString().slice(0, 10);
      const { startDate, endDate, comparisonStartDate, comparisonEndDate } = bannerPeriods(today);
      const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
      expect([
        today,
        days(startDate, endDate) + 1,
        days(comparisonStartDate, comparisonEndDate) + 1,
        days(comparisonEndDate, startDate),
        days(endDate, today),
      ]).toEqual([today, 30, 30, 1, 1]);
      for (const date of [startDate, endDate, comparisonStartDate, comparisonEndDate]) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it('S284 yesterday is the day before today in the time zone of the store', () => {
    const at = Date.parse('2026-03-01T04:30:00Z');
    expect(dayOf(at, 'America/New_York')).toBe('2026-02-28');
    expect(dayOf(at, 'Asia/Tokyo')).toBe('2026-03-01');
    expect(dayOf(Date.parse('2026-12-31T20:00:00Z'), 'Pacific/Auckland')).toBe('2027-01-01');
  });

  it('payments are spoken of where they are looked for', () => {
    expect(['/dashboard', '/settings/paymentRecovery', '/analytics/payments', '/dashboard/'].map(showsPayments)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['/subscriptions', '/settings', '/settings/general', '/analytics'].map(showsPayments)).toEqual([false, false, false, false]);
  });
});
