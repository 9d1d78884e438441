// Every call that makes or changes a record, on the records of the demo store: what a change does not name stays, and what no schema knows is
// refused as wrong input, whatever the rules around it expect.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionsOf, same } from '../../../../src/contract/paths.ts';
import { inputSchema } from '../../../../src/contract/request.ts';
import { hiddenPointers } from '../../../../src/contract/validation/condition.ts';
import { pathParams } from '../../../../src/contract/calls.ts';
import type { Call, JsonObject, JsonValue, Schema } from '../../../../src/contract/types.ts';
import { seedDemo } from '../../../../src/server/features/demo/demo.ts';
import { validInput } from '../../../support/arbitrary.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** Kinds of record that the demo store has none of, or whose changes are no fields of theirs. */
const NOT_IN_THE_DEMO = new Set(['payment-migration', 'subscription-import', 'shipping-profile']);

describe('calls on the demo store', () => {
  let server: TestServer;
  const calls = (): Call[] => Object.values(server.services.definitions.calls);
  const entity = (name: string): Schema => server.services.definitions.entities[name] ?? {};
  beforeAll(async () => {
    server = await startTestServer({ seed: false, config: { demoSize: 80 } });
    await seedDemo(server.services);
    await server.call('roles.create', { name: 'Packing', description: 'Packs', permissions: [] });
    await server.call('saved-views.create', { route: '/subscriptions', name: 'Mine', query: '?q=x' });
  }, 300_000);
  afterAll(() => server?.close());

  const query = async <R extends object>(text: string, params: unknown[] = []): Promise<R[]> =>
    (await server.services.db.ownerQuery<R>(text, params)).rows;

  /** Keys of the records that hold most, and of all that run. */
  async function fullest(name: string): Promise<(number | string)[]> {
    const { table, key = 'id' } = entity(name)['x-record'] ?? {};
    const rows = table
      ? await query<{ id: number }>(`select id from ${table} r where store_id = 1 order by length(to_jsonb(r)::text) desc limit 3`)
      : await query<{ id: number }>(
          `select coalesce(data ->> $2, id::text) as id from records where store_id = 1 and entity = $1 and deleted_at is null
            order by data ->> 'state' is not distinct from 'EXPERIMENT_IN_PROGRESS' desc, length(data::text) desc limit 5`,
          [name, key],
        );
    return rows.map(({ id }) => (entity(name).properties?.[key]?.type === 'integer' || table ? Number(id) : id));
  }
  /** A record as the call that reads one answers it. */
  async function read(name: string, id: number | string): Promise<JsonObject> {
    const call = calls().find(one => one.does === 'read' && one.of === name && one.answer === undefined && one.in.length === 1);
    if (call) return ((await server.call(call.name, { [call.in[0]!.name]: id })).data ?? {}) as JsonObject;
    const { table, key = 'id' } = entity(name)['x-record'] ?? {};
    const list = calls().find(
      one => one.does === 'list' && one.of === name && one.set === undefined && !one.in.some(param => param.required),
    );
    const { data, body } = await server.call(list?.name ?? '', {});
    const found = (data as JsonObject[] | undefined)?.find(one => one[key] === id);
    if (!found) throw new Error(`${name} ${id} (${table ?? 'records'}) can't be read: ${JSON.stringify(body).slice(0, 200)}`);
    return found;
  }
  const writable = (name: string): string[] =>
    Object.entries(entity(name).properties ?? {})
      .filter(([, field]) => !field.readOnly)
      .map(([field]) => field);
  /** What people gave of a record, and in what state it is. */
  const about = (name: string, record: JsonObject): JsonObject => {
    const states = entity(name)['x-states']?.field ?? 'status';
    return Object.fromEntries([...writable(name), states].map(field => [field, record[field] ?? null]));
  };

  it('leave what they do not name: each field alone, and the required ones alone', async () => {
    const lost: string[] = [];
    const walked: string[] = [];
    for (const call of calls()) {
      if (call.does !== 'update' || !call.body || NOT_IN_THE_DEMO.has(call.of)) continue;
      const schema = inputSchema(call);
      const key = call.in.find(param => param.required)?.name ?? 'id';
      const ids = await fullest(call.of);
      let taken = 0;
      for (const id of ids) {
        if (taken > 0) break;
        const before = await read(call.of, id);
        let kept = about(call.of, before);
        const hidden = hiddenPointers(entity(call.of), before);
        const held = writable(call.of).filter(
          name =>
            schema.properties?.[name] && !schema.properties[name].readOnly && (before[name] ?? null) !== null && !hidden.has(`/${name}`),
        );
        const required = held.filter(name => entity(call.of).required?.includes(name));
        let refused = '';
        for (const names of [required, ...held.map(name => [name])]) {
          const body = Object.fromEntries(names.map(name => [name, before[name] as JsonValue]));
          const { status, body: answer } = await server.call(call.name, { ...body, [key]: id });
          if (status === 200) taken++;
          else refused ||= `${names.join(', ')}: ${status} ${JSON.stringify(answer).slice(0, 300)}`;
          const after = about(call.of, await read(call.of, id));
          for (const [name, value] of Object.entries(kept))
            if (!names.includes(name) && !hidden.has(`/${name}`) && !same(after[name] ?? null, value ?? null))
              lost.push(
                `${call.name} with ${names.join(', ')} changed ${name}: ${JSON.stringify(value)} to ${JSON.stringify(after[name])}`,
              );
          kept = after;
        }
        // A record that takes one of its fields takes each of them.
        if (taken > 0 && refused) lost.push(`${call.name} ${refused}`);
      }
      if (taken > 0) walked.push(call.name);
      else lost.push(`${call.name} took nothing of ${ids.length} records`);
    }
    expect(lost).toEqual([]);
    expect(walked.length).toBeGreaterThan(20);
  }, 300_000);

  it('empty a field by null alone', async () => {
    const made = await server.call('roles.create', { name: 'Returns', description: 'Takes parcels back', permissions: [] });
    const { id } = made.data as { id: number };
    const change = async (fields: JsonObject): Promise<number> => (await server.call('roles.update', { id, ...fields })).status;
    expect(await change({ name: 'Returns and repairs' })).toBe(200);
    expect(await read('role', id)).toMatchObject({ name: 'Returns and repairs', description: 'Takes parcels back' });
    expect(await change({ description: null })).toBe(200);
    expect((await read('role', id)).description ?? null).toBeNull();
    expect(await change({ name: null })).toBe(422);
    expect(await read('role', id)).toMatchObject({ name: 'Returns and repairs' });
  });

  it('leave the other settings of a page', async () => {
    const lost: string[] = [];
    for (const [page, schema] of Object.entries(server.services.definitions.settings)) {
      const get = async (): Promise<JsonObject> => (await server.call('settings.get', { settingsPage: page })).data as JsonObject;
      const first = await get();
      const fields = Object.keys(schema.properties ?? {}).filter(name => !schema.properties?.[name]?.readOnly);
      const flag = fields.find(name => typeof first[name] === 'boolean' && !hiddenPointers(schema, first).has(`/${name}`));
      if (!flag) continue;
      const saved = await server.call('settings.set', { settingsPage: page, ...pick(first, fields), [flag]: !first[flag] });
      if (saved.status !== 200) continue;
      const before = await get();
      const other = fields.find(
        name => name !== flag && (before[name] ?? null) !== null && !hiddenPointers(schema, before).has(`/${name}`),
      );
      if (!other) continue;
      const { status, body } = await server.call('settings.set', { settingsPage: page, [other]: before[other] as JsonValue });
      const after = await get();
      if (status !== 200) lost.push(`${page} ${other}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
      for (const name of fields)
        if (JSON.stringify(after[name]) !== JSON.stringify(before[name])) lost.push(`${page} with ${other} changed ${name}`);
    }
    expect(lost).toEqual([]);
  });

  it('are refused with 4xx for an unknown kind, and for a value of another type, in each field', async () => {
    const failed: string[] = [];
    let asked = 0;
    for (const [i, call] of calls().entries()) {
      if ((call.does !== 'create' && call.does !== 'update') || call.like !== undefined) continue;
      const schema = inputSchema(call);
      const [input] = fc.sample(validInput(call), { numRuns: 1, seed: 51 + i }) as [JsonObject];
      const [id] = call.does === 'update' ? await fullest(call.of) : [];
      const key = call.in.find(param => param.required)?.name ?? 'id';
      // A change names that field alone; what is made has all the others right.
      const others = call.does === 'create' ? input : { ...pick(input, pathParams(call.path)), ...(id === undefined ? {} : { [key]: id }) };
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        if (field.readOnly || (name === key && call.does === 'update') || pathParams(call.path).includes(name)) continue;
        for (const value of optionsOf(field).length ? ['NO_SUCH', { no: 'such' }] : [{ no: 'such' }]) {
          asked++;
          const { status, body } = await server.call(call.name, { ...others, [name]: value });
          if (status >= 500)
            failed.push(`${call.name} ${name} = ${JSON.stringify(value)}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
        }
      }
    }
    expect(failed).toEqual([]);
    expect(asked).toBeGreaterThan(400);
  }, 300_000);

  it('keep what others name by its id: nothing is deleted that a record, a condition, an action or a settings page points to', async () => {
    const { definitions } = server.services;
    const deleting = (of: string): Call | undefined =>
      calls().find(
        call => call.does === 'delete' && call.like === undefined && call.of === (of === 'selling-plan' ? 'selling-plan-group' : of),
      );
    /** A record of a kind that nothing names yet, made like the fullest one. */
    const unnamed = async (of: string): Promise<{ id: number; row: number }> => {
      const [{ id: row, data } = { id: 0, data: {} }] = await query<{ id: number; data: JsonObject }>(
        `insert into records (store_id, entity, data) select store_id, entity, data || jsonb_build_object('name', 'Unnamed ' || gen_random_uuid(), 'merchantCode', gen_random_uuid()::text, 'status', 'DRAFT')
          from records where store_id = 1 and entity = $1 and deleted_at is null order by id desc limit 1 returning id, data`,
        [of === 'selling-plan' ? 'selling-plan-group' : of],
      );
      if (of !== 'selling-plan') return { id: row, row };
      await query(`update records set data = jsonb_set(data, '{sellingPlans,0,lspId}', to_jsonb($1::bigint)) where id = $2`, [
        900_000 + row,
        row,
      ]);
      expect((data.sellingPlans as JsonObject[]).length).toBeGreaterThan(0);
      return { id: 900_000 + row, row };
    };
    const let_go: string[] = [];
    let walked = 0;
    const holders: [string, Schema][] = [
      ...Object.entries(definitions.entities).filter(([, schema]) => schema['x-record'] && !schema['x-record'].table),
      ...Object.entries(definitions.settings).map(([name, schema]): [string, Schema] => [`settings/${name}`, schema]),
    ];
    for (const [holder, schema] of holders)
      for (const { of, document } of namingIn(schema, definitions.actions)) {
        const call = deleting(of);
        if (!call) continue;
        walked++;
        const { id, row } = await unnamed(of);
        const data = JSON.stringify(document(id));
        if (holder.startsWith('settings/'))
          await query(
            `insert into settings (store_id, name, data, version) values (1, $1, $2::jsonb, 1)
              on conflict (store_id, name) do update set data = settings.data || $2::jsonb`,
            [holder.slice('settings/'.length), data],
          );
        else
          await query('insert into records (store_id, entity, data) values (1, $1, $2::jsonb || \'{"name": "It names another"}\')', [
            holder,
            data,
          ]);
        const answer = await server.call(call.name, { [call.in[0]!.name]: row });
        const named = holder.startsWith('settings/') ? schema.title : schema['x-record']?.name.one;
        if (answer.status !== 409 || answer.body.code !== 'IN_USE' || !String(answer.body.message).includes(named ?? '?'))
          let_go.push(`${holder} ${data}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
        await query("delete from records where store_id = 1 and data ->> 'name' = 'It names another'");
        if (holder.startsWith('settings/'))
          await query('update settings set data = data - $2 where store_id = 1 and name = $1', [
            holder.slice('settings/'.length),
            Object.keys(document(id))[0],
          ]);
        if ((await server.call(call.name, { [call.in[0]!.name]: row })).status !== 200)
          let_go.push(`${of} can't be deleted when nothing names it`);
      }
    expect(let_go).toEqual([]);
    expect(walked).toBeGreaterThan(8);
  });
});

/** Fields with a number that names nothing a store can delete: parts of the record itself, ids of the platform, subscriptions. */
const OUTSIDE = new Set(['lspId', 'planId', 'subscriptionIds', 'loopId', 'planIds', 'productVariantId', 'childProductId']);

/** Each place of a schema where a record may be named, with a document that names one there. A field that looks like an id says whose it is. */
function namingIn(
  whole: Schema,
  actions: Record<string, { key: string; form: Schema | null }>,
): { of: string; document: (id: number) => JsonObject }[] {
  const found: { of: string; document: (id: number) => JsonObject }[] = [];
  const walk = (schema: Schema, around: (value: JsonValue) => JsonValue, name: string, owner: string | undefined): void => {
    const hints = schema['x-ui'];
    if (schema.readOnly || hints?.loose) return;
    const of = hints?.of ?? owner;
    const isNumber = [schema.type ?? []].flat().includes('integer');
    if (isNumber && of) found.push({ of, document: id => around(id) as JsonObject });
    if (isNumber && !of && /Ids?$/.test(name) && !OUTSIDE.has(name))
      throw new Error(`"${name}" of ${whole.title} does not say whose id it is.`);
    for (const kind of Object.values(schema['x-catalogue'] ?? {}))
      if (kind.value['x-ui']?.of)
        found.push({
          of: kind.value['x-ui'].of,
          document: id => around({ match: 'ALL', rows: [{ conditionKey: kind.key, operator: 'IS_ANY_OF', value: [id] }] }) as JsonObject,
        });
    if (hints?.widget === 'flow-actions')
      for (const { key, form } of Object.values(actions))
        if (form) walk(form, value => around([{ action: key, input: value }]), '', undefined);
    for (const [key, inner] of Object.entries(schema.properties ?? {})) walk(inner, value => around({ [key]: value }), key, of);
    if (schema.items && hints?.widget !== 'flow-actions') walk(schema.items, value => around([value]), name, of);
  };
  walk(whole, value => value, '', undefined);
  return found;
}

const pick = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter(name => from[name] !== undefined).map(name => [name, from[name] as JsonValue]));
