// Rules around the generic verbs, and the verbs that stand on a line of JSON alone, shown on entities of the test's own.
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { rules } from '../../../../src/server/platform/records/rules.ts';
import { oneEngine } from '../../../support/database.ts';
import { definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const collection = JSON.parse(readFileSync('schemas/entities/collection.json', 'utf8')) as { 'x-record': JsonObject };

const DEFINITIONS: Record<string, unknown> = {
  'schemas/entities/supplier.json': {
    title: 'Supplier',
    type: 'object',
    additionalProperties: false,
    'x-record': {
      name: { one: 'supplier', many: 'suppliers' },
      key: 'code',
      label: '{name}',
      filter: ['country', 'isSecret'],
      sort: ['name'],
      search: ['name'],
      unique: [{ field: 'name', within: ['country'] }],
      export: { columns: ['code', 'name', 'country'], from: { shout: 'name' } },
    },
    required: ['code', 'name', 'country'],
    properties: {
      code: { title: 'Code', type: 'string', readOnly: true, 'x-id': 'nano' },
      version: { title: 'Version', type: 'integer', readOnly: true },
      name: { title: 'Name', type: 'string', minLength: 2, maxLength: 50 },
      country: { title: 'Country', type: 'string', minLength: 2, maxLength: 2 },
      isSecret: { title: 'Secret', type: 'boolean', default: false },
      madeBy: { title: 'Made by', type: 'string', readOnly: true },
      shout: { title: 'Shout', type: 'string', readOnly: true },
      deliveriesCount: { title: 'Deliveries', type: 'integer', readOnly: true },
    },
  },
  'schemas/entities/delivery.json': {
    title: 'Delivery',
    type: 'object',
    additionalProperties: false,
    'x-record': { name: { one: 'delivery', many: 'deliveries' }, key: 'id', label: '#{id}', filter: ['supplier', 'kind'] },
    required: ['id', 'supplier'],
    properties: {
      id: { title: 'Delivery', type: 'integer', readOnly: true },
      supplier: { title: 'Supplier', type: 'string', 'x-ui': { of: 'supplier' } },
      kind: { title: 'Kind', type: 'string', maxLength: 20, default: 'PLAIN' },
    },
  },
  'schemas/entities/collection.json': {
    ...collection,
    'x-record': {
      ...collection['x-record'],
      sets: { members: { of: 'product', table: 'collection_products', owner: 'collection_id', member: 'product_id' } },
    },
  },
  'schemas/calls/suppliers.json': {
    title: 'Suppliers',
    host: 'main',
    base: '/api/suppliers',
    permission: null,
    of: 'supplier',
    params: {
      which: { title: 'Supplier', type: 'string', maxLength: 40 },
      collectionId: { title: 'Collection', type: 'integer', minimum: 1 },
    },
    calls: {
      list: { route: 'GET /list', does: 'list', page: 'page' },
      counts: { route: 'GET /counts', does: 'count', screen: 'suppliers' },
      export: { route: 'GET /export', does: 'export' },
      read: { route: 'GET /one', does: 'read', in: ['which as code'] },
      readElsewhere: { route: 'GET /elsewhere/one', does: 'read', like: 'suppliers.read' },
      create: { route: 'POST /create', does: 'create' },
      update: { route: 'PUT /{code}', does: 'update' },
      delete: { route: 'DELETE /{code}', does: 'delete' },
      deliveries: { route: 'GET /deliveries', does: 'list', of: 'delivery', in: ['which as supplier'], limit: 2 },
      gifts: { route: 'GET /gifts', does: 'list', of: 'delivery', where: { kind: 'GIFT' } },
      deliver: { route: 'POST /deliver', does: 'create', of: 'delivery' },
      deliverGift: { route: 'POST /deliverGift', does: 'create', of: 'delivery', where: { kind: 'GIFT' } },
      members: { route: 'GET /members', does: 'list', of: 'product', set: 'collection.members', in: ['collectionId'], page: 'page' },
      join: { route: 'POST /join', does: 'join', of: 'collection', set: 'collection.members' },
      leave: { route: 'POST /leave', does: 'leave', of: 'collection', set: 'collection.members' },
    },
  },
  'resources/suppliers.json': {
    title: 'Suppliers',
    of: 'supplier',
    calls: 'suppliers',
    list: {
      columns: ['name', 'country'],
      tabs: [
        { title: 'All', count: 'all' },
        { title: 'Here', filter: { country: ['US'] }, count: 'here' },
      ],
    },
  },
};

describe.each(oneEngine)('rules and verbs of JSON alone (%s)', engine => {
  let server: TestServer;
  const noted: string[] = [];
  const ok = async (name: string, input: JsonObject = {}, as?: string) => {
    const answer = await server.call(name, input, as ? { as } : {});
    expect([name, answer.status, answer.body.message]).toEqual([name, 200, expect.any(String)]);
    return answer.data as never;
  };
  const make = (name: string, more: JsonObject = {}): Promise<{ code: string; version: number } & JsonObject> =>
    ok('suppliers.create', { name, country: 'US', ...more });

  const file = async (query: string, as = 'owner'): Promise<string> => {
    const token = await server.signIn(as as 'owner');
    const response = await fetch(`${server.url}/host/main/api/suppliers/export${query}`, { headers: { authorization: token } });
    expect(response.status).toBe(200);
    return response.text();
  };

  beforeAll(async () => {
    const modules = await loadModules();
    const supplier = rules({
      scope: ({ user }) => sql`(coalesce((r.data ->> 'isSecret')::boolean, false) = false or ${user.type} = 'OWNER')`,
      columns: () => ({
        deliveriesCount: sql`(select count(*) from records d where d.store_id = r.store_id and d.entity = 'delivery' and d.deleted_at is null and d.data ->> 'supplier' = r.data ->> 'code')`,
      }),
      derive: {
        needs: ['name'],
        members: ['shout'],
        of: suppliers => suppliers.map(({ name }) => ({ shout: String(name).toUpperCase() })),
      },
      fill: (verb, _written, { user }): JsonObject => (verb === 'create' ? { madeBy: user.email } : {}),
      validate: (_verb, { record }) =>
        record?.country === 'XX' ? [{ pointer: '/country', rule: 'place', message: 'No supplier delivers from there.' }] : undefined,
      after: (verb, { before, record }) => void noted.push(`${verb} ${String(before?.name ?? '-')} ${String(record?.name ?? '-')}`),
    });
    server = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 2 },
      tables: ['suppliers', 'collections'],
      services: { definitions: definitionsWith(DEFINITIONS), modules: { ...modules, rules: { ...modules.rules, supplier } } },
    });
  });
  afterAll(() => server?.close());

  it('gives records public ids, what the server fills in, and computed and derived members', async () => {
    const made = await make('Ann');
    expect(made).toMatchObject({ name: 'Ann', madeBy: 'amira@fernandember.example', shout: 'ANN', deliveriesCount: 0, version: 1 });
    expect(made.code).toMatch(/^[\w-]{21}$/);
    expect(made).not.toHaveProperty('id');
    await ok('suppliers.deliver', { supplier: made.code });
    expect(await ok('suppliers.read', { which: made.code })).toMatchObject({ shout: 'ANN', deliveriesCount: 1 });
    expect(await ok('suppliers.readElsewhere', { which: made.code })).toMatchObject({ code: made.code });
    const listed = (await ok('suppliers.list', { q: 'Ann' })) as JsonObject[];
    expect(listed).toMatchObject([{ code: made.code, shout: 'ANN', deliveriesCount: 1 }]);
    // What was computed may come along with a change, and is not kept.
    const after = await server.call('suppliers.update', { ...made, name: 'Anna' });
    expect([after.status, after.data]).toMatchObject([200, { name: 'Anna', shout: 'ANNA', version: 2 }]);
    expect(noted.slice(-1)).toEqual(['update Ann Anna']);
  });

  it('tells the errors of rules together with those of the schema, and keeps a name unique within a country', async () => {
    const wrong = await server.call('suppliers.create', { name: 'B', country: 'XX' });
    expect([wrong.status, wrong.body.errors?.map(error => error.pointer).sort()]).toEqual([422, ['/country', '/name']]);
    await make('Bea');
    expect((await server.call('suppliers.create', { name: 'BEA', country: 'US' })).body).toMatchObject({
      code: 'TAKEN',
      errors: [{ pointer: '/name' }],
    });
    expect(await make('Bea', { country: 'DE' })).toMatchObject({ name: 'Bea' });
  });

  it('keeps what the scope hides out of every way to it', async () => {
    const secret = await make('Secret Sam', { isSecret: true, country: 'FR' });
    expect(await ok('suppliers.list', { filter: { country: ['FR'] } })).toHaveLength(1);
    for (const as of ['admin', 'mixed']) {
      expect(await ok('suppliers.list', { filter: { country: ['FR'] } }, as)).toEqual([]);
      expect((await server.call('suppliers.read', { which: secret.code }, { as })).status).toBe(404);
      expect((await server.call('suppliers.delete', { code: secret.code }, { as })).status).toBe(404);
      expect(await file('', as)).not.toContain('Secret Sam');
      const [theirs, mine] = [await ok('suppliers.counts', {}, as), await ok('suppliers.counts')] as { all: number; here: number }[];
      expect([mine!.all - theirs!.all, mine!.here - theirs!.here]).toEqual([1, 0]);
    }
    expect((await server.call('suppliers.read', { which: secret.code }, { as: await server.signIn('owner', 2) })).status).toBe(404);
  });

  it('lists what belongs to a record, knows one that is not there, and narrows by fixed values', async () => {
    const made = await make('Carl');
    expect(await ok('suppliers.deliveries', { which: made.code })).toEqual([]);
    const unknown = await server.call('suppliers.deliveries', { which: 'unknown' });
    expect([unknown.status, unknown.body.message]).toEqual([404, 'This supplier does not exist or was deleted.']);
    for (let i = 0; i < 3; i++) await ok('suppliers.deliver', { supplier: made.code });
    expect(await ok('suppliers.deliveries', { which: made.code })).toHaveLength(2);
    await ok('suppliers.deliverGift', { supplier: made.code });
    expect(await ok('suppliers.gifts')).toMatchObject([{ supplier: made.code, kind: 'GIFT' }]);
  });

  it('refuses to delete what others name, and deletes it after them', async () => {
    const made = await make('Dora');
    const { id } = (await ok('suppliers.deliver', { supplier: made.code })) as { id: number };
    const used = await server.call('suppliers.delete', { code: made.code });
    expect([used.status, used.body.code, used.body.message]).toEqual([
      409,
      'IN_USE',
      `This supplier is used by 1 delivery (#${id}). Choose another there first.`,
    ]);
    const free = await make('Emil');
    expect(await ok('suppliers.delete', { code: free.code })).toEqual({ code: free.code });
    expect((await server.call('suppliers.read', { which: free.code })).status).toBe(404);
    expect(noted.slice(-1)).toEqual(['delete Emil -']);
  });

  it('writes a file of the list, with columns that stand for others', async () => {
    const text = await file('?columns=shout&columns=country');
    expect(text.replace('\uFEFF', '').split('\r\n')[0]?.split('\n')[0]).toBe('Name,Country');
    expect(text).toContain('Dora,US');
  });

  it('puts members into a named set and takes them out, each once', async () => {
    const [first] = (await ok('collections.list', { pageSize: 1 })) as { id: number }[];
    const { rows } = await server.services.db.ownerQuery<{ id: number }>(
      `select id from products where store_id = 1 and deleted_at is null and id not in (select product_id from collection_products where store_id = 1 and collection_id = ${first!.id}) order by id limit 2`,
      [],
    );
    const ids = rows.map(row => Number(row.id));
    expect(ids).toHaveLength(2);
    const members = async () =>
      ((await ok('suppliers.members', { collectionId: first!.id, pageSize: 250 })) as { id: number }[]).map(one => one.id);
    const before = await members();
    expect(await ok('suppliers.join', { id: first!.id, ids })).toEqual({ joined: 2 });
    expect(await ok('suppliers.join', { id: first!.id, ids })).toEqual({ joined: 0 });
    expect((await members()).sort((a, b) => a - b)).toEqual([...before, ...ids].sort((a, b) => a - b));
    expect((await server.call('suppliers.join', { id: first!.id, ids: [999_999_999] })).status).toBe(404);
    expect(await ok('suppliers.leave', { id: first!.id, ids })).toEqual({ left: 2 });
    expect((await members()).sort((a, b) => a - b)).toEqual(before.sort((a, b) => a - b));
    expect((await server.call('suppliers.members', { collectionId: 999_999_999 })).status).toBe(404);
  });
});
