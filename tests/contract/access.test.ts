// Rights of a session: permissions, modules, features, plan features and scopes; and the facts computed from it.
import { describe, expect, test } from 'vitest';
import { accessOf, allowsCall } from '../../src/contract/access.ts';
import { FACTS, factsOf, isSpecialStore } from '../../src/navigation/facts.ts';
import type { Call, Does } from '../../src/contract/types.ts';
import { productDefinitions } from '../support/definitions.ts';
import { permission, session } from './session.ts';

const definitions = productDefinitions();

describe('permissions', () => {
  test('S213 S320 each permission key has the access NO_ACCESS, READ or WRITE', () => {
    const { permissions } = accessOf(
      session({ permissions: [permission('a', 'NO_ACCESS'), permission('b', 'READ'), permission('c', 'WRITE')] }),
    );
    expect(permissions).toEqual({ a: 'NO_ACCESS', b: 'READ', c: 'WRITE' });
  });
  test('S214 with user_permission in the plan the stored access is used', () => {
    expect(accessOf(session({ permissions: [permission('a', 'READ')] })).permissions.a).toBe('READ');
  });
  test('S215 without user_permission hidden permissions are skipped', () => {
    const permissions = [permission('a', 'WRITE', { isHidden: true, loopModuleKey: 'grow', loopFeatureKey: 'growUpsell' })];
    const access = accessOf(session({ permissions, features: [] }));
    expect(access.permissions).toEqual({});
    expect([access.module('grow'), access.feature('growUpsell')]).toEqual([false, false]);
    expect(accessOf(session({ permissions })).module('grow')).toBe(true);
  });
  test('S216 S217 without user_permission the mode is WRITE if it is available, else READ', () => {
    const { permissions } = accessOf(
      session({
        features: [],
        permissions: [permission('a', 'NO_ACCESS'), permission('b', 'NO_ACCESS', { availableAccessMode: ['READ'] })],
      }),
    );
    expect(permissions).toEqual({ a: 'WRITE', b: 'READ' });
  });
  test('S218 a check passes when user_permission is not in the plan', () => {
    const access = accessOf(session({ features: [], permissions: [] }));
    expect(access.can('subscriptionDetails', 'READ')).toBe(true);
    expect(access.can('subscriptionDetails', 'WRITE')).toBe(true);
  });
  test('S219 without user_permission only the owner and admins update permissions', () => {
    for (const [loopUserType, may] of [
      ['OWNER', true],
      ['ADMIN', true],
      ['MEMBER', false],
      ['LOOP_USER', false],
    ] as const) {
      const without = session({ features: [], user: { loopUserType } });
      expect([loopUserType, accessOf(without).can('updateUserPermission', 'WRITE')]).toEqual([loopUserType, may]);
      expect(accessOf(without).can('updateUserPermission', 'READ')).toBe(true);
      expect(allowsCall({ does: 'command', permission: 'updateUserPermission' }, without).ok).toBe(may);
    }
    expect(allowsCall({ does: 'command', permission: 'updateUserPermission' }, session({ features: [] }))).toEqual({
      ok: false,
      code: 'FORBIDDEN',
      message: 'Only the owner and admins can change the permissions of users.',
    });
  });
  const access = accessOf(
    session({ permissions: [permission('none', 'NO_ACCESS'), permission('read', 'READ'), permission('write', 'WRITE')] }),
  );
  test('S220 a check fails when the permission is not held', () => expect(access.can('other', 'READ')).toBe(false));
  test('S221 a check fails when the access is NO_ACCESS', () => expect(access.can('none', 'READ')).toBe(false));
  test('S222 READ is satisfied by READ', () => expect(access.can('read', 'READ')).toBe(true));
  test('S223 READ is satisfied by WRITE', () => expect(access.can('write', 'READ')).toBe(true));
  test('S224 WRITE is satisfied by WRITE', () => expect(access.can('write', 'WRITE')).toBe(true));
  test('S225 WRITE is not satisfied by READ', () => expect(access.can('read', 'WRITE')).toBe(false));
});

describe('modules, features, plan and scopes', () => {
  test('S226 a module needs one permission of its own with access', () => {
    const access = accessOf(
      session({
        permissions: [permission('a', 'NO_ACCESS', { loopModuleKey: 'grow' }), permission('b', 'READ', { loopModuleKey: 'retain' })],
      }),
    );
    expect([access.module('grow'), access.module('retain'), access.module('bundles')]).toEqual([false, true, false]);
  });
  test('S227 the export-reports permission does not open analytics', () => {
    const reports = permission('exportReports', 'READ', { loopModuleKey: 'analytics' });
    expect(accessOf(session({ permissions: [reports] })).module('analytics')).toBe(false);
    expect(
      accessOf(session({ permissions: [reports, permission('viewReports', 'READ', { loopModuleKey: 'analytics' })] })).module('analytics'),
    ).toBe(true);
  });
  test('S228 a feature needs one permission of its own with access', () => {
    const access = accessOf(
      session({
        permissions: [
          permission('a', 'READ', { loopFeatureKey: 'streaks' }),
          permission('b', 'NO_ACCESS', { loopFeatureKey: 'inventory' }),
        ],
      }),
    );
    expect([access.feature('streaks'), access.feature('inventory'), access.feature('sellingPlan')]).toEqual([true, false, false]);
  });
  test('S229 a plan feature is looked up in the list of the plan', () => {
    const access = accessOf(session({ features: ['prepaid'] }));
    expect([access.planHas('prepaid'), access.planHas('api')]).toEqual([true, false]);
  });
  test('S230 the minimum plan of a feature counts as available', () => {
    const minimumPlans = { prepaid: 3, api: 4, flows: 2 };
    const access = accessOf(session({ features: [], minimumPlans, rank: 3 }));
    expect([access.planHas('prepaid'), access.planHas('flows'), access.planHas('api')]).toEqual([true, true, false]);
  });
  test('S232 all required scopes must be granted', () => {
    const access = accessOf(session({ scopes: ['write_cart_transforms', 'read_orders'] }));
    expect(access.scopes(['write_cart_transforms'])).toBe(true);
    expect(access.scopes(['write_cart_transforms', 'write_validations'])).toBe(false);
    expect(access.scopes([])).toBe(true);
  });
  test('S244 S245 a feature switch is on or off by its name', () => {
    const access = accessOf(session({ switches: ['PREPAIDV2_SELLING_PLAN_GROUPS'] }));
    expect([access.switchedOn('PREPAIDV2_SELLING_PLAN_GROUPS'), access.switchedOn('loopSetupScore')]).toEqual([true, false]);
  });
});

const call = (does: Does, more: Partial<Call> = {}): Pick<Call, 'does' | 'permission' | 'feature' | 'public'> => ({
  does,
  permission: 'subscriptionDetails',
  ...more,
});
describe('calls', () => {
  const reader = session({
    permissions: [permission('subscriptionDetails', 'READ', { label: 'Subscriptions' })],
    features: ['user_permission'],
  });
  test('calls that look need READ, calls that change need WRITE', () => {
    for (const does of ['list', 'read', 'get', 'query'] as const) expect(allowsCall(call(does), reader), does).toEqual({ ok: true });
    for (const does of ['create', 'update', 'delete', 'set', 'move', 'order', 'command'] as const) {
      expect(allowsCall(call(does), reader), does).toEqual({
        ok: false,
        code: 'FORBIDDEN',
        message: "You don't have permission to change this (Subscriptions). Ask an admin of your store for it.",
      });
    }
  });
  test('a plan feature that the plan lacks is refused as such', () => {
    expect(allowsCall(call('list', { feature: 'gift_subscription' }), reader)).toEqual({
      ok: false,
      code: 'FEATURE_NOT_IN_PLAN',
      message: "Your plan Growth doesn't include gift subscription. Upgrade the plan to use it.",
    });
  });
  test('a public call and one without a permission area are open', () => {
    expect(allowsCall(call('command', { public: true, feature: 'api' }), reader)).toEqual({ ok: true });
    expect(allowsCall(call('command', { permission: undefined }), reader)).toEqual({ ok: true });
  });
});

describe('the catalogue', () => {
  test('S250 has the 72 permission areas of the specification', () => {
    const areas = Object.values(definitions.permissions);
    expect(areas).toHaveLength(72);
    expect(areas.every(area => area.label && area.loopModuleKey && area.availableAccessMode.length > 0)).toBe(true);
  });
  test('S233 the 11 modules of the navigation have permission areas', () => {
    const modules = new Set(Object.values(definitions.permissions).map(area => area.loopModuleKey));
    for (const module of [
      'analytics',
      'campaigns',
      'acquire',
      'bundles',
      'grow',
      'retain',
      'toolsAndApps',
      'customerPortal',
      'giftSubscription',
      'alertCentre',
      'settings',
    ])
      expect(modules, module).toContain(module);
  });
  test('S234 the features of the navigation have permission areas', () => {
    const features = new Set(Object.values(definitions.permissions).map(area => area.loopFeatureKey));
    for (const feature of [
      'sellingPlan',
      'checkoutLinks',
      'widgetConfigurationAndInstallation',
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
    ])
      expect(features, feature).toContain(feature);
  });
});

const flagged = (name: string): unknown => FACTS['plan.isFlagged']?.(session({ plan: { name } }));
const visible = (given: Parameters<typeof session>[0]): unknown =>
  FACTS['gift.visible']?.(session({ scopes: ['write_cart_transforms', 'write_validations'], ...given }));
describe('facts', () => {
  test('every described fact is computed', () => {
    expect(Object.keys(factsOf(session(), definitions.facts)).sort()).toEqual(Object.keys(FACTS).sort());
  });
  test('S313 the storefront widget version is 1 when the store has none', () => {
    expect(FACTS['store.widgetVersion']?.(session({ store: { storefrontWidgetVersion: undefined as unknown as number } }))).toBe(1);
    expect(FACTS['store.widgetVersion']?.(session())).toBe(2);
  });
  test('S246 a store of the allow-list is special', () => {
    expect(isSpecialStore(session({ store: { myshopify_domain: 'perennial-partners.myshopify.com' } }))).toBe(true);
    expect(isSpecialStore(session())).toBe(false);
  });
  test('S247 stores on the plus and the partner-test plan are special', () => {
    for (const plan_name of ['plus', 'partner-test', 'partner_test'])
      expect(isSpecialStore(session({ store: { plan_name } })), plan_name).toBe(true);
  });
  test('S248 demo stores are special', () => expect(isSpecialStore(session({ store: { isDemo: true } }))).toBe(true));
  test('S249 Plus Trial and Developer Preview are flagged', () => {
    expect([flagged('Plus Trial'), flagged('Developer Preview'), flagged('Growth')]).toEqual([true, true, false]);
  });
  test('S056 gifts show when the store qualifies, or the plan has gift_subscription, and there is a gift widget or the plan is partner_test', () => {
    expect(visible({ hasGiftWidget: true })).toBe(false);
    expect(visible({ hasGiftWidget: true, features: ['gift_subscription'] })).toBe(true);
    expect(visible({ hasGiftWidget: true, store: { plan_name: 'plus' } })).toBe(true);
    expect(visible({ hasGiftWidget: false, store: { plan_name: 'plus' } })).toBe(false);
    expect(visible({ hasGiftWidget: false, store: { plan_name: 'partner_test' } })).toBe(true);
  });
});
