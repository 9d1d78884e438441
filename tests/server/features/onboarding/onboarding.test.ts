// The onboarding form on the server, and the new store of the demo that begins with it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, Session } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('onboarding (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 2, stores: 1 },
      tables: ['sign-in', 'start-up', 'start-up-app', 'onboarding', 'store-products', 'collections', 'users', 'roles', 'widgets'],
    });
  });
  afterAll(() => server?.close());
  /** A new store with its owner's token. */
  const open = async (): Promise<{ token: string; myshopifyDomain: string; email: string }> =>
    (await server.call('sign-in.demoNewStore', {}, { as: null })).data;
  const FORM = { storeIndustry: 'wine', storeBizDetails: 'Wine', alreadyRunningSubscriptions: 0, referralSource: 'search' };
  const save = (as: string, form: JsonObject) => server.call('start-up-app.onboardingForm', form, { as });
  const errors = async (as: string, form: JsonObject): Promise<Record<string, string>> => {
    const { status, body } = await save(as, form);
    expect(status).toBe(422);
    return Object.fromEntries((body.errors ?? []).map(error => [error.pointer.slice(1), error.message]));
  };

  it('S016 a new store has products, no plans and an open form; saving the form completes it', async () => {
    const { token } = await open();
    const session = async () => (await server.call('start-up.session', {}, { as: token })).data as Session;
    const before = await session();
    expect(before.store).toMatchObject({
      isOnboardingFormComplete: false,
      storefrontWidgetVersion: 2,
      isDemo: true,
      customer_count: 0,
      order_count: 0,
    });
    expect(before).toMatchObject({
      user: { firstName: 'Robin', loopUserType: 'OWNER' },
      plan: { billing_plan_id: 1, name: 'Free' },
      featureSwitches: expect.arrayContaining(['loopSetupScore']),
      alertCount: 0,
    });
    const products = await server.call('store-products.list', { pageSize: 100 }, { as: token });
    expect(products.data.length).toBeGreaterThan(20);
    expect(products.data.every((one: JsonObject) => Number(one.variantsCount ?? 1) > 0)).toBe(true);
    expect((await server.call('collections.list', { pageSize: 100 }, { as: token })).data.length).toBeGreaterThan(2);
    expect((await server.call('onboarding.nextEligibleOnboardingStage', {}, { as: token })).data).toMatchObject({
      stageKey: 'ONBOARDING_FORM',
    });
    expect((await save(token, FORM)).data).toEqual({ isOnboardingFormComplete: true });
    expect((await session()).store.isOnboardingFormComplete).toBe(true);
  });

  it('a new store has ready roles, which are its own, and a published widget on its product pages', async () => {
    const { token } = await open();
    const roles = (await server.call('roles.list', {}, { as: token })).data as JsonObject[];
    expect(roles.map(({ name, kind }) => [name, kind])).toEqual([
      ['Owner', 'SYSTEM'],
      ['Admin', 'SYSTEM'],
      ['Member', 'SYSTEM'],
      ['Support', 'CUSTOM'],
      ['Marketing', 'CUSTOM'],
      ['Read only', 'CUSTOM'],
    ]);
    const [support, , reader] = await Promise.all(
      roles.slice(3).map(async ({ id }) => (await server.call('roles.read', { id: id! }, { as: token })).data as JsonObject),
    );
    const accessIn = ({ permissions = [] }: JsonObject = {}): Record<string, string> =>
      Object.fromEntries((permissions as { permissionKey: string; access: string }[]).map(one => [one.permissionKey, one.access]));
    expect(accessIn(support)).toMatchObject({ subscriptionDetails: 'WRITE', subscriptionDiscount: 'READ', generalSettings: 'NO_ACCESS' });
    expect(Object.values(accessIn(reader))).not.toContain('WRITE');
    expect(accessIn(reader)).toMatchObject({ generalSettings: 'READ', manageApiToken: 'NO_ACCESS' });
    const changed = { id: support!.id!, version: support!.version!, name: 'Desk', permissions: [] };
    expect((await server.call('roles.update', changed, { as: token })).status).toBe(200);
    expect((await server.call('roles.delete', { id: support!.id! }, { as: token })).status).toBe(200);

    const [widget] = (await server.call('widgets.list', {}, { as: token })).data as JsonObject[];
    expect(widget).toMatchObject({ type: 'PRODUCT', status: 'ACTIVE', isCustomised: false, places: ['Meadow · Default product'] });
    const old = await server.call('sign-in.demoNewStore', { widgetVersion: 1 }, { as: null });
    expect((await server.call('widgets.list', {}, { as: old.data.token as string })).data).toEqual([]);
  });

  it('every new store is another one, kept apart from the others and from the users on the sign-in page', async () => {
    const [one, other] = [await open(), await open()];
    expect(one.myshopifyDomain).not.toBe(other.myshopifyDomain);
    await save(one.token, FORM);
    expect(((await server.call('start-up.session', {}, { as: other.token })).data as Session).store.isOnboardingFormComplete).toBe(false);
    const { users } = (await server.call('sign-in.demoUsers', {}, { as: null })).data as { users: { storeName: string }[] };
    expect([...new Set(users.map(user => user.storeName))]).toEqual(['Fern & Ember']);
    const { rows } = await server.services.db.ownerQuery<{ n: number }>(
      `select count(*) as n from products p join stores s on s.id = p.store_id where s.myshopify_domain = $1`,
      [one.myshopifyDomain],
    );
    expect(Number(rows[0]!.n)).toBeGreaterThan(20);
  });

  it('a new store may begin with the widget of version 1; the second store of the demo has it, and is made once', async () => {
    const old = await server.call('sign-in.demoNewStore', { widgetVersion: 1 }, { as: null });
    const sessionOf = async (token: string): Promise<Session> => (await server.call('start-up.session', {}, { as: token })).data as Session;
    expect((await sessionOf(old.data.token as string)).store.storefrontWidgetVersion).toBe(1);
    const enter = async (widgetVersion: number): Promise<Session> =>
      sessionOf((await server.call('sign-in.demoStore', { widgetVersion }, { as: null })).data.token as string);
    const [first, again] = await Promise.all([enter(1), enter(1)]);
    expect(first.store).toMatchObject({ storefrontWidgetVersion: 1, isOnboardingFormComplete: true });
    expect(first.user.loopUserType).toBe('OWNER');
    expect(again.store.storeId).toBe(first.store.storeId);
    // In its shop the snippet of the theme stands around the ways to buy.
    const page = await server.request('GET', `/shop/${first.store.storeId}/products/harbour-house-blend`, { as: null });
    expect(page.text).toMatch(/<div data-perennial-product-id="\d+"[^>]*><fieldset>/);
    expect(page.text).toContain(
      `<script src="/storefront/snippet.js" data-store="${first.store.storeId}" async fetchpriority="high"></script>`,
    );
    expect(await enter(2)).toMatchObject({ store: { storeId: 1, storefrontWidgetVersion: 2 }, user: { loopUserType: 'OWNER' } });
  });

  it('the owner of a new store can ask for a sign-in link', async () => {
    const { email, myshopifyDomain } = await open();
    await server.call('sign-in.requestLink', { email }, { as: null });
    await server.settled();
    const { rows: links } = await server.services.db.ownerQuery(
      'select 1 from login_links l join stores s on s.id = l.store_id where s.myshopify_domain = $1',
      [myshopifyDomain],
    );
    expect(links.length).toBe(1);
  });

  it('a server that is no demo opens none, and a demo that has made too many says so', async () => {
    const plain = await startTestServer({ engine, seed: false, tables: ['sign-in'], config: { demo: false } });
    try {
      expect((await plain.call('sign-in.demoNewStore', {}, { as: null })).status).toBe(404);
    } finally {
      await plain.close();
    }
    await server.services.db.ownerQuery(
      `insert into stores (myshopify_domain, name, email, details) select 'full-' || n || '.myshopify.com', 'Full', 'a@full.example', '{"demo": "NEW_STORE"}' from generate_series(1, 500) n`,
    );
    const refused = await server.call('sign-in.demoNewStore', {}, { as: null });
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'This demo has made all the new stores it can. Choose a user of the demo store instead.',
    ]);
    await server.services.db.ownerQuery(`delete from stores where name = 'Full'`);
  });

  it('S196 S197 S198 S199 an empty form is refused, each field in its own words', async () => {
    const { token } = await open();
    expect(await errors(token, {})).toEqual({
      storeIndustry: 'Please select an industry',
      storeBizDetails: 'Please tell us what you sell',
      alreadyRunningSubscriptions: 'Please select an option',
      referralSource: 'Please tell us how you heard about Perennial',
    });
    expect(await errors(token, { ...FORM, storeBizDetails: '   ' })).toEqual({ storeBizDetails: 'Please tell us what you sell' });
    expect(await errors(token, { ...FORM, storeIndustry: '', referralSource: '' })).toEqual({
      storeIndustry: 'Please select an industry',
      referralSource: 'Please tell us how you heard about Perennial',
    });
    expect(await errors(token, { ...FORM, storeIndustry: 'gold', alreadyRunningSubscriptions: 2 })).toHaveProperty('storeIndustry');
  });

  it('S200 S201 S202 the platform is asked for only when subscriptions are running', async () => {
    const { token } = await open();
    const { alreadyRunningSubscriptions: _open, ...undecided } = FORM;
    expect(await errors(token, { ...FORM, alreadyRunningSubscriptions: 1 })).toEqual({
      previousSubscriptionPlatformName: 'Please select your current platform',
    });
    expect(await errors(token, { ...FORM, alreadyRunningSubscriptions: 1, previousSubscriptionPlatformName: '' })).toEqual({
      previousSubscriptionPlatformName: 'Please select your current platform',
    });
    expect(await errors(token, undecided)).toEqual({ alreadyRunningSubscriptions: 'Please select an option' });
    expect(await errors(token, { ...undecided, previousSubscriptionPlatformName: '' })).toEqual({
      alreadyRunningSubscriptions: 'Please select an option',
    });
    expect((await save(token, FORM)).status).toBe(200);
  });

  it("S152 S267 the platform is kept while subscriptions run elsewhere, and empty when they don't, whatever is sent", async () => {
    const { token, myshopifyDomain } = await open();
    const kept = async () =>
      (
        await server.services.db.ownerQuery<{ onboarding: JsonObject }>('select onboarding from stores where myshopify_domain = $1', [
          myshopifyDomain,
        ])
      ).rows[0]!.onboarding;
    const sent = await server.request('POST', '/host/app/onboarding/onboardingForm', {
      as: token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...FORM, alreadyRunningSubscriptions: 1, previousSubscriptionPlatformName: 'recharge' }),
    });
    expect(sent.status).toBe(200);
    expect(await kept()).toMatchObject({
      alreadyRunningSubscriptions: 1,
      previousSubscriptionPlatformName: 'recharge',
      storeIndustry: 'wine',
    });
    await save(token, { ...FORM, previousSubscriptionPlatformName: 'recharge' });
    expect(await kept()).toMatchObject({ alreadyRunningSubscriptions: 0, previousSubscriptionPlatformName: '' });
  });

  it('the form is saved by those who may change the general settings', async () => {
    expect((await save(await server.signIn('readOnly'), FORM)).status).toBe(403);
  });
});
