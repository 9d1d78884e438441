// The navigation of the product over sessions of every kind: what is shown, what is disabled and why, where it leads, what the palette
// lists.
import { describe, expect, test } from 'vitest';
import { allowsCall } from '../../src/contract/access.ts';
import { coreOf } from '../../src/browser-definitions/core.ts';
import { ORDER_SCHEDULE_ACTIONS, orderScheduleAction } from '../../src/domain/schedule/order-schedule.ts';
import { factsOf } from '../../src/navigation/facts.ts';
import { callFor, resourceFor, titleOf } from '../../src/contract/find.ts';
import {
  FIRST_ENTRIES,
  fold,
  isThere,
  redirectOf,
  mayOpen,
  navigationFor,
  type NavItem,
  paletteFor,
  settingsPages,
} from '../../src/navigation/navigation.ts';
import type { Access, NavEntry, Permission, Session } from '../../src/contract/types.ts';
import { productDefinitions } from '../support/definitions.ts';
import { type Given, session } from './session.ts';

const definitions = productDefinitions();
const places = coreOf(definitions);
const ALL_FEATURES = definitions.plans.flatMap(plan => plan.features);
const GIFT_SCOPES = ['write_cart_transforms', 'write_validations'];

/** All areas with their own access unless `changes` says otherwise for an area, or for all (`base`). */
function areas(changes: Record<string, Access> = {}, base?: Access): Permission[] {
  return Object.values(definitions.permissions).map(area => ({
    ...area,
    access: changes[area.permissionKey] ?? base ?? (area.availableAccessMode.includes('WRITE') ? 'WRITE' : 'READ'),
  }));
}
/** A session that may do everything on a plan with every feature, unless told otherwise. */
const someone = (given: Given = {}): Session => session({ permissions: areas(), features: ALL_FEATURES, ...given });
const look = (at: Session, path = '/dashboard', showHidden = false): { main: NavItem[]; lower: NavItem[] } =>
  navigationFor(places, { path, session: at, facts: factsOf(at, definitions.facts), showHidden });
const palette = (at: Session, showHidden = false): ReturnType<typeof paletteFor> =>
  paletteFor(places, { session: at, facts: factsOf(at, definitions.facts), showHidden });
const section = (at: Session, id: string, path?: string): NavItem => {
  const { main, lower } = look(at, path);
  const found = [...main, ...lower].find(entry => entry.id === id);
  if (!found) throw new Error(`There is no entry ${id}.`);
  return found;
};
const item = (at: Session, id: string): NavItem => {
  const found = look(at)
    .main.flatMap(entry => entry.items)
    .find(entry => entry.id === id);
  if (!found) throw new Error(`There is no entry ${id}.`);
  return found;
};
const tree = (entries: readonly NavItem[]): [string, string, [string, string][]][] =>
  entries.map(entry => [entry.title, entry.to, entry.items.map(one => [one.title, one.to])]);
const withGifts: Given = { scopes: GIFT_SCOPES, hasGiftWidget: true };
const everyEntry: NavEntry[] = [...definitions.navigation.main, ...definitions.navigation.lower].flatMap(entry => [
  entry,
  ...(entry.items ?? []),
]);

describe('the tree', () => {
  test('S030 S032 S033 S034 S035 S036 S038 S039 S041 S042 S044 S045 S046 S047 S048 S049 S050 S051 S052 S053 S054 S055 has the entries and sub-entries of the specification, each with its route', () => {
    expect(tree(look(someone(withGifts)).main)).toEqual([
      ['Home', '/dashboard', []],
      ['Subscriptions', '/subscriptions', []],
      ['Campaigns', '/campaigns', []],
      [
        'Analytics',
        '/analytics',
        [
          ['Subscribers', '/analytics/subscribers'],
          ['Cohorts', '/analytics/cohorts'],
          ['Orders', '/analytics/orders'],
          ['Payments', '/analytics/payments'],
          ['Product', '/analytics/product'],
          ['Upsell', '/analytics/upsell'],
          ['Cancellation', '/analytics/cancellation'],
          ['Reports', '/analytics/reports'],
        ],
      ],
      [
        'Acquire',
        '/selling-plans',
        [
          ['Selling plans', '/selling-plans'],
          ['Checkout upgrades', '/upsell/checkout'],
          ['Checkout links', '/checkout-links'],
          ['Widgets', '/widgets/storefront/library'],
        ],
      ],
      [
        'Bundles',
        '/bundles',
        [
          ['Snippets', '/bundles/snippets'],
          ['Bundle preferences', '/bundles/preferences'],
        ],
      ],
      [
        'Grow',
        '/grow/upsell',
        [
          ['Customer portal upsells', '/grow/upsell/customer-portal'],
          ['Upgrades', '/grow/upgrade/profiles'],
        ],
      ],
      [
        'Retain',
        '/streaks',
        [
          ['Streaks', '/streaks'],
          ['Flows', '/flows'],
          ['Cancellation flows', '/customer-portal/cancellation-flows'],
          ['Product swap', '/swap'],
          ['Payment recovery', '/settings/paymentRecovery'],
          ['Quick actions', '/quick-actions'],
        ],
      ],
      [
        'Tools & apps',
        '/bulk-actions',
        [
          ['Bulk actions', '/bulk-actions'],
          ['Experiments', '/a-b-experiments'],
          ['Inventory', '/settings/inventory-settings'],
          ['Apps', '/integrations'],
        ],
      ],
      [
        'Customer portal',
        '/customer-portal',
        [
          ['Portal preferences', '/customer-portal/preferences'],
          ['Portal accessibility', '/customer-portal/accessibility'],
          ['Themes', '/customer-portal/themes'],
        ],
      ],
      [
        'Gifts',
        '/gift',
        [
          ['Programs', '/gift/programs'],
          ['Notifications', '/gift/notifications'],
          ['Gift preferences', '/gift/preferences'],
          ['Widget', '/gift/widget'],
          ['Texts', '/gift/text'],
        ],
      ],
    ]);
  });
  test('S059 S060 S093 the lower section has the Alert center and Settings with billing and PayPal', () => {
    expect(tree(look(someone()).lower)).toEqual([
      ['Alert center', '/alerts', []],
      [
        'Settings',
        '/settings',
        [
          ['Plan and billing', '/settings/billing'],
          ['PayPal', '/settings/paypal'],
        ],
      ],
    ]);
  });
  test('S094 S258 S295 Refer and earn is there only for those whom the session calls eligible', () => {
    const titles = (isReferralEligible: boolean): string[] => look({ ...someone(), isReferralEligible }).lower.map(entry => entry.title);
    expect(titles(true)).toEqual(['Refer and earn', 'Alert center', 'Settings']);
    expect(titles(false)).not.toContain('Refer and earn');
  });
  test('every entry leads to a screen, or to one sentence on what it will hold', () => {
    for (const entry of everyEntry.filter(one => !one.external)) {
      const to = entry.redirectTo ?? entry.to;
      const found = resourceFor(definitions, to);
      const isReal =
        found !== undefined && (found.params.setting === undefined || definitions.settings[found.params.setting] !== undefined);
      expect(isReal || everyEntry.some(one => one.to === to && one.planned), `${entry.title} ${to}`).toBe(true);
    }
  });
  test('an entry that leads out of the admin names facts of the store: the shop that the product serves', () => {
    const shopOf = (storefrontUrl: string) => {
      const one = someone();
      const at = { ...one, store: { ...one.store, storefrontUrl } };
      const { lower } = navigationFor(places, { path: '/', session: at, facts: factsOf(at, definitions.facts) });
      return lower.find(({ id }) => id === 'shop');
    };
    expect(shopOf('/shop/1')).toMatchObject({ to: `/shop/${someone().store.storeId}`, external: true });
    expect(shopOf('https://fern.example')).toBeUndefined();
  });
  test('entries of settings pages have the titles of their pages', () => {
    for (const entry of everyEntry) {
      const page = definitions.settings[resourceFor(definitions, entry.to)?.params.setting ?? ''];
      if (page) expect(entry.title).toBe(page.title);
    }
  });
});

describe('the widget entry', () => {
  const widgets = (version: number): [string, string][] =>
    section(someone({ store: { storefrontWidgetVersion: version } }), 'acquire')
      .items.slice(3)
      .map(entry => [entry.title, entry.to]);
  test('S040 S043 version 1 leads to the widget design, and installation stands beside it', () =>
    expect(widgets(1)).toEqual([
      ['Widget design', '/settings/widget-design'],
      ['Widget installation', '/widget-installation'],
    ]));
  test('S041 S042 S043 any other version leads to the library, under the label Widgets, without installation', () => {
    for (const version of [2, 3, 7]) expect(widgets(version), `${version}`).toEqual([['Widgets', '/widgets/storefront/library']]);
  });
  test('S040 S313 a store without a version has version 1', () =>
    expect(widgets(undefined as unknown as number)[0]?.[1]).toBe('/settings/widget-design'));
  test('S040 S043 what a version does not have is not there by its address either', () => {
    const there = (version: number, path: string): boolean =>
      isThere(places, path, factsOf(someone({ store: { storefrontWidgetVersion: version } }), definitions.facts));
    expect(
      ['/settings/widget-design', '/widget-installation', '/widgets/storefront/library', '/widgets/scripts'].map(path => [
        there(1, path),
        there(2, path),
      ]),
    ).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [true, true],
    ]);
  });
});

describe('gifts', () => {
  const isShown = (given: Given): boolean => look(someone(given)).main.some(entry => entry.id === 'gifts');
  const plain = ALL_FEATURES.filter(feature => feature !== 'gift_subscription');
  const bool = [true, false];
  test('S056 S057 S140 S272 are shown when (the store qualifies or the plan has gift_subscription) and (there is a gift widget or the plan is partner_test) and every scope is granted', () => {
    for (const special of bool)
      for (const inPlan of bool)
        for (const hasGiftWidget of bool)
          for (const partner of bool)
            for (const scopes of [GIFT_SCOPES, GIFT_SCOPES.slice(0, 1), GIFT_SCOPES.slice(1), []]) {
              const given: Given = {
                hasGiftWidget,
                scopes,
                features: inPlan ? ALL_FEATURES : plain,
                store: {
                  ...(partner ? { plan_name: 'partner_test' } : {}),
                  ...(special ? { myshopify_domain: 'perennial-partners.myshopify.com' } : {}),
                },
              };
              // A partner's test store qualifies by its plan (S247).
              const expected = (special || partner || inPlan) && (hasGiftWidget || partner) && scopes.length === 2;
              expect(isShown(given), JSON.stringify({ special, inPlan, hasGiftWidget, partner, scopes })).toBe(expected);
            }
  });
  test('S056 where they are not shown, none of their pages is there', () => {
    const facts = factsOf(someone(), definitions.facts);
    for (const path of ['/gift', '/gift/programs', '/gift/text']) expect(isThere(places, path, facts), path).toBe(false);
  });
  test('S055 S057 S140 the page of the gift widget opens before there is one, where the store may sell gifts and granted the scopes', () => {
    const open = (path: string, given: Given): boolean => isThere(places, path, factsOf(someone(given), definitions.facts));
    const without: Given = { hasGiftWidget: false, scopes: GIFT_SCOPES, features: ALL_FEATURES };
    expect(isShown(without)).toBe(false);
    expect(open('/gift/widget', without)).toBe(true);
    expect(open('/gift/programs', without)).toBe(false);
    expect(open('/gift/widget', { ...without, features: plain })).toBe(false);
    expect(open('/gift/widget', { ...without, scopes: GIFT_SCOPES.slice(0, 1) })).toBe(false);
  });
});

describe('hidden and disabled', () => {
  test('S037 S169 analytics subscriptions are hidden until hidden items are shown', () => {
    const ids = (showHidden: boolean): string[] =>
      look(someone(), '/dashboard', showHidden)
        .main.find(entry => entry.id === 'analytics')
        ?.items.map(entry => entry.title) ?? [];
    expect(ids(false)).not.toContain('Subscriptions');
    expect(ids(true)).toEqual([
      'Subscribers',
      'Subscriptions',
      'Cohorts',
      'Orders',
      'Payments',
      'Product',
      'Upsell',
      'Cancellation',
      'Reports',
    ]);
  });
  test('S031 S233 without any permission of a module its entry is shown, disabled, with the reason', () => {
    const modules = definitions.navigation.main.concat(definitions.navigation.lower).filter(entry => entry.module);
    expect(modules.map(entry => entry.module).sort()).toEqual([
      'acquire',
      'alertCentre',
      'analytics',
      'bundles',
      'campaigns',
      'customerPortal',
      'giftSubscription',
      'grow',
      'retain',
      'settings',
      'toolsAndApps',
    ]);
    for (const entry of modules) {
      const none = Object.fromEntries(
        Object.values(definitions.permissions)
          .filter(area => area.loopModuleKey === entry.module)
          .map(area => [area.permissionKey, 'NO_ACCESS' as const]),
      );
      const at = someone({ permissions: areas(none), ...withGifts });
      expect(section(at, entry.id), entry.id).toMatchObject({
        title: entry.title,
        refusal: `You don't have permission to see this (${entry.title}). Ask an admin of your store for it.`,
      });
      expect(
        section(at, entry.id).items.every(one => one.refusal !== undefined),
        entry.id,
      ).toBe(true);
      for (const other of modules)
        if (other !== entry) expect(section(at, other.id).refusal, `${other.id} without ${entry.id}`).toBeUndefined();
    }
  });
  test('S227 the right to export reports alone does not open analytics', () => {
    expect(section(someone({ permissions: areas({ exportReports: 'READ' }, 'NO_ACCESS') }), 'analytics').refusal).toBeDefined();
    expect(
      section(someone({ permissions: areas({ exportReports: 'READ', viewReports: 'READ' }, 'NO_ACCESS') }), 'analytics').refusal,
    ).toBeUndefined();
  });
  test('S234 without any permission of a feature its sub-entry is shown, disabled, and its siblings are not', () => {
    const features = definitions.navigation.main
      .flatMap(entry => (entry.items ?? []).filter(one => one.feature && !one.when && !one.unlisted))
      .map(one => [one.feature as string, one.id]);
    expect(features.map(([feature]) => feature)).toEqual(
      expect.arrayContaining([
        'sellingPlan',
        'checkoutLinks',
        'bulkActions',
        'abExperiment',
        'inventory',
        'integrations',
        'streaks',
        'flowManagement',
        'cancellationFlows',
        'productSwap',
        'paymentRecovery',
        'growUpsell',
        'growUpgrade',
        'paymentAnalytics',
        'cancellationAnalytics',
        'preferences',
        'accessibility',
        'themes',
        'giftProgram',
        'giftNotification',
        'giftPreference',
        'giftWidget',
        'giftText',
      ]),
    );
    const before = look(someone(withGifts))
      .main.flatMap(entry => entry.items)
      .filter(one => one.refusal);
    expect(before).toEqual([]);
    for (const [feature, id] of features) {
      const own = Object.values(definitions.permissions).filter(area => area.loopFeatureKey === feature);
      const at = someone({ ...withGifts, permissions: areas(Object.fromEntries(own.map(area => [area.permissionKey, 'NO_ACCESS']))) });
      const refused = look(at)
        .main.flatMap(entry => entry.items)
        .filter(one => one.refusal);
      expect(
        refused.map(one => one.id),
        feature,
      ).toContain(id);
      expect(refused.find(one => one.id === id)?.refusal, feature).toContain(own[0]?.label);
    }
  });
  test('S234 the widget entries of both versions are disabled without the right to widgets', () => {
    for (const version of [1, 2]) {
      const at = someone({
        permissions: areas({ widgetConfigurationAndInstallation: 'NO_ACCESS' }),
        store: { storefrontWidgetVersion: version },
      });
      expect(
        section(at, 'acquire')
          .items.filter(one => one.refusal)
          .map(one => one.id),
      ).toEqual(version === 1 ? ['widget-design', 'widget-installation'] : ['widgets']);
    }
  });
  test.each([
    ['S235', 'checkout-upgrades', 'upsellCheckout'],
    ['S236', 'analytics-subscribers', 'subscriberAnalytics'],
    ['S238', 'analytics-cohorts', 'cohortAnalytics'],
    ['S239', 'analytics-orders', 'orderAnalytics'],
    ['S240', 'analytics-product', 'productAnalytics'],
    ['S241', 'analytics-upsell', 'upsellAnalytics'],
    ['S242', 'analytics-reports', 'viewReports'],
    ['S243', 'quick-actions', 'quickActionsEventActions'],
  ])('%s the entry %s needs READ on %s', (_rule, id, area) => {
    expect(item(someone({ permissions: areas({ [area]: 'READ' }) }), id).refusal).toBeUndefined();
    expect(item(someone({ permissions: areas({ [area]: 'NO_ACCESS' }) }), id).refusal).toBe(
      `You don't have permission to see this (${definitions.permissions[area]?.label}). Ask an admin of your store for it.`,
    );
  });
  test('S237 the overview analytics need READ, shown among hidden items', () => {
    const refusal = (access: Access): string | undefined =>
      look(someone({ permissions: areas({ analyticsOverview: access }) }), '/', true)
        .main.flatMap(entry => entry.items)
        .find(entry => entry.id === 'analytics-subscriptions')?.refusal;
    expect(refusal('READ')).toBeUndefined();
    expect(refusal('NO_ACCESS')).toContain('Analytics overview');
  });
  test('a section whose first page is closed leads to the first of its pages that is open', () => {
    expect(section(someone({ permissions: areas({ sellingPlan: 'NO_ACCESS', upsellCheckout: 'NO_ACCESS' }) }), 'acquire')).toMatchObject({
      to: '/checkout-links',
    });
    expect(
      section(someone({ permissions: areas({ sellingPlan: 'NO_ACCESS', upsellCheckout: 'NO_ACCESS' }) }), 'acquire').refusal,
    ).toBeUndefined();
  });
});

describe('plans', () => {
  const onPlan = (id: number): Session => {
    const plan = definitions.plans.find(one => one.id === id);
    if (!plan) throw new Error(`There is no plan ${id}.`);
    const minimumPlans = Object.fromEntries(
      definitions.plans.filter(one => !one.flagged).flatMap(one => one.features.map(feature => [feature, one.rank])),
    );
    return someone({ features: [], minimumPlans, rank: plan.rank, plan: { name: plan.name, billing_plan_id: id } });
  };
  const closed = (id: number): string[] =>
    look(onPlan(id))
      .main.flatMap(entry => [entry, ...entry.items])
      .filter(entry => entry.refusal)
      .map(entry => entry.id);
  test('S229 S230 an entry whose feature begins with a higher plan is disabled below it, and open on that plan and above', () => {
    expect(closed(1)).toEqual([
      'campaigns',
      'analytics',
      'analytics-subscribers',
      'analytics-cohorts',
      'analytics-orders',
      'analytics-payments',
      'analytics-product',
      'analytics-upsell',
      'analytics-cancellation',
      'analytics-reports',
      'checkout-upgrades',
      'checkout-links',
      'bundles',
      'bundle-snippets',
      'bundle-preferences',
      'grow',
      'grow-upsell-portal',
      'grow-upgrade',
      'retain',
      'streaks',
      'flows',
      'cancellation-flows',
      'swap',
      'payment-recovery',
      'quick-actions',
      'bulk-actions',
      'experiments',
      'inventory',
    ]);
    expect(closed(2)).toEqual([
      'analytics-reports',
      'checkout-links',
      'bundles',
      'bundle-snippets',
      'bundle-preferences',
      'grow-upgrade',
      'streaks',
      'experiments',
    ]);
    expect(closed(3)).toEqual(['analytics-reports']);
    for (const id of [4, 90, 91]) expect(closed(id), `${id}`).toEqual([]);
  });
  test('S230 S231 the refusal names the present plan and the lowest that has it', () => {
    expect(mayOpen(places, '/streaks', onPlan(2))).toEqual({
      ok: false,
      code: 'FEATURE_NOT_IN_PLAN',
      message: "Your plan Starter doesn't include streaks. Upgrade the plan to use it.",
      plan: 'Growth',
    });
  });
  test('S231 every plan feature of the navigation, of calls and of settings stands in the plan table', () => {
    const named = [
      ...everyEntry.map(entry => entry.plan),
      ...Object.values(definitions.calls).map(call => call.feature),
      ...Object.values(definitions.settings).map(page => page['x-setting']?.feature),
    ].filter(name => name !== undefined);
    for (const name of named) expect(ALL_FEATURES).toContain(name);
  });
});

describe('by entry, by address and by call', () => {
  /** What stands behind an entry that has a screen: the call that fills it, or the permission and plan feature of the settings page. */
  const needs = (entry: NavEntry): { permission?: string | undefined; feature?: string | undefined } | undefined => {
    const found = resourceFor(places, entry.redirectTo ?? entry.to);
    const page = definitions.settings[found?.params.setting ?? '']?.['x-setting'];
    if (page) return page;
    return found && callFor(places, found.resource, found.resource.has[0] === 'list' ? 'list' : 'read');
  };
  test('S031 S214 S221 the same answer for every entry with a screen, over every access to what its call needs', () => {
    let tried = 0;
    for (const entry of everyEntry) {
      const behind = needs(entry);
      if (!behind?.permission) continue;
      for (const access of ['NO_ACCESS', 'READ', 'WRITE'] as const)
        for (const features of [ALL_FEATURES, ALL_FEATURES.filter(feature => feature !== behind.feature)]) {
          const at = someone({ permissions: areas({ [behind.permission]: access }), features });
          const call = allowsCall(
            { does: 'read', permission: behind.permission, ...(behind.feature ? { feature: behind.feature } : {}) },
            at,
          );
          const page = mayOpen(places, entry.redirectTo ?? entry.to, at);
          const drawn = [...look(at).main, ...look(at).lower].flatMap(one => [one, ...one.items]).find(one => one.id === entry.id);
          expect([entry.id, access, page.ok], entry.id).toEqual([entry.id, access, call.ok]);
          if (!page.ok && !call.ok) expect([entry.id, page.code]).toEqual([entry.id, call.code]);
          // A section may lead elsewhere; an entry of its own is open exactly when its page is.
          if (drawn && !entry.items) expect([entry.id, access, drawn.refusal === undefined]).toEqual([entry.id, access, call.ok]);
          tried++;
        }
    }
    expect(tried).toBeGreaterThan(30);
  });
  test('S218 without user_permission in the plan no permission closes a page', () => {
    const at = someone({ permissions: areas({}, 'NO_ACCESS'), features: ALL_FEATURES.filter(feature => feature !== 'user_permission') });
    for (const entry of everyEntry.filter(one => !one.when)) expect(mayOpen(places, entry.to, at), entry.to).toEqual({ ok: true });
  });
  test('a page below an entry is closed with it', () => {
    const at = someone({ permissions: areas({ sellingPlan: 'NO_ACCESS' }) });
    for (const path of ['/selling-plans', '/selling-plans/', '/selling-plans/12', '/selling-plans/create', '/selling-plans?tab=draft'])
      expect(mayOpen(places, path, at), path).toMatchObject({ ok: false, code: 'FORBIDDEN', right: 'Selling plans' });
    expect(mayOpen(places, '/checkout-links', at).ok).toBe(true);
  });
});

describe('first twelve', () => {
  const made = (n: number): NavItem[] =>
    Array.from({ length: n }, (_, i) => ({
      id: `e${i}`,
      title: `Entry ${i}`,
      to: `/e${i}`,
      external: false,
      isNew: false,
      isSoon: false,
      badge: 0,
      isCurrent: false,
      isPage: false,
      items: [],
    }));
  test('S063 S312 of more than twelve entries the first twelve are shown and the rest waits behind the toggle', () => {
    expect(FIRST_ENTRIES).toBe(12);
    expect(fold(made(15), false)).toMatchObject({ rest: 3 });
    expect(fold(made(15), false).entries.map(entry => entry.id)).toEqual(made(12).map(entry => entry.id));
    expect(fold(made(15), true).entries).toHaveLength(15);
    expect(fold(made(15), true).rest).toBe(3);
  });
  test('S064 of twelve or fewer nothing is hidden', () => {
    for (const n of [0, 1, 11, 12]) expect(fold(made(n), false)).toMatchObject({ rest: 0, entries: made(n) });
  });
  test('S063 entries that are not shown do not count among the twelve, nor does the lower group', () => {
    const many = {
      ...places,
      navigation: {
        main: Array.from({ length: 14 }, (_, i) => ({ id: `m${i}`, title: `M${i}`, to: `/m${i}`, ...(i < 2 ? { hidden: true } : {}) })),
        lower: places.navigation.lower,
      },
    };
    const at = someone();
    const { main } = navigationFor(many, { path: '/', session: at, facts: factsOf(at, definitions.facts) });
    expect(fold(main, false)).toMatchObject({ rest: 0 });
    expect(
      fold(navigationFor(many, { path: '/', session: at, facts: factsOf(at, definitions.facts), showHidden: true }).main, false),
    ).toMatchObject({ rest: 2 });
  });
});

describe('badge and pulse', () => {
  test('S061 the Alert center has the number of alerts', () => expect(section({ ...someone(), alertCount: 7 }, 'alerts').badge).toBe(7));
  test('S062 without alerts it has none', () => expect(section({ ...someone(), alertCount: 0 }, 'alerts').badge).toBe(0));
  test('S065 sub-items that are flagged as new and have a screen, and no others, are new', () => {
    const flagged = everyEntry.filter(entry => entry.isNew).map(entry => entry.id);
    expect(flagged.length).toBeGreaterThan(0);
    const fresh = (navigation: typeof places.navigation): string[] =>
      navigationFor({ ...places, navigation }, { path: '/', session: someone(withGifts), facts: factsOf(someone(), definitions.facts) })
        .main.flatMap(entry => entry.items)
        .filter(entry => entry.isNew)
        .map(entry => entry.id);
    expect(fresh(places.navigation)).toEqual(everyEntry.filter(entry => entry.isNew && !entry.planned).map(entry => entry.id));
    const there = (entry: NavEntry): NavEntry => {
      const { planned, items, ...rest } = entry;
      return { ...rest, ...(items ? { items: items.map(there) } : {}), ...(planned && rest.redirectTo ? { planned } : {}) };
    };
    expect(fresh({ ...places.navigation, main: places.navigation.main.map(there) })).toEqual(flagged);
  });
});

describe('what comes later', () => {
  const soon = (at: Session): string[] =>
    [...look(at).main, ...look(at).lower].flatMap(entry => [entry, ...entry.items]).flatMap(entry => (entry.isSoon ? [entry.id] : []));
  test('an entry without a screen of its own or below it is soon, and no other', () => {
    expect(soon(someone()).filter(id => look(someone()).main.some(entry => entry.id === id))).toEqual([]);
    for (const id of soon(someone()))
      expect(
        everyEntry.some(entry => entry.id === id && (entry.planned ?? entry.redirectTo)),
        id,
      ).toBe(true);
    expect(soon(someone())).not.toContain('payment-recovery');
  });
  test('a section whose first page comes later leads to the first of its pages that is there and open', () => {
    expect(section(someone(), 'retain')).toMatchObject({ to: '/streaks', isSoon: false });
    const first = { streaks: 'NO_ACCESS', flowManagement: 'NO_ACCESS', cancellationFlows: 'NO_ACCESS', productSwap: 'NO_ACCESS' } as const;
    expect(section(someone({ permissions: areas(first) }), 'retain').to).toBe('/settings/paymentRecovery');
    const neither = areas({
      streaks: 'NO_ACCESS',
      quickActionsEventActions: 'NO_ACCESS',
      flowManagement: 'NO_ACCESS',
      cancellationFlows: 'NO_ACCESS',
      productSwap: 'NO_ACCESS',
      paymentRecovery: 'NO_ACCESS',
    });
    expect(section(someone({ permissions: neither }), 'retain').to).toBe('/streaks');
  });
  test('every place that comes later says what can be done until then, ', () => {
    const silent = [...definitions.navigation.main, ...definitions.navigation.lower].flatMap(parent =>
      [parent, ...(parent.items ?? [])].filter(entry => entry.planned && !(entry.today ?? parent.today)).map(entry => entry.id),
    );
    expect(silent).toEqual([]);
  });
  test('the palette marks it', () => {
    const later = ({ items, ...entry }: NavEntry): NavEntry => ({
      ...entry,
      ...(entry.id === 'portal-themes' ? { planned: 'How it looks.' } : {}),
      ...(items ? { items: items.map(later) } : {}),
    });
    const at = someone();
    const { navigation, settings } = paletteFor(
      { ...places, navigation: { ...places.navigation, main: places.navigation.main.map(later) } },
      { session: at, facts: factsOf(at, definitions.facts), showHidden: false },
    );
    expect(navigation.find(entry => entry.id === 'portal-themes')?.isSoon).toBe(true);
    expect(navigation.find(entry => entry.id === 'portal-preferences')?.isSoon).toBeUndefined();
    expect(navigation.find(entry => entry.id === 'selling-plans')?.isSoon).toBeUndefined();
    expect(settings.find(entry => entry.to === '/settings/customer-migration')?.isSoon).toBeUndefined();
  });
});

test('D002 each part of the product has a page', () => {
  const parts =
    '/subscriptions /selling-plans /bundles /grow/upsell/customer-portal /swap /customer-portal/cancellation-flows /payment-recovery ' +
    '/bulk-actions /flows /quick-actions /settings/multilingual /settings/notifications/emails /settings/api-tokens /analytics ' +
    '/settings/order-schedule /gift /streaks /a-b-experiments /widgets/storefront/library /integrations /alerts/open';
  expect(parts.split(' ').filter(path => !resourceFor(definitions, path))).toEqual([]);
});

describe('where one is', () => {
  const current = (path: string): (string | boolean)[][] => {
    const { main, lower } = look(someone(withGifts), path);
    return [...main, ...lower]
      .flatMap(entry => [entry, ...entry.items])
      .filter(entry => entry.isCurrent)
      .map(entry => [entry.id, entry.isPage]);
  };
  test.each<[string, [string, boolean][]]>([
    ['/dashboard', [['home', true]]],
    ['/subscriptions/10060', [['subscriptions', true]]],
    [
      '/selling-plans',
      [
        ['acquire', false],
        ['selling-plans', true],
      ],
    ],
    [
      '/widgets/storefront/7',
      [
        ['acquire', false],
        ['widgets', true],
      ],
    ],
    [
      '/selling-plans/7',
      [
        ['acquire', false],
        ['selling-plans', true],
      ],
    ],
    [
      '/upsell/checkout',
      [
        ['acquire', false],
        ['checkout-upgrades', true],
      ],
    ],
    [
      '/widgets/storefront/library',
      [
        ['acquire', false],
        ['widgets', true],
      ],
    ],
    [
      '/customer-portal/cancellation-flows',
      [
        ['retain', false],
        ['cancellation-flows', true],
      ],
    ],
    [
      '/settings/paymentRecovery',
      [
        ['retain', false],
        ['payment-recovery', true],
      ],
    ],
    [
      '/settings/inventory-settings',
      [
        ['tools', false],
        ['inventory', true],
      ],
    ],
    [
      '/settings/billing',
      [
        ['settings', false],
        ['settings-billing', true],
      ],
    ],
    ['/settings/general', [['settings', true]]],
    ['/settings/notifications/emails', [['settings', true]]],
    [
      '/customer-portal/themes',
      [
        ['customer-portal', false],
        ['portal-themes', true],
      ],
    ],
    ['/alerts/open', [['alerts', true]]],
    ['/analytics', [['analytics', true]]],
    [
      '/analytics/cohorts',
      [
        ['analytics', false],
        ['analytics-cohorts', true],
      ],
    ],
    [
      '/gift/text',
      [
        ['gifts', false],
        ['gift-text', true],
      ],
    ],
    ['/settingsx', []],
    ['/products', []],
  ])('S067 S068 at %s section and sub-section are highlighted', (path, expected) => expect(current(path)).toEqual(expected));
  test.each([
    ['/dashboard', 'Home - Perennial'],
    ['/selling-plans', 'Acquire > Selling plans - Perennial'],
    ['/customer-portal/cancellation-flows', 'Retain > Cancellation flows - Perennial'],
    ['/settings/paymentRecovery', 'Retain > Payment recovery - Perennial'],
    ['/settings/general', 'Settings > General - Perennial'],
    ['/settings/user-permissions/user', 'Settings > Users and roles - Perennial'],
    ['/alerts/open', 'Alert center - Perennial'],
    ['/gift/text', 'Gifts > Texts - Perennial'],
    ['/analytics', 'Analytics - Perennial'],
  ])('S066 the title at %s is %s', (path, title) => expect(titleOf(places.navigation, path, 'Perennial')).toBe(title));
  test('addresses that lead on: /alerts to /alerts/open, /customer-portal to /customer-portal/preferences', () => {
    expect(
      ['/alerts', '/alerts/', '/customer-portal', '/customer-portal/themes', '/settings'].map(path => redirectOf(places, path)),
    ).toEqual(['/alerts/open', '/alerts/open', '/customer-portal/preferences', undefined, undefined]);
  });
});

describe('settings', () => {
  const SUB_PAGES = [
    'general',
    'notifications/emails',
    'notifications/branding',
    'notifications/preferences',
    'notifications/domains',
    'store-texts',
    'multilingual',
    'billing',
    'auto-updates',
    'subscription-tags',
    'shipping-profile',
    'order-schedule',
    'account-logs',
    'user-permissions/user',
    'api-tokens',
    'customer-migration',
    'paypal',
  ].map(name => `/settings/${name}`);
  const facts = factsOf(someone(), definitions.facts);
  test('S070 S071 Settings has the 17 sub-pages of the specification, in its order', () => {
    const at = someone();
    expect(
      settingsPages(places, { session: at, facts })
        .map(page => page.to)
        .slice(0, 17),
    ).toEqual(SUB_PAGES);
    expect(Object.keys(definitions.settings.general?.properties ?? {})).toEqual(
      expect.arrayContaining(['billingHour', 'multipleDeliveryOptions']),
    );
  });
  test('a settings file that the navigation does not name is a page too', () => {
    const own = new Map(Object.values(definitions.resources).map(({ of, route }) => [of, `/${route}`]));
    // Some are there for some stores alone: gifts, version 1 of the widget.
    const some = new Set(Object.values(definitions.resources).flatMap(({ of, when }) => (when ? [of] : [])));
    const files = Object.keys(definitions.settings)
      .filter(name => !some.has(`settings/${name}`))
      .map(name => own.get(`settings/${name}`) ?? `/settings/${name}`);
    expect(settingsPages(places, { session: someone(), facts }).map(page => page.to)).toEqual(expect.arrayContaining(files));
    const more = {
      ...places,
      settings: {
        ...places.settings,
        brewing: { name: 'brewing', title: 'Brewing', category: 'X', type: 'Y', permission: 'generalSettings' },
      },
    };
    const brewing = (at: Session): unknown => settingsPages(more, { session: at, facts }).find(page => page.to === '/settings/brewing');
    expect(brewing(someone())).toMatchObject({ to: '/settings/brewing', title: 'Brewing', verdict: { ok: true } });
    expect(brewing(someone({ permissions: areas({ generalSettings: 'NO_ACCESS' }) }))).toMatchObject({
      verdict: { ok: false, right: 'General settings' },
    });
    expect(settingsPages(places, { session: someone(), facts }).find(page => page.to === '/products')).toMatchObject({ group: 'Products' });
  });
});

describe('the palette', () => {
  test('S073 S074 lists every main entry that is shown and can be used, with its sub-entries that are shown', () => {
    const at = someone(withGifts);
    const unlisted = (id: string): string[] =>
      (places.navigation.main.find(entry => entry.id === id)?.items ?? [])
        .filter(one => one.unlisted && !one.redirectTo)
        .map(one => one.to);
    expect(palette(at).navigation.map(entry => entry.to)).toEqual(
      look(at).main.flatMap(entry => [entry.to, ...entry.items.map(one => one.to), ...unlisted(entry.id)]),
    );
    expect(palette(at).navigation.find(entry => entry.id === 'flows')).toMatchObject({ title: 'Flows', section: 'Retain', to: '/flows' });
  });
  test('S074 what the list at the left leaves to a page is found in the palette, with what can be made there, and with the reason where it is closed', () => {
    expect(
      look(someone())
        .main.flatMap(entry => entry.items)
        .some(item => item.to === '/customers'),
    ).toBe(false);
    expect(palette(someone()).navigation.find(entry => entry.id === 'customers')).toMatchObject({
      title: 'Customers',
      section: 'Subscriptions',
      to: '/customers',
      icon: 'users',
    });
    expect(palette(someone()).navigation.find(entry => entry.id === 'payments-in-recovery')).toMatchObject({
      section: 'Retain',
      to: '/payment-recovery',
    });
    expect(palette(someone()).making.map(entry => entry.to)).toContain('/customers/create');
    const closed = palette(someone({ permissions: areas({ subscriptionDetails: 'NO_ACCESS' }) }));
    expect(closed.navigation.filter(entry => entry.id === 'customers').map(entry => entry.refusal)).not.toContain(undefined);
    expect(closed.making.map(entry => entry.to)).not.toContain('/customers/create');
  });
  test('S075 does not list a main entry that is hidden', () => {
    expect(palette(someone()).navigation.some(entry => entry.to.startsWith('/gift'))).toBe(false);
    const hidden = {
      ...places,
      navigation: {
        ...places.navigation,
        main: places.navigation.main.map(entry => (entry.id === 'campaigns' ? { ...entry, hidden: true } : entry)),
      },
    };
    const at = someone();
    const view = { session: at, facts: factsOf(at, definitions.facts) };
    expect(paletteFor(hidden, view).navigation.some(entry => entry.id === 'campaigns')).toBe(false);
    expect(paletteFor(hidden, { ...view, showHidden: true }).navigation.some(entry => entry.id === 'campaigns')).toBe(true);
  });
  test('S076 does not list a main entry that is disabled, nor what is below it', () => {
    const none = Object.fromEntries(
      Object.values(definitions.permissions)
        .filter(area => area.loopModuleKey === 'retain')
        .map(area => [area.permissionKey, 'NO_ACCESS' as const]),
    );
    const listed = palette(someone({ permissions: areas(none) })).navigation;
    expect(listed.some(entry => entry.id === 'retain' || entry.section === 'Retain')).toBe(false);
    expect(listed.some(entry => entry.id === 'tools')).toBe(true);
  });
  test('S077 does not list a sub-item that is hidden', () => {
    expect(palette(someone()).navigation.some(entry => entry.to === '/analytics/subscriptions')).toBe(false);
    expect(palette(someone(), true).navigation.some(entry => entry.to === '/analytics/subscriptions')).toBe(true);
    expect(
      palette(someone({ store: { storefrontWidgetVersion: 1 } })).navigation.some(entry => entry.to === '/widgets/storefront/library'),
    ).toBe(false);
  });
  test('S074 a sub-item that is shown and can not be used is listed with the reason', () => {
    expect(
      palette(someone({ permissions: areas({ flowManagement: 'NO_ACCESS' }) })).navigation.find(entry => entry.id === 'flows')?.refusal,
    ).toBe("You don't have permission to see this (Flows). Ask an admin of your store for it.");
  });
  test('S078 S079 S072 lists Settings with its sub-pages, and the Alert center at /alerts/open', () => {
    const { settings } = palette(someone());
    expect(settings[0]).toMatchObject({ title: 'Settings', to: '/settings' });
    expect(settings.slice(1, 18).map(entry => [entry.section, entry.to])).toEqual(
      settingsPages(places, { session: someone(), facts: factsOf(someone(), definitions.facts) })
        .slice(0, 17)
        .map(page => ['Settings', page.to]),
    );
    expect(settings.at(-1)).toMatchObject({ title: 'Alert center', to: '/alerts/open' });
  });
  test('S076 S078 without Settings or the Alert center neither is listed', () => {
    const without = (module: string): Permission[] =>
      areas(
        Object.fromEntries(
          Object.values(definitions.permissions)
            .filter(area => area.loopModuleKey === module)
            .map(area => [area.permissionKey, 'NO_ACCESS' as const]),
        ),
      );
    expect(palette(someone({ permissions: without('settings') })).settings.map(entry => entry.to)).toEqual(['/alerts/open']);
    expect(palette(someone({ permissions: without('alertCentre') })).settings.map(entry => entry.to)).not.toContain('/alerts/open');
  });
  test('S309 an unknown action key of the order schedule is an error that names it', () => {
    expect(Object.keys(ORDER_SCHEDULE_ACTIONS)).toEqual(['orderSchedule', 'deliveryDateField']);
    expect(orderScheduleAction('orderSchedule').path).toBe('/api/merchant/orderSchedule');
    for (const key of ['nope', '', 'toString', '__proto__'])
      expect(() => orderScheduleAction(key), key).toThrow(new Error(`Invalid action key: ${key}`));
  });
  test('what it searches are lists that take a text', () => {
    expect((places.navigation.search ?? []).map(source => source.title)).toEqual([
      'Subscriptions',
      'Customers',
      'Products',
      'Selling plans',
    ]);
    for (const source of places.navigation.search ?? [])
      expect(
        definitions.calls[source.call]?.in.some(param => param.name === 'q'),
        source.call,
      ).toBe(true);
  });
});
