// The set-up score and the stages of onboarding over the real server: completed by what is done, visible by plan and rights, new for a while.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTS } from '../../../../src/server/features/onboarding/store-facts.ts';
import { completedOf } from '../../../../src/server/features/onboarding/completed-tasks.ts';
import { hasScreen } from '../../../../src/contract/find.ts';
import type { GoalCategory, GoalTask, JsonObject, Session } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type CallOptions, type TestServer } from '../../../support/server.ts';
import { group, monthly } from '../selling-plans/plans.ts';

describe.each(oneEngine)('set-up (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 2 },
      tables: ['onboarding', 'selling-plan-groups', 'settings', 'start-up-app'],
    });
  });
  afterAll(() => server?.close());
  const set = async (statement: string): Promise<void> => {
    await server.services.db.ownerQuery(statement);
    server.services.sessions.forget();
  };
  const insights = async (options: CallOptions = {}): Promise<GoalCategory[]> =>
    (await server.call('onboarding.storeInsights', {}, options)).data.goalCategories;
  const task = async (key: string, options: CallOptions = {}): Promise<GoalTask | undefined> =>
    (await insights(options)).flatMap(one => one.subEntities).find(one => one.subModuleKey === key);
  /** The second store, emptied of what was set up, as its owner sees it. */
  const fresh = async (): Promise<CallOptions> => {
    for (const table of ['plan_products', 'plan_collections', 'records', 'settings', 'set_up_tasks', 'onboarding_stages'])
      await set(`delete from ${table} where store_id = 2`);
    return { as: await server.signIn('owner', 2) };
  };

  it('every fact that a definition names is there, and each can be asked', async () => {
    const { setUp } = server.services.definitions;
    const named = [...setUp.tabs.flatMap(tab => tab.modules.flatMap(module => module.tasks)), ...setUp.stages].flatMap(
      one => one.done.fact ?? [],
    );
    named.push(...setUp.stages.flatMap(({ ways = [] }) => ways.map(({ fact }) => fact)));
    expect(named.filter(name => !Object.hasOwn(FACTS, name))).toEqual([]);
    expect(Object.keys(FACTS).filter(name => !named.includes(name))).toEqual([]);
  });

  it("S144 S145 S146 S261 S262 the insights are asked by the shop's domain and stand in data.goalCategories", async () => {
    const answer = await server.request('GET', '/host/v2/storeInsights?shopifyDomain=fernandember.myshopify.com', { as: 'owner' });
    expect(answer.status).toBe(200);
    const { goalCategories } = (answer.json as { data: { goalCategories: GoalCategory[] } }).data;
    expect(goalCategories.map(one => one.name)).toEqual(['Acquire', 'Retain', 'Grow', 'Manage']);
    for (const one of goalCategories) {
      expect(Object.keys(one).sort()).toEqual(['completionCount', 'completionPercentage', 'name', 'subEntities', 'uniqueModules']);
      expect(one.completionCount).toBe(one.subEntities.filter(inner => inner.isCompleted).length);
      for (const task of one.subEntities)
        expect(Object.keys(task)).toEqual(
          expect.arrayContaining([
            'moduleKey',
            'module',
            'subModuleKey',
            'name',
            'description',
            'isCompleted',
            'isNew',
            'buttonCtaText',
            'buttonRedirectURL',
          ]),
        );
    }
    expect((await server.request('GET', '/host/v2/storeInsights?shopifyDomain=store-2.myshopify.com', { as: 'owner' })).status).toBe(404);
  });

  it('creating a plan, mapping a product and setting the billing hour complete their tasks, and deleting the plan undoes its own', async () => {
    const options = await fresh();
    const state = async () =>
      Object.fromEntries((await insights(options)).flatMap(one => one.subEntities).map(one => [one.subModuleKey, one.isCompleted]));
    expect(await state()).toMatchObject({
      sellingPlan: false,
      productMapping: false,
      prepaidPlan: false,
      billingHour: false,
    });

    const draft = (await server.call('selling-plan-groups.create', group({ status: 'DRAFT' }), options)).data as JsonObject;
    expect(await state()).toMatchObject({ sellingPlan: false });
    const made = (await server.call('selling-plan-groups.create', group({ status: 'ACTIVE', sellingPlans: [monthly()] }), options))
      .data as JsonObject;
    expect(await state()).toMatchObject({ sellingPlan: true, productMapping: false });
    const { rows } = await server.services.db.ownerQuery<{ id: number; product_id: number }>(
      'select id, product_id from variants where store_id = 2 order by id limit 1',
    );
    await server.services.db.ownerQuery('insert into plan_products (store_id, group_id, product_id) values (2, $1, $2)', [
      made.lspgId as number,
      rows[0]!.product_id,
    ]);
    expect(await state()).toMatchObject({ sellingPlan: true, productMapping: true });
    const {
      id: _id,
      updatedAt: _at,
      updatedBy: _by,
      ...document
    } = (await server.call('settings.get', { settingsPage: 'general' }, options)).data as JsonObject;
    expect((await server.call('settings.set', { settingsPage: 'general', ...document, billingHour: 7 }, options)).status).toBe(200);
    expect(await state()).toMatchObject({ billingHour: true });
    await server.call('selling-plan-groups.delete', { lspgId: made.lspgId! }, options);
    await server.call('selling-plan-groups.delete', { lspgId: draft.lspgId! }, options);
    expect(await state()).toMatchObject({ sellingPlan: false, productMapping: false });
  });

  it('tasks that lead to a feature the plan lacks are not there, and come as new when the plan has it; after 30 days they are no news', async () => {
    const options = await fresh();
    await set('update stores set billing_plan_id = 2, clock_offset_ms = 0 where id = 2');
    expect(await task('prepaidPlan', options)).toBeUndefined();
    expect((await task('sellingPlan', options))!.isNew).toBe(false);
    await set('update stores set billing_plan_id = 4 where id = 2');
    expect(await task('prepaidPlan', options)).toMatchObject({ isNew: true, isCompleted: false });
    expect((await task('sellingPlan', options))!.isNew).toBe(false);
    await set(`update stores set clock_offset_ms = ${29 * 86_400_000} where id = 2`);
    expect((await task('prepaidPlan', options))!.isNew).toBe(true);
    await set(`update stores set clock_offset_ms = ${31 * 86_400_000} where id = 2`);
    expect((await task('prepaidPlan', options))!.isNew).toBe(false);
    await set(
      'insert into records (store_id, entity, id, data) values (2, \'selling-plan-group\', 1, \'{"status": "ACTIVE", "type": "PREPAID"}\')',
    );
    expect(await task('prepaidPlan', options)).toMatchObject({ isCompleted: true, isNew: false });
    await set('update stores set clock_offset_ms = 0 where id = 2');
  });

  it('every task and every stage leads to a page that is there, for both versions of the widget, so that all of it can be done', async () => {
    const { definitions } = server.services;
    for (const version of [1, 2]) {
      await set(`update stores set storefront_widget_version = ${version} where id = 1`);
      const tasks = (await insights()).flatMap(one => one.subEntities);
      const { stages } = (await server.call('onboarding.assess')).data as { stages: { stageKey: string }[] };
      const links = [
        ...tasks.map(one => one.buttonRedirectURL),
        ...stages.map(one => definitions.setUp.stages.find(stage => stage.key === one.stageKey)!.to),
      ];
      expect(links.length).toBeGreaterThan(6);
      expect(links.filter(to => !hasScreen(definitions, to))).toEqual([]);
    }
  });

  it('a member sees the tasks whose areas they may read', async () => {
    const all = (await insights()).flatMap(one => one.subEntities).length;
    await set('update users set permissions = permissions || \'{"inventory": "NO_ACCESS"}\' where store_id = 1 and first_name = \'Soren\'');
    const reader = (await insights({ as: 'mixed' })).flatMap(one => one.subEntities);
    expect(reader.length).toBeLessThan(all);
    expect(reader.map(one => one.subModuleKey)).not.toContain('inventoryRules');
    expect(reader.map(one => one.subModuleKey)).toContain('sellingPlan');
  });

  it('three reasons with suggestions are needed where one would do elsewhere', async () => {
    await fresh();
    const { db, definitions } = server.services;
    const asked = definitions.setUp.tabs.flatMap(tab => tab.modules.flatMap(module => module.tasks));
    const completed = async (): Promise<boolean> =>
      db.inStore(2, async trx => {
        const store = await trx.selectFrom('stores').selectAll().where('id', '=', 2).executeTakeFirstOrThrow();
        const wanted = asked.filter(one => one.key === 'cancellationReasons');
        return (await completedOf({ trx, store, storeId: 2, session: {} as Session, definitions }, wanted)).size === 1;
      });
    const add = (id: number) =>
      set(
        `insert into records (store_id, entity, id, data) values (2, 'cancellation-reason', ${id}, '{"status": "ACTIVE", "responseMode": "TREATMENTS"}')`,
      );
    // Those that a store begins with.
    await set("delete from records where store_id = 2 and entity = 'cancellation-reason'");
    await add(1);
    await add(2);
    await set(`insert into records (store_id, entity, id, data) values (2, 'cancellation-reason', 3, '{"status": "DRAFT"}')`);
    expect(await completed()).toBe(false);
    await add(4);
    expect(await completed()).toBe(true);
  });

  it('one store sees nothing of what another has set up', async () => {
    const options = await fresh();
    expect((await task('sellingPlan'))!.isCompleted).toBe(true);
    expect((await task('sellingPlan', options))!.isCompleted).toBe(false);
  });

  it("the stages follow the store's data, name what comes next, and can be skipped where nothing needs them", async () => {
    const options = await fresh();
    await set('update stores set onboarding = null, details = details || \'{"paymentProviders": []}\' where id = 2');
    const assess = async () =>
      (await server.call('onboarding.assess', {}, options)).data as {
        stages: { stageKey: string; status: string; completedAt: string | null }[];
        currentStage: string;
        percent: number;
      };
    const next = async () => (await server.call('onboarding.nextEligibleOnboardingStage', {}, options)).data as { stageKey: string } | null;
    const skip = (stageKey: string, more: CallOptions = options) => server.call('onboarding.skipStage', { stageKey }, more);
    expect(await next()).toMatchObject({ stageKey: 'ONBOARDING_FORM' });
    expect((await skip('SELLING_PLAN')).status).toBe(422);
    expect((await skip('PRODUCT_MAPPING')).body.message).toContain('not open yet');
    await server.call(
      'start-up-app.onboardingForm',
      { storeIndustry: 'books', storeBizDetails: 'Novels', alreadyRunningSubscriptions: 0, referralSource: 'friend' },
      options,
    );
    expect(await next()).toMatchObject({ stageKey: 'PAYMENT_ELIGIBILITY', redirectUrl: '/settings/paypal' });
    // A store that no platform knows, and one with a shop, charge through an account of their own; it is done when they do.
    const byStripe = { stageKey: 'PAYMENT_ELIGIBILITY', ctaText: 'Connect Stripe', redirectUrl: '/settings/customer-migration/providers' };
    await set('update stores set details = details || \'{"openedBy": "SIGN_UP"}\' where id = 2');
    expect(await next()).toMatchObject({ ...byStripe, description: expect.stringContaining('of your own') });
    await set("insert into store_connections (store_id, address, api_key) values (2, 'https://shop.example/admin-api', '••••1234')");
    expect(await next()).toMatchObject({ ...byStripe, description: expect.stringContaining('your shop takes payments') });
    await set("update stores set charges_through = '{STRIPE}' where id = 2");
    expect(await next()).toMatchObject({ stageKey: 'SELLING_PLAN' });
    await set(
      "delete from store_connections where store_id = 2; update stores set charges_through = '{}', details = details - 'openedBy' where id = 2",
    );
    expect((await skip('PAYMENT_ELIGIBILITY')).status).toBe(200);
    expect(await next()).toMatchObject({
      stageKey: 'SELLING_PLAN',
      redirectUrl: '/selling-plans/create?start=subscribe-and-save',
      ctaText: 'Create plan',
    });
    expect((await skip('NOWHERE')).status).toBe(404);
    expect((await skip('WIDGET')).body.message).toContain('not open yet');
    const made = (await server.call('selling-plan-groups.create', group({ status: 'DRAFT' }), options)).data as JsonObject;
    await set('update records set data = data || \'{"status": "ACTIVE"}\' where store_id = 2 and entity = \'selling-plan-group\'');
    const first = await assess();
    expect(first.stages.map(one => [one.stageKey, one.status])).toEqual([
      ['ONBOARDING_FORM', 'COMPLETED'],
      ['PAYMENT_ELIGIBILITY', 'SKIPPED'],
      ['SELLING_PLAN', 'COMPLETED'],
      ['PRODUCT_MAPPING', 'ELIGIBLE'],
      ['WIDGET', 'NOT_STARTED'],
      ['TEST_ORDER', 'COMPLETED'],
      ['PORTAL_ACCESS', 'ELIGIBLE'],
      ['GO_LIVE', 'COMPLETED'],
    ]);
    expect(first).toMatchObject({ currentStage: 'PRODUCT_MAPPING', percent: 63 });
    const since = first.stages[2]!.completedAt;
    expect(since).not.toBeNull();
    expect((await assess()).stages[2]!.completedAt).toBe(since);
    expect((await skip('PRODUCT_MAPPING', { as: await server.signIn('readOnly', 2) })).status).toBe(403);
    expect((await skip('PRODUCT_MAPPING')).data).toEqual({ stageKey: 'PRODUCT_MAPPING', status: 'SKIPPED' });
    expect(await next()).toMatchObject({ stageKey: 'WIDGET', redirectUrl: '/widgets/storefront/library' });
    expect((await skip('WIDGET')).status).toBe(200);
    expect(await next()).toMatchObject({ stageKey: 'PORTAL_ACCESS', redirectUrl: '/customer-portal/accessibility' });
    expect((await skip('PORTAL_ACCESS')).status).toBe(200);
    expect(await next()).toBeNull();
    expect((await assess()).percent).toBe(100);
    await set(`delete from records where store_id = 2 and id = ${Number(made.lspgId)}`);
    expect((await assess()).stages[2]).toMatchObject({ status: 'ELIGIBLE', completedAt: null });
  });

  it('the plan of the store is answered with its features', async () => {
    expect((await server.call('onboarding.loopPlan')).data).toMatchObject({
      planKey: 'enterprise',
      planName: 'Enterprise',
      features: expect.arrayContaining(['gift_subscription']),
    });
  });
});
