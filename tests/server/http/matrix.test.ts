import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRequest, isRead } from '../../../src/contract/request.ts';
import type { Call, JsonObject } from '../../../src/contract/types.ts';
import { permissionsOf } from '../../../src/server/auth/permissions.ts';
import { engines } from '../../support/database.ts';
import { valid, validInput } from '../../support/arbitrary.ts';
import { MARK, fingerprint, idsOf, markStore, storeTables } from '../../support/stores.ts';
import { startTestServer, type Role, type TestServer } from '../../support/server.ts';

const MEMBER = 1004;
const seed = Number(process.env.FC_SEED ?? 20_260_101);
const one = <T>(arbitrary: fc.Arbitrary<T>, more = 0): T => fc.sample(arbitrary, { numRuns: 1, seed: seed + more })[0] as T;

describe.each(engines)('every call of the catalogue (%s)', engine => {
  let server: TestServer;
  let calls: Call[];
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 60, stores: 2 }, jobs: true, config: { workers: 0 } });
    calls = Object.values(server.services.definitions.calls);
    await markStore(server.services.db, 2);
  });
  afterAll(() => server?.close());

  /** The status of a call with an input that leads nowhere: rights are looked at before it. */
  const knock = async (call: Call, token: string | null, headers: Record<string, string> = {}) => {
    const input = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(match => [match[1], 'x']));
    const request = buildRequest(server.services.definitions, call, { ...input, unknownMember: 1 });
    const response = await fetch(server.url + request.url, { method: request.method, headers: { ...request.headers, ...headers, ...(token ? { authorization: token } : {}) }, body: request.body === undefined ? null : JSON.stringify(request.body) });
    const body = await response.json() as { code?: string };
    return { status: response.status, code: body.code };
  };
  const setRights = async (rights: Record<string, string>) => {
    await server.services.db.ownerQuery('update users set permissions = $1 where store_id = 1 and id = $2', [JSON.stringify(rights), MEMBER]);
    server.services.sessions.forget();
  };
  const wrong = async (token: string | null, expected: (call: Call) => string | undefined) => {
    const lines: string[] = [];
    for (const call of calls) {
      const { status, code } = await knock(call, token);
      const got = status === 401 || status === 403 ? `${status} ${code}` : undefined;
      if (got !== expected(call)) lines.push(`${call.name}: ${got ?? status} instead of ${expected(call) ?? 'let in'}`);
    }
    return lines;
  };
  const areas = () => Object.values(server.services.definitions.permissions);

  // Rights are looked at before the database is: one engine is enough for them.
  const rights = engine === engines[0] ? it : (() => undefined) as unknown as typeof it;

  rights('names a permission area that the catalogue knows, or says that none is needed', () => {
    for (const call of calls) if (call.permission) expect([call.name, server.services.definitions.permissions[call.permission]?.permissionKey]).toEqual([call.name, call.permission]);
  });

  rights('S251 refuses every call without a token, save those of the sign-in page', async () => {
    expect(await wrong(null, call => (call.public ? undefined : '401 UNAUTHORIZED'))).toEqual([]);
    expect(calls.filter(call => call.public).map(call => call.table)).toEqual(calls.filter(call => call.public).map(() => 'sign-in'));
  });

  rights('S220 S221 S222 S223 S224 S225 lets in by permission: nothing, READ, WRITE in every area', async () => {
    const token = await server.signIn('readOnly');
    for (const level of ['NO_ACCESS', 'READ', 'WRITE']) {
      await setRights(Object.fromEntries(areas().map(area => [area.permissionKey, level])));
      expect(await wrong(token, call => {
        if (!call.permission) return undefined;
        const modes = server.services.definitions.permissions[call.permission]?.availableAccessMode ?? [];
        const held = level === 'WRITE' && !modes.includes('WRITE') ? 'READ' : level;
        return held === 'WRITE' || (held === 'READ' && isRead(call)) ? undefined : '403 FORBIDDEN';
      })).toEqual([]);
    }
  });

  rights('lets in by one area and by no other', async () => {
    const token = await server.signIn('readOnly');
    for (const area of new Set(calls.map(call => call.permission))) {
      if (!area) continue;
      await setRights({ ...Object.fromEntries(areas().map(other => [other.permissionKey, 'NO_ACCESS'])), [area]: 'WRITE' });
      const writable = server.services.definitions.permissions[area]?.availableAccessMode.includes('WRITE');
      expect(await wrong(token, call => (!call.permission || (call.permission === area && (writable || isRead(call))) ? undefined : '403 FORBIDDEN'))).toEqual([]);
    }
    await setRights({});
  });

  rights('S214 serves the four roles of the team as their rights say', async () => {
    for (const role of ['owner', 'admin', 'mixed', 'readOnly'] as Role[]) {
      const { rows } = await server.services.db.ownerQuery<{ type: 'OWNER'; permissions: JsonObject }>('select type, permissions from users where store_id = 1 and id = $1', [{ owner: 1001, admin: 1002, mixed: 1003, readOnly: 1004 }[role]]);
      const held = Object.fromEntries(permissionsOf(server.services.definitions, rows[0]?.type ?? 'OWNER', rows[0]?.permissions).map(permission => [permission.permissionKey, permission.access]));
      expect(await wrong(await server.signIn(role), call => {
        const access = call.permission ? held[call.permission] : 'WRITE';
        return access === 'WRITE' || (access === 'READ' && isRead(call)) ? undefined : '403 FORBIDDEN';
      })).toEqual([]);
    }
  });

  rights('S229 S230 asks for the plan feature: refused on every plan below, let in from its plan on', async () => {
    const { definitions, db, sessions } = server.services;
    for (const plan of definitions.plans) {
      await db.ownerQuery('update stores set billing_plan_id = $1 where id = 1', [plan.id]);
      sessions.forget();
      const has = new Set(definitions.plans.filter(other => !other.flagged && other.rank <= plan.rank).flatMap(other => other.features));
      expect(await wrong(await server.signIn('owner'), call => (call.feature && !has.has(call.feature) ? '403 FEATURE_NOT_IN_PLAN' : undefined))).toEqual([]);
    }
    await db.ownerQuery('update stores set billing_plan_id = 4 where id = 1');
    sessions.forget();
  });

  rights('S218 S219 without user_permission everybody is let in, save that members change no rights', async () => {
    const { db, sessions } = server.services;
    await db.ownerQuery('update stores set billing_plan_id = 2 where id = 1');
    await setRights(Object.fromEntries(areas().map(area => [area.permissionKey, 'NO_ACCESS'])));
    const has = new Set(server.services.definitions.plans.filter(plan => plan.rank <= 2).flatMap(plan => plan.features));
    for (const role of ['owner', 'admin', 'readOnly'] as Role[]) {
      expect(await wrong(await server.signIn(role), call => {
        if (call.feature && !has.has(call.feature)) return '403 FEATURE_NOT_IN_PLAN';
        return role === 'readOnly' && call.permission === 'updateUserPermission' && !isRead(call) ? '403 FORBIDDEN' : undefined;
      })).toEqual([]);
    }
    await setRights({});
    await db.ownerQuery('update stores set billing_plan_id = 4 where id = 1');
    sessions.forget();
  });

  const textOf = async (call: Call, input: JsonObject, token: string) => {
    const request = buildRequest(server.services.definitions, call, input);
    const response = await fetch(server.url + request.url, { method: request.method, headers: { ...request.headers, authorization: token, ...(isRead(call) ? {} : { 'idempotency-key': `${call.name}-${Math.random()}` }) }, body: request.body === undefined ? null : JSON.stringify(request.body) });
    return { status: response.status, text: await response.text() };
  };

  it('shows and changes nothing of another store, whatever ids of it a call is given: in path, query, body, lists, filters, search', async () => {
    const { db } = server.services;
    const foreign = await idsOf(db, 2);
    const before = await fingerprint(db, 2);
    const leaks: string[] = [];
    for (const [i, call] of calls.entries()) {
      if (call.table === 'sign-in') continue;
      const token = await server.signIn('owner');
      const kinds = new Set(Object.values(foreign).map(ids => ids[0]).filter(id => id !== undefined));
      const inputs: JsonObject[] = [one(validInput(call, foreign), i), one(validInput(call, foreign), i + 1)];
      for (const id of kinds) inputs.push(withIds(one(validInput(call, foreign), i), id));
      if (call.does === 'list') {
        const base = one(valid({ type: 'object', properties: Object.fromEntries(call.in.filter(param => param.required).map(param => [param.name, param.schema])), required: call.in.filter(param => param.required).map(param => param.name) }, foreign), i) as JsonObject;
        const filter = call.in.find(param => param.name === 'filter')?.schema.properties ?? {};
        for (const [name, field] of Object.entries(filter)) inputs.push({ ...base, filter: { [name]: one(valid(field, { ...foreign, [name]: foreign[''] ?? [] }, name), i) } });
        if (call.in.some(param => param.name === 'q')) inputs.push({ ...base, q: MARK }, { ...base, q: MARK.slice(0, 2) });
        inputs.push(base);
      }
      for (const input of inputs) {
        const { status, text } = await textOf(call, input, token);
        if (text.toLowerCase().includes(MARK) || status >= 500) leaks.push(`${call.name} ${status} ${JSON.stringify(input).slice(0, 300)} -> ${text.slice(0, 200)}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(await fingerprint(db, 2)).toEqual(before);
  });

  it('the database itself keeps the stores apart when a query forgets to', async () => {
    const { db } = server.services;
    for (const table of await storeTables(db)) {
      const inOne = await db.inStore(1, trx => sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where store_id <> 1`.execute(trx));
      expect([table, inOne.rows[0]?.n]).toEqual([table, 0]);
      if (['users', 'sessions', 'login_links'].includes(table)) continue; // signing in begins before a store is known
      const inNone = await db.asSystem(trx => sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(trx));
      expect([table, inNone.rows[0]?.n]).toEqual([table, 0]);
    }
    await expect(db.inStore(1, trx => trx.insertInto('activity').values({ store_id: 2, contract_id: 1, key: 'x', source: 'x' }).execute())).rejects.toThrow(/row-level security/);
    expect((await db.inStore(1, trx => sql<{ n: number }>`update contracts set note = 'x' where store_id = 2 returning 1 as n`.execute(trx))).rows).toEqual([]);
  });
});

/** The same input with every id in it replaced. */
function withIds(input: JsonObject, id: number): JsonObject {
  const replace = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map(item => replace(item, name));
    if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(inner, key)]));
    return typeof value === 'number' && /id(s|_)?$|Id|_id/i.test(name) ? id : value;
  };
  return replace(input, '') as JsonObject;
}
