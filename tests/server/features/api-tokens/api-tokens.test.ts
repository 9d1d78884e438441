// API tokens: made, shown, changed, revoked, and what a program reaches with one.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { scopeOf } from '../../../../src/server/platform/auth/scopes.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

const READS = { SUBSCRIPTIONS: 'READ', ORDERS: 'READ' };

describe('API tokens', () => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres' });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    await server.services.db.ownerQuery('delete from api_tokens');
    await server.services.db.ownerQuery('delete from account_log where store_id = 1');
    server.services.sessions.forget();
  });

  let names = 0;
  const call = (name: string, input: JsonObject = {}, options = {}): Promise<Answered> => server.call(`api-keys.${name}`, input, options);
  const generate = async (scopes: JsonObject, more: JsonObject = {}): Promise<JsonObject & { id: number; token: string }> => {
    const { status, data } = await call('generate', { name: `Token ${(names += 1)}`, type: 'ADMIN', scopes, ...more });
    expect(status).toBe(200);
    return data;
  };
  /** A call as a program makes it, whatever it called before. */
  const by = async (token: string, name: string, input: JsonObject = {}): Promise<Answered> => {
    await server.services.db.ownerQuery('delete from api_token_rates');
    return server.call(name, input, { as: null, headers: { 'x-loop-token': token } });
  };
  const logged = async (): Promise<JsonObject[]> =>
    (
      await server.services.db.ownerQuery<JsonObject>(
        'select action, source, user_email, description, before, after from account_log where store_id = 1 order by id',
      )
    ).rows;

  it('C203 to C206, D102: a token has 32 hexadecimal digits, is shown when it is made, masked after, shown again and changed with lines in the log', async () => {
    const made = await generate(READS);
    expect(made).toMatchObject({ type: 'ADMIN', status: 'ACTIVE', scopes: READS, maskedToken: `••••••••${made.token.slice(-4)}` });
    expect(made.token).toMatch(/^[0-9a-f]{32}$/);
    const second = await generate(READS);
    const { body } = await call('read');
    expect((body.data as JsonObject[]).map(({ id }) => id)).toEqual([second.id, made.id]);
    expect(JSON.stringify(body)).not.toContain(made.token);
    const { rows } = await server.services.db.ownerQuery<JsonObject>('select * from api_tokens');
    expect(JSON.stringify(rows)).not.toContain(made.token);
    const shown = await call('reveal', { id: made.id });
    expect(shown.data).toEqual({ id: made.id, token: made.token });
    const changed = await call('update', { id: made.id, name: 'Renamed', scopes: { PRODUCTS: 'READ' } });
    expect(changed.data).toMatchObject({ name: 'Renamed', scopes: { PRODUCTS: 'READ' }, maskedToken: made.maskedToken });
    expect((await call('reveal', { id: made.id })).data.token).toBe(made.token);
    const lines = await logged();
    expect(lines.map(({ action }) => action)).toEqual([
      'api-token.created',
      'api-token.created',
      'api-token.revealed',
      'api-token.updated',
      'api-token.revealed',
    ]);
    expect(lines[3]).toMatchObject({ before: { scopes: READS }, after: { scopes: { PRODUCTS: 'READ' } } });
    expect(JSON.stringify(lines)).not.toContain(made.token);
  });

  it('repeating a request with its key makes one token and tells its value the first time only', async () => {
    const ask = () => call('generate', { name: 'Once', type: 'ADMIN', scopes: READS }, { key: 'generate-once' });
    const [first, again] = [await ask(), await ask()];
    expect(first.data.token).toMatch(/^[0-9a-f]{32}$/);
    expect(again.data).toMatchObject({ id: first.data.id });
    expect(again.data.token).toBeUndefined();
    const { rows } = await server.services.db.ownerQuery('select answer from idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain(first.data.token);
  });

  it('names are unique, scopes are needed, and a store has 25 tokens at most', async () => {
    const made = await generate(READS, { name: 'Warehouse' });
    expect((await call('generate', { name: 'warehouse', type: 'ADMIN', scopes: READS })).body.message).toBe(
      'A token with this name already exists',
    );
    expect((await call('generate', { name: 'Other', type: 'ADMIN', scopes: {} })).body.message).toBe('Select at least one scope');
    expect((await call('generate', { name: 'Other', type: 'ADMIN', scopes: { ALL: 'READ' } })).status).toBe(422);
    await call('revoke', { id: made.id });
    await server.services.db.ownerQuery(
      "insert into api_tokens (store_id, name, scopes) select 1, 'Token no. ' || n, '{}' from generate_series(1, 25) n",
    );
    expect(await call('generate', { name: 'One more', type: 'ADMIN', scopes: READS })).toMatchObject({
      status: 409,
      body: { message: 'A store has at most 25 API tokens. Revoke one that is not used any more.' },
    });
  });

  it('a call by X-Loop-Token or as bearer reaches what the scopes open, and a refusal says which scope is missing', async () => {
    const contract = await makeContract(server, goods);
    const { token } = await generate(READS, { name: 'Reader' });
    expect((await by(token, 'subscription-contract.read', { id: contract.id })).data).toMatchObject({ id: contract.id });
    const bearer = await server.call(
      'subscription-contract.ordersSchedule',
      { id: contract.id },
      { as: null, headers: { authorization: `Bearer ${token}` } },
    );
    expect(bearer.status).toBe(200);
    expect(await by(token, 'subscription-contract.pause', { id: contract.id })).toMatchObject({
      status: 403,
      body: {
        code: 'MISSING_SCOPE',
        message: "This token doesn't have access to Subscriptions for changes. Give it the scope SUBSCRIPTIONS with READ_WRITE.",
      },
    });
    expect((await by(token, 'customers.list')).body.message).toBe(
      "This token doesn't have access to Customers. Give it the scope CUSTOMERS with READ.",
    );
    for (const name of ['api-keys.read', 'users.list', 'start-up.session', 'saved-views.list'])
      expect(await by(token, name)).toMatchObject({
        status: 403,
        body: { code: 'MISSING_SCOPE', message: expect.stringContaining('signed in') },
      });
  });

  it('what a program changes stands as its own in the activity and in the account log, and changed scopes count at once', async () => {
    const contract = await makeContract(server, goods);
    const made = await generate(READS, { name: 'Warehouse sync' });
    expect((await by(made.token, 'subscription-contract.pause', { id: contract.id })).status).toBe(403);
    await call('update', { id: made.id, name: 'Warehouse sync', scopes: { SUBSCRIPTIONS: 'READ_WRITE', ACTIVITY_LOGS: 'READ' } });
    expect((await by(made.token, 'subscription-contract.pause', { id: contract.id })).data.status).toBe('PAUSED');
    const { data } = await by(made.token, 'subscription-contract.activity', { id: contract.id });
    expect(data[0]).toMatchObject({ key: 'subscription_paused', source: 'API', entity: 'Warehouse sync' });
    expect((await logged()).at(-1)).toMatchObject({ source: 'API', user_email: 'Warehouse sync' });
    await server.settled();
    expect((await call('readOne', { id: made.id })).data.lastUsedAt).toMatch(/^\d{4}-/);
  });

  it('fields of an area that no scope opens are left out', async () => {
    const contract = await makeContract(server, goods);
    const [blind, seeing] = [await generate({ SUBSCRIPTIONS: 'READ' }), await generate({ SUBSCRIPTIONS: 'READ', PAYMENT_METHODS: 'READ' })];
    const method = async (token: string): Promise<JsonObject> =>
      (await by(token, 'subscription-contract.read', { id: contract.id })).data.paymentMethod as JsonObject;
    expect(Object.keys(await method(seeing.token))).toContain('lastDigits');
    expect(Object.keys((await method(blind.token)) ?? {})).not.toContain('lastDigits');
  });

  it('after it was revoked every call answers 401 “Invalid token”, and it can be neither shown nor changed', async () => {
    const made = await generate(READS);
    expect((await call('revoke', { id: made.id })).data).toMatchObject({
      id: made.id,
      status: 'REVOKED',
      revokedAt: expect.stringMatching(/^\d{4}-/),
    });
    expect(await by(made.token, 'subscription-contract.list')).toMatchObject({ status: 401, body: { message: 'Invalid token' } });
    expect(await by('0'.repeat(32), 'subscription-contract.list')).toMatchObject({ status: 401, body: { message: 'Invalid token' } });
    for (const [name, input] of [
      ['reveal', {}],
      ['revoke', {}],
      ['update', { name: 'New', scopes: READS }],
    ] as const)
      expect((await call(name, { id: made.id, ...input })).body.message).toBe('Token not found.');
  });

  it('a token for storefronts reads products and selling plans and nothing else', async () => {
    const made = await generate({ PRODUCTS: 'READ', CUSTOMERS: 'READ' }, { type: 'STOREFRONT' });
    expect(made.scopes).toEqual({ PRODUCTS: 'READ' });
    expect((await by(made.token, 'store-products.list')).status).toBe(200);
    expect(
      (await call('generate', { name: 'Shop', type: 'STOREFRONT', scopes: { PRODUCTS: 'READ_WRITE' } })).body.errors?.[0]?.pointer,
    ).toBe('/scopes');
  });

  it('5 calls and 1 list a second and 1 look at the cancellations in 2 seconds; then 429 with Retry-After until there is one left', async () => {
    const { id, token } = await generate({ SUBSCRIPTIONS: 'READ', ACTIVITY_LOGS: 'READ' });
    const plain = (name: string) => server.call(name, {}, { as: null, headers: { 'x-loop-token': token } });
    const used = (count: string, seconds: number) =>
      server.services.db.ownerQuery(
        `insert into api_token_rates values (1, $1, $2, clock_timestamp() + make_interval(secs => $3))
          on conflict (store_id, token_id, count) do update set free_at = excluded.free_at`,
        [id, count, seconds],
      );
    await used('single', 30.8);
    expect(await plain('subscription-contract.paymentErrors')).toMatchObject({ status: 403 });
    const refused = await plain('subscription-contract.pickupAddresses');
    expect(refused).toMatchObject({ status: 429, body: { message: 'This token may make calls 5 times in a second. Wait and try again.' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(25);
    // Lists and the cancellation log have counts of their own.
    expect((await plain('subscription-contract.list')).status).toBe(200);
    expect((await plain('subscription-contract.cancellationLog')).status).toBe(200);
    await used('list', 20);
    await used('subscription-contract.cancellationLog', 20);
    expect((await plain('subscription-contract.list')).body.message).toContain('calls of lists once in a second');
    expect((await plain('subscription-contract.cancellationLog')).body.message).toContain('this call once in 2 seconds');
    // What was used up long ago counts no more.
    await used('single', -1);
    expect((await plain('subscription-contract.pickupAddresses')).status).toBe(200);
    const { rows } = await server.services.db.ownerQuery<{ ahead: number }>(
      "select extract(epoch from free_at - clock_timestamp())::float8 as ahead from api_token_rates where count = 'single'",
    );
    expect(rows[0]!.ahead).toBeLessThanOrEqual(0.2);
  });

  it('records are named by loop-{id} and shopify-{shopifyId} as well as by their id', async () => {
    const contract = await makeContract(server, goods);
    const { rows } = await server.services.db.ownerQuery<{ shopify_id: number }>('select shopify_id from contracts where id = $1', [
      contract.id,
    ]);
    const read = async (id: string) => server.request('GET', `/host/main/api/merchant/subscriptionContract/read?id=${id}`, { as: 'owner' });
    for (const id of [contract.id, `loop-${contract.id}`, `shopify-${rows[0]!.shopify_id}`])
      expect((await read(String(id))).json.data.id).toBe(contract.id);
    expect((await read('shopify-1')).status).toBe(404);
    const { rows: products } = await server.services.db.ownerQuery<{ id: number; shopify_id: number }>(
      'select id, shopify_id from products where store_id = 1 limit 1',
    );
    const path = (id: string) => `/host/main/api/merchant/store/products/${id}`;
    for (const id of [`loop-${products[0]!.id}`, `shopify-${products[0]!.shopify_id}`])
      expect((await server.request('GET', path(id), { as: 'owner' })).json.data.id).toBe(products[0]!.id);
  });

  it('a token of a store without the API in its plan is refused, and tokens of one store open no other', async () => {
    const { token } = await generate(READS);
    await server.services.db.ownerQuery('update stores set billing_plan_id = 1 where id = 1');
    server.services.sessions.forget();
    expect(await by(token, 'subscription-contract.list')).toMatchObject({ status: 403, body: { code: 'FEATURE_NOT_IN_PLAN' } });
    await server.services.db.ownerQuery('update stores set billing_plan_id = 4 where id = 1');
    server.services.sessions.forget();
    const { data } = await by(token, 'subscription-contract.list', { pageSize: 50 });
    const { rows } = await server.services.db.ownerQuery<{ id: number }>('select id from contracts where store_id = 1');
    const own = new Set(rows.map(({ id }) => id));
    expect((data as JsonObject[]).every(({ id }) => own.has(Number(id)))).toBe(true);
  });

  it('every call has at most one scope, and calls about tokens, people and signing in have none', () => {
    const { definitions } = server.services;
    for (const call of Object.values(definitions.calls))
      if (['api-keys', 'users', 'sign-in', 'start-up', 'start-up-app', 'saved-views'].includes(call.table))
        expect(scopeOf(definitions, call)).toBeUndefined();
    const named = Object.values(definitions.common['api-scopes']!.properties!).flatMap(schema => schema['x-scope']!.calls);
    expect(named.length).toBe(new Set(named).size);
  });
});
