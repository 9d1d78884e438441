import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sellingPlanGroup } from '../../../../src/domain/codecs/selling-plan-group.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { group, monthly, weekly } from './plans.ts';

const BASE = '/host/main/api/merchant/sellingPlanGroups';

describe.each(oneEngine)('selling plan groups on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, tables: ['selling-plan-groups'] });
  });
  afterAll(() => server?.close());

  const create = (over: JsonObject = {}): Promise<Answered> => server.call('selling-plan-groups.create', group(over));
  /** A group as the form holds it after reading it. */
  const open = async (lspgId: number): Promise<JsonObject & { sellingPlans: JsonObject[] }> =>
    sellingPlanGroup.decode((await server.call('selling-plan-groups.read', { lspgId })).data) as JsonObject & {
      sellingPlans: JsonObject[];
    };
  const post = (path: string, body: JsonObject) =>
    server.request('POST', BASE + path, { as: 'owner', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  /** The internal names of the groups that a list finds. */
  const names = async (input: JsonObject): Promise<unknown[]> =>
    ((await server.call('selling-plan-groups.list', input)).data as JsonObject[]).map(one => one.merchantCode);

  test('D021 D022 a group is written as sellingPlansToCreate, -Update and -Delete and read back with every field', async () => {
    const plan = {
      name: 'Weekly on Wednesday',
      category: 'SUBSCRIPTION',
      description: 'Fresh every Wednesday.',
      optionLabel: 'Every week',
      position: 1,
      isDefault: true,
      recurringBillingPolicyInterval: 'WEEK',
      recurringBillingPolicyIntervalCount: 1,
      recurringBillingPolicyMinCycles: 2,
      recurringBillingPolicyMaxCycles: 12,
      recurringDeliveryPolicyInterval: 'WEEK',
      recurringDeliveryPolicyIntervalCount: 1,
      recurringDeliveryPolicyPreAnchorBehavior: 'NEXT',
      recurringDeliveryPolicyCutOff: 2,
      anchorType: 'WEEKDAY',
      anchorDay: 3,
      anchorMonth: null,
      fixedDiscountType: 'PERCENTAGE',
      fixedDiscountValue: 10,
      recurringDiscountType: 'PERCENTAGE',
      recurringDiscountValue: 15,
      recurringDiscountAfterCycle: 3,
    };
    const made = await post('/create', {
      name: 'Fresh roast',
      merchantCode: `wire-${engine}`,
      optionLabel: 'Deliver',
      status: 'ACTIVE',
      sellingPlansToCreate: [
        plan,
        {
          ...plan,
          name: 'Every second Wednesday',
          optionLabel: 'Every 2 weeks',
          recurringBillingPolicyIntervalCount: 2,
          recurringDeliveryPolicyIntervalCount: 2,
          position: 2,
          isDefault: false,
        },
      ],
    });
    expect(made.status, made.text).toBe(200);
    const { lspgId, sellingPlans } = made.json.data;
    expect(made.json.data).toMatchObject({
      name: 'Fresh roast',
      merchantCode: `wire-${engine}`,
      optionLabel: 'Deliver',
      status: 'ACTIVE',
      type: 'STANDARD',
      plansCount: 2,
    });
    expect(sellingPlans[0]).toMatchObject({ ...plan, lspId: expect.any(Number), shopifyId: expect.any(Number) });

    const [first, second] = sellingPlans;
    const changed = await post('/update', {
      lspgId,
      name: 'Fresh roast',
      merchantCode: `wire-${engine}`,
      optionLabel: 'Deliver',
      sellingPlansToUpdate: [{ ...first, name: 'Wednesdays' }],
      sellingPlansToCreate: [
        {
          ...plan,
          name: 'Every 3 weeks',
          optionLabel: '3 weeks',
          recurringBillingPolicyIntervalCount: 3,
          recurringDeliveryPolicyIntervalCount: 3,
          position: 3,
          isDefault: false,
        },
      ],
      sellingPlansToDelete: [second.lspId],
    });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.json.data.sellingPlans.map((one: JsonObject) => one.name)).toEqual(['Wednesdays', 'Every 3 weeks']);
    expect(changed.json.data.sellingPlans[0].lspId).toBe(first.lspId);
    expect(changed.json.data.version).toBe(made.json.data.version + 1);
  });

  test('D021 a write that names one plan leaves the others as they are', async () => {
    const { data } = await create({ sellingPlans: [monthly(), weekly()] });
    const [first] = data.sellingPlans;
    const changed = await post('/update', {
      lspgId: data.lspgId,
      name: data.name,
      merchantCode: data.merchantCode,
      optionLabel: data.optionLabel,
      sellingPlansToUpdate: [{ ...first, description: 'New words' }],
    });
    expect(changed.json.data.sellingPlans.map((one: JsonObject) => [one.name, one.description])).toEqual([
      ['Delivered monthly', 'New words'],
      ['Delivered weekly', null],
    ]);
  });

  test('D023 the category of a plan is SUBSCRIPTION, whatever is sent', async () => {
    const { data } = await create();
    expect(data.sellingPlans[0].category).toBe('SUBSCRIPTION');
    const refused = await create({ sellingPlans: [monthly({ category: 'PRE_ORDER' })] });
    expect(refused.status).toBe(422);
    expect(refused.body.errors?.[0]?.pointer).toBe('/sellingPlans/0/category');
  });

  test("D103 a group without id can't be read or saved", async () => {
    expect((await server.request('GET', `${BASE}/read_by_id`, { as: 'owner' })).json).toMatchObject({
      success: false,
      errors: [{ pointer: '/lspgId', rule: 'required' }],
    });
    expect((await post('/update', group())).json).toMatchObject({ success: false, errors: [{ pointer: '/lspgId' }] });
  });
  test('D104 a group without name is refused', async () => {
    expect((await create({ name: '  ' })).body.errors).toContainEqual({ pointer: '/name', rule: 'BLANK', message: 'Enter a name' });
  });
  test('D105 a group without merchant code is refused', async () => {
    expect((await create({ merchantCode: '' })).body.errors).toContainEqual({
      pointer: '/merchantCode',
      rule: 'BLANK',
      message: 'Enter an internal name',
    });
  });

  test('D056 D057 a group is a draft, active or deleted, and moves between them by its actions only', async () => {
    const { data: draft } = await create();
    expect(draft).toMatchObject({ status: 'DRAFT', shopifyId: null });
    expect((await server.call('selling-plan-groups.unpublish', { lspgId: draft.lspgId })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'Only published groups can be unpublished.',
    });
    const published = await server.call('selling-plan-groups.publish', { lspgId: draft.lspgId });
    expect(published.data).toMatchObject({ status: 'ACTIVE', shopifyId: expect.any(Number), version: 2 });
    expect(published.data.sellingPlans[0].shopifyId).toEqual(expect.any(Number));
    expect((await server.call('selling-plan-groups.publish', { lspgId: draft.lspgId })).status).toBe(409);
    // What is on and sells by its plans holds it; a draft does not.
    const [user] = await query<{ id: number }>(
      `insert into records (store_id, entity, data) values (1, 'checkout-upgrade', $1) returning id`,
      [JSON.stringify({ name: 'Subscribe here', status: 'ACTIVE', planGroupId: draft.lspgId })],
    );
    expect((await server.call('selling-plan-groups.unpublish', { lspgId: draft.lspgId })).body).toMatchObject({
      code: 'IN_USE',
      message: 'This selling plan group is used by 1 checkout upgrade (Subscribe here). Choose another there first.',
    });
    await query(`update records set data = jsonb_set(data, '{status}', '"DRAFT"') where id = $1`, [user?.id]);
    expect((await server.call('selling-plan-groups.unpublish', { lspgId: draft.lspgId })).data.status).toBe('DRAFT');
    await query('delete from records where id = $1', [user?.id]);
    expect((await server.call('selling-plan-groups.delete', { lspgId: draft.lspgId })).data).toEqual({ lspgId: draft.lspgId });
    const gone = await server.call('selling-plan-groups.read', { lspgId: draft.lspgId });
    expect(gone.body).toMatchObject({
      code: 'NOT_FOUND',
      message: 'This selling plan group was deleted',
      errors: [{ rule: 'GROUP_DOES_NOT_EXIST' }],
    });
    expect((await server.call('selling-plan-groups.list')).data.map((one: JsonObject) => one.lspgId)).not.toContain(draft.lspgId);
    const [kept] = await query<{ status: string; deleted: boolean }>(
      "select data->>'status' as status, deleted_at is not null as deleted from records where entity = 'selling-plan-group' and id = $1",
      [draft.lspgId],
    );
    expect(kept).toEqual({ status: 'DELETED', deleted: true });
    const logged = await query<{ action: string; n: number }>(
      "select action, count(*) as n from account_log where entity = 'selling-plan-group' and entity_id = $1 and user_email <> '' group by action order by min(id)",
      [String(draft.lspgId)],
    );
    expect(logged.map(one => one.action)).toEqual(
      ['created', 'published', 'unpublished', 'deleted'].map(verb => `selling_plan_group.${verb}`),
    );
    const history = await query<{ version: number }>(
      "select version from record_history where entity = 'selling-plan-group' and id = $1 order by version",
      [draft.lspgId],
    );
    expect(history.map(one => one.version)).toEqual([1, 2, 3, 4]);
  });

  test('D056 saving a published group as a draft is refused and changes nothing; without a status, or as published, it is saved', async () => {
    const { data } = await create({ publish: true });
    const names = ({ lspgId, name, merchantCode, optionLabel }: JsonObject): JsonObject =>
      ({ lspgId, name, merchantCode, optionLabel }) as JsonObject;
    const kept = async (): Promise<unknown> =>
      (await query("select version, data from records where entity = 'selling-plan-group' and id = $1", [data.lspgId]))[0];
    const before = await kept();
    // As the specification's payload says it, and as the form does.
    const wire = await post('/update', { ...names(data), name: 'Another name', status: 'DRAFT' });
    const form = await server.call('selling-plan-groups.update', { ...(await open(data.lspgId)), name: 'Another name', publish: false });
    for (const refused of [
      [wire.status, wire.json],
      [form.status, form.body],
    ]) {
      expect(refused).toMatchObject([
        409,
        {
          code: 'INVALID_STATE',
          message:
            'This selling plan group is published, and saving it as a draft would take it off the product pages. Unpublish it first, or save it without a status.',
        },
      ]);
      expect(await kept()).toEqual(before);
    }
    expect((await post('/update', { ...names(data), name: 'Another name' })).json).toMatchObject({
      data: { name: 'Another name', status: 'ACTIVE' },
    });
    expect((await post('/update', { ...names(data), name: 'A third name', status: 'ACTIVE' })).json).toMatchObject({
      data: { name: 'A third name', status: 'ACTIVE' },
    });
    const draft = (await create()).data;
    expect((await post('/update', { ...names(draft), name: 'Still a draft', status: 'DRAFT' })).json).toMatchObject({
      data: { name: 'Still a draft', status: 'DRAFT' },
    });
    expect((await post('/update', { ...names(draft), status: 'ACTIVE' })).json).toMatchObject({ data: { status: 'ACTIVE' } });
  });

  test('a draft needs its names only; publishing it needs everything', async () => {
    const { status, data } = await create({ sellingPlans: [] });
    expect(status).toBe(200);
    expect((await server.call('selling-plan-groups.publish', { lspgId: data.lspgId })).body).toMatchObject({
      code: 'VALIDATION',
      errors: [{ pointer: '/sellingPlans', rule: 'SELLING_PLAN_COUNT_LOWER_BOUND', message: 'Add at least one selling plan' }],
    });
  });

  test("the last plan of a published group can't be taken away, the one before can", async () => {
    const { data } = await create({ publish: true, sellingPlans: [monthly(), weekly()] });
    const form = await open(data.lspgId);
    const one = await server.call('selling-plan-groups.update', { ...form, sellingPlans: form.sellingPlans.slice(1) });
    expect(one.data.sellingPlans).toHaveLength(1);
    const none = await open(data.lspgId);
    expect((await server.call('selling-plan-groups.update', { ...none, sellingPlans: [] })).body.errors).toEqual([
      { pointer: '/sellingPlans', rule: 'SELLING_PLAN_COUNT_LOWER_BOUND', message: 'Add at least one selling plan' },
    ]);
  });

  test('the form keeps the ids of plans over reordering, and their order is their position', async () => {
    const { data } = await create({ sellingPlans: [monthly(), weekly({ isDefault: true })] });
    const form = await open(data.lspgId);
    const { data: after } = await server.call('selling-plan-groups.update', { ...form, sellingPlans: form.sellingPlans.toReversed() });
    expect(after.sellingPlans.map((one: JsonObject) => [one.name, one.position, one.lspId])).toEqual([
      ['Delivered weekly', 1, data.sellingPlans[1].lspId],
      ['Delivered monthly', 2, data.sellingPlans[0].lspId],
    ]);
  });

  test('at most one plan is selected at first', async () => {
    const { data } = await create({ sellingPlans: [monthly({ isDefault: true }), weekly({ isDefault: true })] });
    expect(data.sellingPlans.map((one: JsonObject) => one.isDefault)).toEqual([true, false]);
  });

  test('a plan that was deleted meanwhile is named, not ignored', async () => {
    const { data } = await create();
    const refused = await post('/update', {
      lspgId: data.lspgId,
      name: data.name,
      merchantCode: data.merchantCode,
      optionLabel: data.optionLabel,
      sellingPlansToUpdate: [{ ...data.sellingPlans[0], lspId: 999_999 }],
    });
    expect(refused.json.errors).toContainEqual({
      pointer: '/sellingPlans/0/name',
      rule: 'PLAN_DOES_NOT_EXIST',
      message: 'This selling plan no longer exists',
    });
  });

  test('two editors of one group: the second sees what the first saved', async () => {
    const { data } = await create();
    const form = await open(data.lspgId);
    expect((await server.call('selling-plan-groups.update', { ...form, name: 'First' }, { version: data.version })).status).toBe(200);
    const second = await server.call('selling-plan-groups.update', { ...form, name: 'Second' }, { version: data.version });
    expect(second.body).toMatchObject({ code: 'STALE_VERSION', conflict: { version: 2, yourVersion: 1, current: { name: 'First' } } });
    expect((await server.call('selling-plan-groups.read', { lspgId: data.lspgId })).data.name).toBe('First');
  });

  test('editing and deleting a plan never changes subscriptions already sold', async () => {
    const [sold] = await query<{ group_id: number }>(
      "select plan_group_id as group_id from contract_lines l join records r on r.store_id = l.store_id and r.entity = 'selling-plan-group' and r.id = l.plan_group_id where l.store_id = 1 and r.data->>'merchantCode' = 'coffee-core' limit 1",
    );
    const lines = () =>
      query<JsonObject>(
        'select id, selling_plan_id, selling_plan_name, base_price, price, pricing_policy from contract_lines where store_id = 1 and plan_group_id = $1 order by id',
        [sold?.group_id],
      );
    const contracts = () =>
      query<JsonObject>(
        'select id, version, total, billing_interval, billing_interval_count, delivery_interval_count, next_billing_at from contracts where store_id = 1 and plan_group_ids @> array[$1]::bigint[] order by id',
        [sold?.group_id],
      );
    const before = [await lines(), await contracts()];
    expect(before[0]).not.toHaveLength(0);
    const form = await open(Number(sold?.group_id));
    const changed = await server.call('selling-plan-groups.update', {
      ...form,
      name: 'Renamed',
      sellingPlans: form.sellingPlans.map((plan, i) => ({
        ...plan,
        name: `Other ${i}`,
        fixedDiscountType: 'PERCENTAGE',
        fixedDiscountValue: 50,
      })),
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect([await lines(), await contracts()]).toEqual(before);
    expect((await server.call('selling-plan-groups.delete', { lspgId: form.lspgId as number })).status).toBe(200);
    expect([await lines(), await contracts()]).toEqual(before);
  });

  test('a duplicate is a draft with " (copy)" and "-copy", new plan ids and no products', async () => {
    const { data } = await create({ publish: true, sellingPlans: [monthly(), weekly()] });
    const { data: copy } = await server.call('selling-plan-groups.duplicate', { lspgId: data.lspgId });
    expect(copy).toMatchObject({
      name: 'Subscribe and save (copy)',
      merchantCode: `${data.merchantCode}-copy`,
      status: 'DRAFT',
      shopifyId: null,
      plansCount: 2,
      productCount: 0,
    });
    const ids = [...data.sellingPlans, ...copy.sellingPlans].map((one: JsonObject) => one.lspId);
    expect(new Set(ids).size).toBe(4);
    expect((await server.call('selling-plan-groups.duplicate', { lspgId: data.lspgId })).data.merchantCode).toBe(
      `${data.merchantCode}-copy-2`,
    );
  });

  test('groups are put into order in one call, and a stale order changes nothing', async () => {
    const ids = (await server.call('selling-plan-groups.list')).data.map((one: JsonObject) => one.lspgId) as number[];
    const turned = ids.toReversed();
    expect((await server.call('selling-plan-groups.order', { ids: turned })).status).toBe(200);
    const after = (await server.call('selling-plan-groups.list')).data as JsonObject[];
    expect(after.map(one => one.lspgId)).toEqual(turned);
    expect(after.map(one => one.position)).toEqual(turned.map((_, i) => i + 1));
    const stale = await server.call('selling-plan-groups.order', { ids: turned.slice(1) });
    expect(stale.status).toBe(409);
    expect((await server.call('selling-plan-groups.list')).data.map((one: JsonObject) => one.lspgId)).toEqual(turned);
  });

  test('the list finds groups by both names, status, type, product and collection', async () => {
    expect(await names({ q: 'daily ritual' })).toEqual(['wellness-core']);
    expect(await names({ q: 'MATCHA-MIN' })).toEqual(['matcha-minimum']);
    expect(await names({ filter: { status: ['DRAFT'] }, q: 'season' })).toEqual(['summer-cold-brew']);
    expect(await names({ filter: { type: ['GIFT'] } })).toEqual(['coffee-gift-12']);
    const [matcha] = await query<{ id: number }>("select id from products where store_id = 1 and handle = 'moss-matcha'");
    expect((await names({ filter: { productIds: [matcha?.id ?? 0] } })).toSorted()).toEqual(['matcha-minimum', 'tea-core']);
    const [tea] = await query<{ id: number }>("select id from collections where store_id = 1 and title = 'Tea'");
    expect(await names({ filter: { collectionIds: [tea?.id ?? 0] } })).toEqual(['tea-core']);
  });

  test('the figures of a group count its products, collections and active subscriptions', async () => {
    const [top] = await query<{ id: number; n: number }>(
      "select g as id, count(*) as n from contracts cross join unnest(plan_group_ids) g where store_id = 1 and status = 'ACTIVE' and exists (select 1 from records r where r.store_id = 1 and r.entity = 'selling-plan-group' and r.id = g and r.deleted_at is null) group by g order by count(*) desc, g limit 1",
    );
    const read = async (): Promise<JsonObject> =>
      (await server.call('selling-plan-groups.list')).data.find((one: JsonObject) => one.lspgId === top?.id);
    if (!top) throw new Error('The seed has no active subscription.');
    expect((await read())?.activeSubscriptionsCount).toBe(top.n);
    const [one] = await query<{ id: number }>(
      "update contracts set status = 'PAUSED' where id = (select id from contracts where store_id = 1 and status = 'ACTIVE' and plan_group_ids @> array[$1]::bigint[] limit 1) and store_id = 1 returning id",
      [top.id],
    );
    expect((await read())?.activeSubscriptionsCount).toBe(top.n - 1);
    await query("update contracts set status = 'ACTIVE' where store_id = 1 and id = $1", [one?.id]);
    expect((await read())?.activeSubscriptionsCount).toBe(top.n);
  });

  test('D140 what plans can do is answered with and without a group', async () => {
    expect((await server.call('selling-plan-groups.features')).data).toMatchObject({
      prepaid: true,
      collectionMapping: true,
      minMaxCycles: true,
      customPlan: true,
    });
    const prepaid = (await server.call('selling-plan-groups.list', { filter: { type: ['PREPAID'] } })).data[0] as JsonObject;
    const of = (await server.call('selling-plan-groups.features', { loopSellingPlanGroupId: prepaid.lspgId as number })).data as JsonObject;
    expect(Object.keys(of).toSorted()).toEqual(['collectionMapping', 'customPlan', 'giftPlan', 'minMaxCycles', 'prepaid']);
  });

  test('all plans are listed flat for pickers, and the frequencies in use once each', async () => {
    const plans = (await server.call('selling-plan-groups.plans')).data as JsonObject[];
    expect(plans.find(one => one.name === 'Monthly, paid for 3')).toMatchObject({
      groupName: 'Three months, paid ahead',
      isPrepaid: true,
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
      discount: { type: 'PERCENTAGE', value: 18 },
    });
    const labels = ((await server.call('selling-plan-groups.frequencies')).data as JsonObject[]).map(one => one.label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels).toEqual(expect.arrayContaining(['every week', 'every 2 weeks', 'every month']));
    expect(((await server.call('selling-plan-groups.platform')).data as JsonObject[])[0]).toMatchObject({
      appName: 'Perennial',
      isReadOnly: false,
    });
  });

  test("who may only look can't change, and another store sees nothing of it", async () => {
    const { data } = await create();
    expect((await server.call('selling-plan-groups.read', { lspgId: data.lspgId }, { as: 'readOnly' })).status).toBe(200);
    for (const name of ['publish', 'duplicate', 'delete'])
      expect((await server.call(`selling-plan-groups.${name}`, { lspgId: data.lspgId }, { as: 'readOnly' })).status).toBe(403);
    const stranger = await server.signIn('owner', 2);
    expect((await server.call('selling-plan-groups.read', { lspgId: data.lspgId }, { as: stranger })).status).toBe(404);
    expect((await server.call('selling-plan-groups.delete', { lspgId: data.lspgId }, { as: stranger })).status).toBe(404);
    expect((await server.call('selling-plan-groups.read', { lspgId: data.lspgId })).status).toBe(200);
  });
});
