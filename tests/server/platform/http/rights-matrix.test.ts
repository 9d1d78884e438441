import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRead } from '../../../../src/contract/request.ts';
import { oneEngine } from '../../../support/database.ts';
import { probeTenants, Rights, unguardedTables } from '../../../support/torture/rights-matrix.ts';
import { fingerprint, markStore } from '../../../support/stores.ts';
import { startTestServer, type Role, type TestServer } from '../../../support/server.ts';
import { planSeed } from '../../../support/seed.ts';

const seed = planSeed();
/** Rounds that tell 70 areas apart (8 over 4). */
const ROUNDS = 8;
const ones = (bits: number): number => bits.toString(2).replaceAll('0', '').length;

describe.each(oneEngine)('every call of the catalogue (%s)', engine => {
  let server: TestServer;
  let people: Rights;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 60, stores: 2 }, jobs: true, config: { workers: 0 } });
    people = new Rights(server);
    await markStore(server.services.db, 2);
  });
  afterAll(() => server?.close());

  it('names a permission area that the catalogue knows, or says that none is needed', () => {
    for (const call of people.calls)
      if (call.permission)
        expect([call.name, server.services.definitions.permissions[call.permission]?.permissionKey]).toEqual([call.name, call.permission]);
  });

  it('S251 refuses every call without a token, save those of the sign-in page', async () => {
    expect(await people.wrong(null, call => (call.public ? undefined : '401 UNAUTHORIZED'))).toEqual([]);
    expect(people.calls.filter(call => call.public).map(call => call.table)).toEqual(
      people.calls.filter(call => call.public).map(() => 'sign-in'),
    );
  });

  it('S220 S221 S222 S223 S224 S225 lets in by permission: nothing, READ, WRITE in every area', async () => {
    const token = await server.signIn('readOnly');
    for (const level of ['NO_ACCESS', 'READ', 'WRITE']) {
      await people.set(Object.fromEntries(people.areas.map(area => [area.permissionKey, level])));
      expect(await people.wrong(token, call => people.byRights(call, () => level))).toEqual([]);
    }
  });

  it('lets in by one area and by no other', async () => {
    const token = await server.signIn('readOnly');
    const areas = [...new Set(people.calls.map(call => call.permission).filter(area => area !== undefined))];
    // Each area is held in another half of the rounds, and none in all rounds of another: a call that asks for any other area, for one more, or lets in by
    // a second one answers wrongly in one of them.
    const halves = Array.from({ length: 2 ** ROUNDS }, (_, bits) => bits).filter(bits => ones(bits) === ROUNDS / 2);
    expect(halves.length).toBeGreaterThanOrEqual(areas.length);
    const rounds = new Map(areas.map((area, i) => [area, halves[i] as number]));
    const isHeld = (area: string, round: number): boolean => (((rounds.get(area) ?? 0) >> round) & 1) === 1;
    for (let round = 0; round < ROUNDS; round++) {
      await people.set(
        Object.fromEntries(people.areas.map(({ permissionKey: area }) => [area, isHeld(area, round) ? 'WRITE' : 'NO_ACCESS'])),
      );
      const levels = (area: string): string => (isHeld(area, round) ? 'WRITE' : 'NO_ACCESS');
      expect(await people.wrong(token, call => people.byRights(call, levels))).toEqual([]);
    }
    await people.set({});
  });

  it('S214 serves the four roles of the team as their rights say', async () => {
    for (const role of ['owner', 'admin', 'mixed', 'readOnly'] as Role[]) {
      const held = await people.of(role);
      expect(
        await people.wrong(await server.signIn(role), call => {
          const access = call.permission ? held[call.permission] : 'WRITE';
          const besides = (call.also ?? []).every(area => held[area] !== 'NO_ACCESS');
          return besides && (access === 'WRITE' || (access === 'READ' && isRead(call))) ? undefined : '403 FORBIDDEN';
        }),
      ).toEqual([]);
    }
  });

  it('S229 S230 asks for the plan feature: refused on every plan below, let in from its plan on', async () => {
    for (const plan of server.services.definitions.plans) {
      await people.setPlan(plan.id);
      const has = people.features(plan.rank);
      expect(await people.wrong(await server.signIn('owner'), call => people.byPlan(call, has))).toEqual([]);
    }
    await people.setPlan(4);
  });

  it('S218 S219 without user_permission everybody is let in, save that members change no rights', async () => {
    await people.setPlan(2);
    await people.set(Object.fromEntries(people.areas.map(area => [area.permissionKey, 'NO_ACCESS'])));
    const has = people.features(2);
    for (const role of ['owner', 'admin', 'readOnly'] as Role[]) {
      expect(
        await people.wrong(
          await server.signIn(role),
          call =>
            people.byPlan(call, has) ??
            (role === 'readOnly' && call.permission === 'updateUserPermission' && !isRead(call) ? '403 FORBIDDEN' : undefined),
        ),
      ).toEqual([]);
    }
    await people.set({});
    await people.setPlan(4);
  });

  it('refuses what another page could send to any call that writes, before it is even read', async () => {
    const { services } = server;
    // Being seen is noted with every call.
    const state = async () => {
      const { sessions: _sessions, users: _users, ...rest } = await fingerprint(services.db, 1);
      return rest;
    };
    const before = await state();
    const JSON_BODY = { 'content-type': 'application/json' };
    const probes: Record<string, [Record<string, string>, string]> = {
      'a foreign page': [{ ...JSON_BODY, origin: 'https://evil.example' }, '{}'],
      'a page without an origin of its own': [{ ...JSON_BODY, origin: 'null' }, '{}'],
      'another port of this host': [{ ...JSON_BODY, origin: 'http://127.0.0.1:1' }, '{}'],
      'a foreign page that hides its origin': [{ ...JSON_BODY, 'sec-fetch-site': 'cross-site' }, '{}'],
      'a form': [{ 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
      'a form with files': [{ 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
      'text that looks like JSON': [{ 'content-type': 'text/plain' }, '{}'],
      'nothing said of the body': [{ 'content-type': '' }, '{}'],
    };
    const letIn: string[] = [];
    const writing = Object.values(services.definitions.calls).filter(call => call.method !== 'GET');
    expect(writing.length).toBeGreaterThan(60);
    for (const call of writing) {
      const path = services.definitions.hosts[call.host]?.prefix + call.path.replace(/\{\w+\}/g, '1');
      for (const [what, [headers, body]] of Object.entries(probes)) {
        const { status } = await server.request(call.method, path, { as: 'owner', headers, body });
        if (status !== 403 && status !== 415) letIn.push(`${call.name}: ${what}, ${status}`);
      }
    }
    expect(letIn).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('shows and changes nothing of another store, whatever ids of it a call is given: in path, query, body, lists, filters, search', async () => {
    const report = await probeTenants(server, { seed, kinds: 2 });
    expect(report.leaks).toEqual([]);
    expect(report.touched).toEqual([]);
    expect(report.requests).toBeGreaterThan(people.calls.length);
  });

  it('the database itself keeps the stores apart when a query forgets to', async () => {
    const { db } = server.services;
    expect(await unguardedTables(server)).toEqual([]);
    await expect(
      db.inStore(1, trx => trx.insertInto('events').values({ store_id: 2, contract_id: 1, key: 'x', source: 'x' }).execute()),
    ).rejects.toThrow(/row-level security/);
    expect(
      (await db.inStore(1, trx => sql`update contracts set note = 'x' where store_id = 2 returning 1 as n`.execute(trx))).rows,
    ).toEqual([]);
  });
});
