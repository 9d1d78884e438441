// People can't give, make or start what they may not do themselves: every writing call is tried by a person who has the right that it asks
// for and no other, on what the owner left in the store.
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputSchema, isRead } from '../../../../src/contract/request.ts';
import { optionsOf } from '../../../../src/contract/paths.ts';
import type { Call, JsonObject, JsonValue, Schema } from '../../../../src/contract/types.ts';
import { recordOf, type Row } from '../../../../src/server/platform/records/record-repository.ts';
import type { RuleContext } from '../../../../src/server/platform/records/rules.ts';
import { LINKS, type LinkKind } from '../../../../src/generated/actions.ts';
import { choicesOf, type Asked } from '../../../../src/server/features/quick-actions/kinds.ts';
import { valid } from '../../../support/arbitrary.ts';
import { isGranting, personOf, powersOf, raised } from '../../../support/powers.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { givingScene } from './giving-scene.ts';

const MEMBER = 1004;
/** Inputs that a call is tried with. */
const MOST = 10;
/** Kinds that give without a schema of their own that says so. */
const GIVING = new Set(['user', 'flow-run', 'bulk-action']);
/** What takes away comes last, so that the others find what they are about. */
/** What these write is looked at as a record, or a page. */
const AS_RECORDS = ['create', 'update', 'duplicate', 'move', 'set'];
const ORDER = ['create', 'duplicate', 'update', 'set', 'command', 'start', 'move', 'delete'];

describe('who has one right', () => {
  let server: TestServer;
  let scene: Record<string, JsonObject[]>;
  let role: number;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 12, stores: 1 }, jobs: true, config: { workers: 0 } });
    const must = async (name: string, input: JsonObject) => {
      const { status, data, body } = await server.call(name, input);
      if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
      return data;
    };
    const contracts = await server.services.db.ownerQuery<{ id: number }>(
      "select id from contracts where store_id = 1 and status = 'ACTIVE' order by id",
    );
    scene = await givingScene(must, contracts.rows[0]?.id ?? 0);
    role = Number(scene['roles.delete']?.[0]?.id);
  }, 300_000);
  afterAll(() => server?.close());

  /** The member gets a role of their own that gives one right and what that depends on. */
  async function grant(area: string | undefined): Promise<void> {
    const { db, definitions, sessions } = server.services;
    const needed = definitions.permissions[area ?? '']?.dependsOn ?? [];
    const modes = definitions.permissions[area ?? '']?.availableAccessMode ?? [];
    const permissions = [
      ...(area === undefined ? [] : [{ permissionKey: area, access: modes.includes('WRITE') ? 'WRITE' : 'READ' }]),
      ...needed.map(permissionKey => ({ permissionKey, access: 'READ' })),
    ];
    const list = JSON.stringify(permissions);
    await db.ownerQuery(`update records set data = jsonb_set(data, '{permissions}', $1::jsonb) where store_id = 1 and id = $2`, [
      list,
      role,
    ]);
    await db.ownerQuery(
      "update users set type = 'MEMBER', permissions = '{}', role_id = $2, role_permissions = $1::jsonb, removed_at = null where store_id = 1 and id = $3",
      [list, role, MEMBER],
    );
    sessions.forget();
  }

  /** Records of an entity as they are, newest first; looked up once for each area. */
  const known = new Map<string, Promise<JsonObject[]>>();
  function recordsOf(entity: string): Promise<JsonObject[]> {
    const found = known.get(entity) ?? lookUp(entity);
    known.set(entity, found);
    return found;
  }
  async function lookUp(entity: string): Promise<JsonObject[]> {
    const { services } = server;
    if (!services.definitions.entities[entity]) return [];
    const shape = services.shape(entity);
    return services.db.inStore(1, async trx => {
      const { rows } = await sql<Row>`select r.* from ${sql.table(shape.table)} r where r.store_id = 1
        ${shape.isDocument ? sql`and r.entity = ${entity}` : sql``} ${shape.has('deleted_at') ? sql`and r.deleted_at is null` : sql``}
        order by ${shape.key.sql} desc limit 6`.execute(trx);
      return rows.map(row => recordOf({ store: { currency_code: 'USD' } } as RuleContext, shape, row));
    });
  }

  const one = (schema: Schema, name: string): JsonValue =>
    fc.sample(valid(schema, {}, name), { numRuns: 1, seed: name.length + 7 })[0] as JsonValue;

  /** Every way through a call's ids and options, over what is there; a record that is written is a copy of one that is. */
  async function inputsOf(call: Call): Promise<JsonObject[]> {
    const own = await recordsOf(call.of);
    const key = server.services.definitions.entities[call.of]?.['x-record']?.key ?? 'id';
    const schema = inputSchema(call);
    if (call.body && own.length) {
      const fields = Object.entries(call.body.properties ?? {}).filter(([, field]) => !field.readOnly);
      return own.map(record => ({
        ...Object.fromEntries(fields.flatMap(([name]) => (record[name] === undefined ? [] : [[name, record[name]]]))),
        ...(call.does === 'create'
          ? Object.fromEntries(
              ['name', 'title'].flatMap(name => (call.body?.properties?.[name] ? [[name, `Zz copy ${String(record[key])}`]] : [])),
            )
          : {}),
        ...Object.fromEntries(call.in.filter(param => (param.as ?? param.name) === key).map(param => [param.name, record[key] ?? null])),
      }));
    }
    let inputs: JsonObject[] = [{}];
    for (const param of call.in) {
      const field = param.schema;
      const of = field['x-ui']?.of;
      const named = param.as ?? param.name;
      const values: JsonValue[] =
        named === key && own.length
          ? own.map(record => record[key] ?? null)
          : of
            ? (await recordsOf(of)).map(record => record[server.services.definitions.entities[of]?.['x-record']?.key ?? 'id'] ?? null)
            : !field.items && optionsOf(field).length
              ? optionsOf(field).map(option => option.value)
              : own.some(record => record[named] !== undefined)
                ? own.flatMap(record => (record[named] === undefined ? [] : [record[named]]))
                : param.required
                  ? [one(schema.properties?.[param.name] ?? field, param.name)]
                  : [];
      if (values.length) inputs = values.flatMap(value => inputs.map(input => ({ ...input, [param.name]: value })));
      inputs = inputs.slice(0, 400);
    }
    const schemas = [
      server.services.definitions.entities[call.of],
      server.services.definitions.settings[call.of.slice('settings/'.length)],
    ];
    const most = schemas.some(isGranting) || GIVING.has(call.of) ? MOST : 1;
    // Evenly over all of them: the first would vary one parameter alone.
    return inputs.filter((_, i) => i % Math.ceil(inputs.length / most) === 0);
  }

  it('does not become an admin by deleting their own role, whichever role is named instead', async () => {
    await grant('updateUserPermission');
    const all = (await server.call('roles.list')).data as { id: number; systemType?: string | null; kind: string }[];
    const larger = all.filter(one => one.id !== role && one.kind === 'SYSTEM');
    expect(larger).toHaveLength(3);
    for (const one of larger) {
      const { status } = await server.call(
        'roles.delete',
        { id: role, replacementRoleId: one.id },
        { as: await server.signIn('readOnly') },
      );
      expect([one.id, [403, 422].includes(status)]).toEqual([one.id, true]);
    }
    const { rows } = await server.services.db.ownerQuery('select type, role_id from users where store_id = 1 and id = $1', [MEMBER]);
    expect(rows).toEqual([{ type: 'MEMBER', role_id: role }]);
  });

  it('has none by what another call would hand over: addresses of events and letters, discounts beside products', async () => {
    const by = async (area: string, name: string, input: JsonObject): Promise<unknown> => {
      await grant(area);
      const { status, body } = await server.call(name, input, { as: await server.signIn('readOnly') });
      const errors = (body as { errors?: { pointer: string; rule: string }[] }).errors ?? [];
      return status < 300 ? status : errors.map(({ pointer, rule }) => `${pointer} ${rule}`);
    };
    const webhook = (await server.call('webhooks.create', { address: 'https://example.com/za', topics: ['subscription/paused'] }))
      .data as JsonObject;
    const { id } = webhook;
    await server.call('webhooks.switchOff', { id: id as number });
    const moved = { id: id as number, address: 'https://example.com/zb', topics: ['subscription/paused'] };
    expect(await by('manageApiToken', 'webhooks.update', moved)).toEqual(['/address permission']);
    const { rows } = await server.services.db.ownerQuery<{ id: number; variant: number }>(
      `select c.id, v.id as variant from contracts c, variants v where c.store_id = 1 and c.status = 'ACTIVE' and v.store_id = 1
        and v.deleted_at is null order by c.id, v.id limit 1`,
    );
    const line = { id: rows[0]!.id, variantId: rows[0]!.variant };
    for (const discount of [
      { discountType: 'PERCENTAGE', discountValue: '100' },
      { discountType: 'PRICE', discountValue: '0' },
    ])
      expect(await by('subscriptionProduct', 'subscription-contract.addLine', { ...line, ...discount })).toEqual([
        '/discountValue permission',
      ]);
    expect(await by('subscriptionProduct', 'subscription-contract.addLine', { ...line, discountType: 'NONE' })).toBe(200);
    const settingsPage = 'general';
    expect(await by('generalSettings', 'settings.set', { settingsPage, storeEmail: ['me@evil.example'] })).toEqual([
      '/storeEmail permission',
    ]);
    await server.call('settings.set', { settingsPage, storeEmail: ['team@store.example'] });
    expect(await by('generalSettings', 'settings.set', { settingsPage, prepaidShippingCharge: 'PER_DELIVERY' })).not.toEqual([
      '/storeEmail permission',
    ]);
  });

  it('can’t give, make or start more by any call that changes something', async () => {
    const { definitions } = server.services;
    const byArea = new Map<string | undefined, Call[]>();
    for (const call of Object.values(definitions.calls)) {
      if (call.public || isRead(call) || call.table === 'sign-in') continue;
      const of = byArea.get(call.permission);
      if (of) of.push(call);
      else byArea.set(call.permission, [call]);
    }
    const lines: string[] = [];
    const refused = new Set<string>();
    for (const [area, calls] of byArea) {
      await grant(area);
      const before = await powersOf(server);
      // As they are now: a person who raised themselves on the way would be judged by what they got.
      const person = await personOf(server, MEMBER);
      known.clear();
      const token = await server.signIn('readOnly');
      for (const call of calls.sort((a, b) => ORDER.indexOf(a.does) - ORDER.indexOf(b.does)))
        for (const input of [...(scene[call.name] ?? []), ...(await inputsOf(call))]) {
          const answer = await server.call(call.name, input, { as: token }).catch(() => undefined);
          const { status = 500, body = {} } = answer ?? {};
          const rules = ((body as { errors?: { rule: string }[] }).errors ?? []).map(error => error.rule);
          if (status === 403 || rules.some(rule => rule === 'permission' || rule === 'rights')) refused.add(call.name);
          const text = status < 300 ? JSON.stringify(body) : '';
          if (/\/q\/[\w.-]{10}/.test(text) || /"token":"[0-9a-f]{32}"/.test(text))
            lines.push(`${call.name} hands out ${text.slice(0, 120)}`);
        }
      lines.push(...raised(server, person, before, await powersOf(server)).map(line => `${area ?? 'no area'}: ${line}`));
    }
    expect(lines).toEqual([]);
    // Each way that is known was there to be refused.
    const ways = [
      'roles.create',
      'roles.update',
      'roles.duplicate',
      'roles.makeDefault',
      'roles.addUser',
      'users.invite',
      'users.updateType',
      'users.updatePermissions',
      'api-keys.generate',
      'api-keys.update',
      'api-keys.reveal',
      'quick-actions.create',
      'quick-actions.update',
      'quick-actions.activate',
      'quick-actions.makeLink',
      'campaign-actions.create',
      'campaign-actions.launch',
      'automations.create',
      'automations.update',
      'automations.enable',
      'incentives.create',
      'incentives.activate',
      'cancellation-reasons.create',
      'cancellation-reasons.activate',
      'streaks.create',
      'streaks.activate',
      'pause-flow.set',
      'webhooks.create',
      'webhooks.update',
      'bulk-actions.create',
      'integrations.connect',
    ];
    expect(ways.filter(name => !refused.has(name))).toEqual([]);
  }, 600_000);

  it('schemas say what gives something wherever a value has its form', () => {
    const { definitions } = server.services;
    const silent: string[] = [];
    const looks = (schema: Schema): boolean => {
      const names = Object.keys(schema.properties ?? {});
      const has = (...all: string[]): boolean => all.every(name => names.includes(name));
      const options = optionsOf(schema.items ?? schema).map(option => String(option.value));
      return (
        has('action', 'input') ||
        has('permissionKey', 'access') ||
        has('rewardType') ||
        schema.items?.['x-topics'] === true ||
        Object.values(schema.properties ?? {}).some(field => field['x-scope'] !== undefined) ||
        (options.length > 1 && schema.items === undefined && options.every(value => value in LINKS))
      );
    };
    const walk = (schema: Schema, at: string): void => {
      if (schema.readOnly) return;
      if (looks(schema) && schema['x-grants'] === undefined) silent.push(at);
      for (const [name, field] of Object.entries(schema.properties ?? {})) walk(field, `${at}/${name}`);
      if (schema.items) walk(schema.items, `${at}/items`);
    };
    for (const [name, schema] of Object.entries(definitions.entities)) walk(schema, name);
    for (const [name, schema] of Object.entries(definitions.settings)) walk(schema, `settings/${name}`);
    for (const call of Object.values(definitions.calls))
      if (!isRead(call) && !AS_RECORDS.includes(call.does)) walk(inputSchema(call), call.name);
    expect(silent).toEqual([]);
    expect(Object.values(definitions.entities).filter(isGranting).length).toBeGreaterThan(8);
  });

  it('every kind of link has a button that finds all that its action needs', () => {
    const offered = {
      id: 1,
      name: '',
      delayOptions: [{ interval: 'DAY' as const, intervalCount: 1 }],
      pauseOptions: [],
      allowIndefinite: true,
      addVariantIds: [1],
      swapVariantIds: [2],
      swapToVariantId: 1,
    };
    for (const [type, { action, choices }] of Object.entries(LINKS)) {
      const order = { orderId: 1, total: 100 };
      const words = { say: () => 'x', day: () => 'x', span: () => 'x', money: () => 'x' };
      const asked: Asked = {
        ...words,
        nextBillingAt: new Date(),
        variants: new Map([[1, 'x']]),
        prices: new Map([[1, 100]]),
        zone: 'UTC',
        now: new Date(),
        next: order,
        failed: order,
      };
      const buttons = choicesOf({ ...offered, type: type as LinkKind }, asked);
      expect([type, [...new Set(buttons.map(button => button.action))]]).toEqual([type, [choices[0]?.with ? action : undefined]]);
    }
  });
});
