// The things of the shell, field by field, as the calls of the specification answer them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRequest } from '../../../../src/contract/request.ts';
import { holds } from '../../../../src/contract/validation/condition.ts';
import type { JsonObject, Permission } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe('what the start-up calls answer', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      seed: { contracts: 30, stores: 2 },
      tables: ['start-up', 'start-up-app', 'plan', 'store', 'store-data', 'selling-plan-groups'],
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
  const titles = (name: string): Record<string, string> =>
    Object.fromEntries((server.services.definitions.facts[name]?.schema.oneOf ?? []).map(one => [String(one.const), one.title ?? '']));

  it('S126 a user has names, e-mail, role, ids, the store and permissions', async () => {
    const { data } = await body('start-up.user');
    expect(Object.keys(data).sort()).toEqual([
      'email',
      'firstName',
      'lastName',
      'loopUserType',
      'myshopifyDomain',
      'permissions',
      'storeId',
      'userId',
      'userShopifyId',
    ]);
  });
  it('S127 S128 each permission has its key, access, modes, whether it is hidden, its module and its feature', async () => {
    const permissions = (await body('start-up.user')).data.permissions as Permission[];
    expect(permissions).toHaveLength(72);
    for (const one of permissions) {
      expect(one).toMatchObject({
        permissionKey: expect.any(String),
        access: expect.stringMatching(/^(NO_ACCESS|READ|WRITE)$/),
        isHidden: expect.any(Boolean),
        loopModuleKey: expect.any(String),
      });
      expect(one.loopFeatureKey === null || typeof one.loopFeatureKey === 'string').toBe(true);
      expect(['READ', 'WRITE', 'READ,WRITE']).toContain([...one.availableAccessMode].sort().join());
    }
    expect(new Set(permissions.map(one => one.availableAccessMode.length))).toEqual(new Set([1, 2]));
  });
  it('S129 S131 the store has name, domain, plan and creation, and what the platform says of the shop', async () => {
    const { data } = await body('start-up-app.storeSettings');
    expect(data).toMatchObject({
      name: 'Fern & Ember',
      myshopify_domain: 'fernandember.myshopify.com',
      plan_name: expect.any(String),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(data).toMatchObject({
      shop_data: expect.any(Object),
      email: expect.stringContaining('@'),
      country_name: 'United States',
      shop_owner: 'Amira Fontaine',
      customer_count: expect.any(Number),
      order_count: expect.any(Number),
    });
    expect(data.customer_count).toBeGreaterThan(0);
  });
  it("S130 the plan of the store is the platform's word, such as partner_test or affiliate", async () => {
    for (const plan of ['partner_test', 'affiliate', 'basic']) {
      await set(`update stores set plan_name = '${plan}' where id = 1`);
      expect((await body('start-up-app.storeSettings')).data.plan_name).toBe(plan);
    }
  });
  it('S132 S133 S134 the storefront widget has version 1 unless the store has the newer library, which is version 2', async () => {
    await server.services.db.ownerQuery(
      "insert into stores (id, myshopify_domain, name, email) values (77, 'fresh.myshopify.com', 'Fresh', 'a@fresh.example'); insert into users (store_id, id, email, type) values (77, 77001, 'a@fresh.example', 'OWNER')",
    );
    const token = await server.signIn('owner', 77);
    const version = async () =>
      (await server.call('start-up-app.snippetVersion', {}, { as: token })).data.storefrontWidgetVersion as number;
    expect(await version()).toBe(1);
    await set('update stores set storefront_widget_version = 2 where id = 77');
    expect(await version()).toBe(2);
    const { navigation } = server.services.definitions;
    const widgets = navigation.main
      .flatMap(entry => entry.items ?? [])
      .filter(entry => ['/settings/widget-design', '/widgets/storefront/library'].includes(entry.to));
    expect(
      widgets.map(entry => [entry.to, [1, 2].map(version => holds(entry.when, { facts: { 'store.widgetVersion': version } }))]),
    ).toEqual([
      ['/settings/widget-design', [true, false]],
      ['/widgets/storefront/library', [false, true]],
    ]);
  });
  it('S135 the current plan has its id, both charges and its beginning', async () => {
    expect((await body('start-up-app.fetchBilling')).settings[0].active_plan).toMatchObject({
      billing_plan_id: expect.any(Number),
      fixed_charge: expect.stringMatching(/^\d+\.\d\d$/),
      transaction_charge: expect.stringMatching(/^\d+\.\d\d$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });
  it('S136 S279 the plan settings, asked for by POST, carry the features and the active plan', async () => {
    const { status, json } = await server.request('POST', '/host/app/settings/fetch_billing', {
      as: 'owner',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(status).toBe(200);
    expect(json.settings[0]).toMatchObject({
      features: expect.arrayContaining(['subscriptions', 'user_permission']),
      active_plan: { billing_plan_id: 4 },
    });
  });
  it('S137 a billing feature has a key and the lowest plan that includes it', async () => {
    const { data } = await body('plan.allFeatures');
    expect(data.length).toBeGreaterThan(10);
    for (const feature of data) expect(feature).toEqual({ key: expect.any(String), min_plan: expect.any(Number) });
  });
  it('S138 the onboarding status says whether the form is filled in', async () => {
    expect((await body('start-up-app.onboardingStatus')).data).toEqual({ isOnboardingFormComplete: true });
    await set('update stores set onboarding = null where id = 1');
    expect((await body('start-up-app.onboardingStatus')).data).toEqual({ isOnboardingFormComplete: false });
  });
  it('S139 S141 S280 D123 D124 the scopes, asked for by GET, are a list, in the demo store with both that are required', async () => {
    const { status, json } = await server.request('GET', '/host/app/settings/read_scopes', { as: 'owner' });
    expect(status).toBe(200);
    expect(json.data.scopes.every((scope: unknown) => typeof scope === 'string')).toBe(true);
    expect(json.data.scopes).toEqual(expect.arrayContaining(['write_cart_transforms', 'write_validations']));
  });
  it('S142 the feature switches are a list of names', async () => {
    const { featureSwitches } = (await body('plan.featureSwitches')).data;
    expect(featureSwitches.every((name: unknown) => typeof name === 'string' && /^\w+$/.test(name))).toBe(true);
    await set("update stores set feature_switches = '{}' where id = 1");
    expect((await body('plan.featureSwitches')).data.featureSwitches).toEqual([]);
  });
  it('S143 the referral eligibility is one flag', async () => {
    expect((await body('store.checkReferralEligibility')).data).toEqual({ isEligible: expect.any(Boolean) });
  });
  it('S156 D108 the roles have names for people', () => {
    expect(titles('user.type')).toEqual({ ADMIN: 'Admin', MEMBER: 'Member', OWNER: 'Owner', LOOP_USER: 'Loop user' });
  });
  it('S281 the selling plan groups are answered by read_spg', async () => {
    const { status, json } = await server.request('GET', '/host/main/api/merchant/sellingPlanGroups/read_spg', { as: 'owner' });
    expect(status).toBe(200);
    const { rows } = await server.services.db.ownerQuery<{ n: number }>(
      "select count(*) as n from records where store_id = 1 and entity = 'selling-plan-group' and deleted_at is null",
    );
    expect(json.data).toHaveLength(Number(rows[0]?.n));
    for (const group of json.data) expect(group).toMatchObject({ lspgId: expect.any(Number), name: expect.any(String) });
  });
  it('S288 D003 the calls are spread over the host groups of the specification, each with an address of its own', () => {
    const { hosts } = server.services.definitions;
    for (const group of ['main', 'app', 'v2', 'bulk', 'apiService', 'widgetEngine', 'themeEngine', 'reporting', 'alertCentre'])
      expect(hosts[group]?.prefix, group).toBe(`/host/${group}`);
    expect(new Set(Object.values(hosts).map(host => host.config)).size).toBe(Object.keys(hosts).length);
  });

  const form = {
    storeIndustry: 'wine',
    storeBizDetails: 'Wine',
    alreadyRunningSubscriptions: 1,
    previousSubscriptionPlatformName: 'recharge',
    referralSource: 'search',
  };
  const refused = async (input: JsonObject): Promise<string[]> => {
    const { status, body } = await server.call('start-up-app.onboardingForm', input);
    return status === 200 ? [] : (body.errors ?? []).map(error => error.pointer);
  };
  const accepts = async (field: string, values: unknown[]) => {
    for (const value of values) expect([value, await refused({ ...form, [field]: value } as JsonObject)]).toEqual([value, []]);
  };
  it('S150 the onboarding form has five fields and no other', async () => {
    expect(await refused(form)).toEqual([]);
    expect(await refused({ ...form, another: 1 })).toHaveLength(1);
    for (const field of Object.keys(form)) {
      const { [field as 'storeIndustry']: _gone, ...rest } = form;
      expect([field, await refused(rest)]).toEqual([
        field,
        field === 'alreadyRunningSubscriptions' ? ['/alreadyRunningSubscriptions'] : [`/${field}`],
      ]);
    }
  });
  it('S151 subscriptions run already or not: 1 or 0', async () => {
    await accepts('alreadyRunningSubscriptions', [1, 0]);
    for (const value of [2, -1, '1', true])
      expect([value, await refused({ ...form, alreadyRunningSubscriptions: value })]).toEqual([value, ['/alreadyRunningSubscriptions']]);
  });
  it('S153 there are 11 industries', async () => {
    await accepts('storeIndustry', [
      'beautyAndPersonalCare',
      'books',
      'food&beverages',
      'fashion&accessories',
      'health&fitness',
      'meals',
      'multicategory',
      'petSupplies',
      'vaping&CBD',
      'wine',
      'others',
    ]);
    expect(server.services.definitions.entities['onboarding-form']?.properties?.storeIndustry?.oneOf).toHaveLength(11);
    expect(await refused({ ...form, storeIndustry: 'cars' })).toEqual(['/storeIndustry']);
  });
  it('S154 there are 12 ways to hear of the product', async () => {
    await accepts('referralSource', [
      'shopifyAppStore',
      'search',
      'chatgpt',
      'agency',
      'friend',
      'meta',
      'linkedin',
      'reddit',
      'twitter',
      'youtube',
      'loopMarketingEmails',
      'others',
    ]);
    expect(server.services.definitions.entities['onboarding-form']?.properties?.referralSource?.oneOf).toHaveLength(12);
    expect(await refused({ ...form, referralSource: 'radio' })).toEqual(['/referralSource']);
  });
  it('S155 there are 9 platforms to come from', async () => {
    await accepts('previousSubscriptionPlatformName', [
      'recharge',
      'yotpo',
      'smartrr',
      'otherShopifyApps',
      'woocommerce',
      'subly',
      'recurly',
      'salesforceCommerceCloud',
      'otherPlatforms',
    ]);
    expect(server.services.definitions.entities['onboarding-form']?.properties?.previousSubscriptionPlatformName?.oneOf).toHaveLength(9);
    expect(await refused({ ...form, previousSubscriptionPlatformName: 'own' })).toEqual(['/previousSubscriptionPlatformName']);
  });

  it('all of a store is one archive for its owner: every kind of record and page, nothing of another store, no secret', async () => {
    const { services, url, signIn } = server;
    expect((await server.call('store-data.exportStore', {}, { as: 'admin' })).status).toBe(403);
    await services.db.inStore(1, async trx => {
      await trx
        .insertInto('payment_providers')
        .values({ store_id: 1, provider: 'STRIPE', account_id: 'acct_1', status: 'CONNECTED', api_key: '••••abcd' })
        .execute();
    });
    const call = services.definitions.calls['store-data.exportStore']!;
    const request = buildRequest(services.definitions, call, {}, {});
    const answer = await fetch(url + request.url, {
      method: request.method,
      headers: { ...request.headers, authorization: await signIn('owner') },
    });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/-\d{4}-\d\d-\d\d\.tar\.gz/)]);
    const folder = mkdtempSync(join(tmpdir(), 'perennial-store-'));
    try {
      writeFileSync(join(folder, 'all.tar.gz'), Buffer.from(await answer.arrayBuffer()));
      execFileSync('tar', ['xzf', 'all.tar.gz'], { cwd: folder });
      const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const { records } = read('contents.json') as { records: Record<string, number> };
      for (const [entity, table] of [
        ['subscription', 'contracts'],
        ['order', 'orders'],
        ['customer', 'customers'],
        ['activity', 'events'],
        ['variant', 'variants'],
      ] as const) {
        const { rows } = await services.db.ownerQuery<{ n: number }>(`select count(*)::integer as n from ${table} where store_id = 1`);
        expect(records[entity], entity).toBe(rows[0]?.n);
      }
      const { rows: log } = await services.db.ownerQuery(
        "select user_email from account_log where store_id = 1 and action = 'store.exported'",
      );
      expect(log).toEqual([{ user_email: 'amira@fernandember.example' }]);
      expect(records['selling-plan-group']).toBeGreaterThan(0);
      expect(read('subscription/00001.json')).toHaveLength(records.subscription!);
      expect(readdirSync(join(folder, 'settings')).sort()).toEqual(
        Object.keys(services.definitions.settings)
          .map(name => `${name}.json`)
          .sort(),
      );
      expect(read('payment-provider/00001.json')[0]).toMatchObject({ provider: 'STRIPE' });
      const everything = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.json'))
        .map(name => readFileSync(join(folder, name), 'utf8'))
        .join('');
      const { rows: people } = await services.db.ownerQuery<{ email: string; store: number }>(
        'select email, store_id as store from customers order by store_id, id',
      );
      const isIn = ({ email }: { email: string }) => everything.includes(email);
      expect(people.filter(({ store }) => store === 1).every(isIn)).toBe(true);
      expect(people.filter(({ store }) => store === 2).filter(isIn)).toEqual([]);
      expect(everything).not.toMatch(/••••|link=[\w-]{43}/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
