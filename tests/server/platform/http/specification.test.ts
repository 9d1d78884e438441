// What the specification says of calls and records that are built, asked of the running server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import special from '../../../../schemas/common/special.json' with { type: 'json' };
import { bannerPeriods } from '../../../../src/admin/features/notices/banners/rules.ts';
import { coreOf } from '../../../../src/browser-definitions/core.ts';
import { factsOf, isSpecialStore } from '../../../../src/navigation/facts.ts';
import { mayOpen, navigationFor } from '../../../../src/navigation/navigation.ts';
import type { Call, JsonObject, Permission, Session } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 20, stores: 2 } });
});
afterAll(() => server?.close());

const ok = async (name: string, input: JsonObject = {}) => {
  const answer = await server.call(name, input);
  expect([name, answer.status], JSON.stringify(answer.body)).toEqual([name, 200]);
  return answer.data;
};
const set = async (statement: string, params: unknown[] = []): Promise<void> => {
  await server.services.db.ownerQuery(statement, params);
  server.services.sessions.forget();
};
const callOf = (name: string): Call => {
  const call = server.services.definitions.calls[name];
  if (!call) throw new Error(`There is no call ${name}.`);
  return call;
};
const namesIn = (call: Call): string[] => call.in.map(param => param.name);

describe('the session', () => {
  it('D129 every call but those for signing in needs the session of a merchant, and is refused without one or with a wrong one', async () => {
    const calls = Object.values(server.services.definitions.calls);
    expect(calls.filter(call => call.public).map(call => call.table)).toEqual(calls.filter(call => call.public).map(() => 'sign-in'));
    const answered: [string, number][] = [];
    for (const call of calls) {
      if (call.public) continue;
      const path = call.path.replace(/\{\w+\}/g, '1');
      const prefix = server.services.definitions.hosts[call.host]?.prefix ?? '';
      const bodied = call.method === 'POST' || call.method === 'PUT' || call.method === 'PATCH';
      const { status } = await server.request(call.method, prefix + path, {
        as: null,
        ...(bodied ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
      });
      answered.push([call.name, status]);
    }
    expect(answered.length).toBeGreaterThan(200);
    expect(answered.filter(([, status]) => status !== 401)).toEqual([]);
    expect((await server.call('start-up.session', {}, { as: 'A'.repeat(43) })).status).toBe(401);
  });

  it('D032 D033 D131 the store that is read at the start, by its domain, and whether its form was filled in', async () => {
    const { call, method, path } = { call: callOf('start-up-app.storeSettings'), method: 'GET', path: '/store/settings' };
    expect([call.method, call.path, namesIn(call)]).toEqual([method, path, ['myshopify_domain']]);
    const read = await server.call('start-up-app.storeSettings', { myshopify_domain: 'fernandember.myshopify.com' });
    expect(Object.keys(read.data)).toEqual(
      expect.arrayContaining([
        'myshopify_domain',
        'shop_data',
        'name',
        'email',
        'plan_name',
        'country_name',
        'shop_owner',
        'customer_count',
        'order_count',
      ]),
    );
    expect(read.data).toMatchObject({ myshopify_domain: 'fernandember.myshopify.com', customer_count: expect.any(Number) });
    // The domain is that of the session; another one is unknown.
    expect((await server.call('start-up-app.storeSettings', { myshopify_domain: 'other.myshopify.com' })).status).toBe(404);
    expect(await ok('start-up-app.onboardingStatus')).toEqual({ isOnboardingFormComplete: true });
    await set('update stores set onboarding = null where id = 1');
    expect(await ok('start-up-app.onboardingStatus')).toEqual({ isOnboardingFormComplete: false });
    await set("update stores set onboarding = '{}' where id = 1");
  });

  it('D130 D138 D139 the calls about a store send its domain, and refuse that of another one', async () => {
    for (const [name, path, parameter] of [
      ['start-up-app.snippetVersion', '/store/snippet_version', 'domain'],
      ['onboarding.storeInsights', '/storeInsights', 'shopifyDomain'],
      ['onboarding.loopPlan', '/storeInsights/loopPlan', 'shopifyDomain'],
    ] as const) {
      const call = callOf(name);
      expect([call.method, call.path, namesIn(call)]).toEqual(['GET', path, [parameter]]);
      await ok(name, { [parameter]: 'fernandember.myshopify.com' });
      expect([name, (await server.call(name, { [parameter]: 'other.myshopify.com' })).status]).toEqual([name, 404]);
    }
  });

  it('D211 the three calls of the account log send the store by its domain, and another one is unknown', async () => {
    for (const [name, path] of [
      ['logs.accountLogs', '/accountLogs'],
      ['logs.availableActions', '/availableActions'],
      ['logs.users', '/users'],
    ] as const) {
      const call = callOf(name);
      expect([call.method, call.path]).toEqual(['GET', `/api/merchant${path}`]);
      expect(namesIn(call)).toContain('myshopify_domain');
      await ok(name, { myshopify_domain: 'fernandember.myshopify.com' });
      expect([name, (await server.call(name, { myshopify_domain: 'other.myshopify.com' })).status]).toEqual([name, 404]);
    }
  });

  it('D125 D126 D127 D128 stores on the list, on a plus or partner-test plan and demo stores are special; two plans are flagged', async () => {
    const session = async (): Promise<Session> => (await ok('start-up.session')) as Session;
    const facts = (of: Session) => factsOf(of, server.services.definitions.facts);
    expect(isSpecialStore(await session())).toBe(true);
    await set("update stores set is_demo = false, plan_name = 'basic' where id = 1");
    const plain = await session();
    expect([isSpecialStore(plain), facts(plain)['store.isSpecial']]).toEqual([false, false]);
    for (const plan of ['plus', 'partner-test']) {
      await set('update stores set plan_name = $1 where id = 1', [plan]);
      expect([plan, isSpecialStore(await session())]).toEqual([plan, true]);
    }
    await set("update stores set plan_name = 'basic' where id = 1");
    expect(special.stores.length).toBeGreaterThan(0);
    for (const myshopify_domain of special.stores)
      expect(isSpecialStore({ ...plain, store: { ...plain.store, myshopify_domain } })).toBe(true);
    const flagged: string[] = [];
    for (const plan of server.services.definitions.plans) {
      await set('update stores set billing_plan_id = $1 where id = 1', [plan.id]);
      if (facts(await session())['plan.isFlagged']) flagged.push(plan.name);
    }
    expect(flagged).toEqual(['Plus Trial', 'Developer Preview']);
    await set('update stores set billing_plan_id = 4, is_demo = true where id = 1');
  });
});

describe('people', () => {
  const areas = async (id: number): Promise<Permission[]> => (await ok('users.readPermissions', { id })).permissions;

  it("D034 D111 the team is listed, each with e-mail, names, the platform's id and the permissions", async () => {
    const list = (await ok('users.list')) as JsonObject[];
    expect(list.map(user => user.userId)).toEqual([1001, 1002, 1003, 1004]);
    for (const user of list) expect(Object.keys(user)).toEqual(expect.arrayContaining(['email', 'firstName', 'lastName', 'userShopifyId']));
    expect((await areas(1004)).length).toBe(Object.keys(server.services.definitions.permissions).length);
  });

  it("D109 D112 D118 D212 a member begins with the server's permissions and is given others; NO_ACCESS, READ and WRITE are all there are", async () => {
    await set("insert into users (store_id, id, email, type) values (1, 1950, 'fresh@fernandember.example', 'MEMBER')");
    const fresh = await areas(1950);
    for (const area of fresh) expect(area.access).toBe(area.availableAccessMode.includes('READ') ? 'READ' : 'NO_ACCESS');
    const call = callOf('users.updatePermissions');
    expect([call.method, call.path, namesIn(call)]).toEqual(['PUT', '/users/permissions/{id}', expect.arrayContaining(['permissions'])]);
    for (const access of ['WRITE', 'NO_ACCESS', 'READ'] as const) {
      await ok('users.updatePermissions', { id: 1950, permissions: [{ permissionKey: 'subscriptionDiscount', access }] });
      expect((await areas(1950)).find(area => area.permissionKey === 'subscriptionDiscount')?.access).toBe(access);
    }
    expect(
      (await server.call('users.updatePermissions', { id: 1950, permissions: [{ permissionKey: 'subscriptionDiscount', access: 'ALL' }] }))
        .status,
    ).toBe(422);
  });

  it('D113 D114 the type of a member is changed, and a member is removed for good', async () => {
    const token = await server.signIn('mixed');
    await ok('users.updateType', { userId: 1003, loopUserType: 'ADMIN' });
    expect(((await ok('users.list')) as JsonObject[]).find(user => user.userId === 1003)).toMatchObject({ loopUserType: 'ADMIN' });
    await ok('users.updateType', { userId: 1003, loopUserType: 'MEMBER' });
    expect((await server.call('start-up.session', {}, { as: token })).status).toBe(200);
    await ok('users.delete', { id: 1003 });
    expect(((await ok('users.list')) as JsonObject[]).map(user => user.userId)).not.toContain(1003);
    expect((await server.call('start-up.session', {}, { as: token })).status).toBe(401);
  });

  it('D119 what the plan lacks is disabled in the navigation, with the plan that has it', async () => {
    const places = coreOf(server.services.definitions);
    const look = async (): Promise<string[]> => {
      const session = (await ok('start-up.session')) as Session;
      const { main } = navigationFor(places, { path: '/dashboard', session, facts: factsOf(session, server.services.definitions.facts) });
      return main
        .flatMap(entry => [entry, ...entry.items])
        .filter(entry => !mayOpen(places, entry.to, session).ok)
        .map(entry => entry.to);
    };
    const dear = await look();
    await set('update stores set billing_plan_id = 1 where id = 1');
    const free = await look();
    const refused = mayOpen(places, '/bulk-actions', (await ok('start-up.session')) as Session);
    await set('update stores set billing_plan_id = 4 where id = 1');
    expect(dear).toEqual([]);
    expect(free).toEqual(expect.arrayContaining(['/streaks', '/flows', '/bulk-actions']));
    expect(free).not.toContain('/subscriptions');
    expect(refused).toMatchObject({ ok: false, code: 'FEATURE_NOT_IN_PLAN' });
  });
});

describe('the payment summary', () => {
  it('D132 D133 D134 D135 D136 asks for the 30 days that end yesterday and the 30 before, as YYYY-MM-DD, of revenue and nothing else', async () => {
    const call = callOf('payments-overview.paymentSummaryInfoForBanner');
    expect([call.method, call.path, namesIn(call)]).toEqual([
      'POST',
      '/analytics/payments/overview/paymentSummaryInfoForBanner',
      ['startDate', 'endDate', 'comparisonStartDate', 'comparisonEndDate', 'dataType'],
    ]);
    // Over the end of February of a leap year, and over the change of the clocks.
    expect(bannerPeriods('2028-03-30')).toEqual({
      startDate: '2028-02-29',
      endDate: '2028-03-29',
      comparisonStartDate: '2028-01-30',
      comparisonEndDate: '2028-02-28',
    });
    const periods = bannerPeriods('2026-11-22');
    expect(periods).toEqual({
      startDate: '2026-10-23',
      endDate: '2026-11-21',
      comparisonStartDate: '2026-09-23',
      comparisonEndDate: '2026-10-22',
    });
    expect(await ok('payments-overview.paymentSummaryInfoForBanner', { ...periods, dataType: 'revenue' })).toMatchObject({
      ...periods,
      dataType: 'revenue',
    });
    for (const wrong of [{ dataType: 'orders' }, { startDate: '10/23/2026' }, { endDate: '2026-11-31' }, { comparisonEndDate: '' }]) {
      expect([
        wrong,
        (await server.call('payments-overview.paymentSummaryInfoForBanner', { ...periods, dataType: 'revenue', ...wrong })).status,
      ]).toEqual([wrong, 422]);
    }
  });
});

describe('answers', () => {
  it('D227 an answer is used whole or by a field of it: what a call is said to answer is there', async () => {
    const calls = Object.values(server.services.definitions.calls);
    expect(calls.filter(call => call.out === '' || call.out === 'data' || call.out.startsWith('data.')).length).toBeGreaterThan(
      calls.length * 0.9,
    );
    const whole = await server.call('start-up-app.isFreePlanLimitExceeded');
    expect([callOf('start-up-app.isFreePlanLimitExceeded').out, whole.data]).toEqual(['', whole.body]);
    const nested = await server.call('start-up-app.fetchBilling');
    expect(nested.data).toBe(nested.body.settings);
    expect(nested.data[0].active_plan.billing_plan_id).toBe(4);
  });

  it('D239 whatever else goes wrong is answered in one form: a code, a sentence and the number of the request, and nothing of the inside', async () => {
    const json = { 'content-type': 'application/json' };
    const base = '/host/main/api/merchant/subscriptionContract';
    const wrong = [
      [404, await server.request('GET', '/host/main/api/nowhere', { as: 'owner' })],
      [400, await server.request('POST', `${base}/skipOrder`, { as: 'owner', headers: json, body: '{"id":' })],
      [422, await server.request('POST', `${base}/skipOrder`, { as: 'owner', headers: json, body: '{"id":"one"}' })],
      [404, await server.request('POST', `${base}/skipOrder`, { as: 'owner', headers: json, body: '{"id":999999}' })],
      [
        413,
        await server.request('POST', `${base}/updateNote`, {
          as: 'owner',
          headers: json,
          body: JSON.stringify({ id: 1, note: 'x'.repeat(1_200_000) }),
        }),
      ],
      [415, await server.request('POST', `${base}/skipOrder`, { as: 'owner', headers: { 'content-type': 'text/plain' }, body: 'id=1' })],
    ] as const;
    for (const [status, answer] of wrong) {
      expect(answer.status, answer.text).toBe(status);
      expect(answer.json).toMatchObject({
        success: false,
        code: expect.stringMatching(/^[A-Z_]+$/),
        message: expect.stringMatching(/^[A-Z].*\.$/s),
        requestId: expect.any(String),
      });
      expect(answer.text).not.toMatch(/\n\s+at |\\n\s+at |node_modules|\bstore_id\b|\.ts\b/);
    }
  });
});
