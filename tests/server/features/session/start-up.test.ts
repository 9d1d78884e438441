import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessOf } from '../../../../src/contract/access.ts';
import type { JsonObject, Session } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('start-up calls (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 60, stores: 2 },
      tables: ['start-up', 'start-up-app', 'plan', 'store', 'store-app', 'sign-in'],
    });
  });
  afterAll(() => server?.close());
  const body = async (name: string, input: JsonObject = {}) => {
    const { status, body } = await server.call(name, input);
    expect(status).toBe(200);
    return body as any;
  }; // any: the shapes are what is tested
  const set = async (statement: string) => {
    await server.services.db.ownerQuery(statement);
    server.services.sessions.forget();
  };

  it('S271 answers the whole session in one call, with the number of alerts that are open', async () => {
    const session = (await body('start-up.session')).data as Session;
    const { services } = server;
    const counts = await services.db.inStore(1, async trx => ({
      customers: (await trx.selectFrom('customers').select('id').execute()).length,
      orders: (await trx.selectFrom('orders').select('id').execute()).length,
      alerts: (await trx.selectFrom('alerts').select('id').where('status', '<>', 'RESOLVED').execute()).length,
    }));
    expect(session.store).toMatchObject({
      storeId: 1,
      myshopify_domain: 'fernandember.myshopify.com',
      currency_code: 'USD',
      country_name: 'United States',
      isDemo: true,
      isOnboardingFormComplete: true,
      customer_count: counts.customers,
      order_count: counts.orders,
    });
    expect(session.alertCount).toBe(counts.alerts);
    expect(session.plan).toMatchObject({ billing_plan_id: 4, name: 'Enterprise', rank: 4 });
    expect(session.user.permissions).toHaveLength(Object.keys(services.definitions.permissions).length);
    expect(accessOf(session).can('sellingPlan', 'WRITE')).toBe(true);
    expect(Math.abs(Date.parse(session.store.now) - Date.now())).toBeLessThan(60_000);
    await set('update stores set clock_offset_ms = 86400000 where id = 1');
    expect(Date.parse(((await body('start-up.session')).data as Session).store.now) - Date.now()).toBeGreaterThan(86_000_000);
    await set('update stores set clock_offset_ms = 0 where id = 1');
  });

  it('S252 S253 the user call has names, e-mail, role, ids, permissions and the store', async () => {
    const { data } = await body('start-up.user');
    expect(data).toMatchObject({
      firstName: 'Amira',
      lastName: 'Fontaine',
      email: 'amira@fernandember.example',
      loopUserType: 'OWNER',
      userId: 1001,
      myshopifyDomain: 'fernandember.myshopify.com',
      storeId: 1,
    });
    expect(data).toHaveProperty('userShopifyId');
    expect(data.permissions[0]).toEqual(
      expect.objectContaining({
        permissionKey: expect.any(String),
        access: 'WRITE',
        availableAccessMode: expect.any(Array),
        isHidden: expect.any(Boolean),
        loopModuleKey: expect.any(String),
      }),
    );
  });

  it('S255 S256 the billing features are a list of key and min_plan', async () => {
    const { data } = await body('plan.allFeatures');
    expect(data).toContainEqual({ key: 'gift_subscription', min_plan: 4 });
    expect(data).toContainEqual({ key: 'user_permission', min_plan: 3 });
    for (const feature of data) expect(Object.keys(feature).sort()).toEqual(['key', 'min_plan']);
  });

  it('S257 the plan settings stand in settings[0] with features and active_plan', async () => {
    const { settings } = await body('start-up-app.fetchBilling');
    expect(settings[0].features).toContain('user_permission');
    expect(settings[0].active_plan).toMatchObject({
      billing_plan_id: 4,
      fixed_charge: '0.00',
      transaction_charge: '0.00',
      createdAt: expect.any(String),
    });
    await set('update stores set billing_plan_id = 1 where id = 1');
    const free = (await body('start-up-app.fetchBilling')).settings[0];
    expect([free.active_plan.billing_plan_id, free.features.includes('user_permission')]).toEqual([1, false]);
    await set('update stores set billing_plan_id = 4 where id = 1');
  });

  it('S254 the granted scopes stand in data.scopes', async () => {
    expect((await body('start-up-app.readScopes')).data.scopes).toEqual(
      expect.arrayContaining(['write_cart_transforms', 'write_validations']),
    );
  });

  it('S259 S260 the feature switches stand in data.featureSwitches', async () => {
    expect((await body('plan.featureSwitches')).data.featureSwitches).toContain('loopSetupScore');
  });

  it('S258 referral eligibility stands in data.isEligible', async () => {
    expect((await body('store.checkReferralEligibility')).data).toEqual({ isEligible: true });
    await set('update stores set billing_plan_id = 1 where id = 1');
    expect((await body('store.checkReferralEligibility')).data).toEqual({ isEligible: false });
    await set('update stores set billing_plan_id = 4 where id = 1');
  });

  it('S276 S313 the version of the storefront widget, 1 unless the store has the newer library', async () => {
    expect((await body('start-up-app.snippetVersion', { domain: 'fernandember.myshopify.com' })).data).toEqual({
      storefrontWidgetVersion: 2,
      widgetStatus: 'ACTIVE',
    });
    const { rows } = await server.services.db.ownerQuery<{ v: number }>(
      "insert into stores (myshopify_domain, name, email) values ('fresh.myshopify.com', 'Fresh', 'a@fresh.example') returning storefront_widget_version as v",
    );
    expect(rows[0]?.v).toBe(1);
    expect((await server.call('store-app.widgetStatus', { status: 'DRAFT' })).data).toEqual({ widgetStatus: 'DRAFT' });
    expect((await body('start-up-app.snippetVersion')).data.widgetStatus).toBe('DRAFT');
  });

  it('S277 the store settings have name, domain, plan and creation, and what the platform says of the shop', async () => {
    expect((await body('start-up-app.storeSettings', { myshopify_domain: 'fernandember.myshopify.com' })).data).toMatchObject({
      name: 'Fern & Ember',
      myshopify_domain: 'fernandember.myshopify.com',
      plan_name: 'basic',
      createdAt: expect.any(String),
      email: expect.any(String),
      country_name: 'United States',
      shop_owner: 'Amira Fontaine',
      customer_count: expect.any(Number),
      order_count: expect.any(Number),
    });
  });

  it('refuses a parameter that names another store, as if that store were not there', async () => {
    for (const [name, input] of [
      ['start-up-app.storeSettings', { myshopify_domain: 'store-2.myshopify.com' }],
      ['start-up-app.snippetVersion', { domain: 'store-2.myshopify.com' }],
      ['start-up-app.storeSettings', { storeId: 2 }],
      ['start-up-app.isFreePlanLimitExceeded', { myshopify_domain: 'unknown.myshopify.com' }],
    ] as const) {
      const { status, body } = await server.call(name, input);
      expect([name, status, body.code]).toEqual([name, 404, 'NOT_FOUND']);
    }
  });

  const ask = () => body('start-up-app.isFreePlanLimitExceeded', { myshopify_domain: 'fernandember.myshopify.com' });
  it('S264 S265 S311 the free plan ends at 50 subscriptions: expired is true up to it and false beyond', async () => {
    expect(await ask()).toMatchObject({ expired: true, limit: null }); // a plan without a limit
    await set('update stores set billing_plan_id = 1 where id = 1');
    const active = async (n: number) => {
      await set(
        `update contracts set status = 'CANCELLED' where store_id = 1; update contracts set status = 'ACTIVE' where store_id = 1 and id in (select id from contracts where store_id = 1 order by id limit ${n})`,
      );
    };
    await server.services.db
      .ownerQuery(`insert into contracts (store_id, shopify_id, customer_id, currency_code, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count)
      select 1, 980000000 + n, (select min(id) from customers where store_id = 1), 'USD', 'MONTH', 1, 'MONTH', 1 from generate_series(1, 60) n`);
    await active(50);
    expect(await ask()).toEqual({ expired: true, count: 50, limit: 50 });
    await active(51);
    expect(await ask()).toEqual({ expired: false, count: 51, limit: 50 });
    await set("update contracts set status = 'PAUSED' where store_id = 1 and status = 'ACTIVE'");
    expect((await ask()).count).toBe(51);
    await set('update stores set billing_plan_id = 4 where id = 1');
  });

  it('S267 S278 saves the onboarding form, and saving again overwrites it', async () => {
    await set('update stores set onboarding = null where id = 1');
    expect((await body('start-up-app.onboardingStatus')).data).toEqual({ isOnboardingFormComplete: false });
    const form = {
      storeIndustry: 'food&beverages',
      storeBizDetails: 'Coffee',
      alreadyRunningSubscriptions: 1,
      previousSubscriptionPlatformName: 'recharge',
      referralSource: 'friend',
    };
    expect((await body('start-up-app.onboardingForm', form)).data).toEqual({ isOnboardingFormComplete: true });
    expect((await body('start-up-app.onboardingStatus')).data).toEqual({ isOnboardingFormComplete: true });
    await body('start-up-app.onboardingForm', { ...form, alreadyRunningSubscriptions: 0, previousSubscriptionPlatformName: '' });
    const { rows } = await server.services.db.ownerQuery<{ onboarding: JsonObject }>('select onboarding from stores where id = 1');
    expect(rows[0]?.onboarding).toMatchObject({ alreadyRunningSubscriptions: 0, previousSubscriptionPlatformName: '' });
  });

  const refusal = async (form: JsonObject) => {
    const { status, body } = await server.call('start-up-app.onboardingForm', form);
    expect(status).toBe(422);
    return Object.fromEntries((body.errors ?? []).map(error => [error.pointer, error.message]));
  };
  it('S195 S196 S197 S198 S199 refuses an empty onboarding form, each field with its own words', async () => {
    const errors = await refusal({});
    expect(errors).toMatchObject({
      '/storeIndustry': 'Please select an industry',
      '/storeBizDetails': 'Please tell us what you sell',
      '/alreadyRunningSubscriptions': 'Please select an option',
    });
    expect(errors['/referralSource']).toMatch(/^Please tell us how you heard about Perennial/);
  });
  it('S200 S201 asks for the platform when subscriptions are running, and not when they are not', async () => {
    const form = { storeIndustry: 'wine', storeBizDetails: 'Wine', referralSource: 'search' };
    expect(await refusal({ ...form, alreadyRunningSubscriptions: 1 })).toEqual({
      '/previousSubscriptionPlatformName': 'Please select your current platform',
    });
    expect((await server.call('start-up-app.onboardingForm', { ...form, alreadyRunningSubscriptions: 0 })).status).toBe(200);
    expect(await refusal({ ...form, alreadyRunningSubscriptions: 2 })).toHaveProperty('/alreadyRunningSubscriptions');
  });

  it('the store: primary details, locations, countries, delivery methods, addresses', async () => {
    expect((await body('store.primaryDetails')).data).toMatchObject({
      name: 'Fern & Ember',
      currencyCode: 'USD',
      currencySymbol: '$',
      timezone: 'America/New_York',
    });
    expect((await body('store.availableLocations')).data.map((one: JsonObject) => one.name)).toEqual(['Roastery', 'Shop on Fern Street']);
    const { data: countries } = await body('store.countries');
    expect(countries[0]).toEqual({ code: 'US', name: 'United States' });
    expect(new Set(countries.map((one: JsonObject) => one.code)).size).toBe(countries.length);
    expect(countries.length).toBeGreaterThan(240);
    expect((await body('store.multipleDeliveryOptions')).data).toEqual({ SHIPPING: true, PICKUP: true, LOCAL_DELIVERY: true });
    expect((await body('store.updateMultipleDeliveryOptions', { PICKUP: false })).data).toEqual({
      SHIPPING: true,
      PICKUP: false,
      LOCAL_DELIVERY: true,
    });
    const none = await server.call('store.updateMultipleDeliveryOptions', { SHIPPING: false, LOCAL_DELIVERY: false });
    expect([none.status, none.body.message]).toEqual([422, 'Keep at least one delivery method on.']);
    expect((await body('store.multipleDeliveryOptions')).data.SHIPPING).toBe(true);
    expect((await body('store-app.updateAdminNotificationEmail', { emails: ['team@fern.example'] })).data).toEqual({
      storeEmail: ['team@fern.example'],
    });
    expect((await body('store-app.updateAdminReportingEmail', { emails: [] })).data).toEqual({ adminReportingEmail: [] });
    expect((await server.call('store-app.updateAdminNotificationEmail', { emails: ['no address'] })).body.errors?.[0]?.pointer).toBe(
      '/emails/0',
    );
    const { rows } = await server.services.db.ownerQuery<{ version: number; data: JsonObject }>(
      "select version, data from settings where store_id = 1 and name = 'general'",
    );
    expect(rows[0]?.data).toMatchObject({
      storeEmail: ['team@fern.example'],
      multipleDeliveryOptions: ['SHIPPING', 'LOCAL_DELIVERY'],
      billingHour: 9,
    });
    expect((await server.services.db.ownerQuery('select version from setting_history where store_id = 1')).rows).toHaveLength(3);
    expect((await body('store.merchantReferralClick', { source: 'NAVIGATION' })).data).toEqual({ tracked: true });
  });
});
