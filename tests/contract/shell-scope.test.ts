// What the product is for, read off its definitions: every area has its place, its rights and its people.
import { describe, expect, it } from 'vitest';
import { productDefinitions } from '../support/definitions.ts';

const { navigation, permissions, facts, calls } = productDefinitions();
const sections = [...navigation.main, ...navigation.lower];
const entries = sections.flatMap(section => [section, ...(section.items ?? [])]);
const titles = (id: string): string[] => sections.find(section => section.id === id)?.items?.map(item => item.to) ?? [];
const leadsTo = (to: string): boolean => entries.some(entry => entry.to === to);

describe('the product', () => {
  it('S001 manages the subscriptions of an online store: they can be found, read, paused, resumed, rescheduled and cancelled', () => {
    const paths = Object.values(calls)
      .filter(call => call.of === 'subscription')
      .map(call => call.path);
    for (const ending of [
      '/list',
      '/read_by_shopify_id',
      '/pauseContract',
      '/resumeContract',
      '/rescheduleContract',
      '/chargeNow',
      '/cancel',
    ])
      expect(
        paths.filter(path => path.toLowerCase().endsWith(ending.toLowerCase())),
        ending,
      ).not.toEqual([]);
  });
  it('S002 has a place to sell, to manage and to retain: plans, upsells, bundles, cancellation flows, payment recovery, gifts, analytics, settings', () => {
    for (const to of [
      '/selling-plans',
      '/grow/upsell',
      '/bundles',
      '/customer-portal/cancellation-flows',
      '/settings/paymentRecovery',
      '/gift',
      '/analytics',
      '/settings',
      '/subscriptions',
    ])
      expect(leadsTo(to), to).toBe(true);
  });
  it('S003 is for merchants and the members of their teams', () => {
    expect(facts['user.type']?.schema.oneOf?.map(role => role.const)).toEqual(expect.arrayContaining(['OWNER', 'ADMIN', 'MEMBER']));
    expect(leadsTo('/settings/user-permissions/user')).toBe(true);
  });
  it('S004 has a place and rights for every area that merchants manage', () => {
    for (const to of [
      '/subscriptions',
      '/selling-plans',
      '/bundles',
      '/grow/upsell',
      '/swap',
      '/customer-portal/cancellation-flows',
      '/settings/paymentRecovery',
      '/bulk-actions',
      '/flows',
      '/quick-actions',
      '/settings/multilingual',
      '/settings/notifications/emails',
      '/settings/api-tokens',
      '/analytics',
      '/settings/order-schedule',
      '/widgets/storefront/library',
    ])
      expect(leadsTo(to), to).toBe(true);
    for (const area of ['subscriptionDetails', 'sellingPlan', 'flowManagement', 'manageApiToken', 'bulkActions'])
      expect(permissions[area]?.label, area).toBeTruthy();
  });
  it('S005 groups its work: acquiring, managing, retaining', () => {
    expect(titles('acquire')).toEqual(expect.arrayContaining(['/selling-plans', '/upsell/checkout', '/widgets/storefront/library']));
    expect(titles('retain')).toEqual(
      expect.arrayContaining(['/streaks', '/flows', '/customer-portal/cancellation-flows', '/settings/paymentRecovery']),
    );
    expect(sections.map(section => section.id)).toEqual(expect.arrayContaining(['subscriptions', 'campaigns', 'tools']));
  });
});
