import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { refuseTaken } from '../../../../src/server/platform/records/record-repository.ts';
import type { RuleContext } from '../../../../src/server/platform/records/rules.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { engines } from '../../../support/database.ts';
import { PARCELS, definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { planSeed } from '../../../support/seed.ts';

describe.each(engines)('the record verbs (%s)', engine => {
  let server: TestServer;
  let number = 0;
  const make = async (more: JsonObject = {}) => {
    const { status, data, body } = await server.call('parcels.create', { name: `Parcel ${++number}`, weight: 100, ...more });
    expect([status, body.message]).toEqual([200, 'OK']);
    return data as JsonObject & { id: number; version: number };
  };
  const history = (id: number) =>
    server.services.db.inStore(1, trx =>
      trx.selectFrom('record_history').selectAll().where('entity', '=', 'parcel').where('id', '=', id).orderBy('version').execute(),
    );
  beforeAll(async () => {
    const modules = await loadModules();
    server = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 2 },
      tables: ['parcels'],
      services: {
        definitions: definitionsWith(PARCELS),
        modules: {
          ...modules,
          guards: {
            isHeavyEnough: (_context, record) => (Number(record.weight) < 10 ? 'A parcel under 10 g is lost in the mail.' : undefined),
          },
        },
      },
    });
  });
  afterAll(() => server?.close());

  it('a unique name is taken however it is written: in another case or composition, with other spaces', async () => {
    const { db, definitions } = server.services;
    const tried: string[] = [];
    for (const entity of Object.keys(definitions.entities)) {
      const shape = server.services.shape(entity);
      for (const unique of shape.hints.unique ?? []) {
        const name = typeof unique === 'string' ? unique : unique.field;
        const within = typeof unique === 'string' ? [] : unique.within;
        // Records of tables of their own, and values that can't be written in two ways, are compared by the same function.
        if (!shape.isDocument || shape.schema.properties?.[name]?.format !== undefined) continue;
        const data = { ...Object.fromEntries(within.map(other => [other, 'X'])), [name]: 'Cafe\u0301  No 1' };
        await db.inStore(1, async trx => {
          await sql`insert into records (store_id, entity, data) values (1, ${entity}, ${JSON.stringify(data)}::jsonb)`.execute(trx);
          // What is asked of the context is the store and its transaction.
          const context = { trx, storeId: 1 } as RuleContext;
          for (const other of ['Cafe\u0301  No 1', 'CAF\u00c9 NO 1', ' caf\u00e9\u00a0no 1 '])
            await expect(refuseTaken(context, shape, { ...data, [name]: other }), `${entity}.${name} ${other}`).rejects.toMatchObject({
              status: 409,
            });
          await refuseTaken(context, shape, { ...data, [name]: 'Cafe No 1' });
          await sql`delete from records where store_id = 1 and entity = ${entity} and data ->> ${name} = ${data[name]}`.execute(trx);
        });
        tried.push(entity);
      }
    }
    expect(tried.length).toBeGreaterThan(15);
  });

  it('creates with defaults, reads back, updates, counts versions up and keeps every one', async () => {
    const made = await make({ note: 'Kept dry', tags: ['a'], price: '4.50', lines: [{ text: 'one' }] });
    expect(made).toMatchObject({ status: 'DRAFT', isFragile: false, version: 1, note: 'Kept dry', price: '4.50' });
    expect((await server.call('parcels.read', { id: made.id })).data).toEqual(made);
    const after = await server.call('parcels.update', { ...made, weight: 250, note: 'Dry and warm' });
    expect(after.data).toMatchObject({ weight: 250, note: 'Dry and warm', version: 2, createdAt: made.createdAt });
    expect((await history(made.id)).map(row => [row.version, (row.data as JsonObject).weight])).toEqual([
      [1, 100],
      [2, 250],
    ]);
    const { rows } = {
      rows: await server.services.db.inStore(1, trx =>
        trx
          .selectFrom('account_log')
          .selectAll()
          .where('entity', '=', 'parcel')
          .where('entity_id', '=', String(made.id))
          .orderBy('id')
          .execute(),
      ),
    };
    expect(
      rows.map(row => [row.action, row.user_email, (row.before as JsonObject | null)?.weight, (row.after as JsonObject | null)?.weight]),
    ).toEqual([
      ['parcel.created', 'amira@fernandember.example', undefined, 100],
      ['parcel.updated', 'amira@fernandember.example', 100, 250],
    ]);
  });

  it('leaves what a change does not name, with PUT as with PATCH; null empties', async () => {
    const made = await make({ note: 'stays', tags: ['x'] });
    const put = await server.call('parcels.update', { id: made.id, weight: 5 });
    expect(put.data).toMatchObject({ weight: 5, note: 'stays', tags: ['x'], name: made.name });
    expect((await server.call('parcels.update', { id: made.id, note: null })).data.note).toBeUndefined();
    const patched = await server.call('parcels.patch', { id: made.id, weight: 6 });
    expect(patched.data).toMatchObject({ weight: 6, name: made.name });
  });

  it('refuses an old version with both versions and who wrote the newer one', async () => {
    const made = await make();
    await server.call('parcels.update', { ...made, weight: 1 }, { as: 'admin' });
    for (const stale of [
      await server.call('parcels.update', { ...made, weight: 2 }),
      await server.call('parcels.update', { id: made.id, name: made.name as string, weight: 2 }, { version: 1 }),
      await server.call('parcels.delete', { id: made.id }, { version: 1 }),
    ]) {
      expect([stale.status, stale.body.code]).toEqual([409, 'STALE_VERSION']);
      expect(stale.body.conflict).toMatchObject({
        version: 2,
        yourVersion: 1,
        changedBy: 'jonah@fernandember.example',
        current: { weight: 1 },
      });
      expect(stale.body.conflict?.changedAt).toMatch(/^\d{4}-/);
    }
    expect((await server.call('parcels.update', { ...made, version: 2, weight: 3 })).data.version).toBe(3);
    expect((await server.call('parcels.update', { ...made, version: 3 }, { headers: { 'if-match': 'x' } })).status).toBe(400);
  });

  it('refuses unknown, hidden-conditional and read-only values, at their place; an unchanged read-only value may come along', async () => {
    const made = await make({ lines: [{ id: 1, text: 'one' }] });
    const refused = async (name: string, input: JsonObject) => {
      const { status, body } = await server.call(name, input);
      return [status, body.errors?.[0]?.pointer, body.errors?.[0]?.rule];
    };
    expect(await refused('parcels.create', { name: 'N', weight: 1, colour: 'red' })).toEqual([422, '/colour', 'additionalProperties']);
    expect(await refused('parcels.create', { name: 'N', weight: 1, store_id: 2 })).toEqual([422, '/store_id', 'additionalProperties']);
    expect(await refused('parcels.create', { name: 'N', weight: 1, status: 'SENT' })).toEqual([422, '/status', 'readOnly']);
    expect(await refused('parcels.create', { name: 'N', weight: 1, id: 7 })).toEqual([422, '/id', 'readOnly']);
    expect(await refused('parcels.update', { ...made, status: 'SENT' })).toEqual([422, '/status', 'readOnly']);
    expect(await refused('parcels.update', { ...made, createdAt: '2020-01-01T00:00:00Z' })).toEqual([422, '/createdAt', 'readOnly']);
    expect(await refused('parcels.update', { ...made, lines: [{ id: 1, text: 'one', serial: 'forged' }] })).toEqual([
      422,
      '/lines/0/serial',
      'readOnly',
    ]);
    expect(await refused('parcels.create', { name: '', weight: -1 })).toEqual([422, '/name', 'minLength']);
    expect(await refused('parcels.patch', { id: made.id, weight: 1.5 })).toEqual([422, '/weight', 'type']);
    expect((await server.call('parcels.update', { ...made })).status).toBe(200);
    // Hidden unless it is fragile: not validated, not kept.
    const plain = await make({ isFragile: false, padding: 'far longer than the twenty characters it may have' });
    expect(plain.padding).toBeUndefined();
    const fragile = await make({ isFragile: true, padding: 'foam' });
    expect(fragile.padding).toBe('foam');
    expect((await server.call('parcels.patch', { id: fragile.id, isFragile: false })).data.padding).toBeUndefined();
  });

  it('keeps names apart whatever their case, also when two come at once; a deleted name is free again', async () => {
    const made = await make({ name: 'Twice' });
    const again = await server.call('parcels.create', { name: 'tWICE', weight: 1 });
    expect([again.status, again.body.code, again.body.errors?.[0]?.pointer]).toEqual([409, 'TAKEN', '/name']);
    expect(again.body.message).toContain('"tWICE"');
    const race = await Promise.all(Array.from({ length: 8 }, () => server.call('parcels.create', { name: 'Race', weight: 1 })));
    expect(race.map(answer => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect((await server.call('parcels.update', { ...made })).status).toBe(200); // its own name is no conflict
    await server.call('parcels.delete', { id: made.id });
    expect((await server.call('parcels.create', { name: 'Twice', weight: 1 })).status).toBe(200);
  });

  it('deletes softly: gone for reads and lists, kept in the history', async () => {
    const made = await make();
    expect((await server.call('parcels.delete', { id: made.id })).data).toEqual({ id: made.id });
    for (const [name, input] of [
      ['parcels.read', { id: made.id }],
      ['parcels.delete', { id: made.id }],
      ['parcels.update', { ...made }],
      ['parcels.send', { id: made.id }],
    ] as const)
      expect((await server.call(name, input)).status).toBe(404);
    expect((await server.call('parcels.list', { filter: { name: [made.name as string] } })).data).toEqual([]);
    expect((await history(made.id)).map(row => row.version)).toEqual([1, 2]);
  });

  it('moves only along x-states, and asks the guard; a refused move changes nothing', async () => {
    const made = await make();
    expect((await server.call('parcels.lose', { id: made.id })).body).toMatchObject({ success: false, code: 'INVALID_STATE' });
    const light = await make({ weight: 3 });
    const refused = await server.call('parcels.send', { id: light.id });
    expect([refused.status, refused.body.message]).toEqual([409, 'A parcel under 10 g is lost in the mail.']);
    expect((await server.call('parcels.send', { id: made.id })).data).toMatchObject({ status: 'SENT', version: 2 });
    const twice = await server.call('parcels.send', { id: made.id });
    expect([twice.status, twice.body.message]).toEqual([409, 'Only a draft can be sent.']);
    expect((await server.call('parcels.lose', { id: made.id })).data.status).toBe('LOST');
    expect((await server.call('parcels.read', { id: light.id })).data).toMatchObject({ status: 'DRAFT', version: 1 });
  });

  it('writes what a move asks for, by the rules of the record', async () => {
    const made = await make({ note: 'Kept dry' });
    await server.call('parcels.send', { id: made.id });
    const refused = await server.call('parcels.lose', { id: made.id, note: 'x'.repeat(501) });
    expect([refused.status, (refused.body.errors as { pointer: string }[]).map(error => error.pointer)]).toEqual([422, ['/note']]);
    expect((await server.call('parcels.read', { id: made.id })).data).toMatchObject({ status: 'SENT', note: 'Kept dry', version: 2 });
    expect((await server.call('parcels.lose', { id: made.id, note: 'Fell off' })).data).toMatchObject({ status: 'LOST', note: 'Fell off' });
    expect((await server.call('parcels.read', { id: made.id })).data).toMatchObject({ status: 'LOST', note: 'Fell off', version: 3 });
  });

  it('orders all in one call, and refuses when the set has changed', async () => {
    const before = ((await server.call('parcels.list', { pageSize: 250 })).data as { id: number }[]).map(row => row.id);
    const turned = before.toReversed();
    expect((await server.call('parcels.order', { ids: turned })).data).toEqual({ ids: turned });
    expect(((await server.call('parcels.list', { pageSize: 250 })).data as { id: number }[]).map(row => row.id)).toEqual(turned);
    const added = await make();
    const stale = await server.call('parcels.order', { ids: before });
    expect([stale.status, stale.body.code]).toEqual([409, 'STALE_ORDER']);
    expect(((await server.call('parcels.list', { pageSize: 250 })).data as { id: number }[]).map(row => row.id)).toEqual([
      ...turned,
      added.id,
    ]);
    expect((await server.call('parcels.order', { ids: [added.id, added.id] })).status).toBe(422);
  });

  it('filters, sorts and searches documents', async () => {
    const tag = `t${engine}`;
    const made = [
      await make({ weight: 10, tags: [tag, 'b'], price: '9.99', sentOn: '2026-01-31', note: 'Ünï 100%' }),
      await make({ weight: 30, tags: [tag], price: '10.00', isFragile: true }),
      await make({ weight: 20, tags: [tag], sentOn: '2026-02-28' }),
    ];
    const found = async (input: JsonObject) => {
      const a = await server.call('parcels.list', {
        sort: 'weight',
        order: 'ASC',
        ...input,
        filter: { tags: [tag], ...(input.filter as JsonObject) },
      });
      expect([a.status, a.body.message]).toEqual([200, 'OK']);
      return (a.data as { id: number }[]).map(row => made.findIndex(one => one.id === row.id));
    };
    expect(await found({})).toEqual([0, 2, 1]);
    expect(await found({ order: 'DESC' })).toEqual([1, 2, 0]);
    expect(await found({ filter: { weight: { min: 15, max: 25.5 } } })).toEqual([2]);
    expect(await found({ filter: { weight: [10, 30] } })).toEqual([0, 1]);
    expect(await found({ filter: { price: { max: '9.99' } } })).toEqual([0]);
    expect(await found({ filter: { sentOn: { from: '2026-02-01', to: '2026-02-28' } } })).toEqual([2]);
    expect(await found({ filter: { isFragile: true } })).toEqual([1]);
    expect(await found({ filter: { status: ['DRAFT'], tags: ['b'] } })).toEqual([0]);
    expect(await found({ q: 'ünï 100%' })).toEqual([0]);
    expect(await found({ q: 'parcel' })).toEqual([0, 2, 1]);
  });

  it('shows and changes nothing of another store', async () => {
    const made = await make();
    const stranger = await server.signIn('owner', 2);
    for (const [name, input] of [
      ['parcels.read', { id: made.id }],
      ['parcels.update', { ...made }],
      ['parcels.delete', { id: made.id }],
      ['parcels.send', { id: made.id }],
    ] as const) {
      const { status, body } = await server.call(name, input, { as: stranger });
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      expect(JSON.stringify(body)).not.toContain(made.name);
    }
    expect((await server.call('parcels.list', {}, { as: stranger })).data).toEqual([]);
    expect((await server.call('parcels.order', { ids: [made.id] }, { as: stranger })).status).toBe(409);
  });

  it('loses no update: of two editors with one version exactly one wins, in any interleaving', async () => {
    const seed = planSeed();
    await fc
      .assert(
        fc.asyncProperty(
          fc.array(fc.record({ editor: fc.integer({ min: 0, max: 2 }), together: fc.boolean() }), { minLength: 2, maxLength: 8 }),
          async steps => {
            const made = await make({ weight: 0 });
            const seen = [1, 1, 1]; // the version each editor has on screen
            let wins = 0;
            const save = async (editor: number) => {
              const { status, body } = await server.call('parcels.patch', { id: made.id, weight: wins + 1 }, { version: seen[editor] });
              if (status === 200) {
                wins++;
                seen[editor] = (body as { data: { version: number } }).data.version;
              } else {
                expect(body.code).toBe('STALE_VERSION');
                seen[editor] = body.conflict?.version ?? 0;
              }
              return status;
            };
            for (const { editor, together } of steps) {
              if (!together) {
                await save(editor);
                continue;
              }
              const version = Math.max(...seen);
              seen[editor] = seen[(editor + 1) % 3] = version;
              const both = await Promise.all([save(editor), save((editor + 1) % 3)]);
              expect(both.filter(status => status === 200).length).toBeLessThanOrEqual(1);
            }
            const { data } = await server.call('parcels.read', { id: made.id });
            expect(data.version).toBe(1 + wins);
            expect(await history(made.id)).toHaveLength(1 + wins);
          },
        ),
        { numRuns: 25, seed },
      )
      .catch((error: unknown) => {
        throw new Error(`FC_SEED=${seed}`, { cause: error });
      });
  });
});
