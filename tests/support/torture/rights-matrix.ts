// Every call of the catalogue against rights and stores: what each person may do, and that nothing of another store is seen or changed.
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { buildRequest, isRead } from '../../../src/contract/request.ts';
import type { Call, JsonObject } from '../../../src/contract/types.ts';
import { permissionsOf } from '../../../src/server/platform/auth/permissions.ts';
import { valid, validInput, type Pool } from '../arbitrary.ts';
import { askAgain } from '../ask.ts';
import type { Role, TestServer } from '../serve.ts';
import { fingerprint, idsOf, MARK, storeTables } from '../stores.ts';

/** The member whose rights are changed. */
const MEMBER = 1004;
const USER: Record<Role, number> = { owner: 1001, admin: 1002, mixed: 1003, readOnly: 1004 };

/** Rights: every call is knocked at with an input that leads nowhere, because rights are looked at before it. */
export class Rights {
  readonly #server: TestServer;
  readonly calls: Call[];
  constructor(server: TestServer) {
    this.#server = server;
    this.calls = Object.values(server.services.definitions.calls);
  }

  get areas() {
    return Object.values(this.#server.services.definitions.permissions);
  }

  async #knock(call: Call, token: string | null): Promise<string | undefined> {
    const input = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(match => [match[1], 'x']));
    const request = buildRequest(this.#server.services.definitions, call, { ...input, unknownMember: 1 });
    // Without a socket: there are more than ten thousand of these, and rights know nothing of sockets.
    const { statusCode: status, body } = await this.#server.app.inject({
      method: request.method as 'GET',
      url: request.url,
      headers: { ...request.headers, ...(token ? { authorization: token } : {}) },
      ...(request.body === undefined ? {} : { payload: JSON.stringify(request.body) }),
    });
    return status === 401 || status === 403 ? `${status} ${(JSON.parse(body) as { code?: string }).code}` : undefined;
  }

  /** Calls that answer otherwise than expected (undefined: let in), one line each. */
  async wrong(token: string | null, expected: (call: Call) => string | undefined): Promise<string[]> {
    const lines: string[] = [];
    for (const call of this.calls) {
      const got = await this.#knock(call, token);
      if (got !== expected(call)) lines.push(`${call.name}: ${got ?? 'let in'} instead of ${expected(call) ?? 'let in'}`);
    }
    return lines;
  }

  async set(rights: Record<string, string>): Promise<void> {
    await this.#server.services.db.ownerQuery('update users set permissions = $1 where store_id = 1 and id = $2', [
      JSON.stringify(rights),
      MEMBER,
    ]);
    this.#server.services.sessions.forget();
  }

  async setPlan(id: number): Promise<void> {
    await this.#server.services.db.ownerQuery('update stores set billing_plan_id = $1 where id = 1', [id]);
    this.#server.services.sessions.forget();
  }

  /** What a person holds in an area that was given at a level: areas without writing are only read. */
  held(area: string, level: string): string {
    const modes = this.#server.services.definitions.permissions[area]?.availableAccessMode ?? [];
    return level === 'WRITE' && !modes.includes('WRITE') ? 'READ' : level;
  }

  /** The answer that rights alone call for. */
  byRights(call: Call, levels: (area: string) => string | undefined): string | undefined {
    if (call.also?.some(area => this.held(area, levels(area) ?? 'NO_ACCESS') === 'NO_ACCESS')) return '403 FORBIDDEN';
    if (!call.permission) return undefined;
    const held = this.held(call.permission, levels(call.permission) ?? 'NO_ACCESS');
    return held === 'WRITE' || (held === 'READ' && isRead(call)) ? undefined : '403 FORBIDDEN';
  }

  /** What a person of the team holds, by area. */
  async of(role: Role): Promise<Record<string, string>> {
    const { rows } = await this.#server.services.db.ownerQuery<{ type: 'OWNER'; permissions: JsonObject }>(
      'select type, permissions from users where store_id = 1 and id = $1',
      [USER[role]],
    );
    return Object.fromEntries(
      permissionsOf(this.#server.services.definitions, rows[0]?.type ?? 'OWNER', rows[0]?.permissions).map(permission => [
        permission.permissionKey,
        permission.access,
      ]),
    );
  }

  /** Features of a plan: its own and those of the plans below. */
  features(rank: number): Set<string> {
    return new Set(
      this.#server.services.definitions.plans.filter(other => !other.flagged && other.rank <= rank).flatMap(other => other.features),
    );
  }
  /** The answer that the plan alone calls for. */
  byPlan(call: Call, features: Set<string>): string | undefined {
    return call.feature && !features.has(call.feature) ? '403 FEATURE_NOT_IN_PLAN' : undefined;
  }
}

/** Random rights in all areas at once, `rounds` times: each call must answer by its own area and by no other. */
export async function randomRights(
  server: TestServer,
  { seed, rounds, isOver = () => false }: { seed: number; rounds: number; isOver?: () => boolean },
): Promise<{ rounds: number; asked: number; failures: string[] }> {
  const rights = new Rights(server);
  const token = await server.signIn('readOnly');
  const failures: string[] = [];
  const level = fc.constantFrom('NO_ACCESS', 'READ', 'WRITE');
  const samples = fc.sample(fc.record(Object.fromEntries(rights.areas.map(area => [area.permissionKey, level]))), {
    seed,
    numRuns: rounds,
  });
  let done = 0;
  for (const [round, sample] of samples.entries()) {
    if (isOver()) break;
    done++;
    await rights.set(sample);
    failures.push(
      ...(await rights.wrong(token, call => rights.byRights(call, area => sample[area]))).map(line => `round ${round}: ${line}`),
    );
  }
  await rights.set({});
  return { rounds: done, asked: done * rights.calls.length, failures };
}

/** Inputs of one call between two others. */
const IN_A_ROW = 15;

export interface TenantReport {
  /** Requests that were sent, of those that were meant. */ requests: number;
  of: number;
  leaks: string[];
  touched: string[];
}

/**
 * Every call with ids of another store, in path, query, body, lists, filters and search: nothing of that store may be seen or changed. Mark
 * store 2 before (`markStore`).
 */
export async function probeTenants(
  server: TestServer,
  {
    seed,
    inputs: many = 2,
    kinds = Infinity,
    isOver = () => false,
  }: { seed: number; inputs?: number; kinds?: number; isOver?: () => boolean },
): Promise<TenantReport> {
  const { db, definitions } = server.services;
  const one = <T>(arbitrary: fc.Arbitrary<T>, more: number): T => fc.sample(arbitrary, { numRuns: 1, seed: seed + more })[0] as T;
  const foreign = await idsOf(db, 2);
  const before = await fingerprint(db, 2);
  const report: TenantReport = { requests: 0, of: 0, leaks: [], touched: [] };
  const plans = Object.values(definitions.calls).flatMap((call, i) =>
    call.table === 'sign-in'
      ? []
      : [{ call, inputs: inputsWith(call, foreign, arbitrary => one(arbitrary, i), { many, kinds }, seed + i) }],
  );
  report.of = plans.reduce((sum, { inputs }) => sum + inputs.length, 0);
  const most = Math.max(...plans.map(({ inputs }) => inputs.length));
  // A few of each call at a time: when the time is over early, every call had its share.
  for (let from = 0; from < most && !isOver(); from += IN_A_ROW)
    for (const { call, inputs } of plans) {
      const part = inputs.slice(from, from + IN_A_ROW);
      if (part.length === 0 || isOver()) continue;
      const token = await server.signIn('owner');
      for (const input of part) {
        const request = buildRequest(definitions, call, input);
        const key = isRead(call) ? undefined : { 'idempotency-key': `${call.name}-${seed}-${report.requests}` };
        const { status, text } = await askAgain(server.url + request.url, {
          method: request.method,
          headers: { ...request.headers, authorization: token, ...key },
          ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        });
        report.requests++;
        if (text.toLowerCase().includes(MARK) || status >= 500)
          report.leaks.push(`${call.name} ${status} ${JSON.stringify(input).slice(0, 300)} -> ${text.slice(0, 200)}`);
      }
    }
  const after = await fingerprint(db, 2);
  report.touched = Object.keys(after).filter(table => after[table] !== before[table]);
  return report;
}

function inputsWith(
  call: Call,
  foreign: Pool,
  one: <T>(arbitrary: fc.Arbitrary<T>) => T,
  { many, kinds: most }: { many: number; kinds: number },
  seed: number,
): JsonObject[] {
  const kinds = new Set(
    Object.values(foreign)
      .map(ids => ids[0])
      .filter(id => id !== undefined),
  );
  const inputs = fc.sample(validInput(call, foreign), { numRuns: many, seed });
  // A call that takes no ids is the same call for all kinds of them: it is asked once.
  const base = one(validInput(call, foreign));
  // Others from run to run where not all are wanted.
  const from = seed % Math.max(1, kinds.size);
  const some = [...kinds, ...kinds].slice(from, from + Math.min(most, kinds.size));
  const withEach = new Map(some.map(id => withIds(base, id)).map(input => [JSON.stringify(input), input]));
  inputs.push(...withEach.values());
  if (call.does !== 'list') return inputs;
  const required = call.in.filter(param => param.required);
  const least = one(
    valid(
      {
        type: 'object',
        properties: Object.fromEntries(required.map(param => [param.name, param.schema])),
        required: required.map(param => param.name),
      },
      foreign,
    ),
  ) as JsonObject;
  const filter = call.in.find(param => param.name === 'filter')?.schema.properties ?? {};
  for (const [name, field] of Object.entries(filter))
    inputs.push({ ...least, filter: { [name]: one(valid(field, { ...foreign, [name]: foreign[''] ?? [] }, name)) } });
  if (call.in.some(param => param.name === 'q')) inputs.push({ ...least, q: MARK }, { ...least, q: MARK.slice(0, 2) });
  inputs.push(least);
  return inputs;
}

/** The same input with every id in it replaced. */
function withIds(input: JsonObject, id: number): JsonObject {
  const replace = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map(item => replace(item, name));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(inner, key)]));
    return typeof value === 'number' && /id(s|_)?$|Id|_id/i.test(name) ? id : value;
  };
  return replace(input, '') as JsonObject;
}

/** Rows of other stores that a query sees which forgot to ask for its store; one line for each table that shows any. */
export async function unguardedTables(server: TestServer): Promise<string[]> {
  const { db } = server.services;
  const lines: string[] = [];
  for (const table of await storeTables(db)) {
    const inOne = await db.inStore(1, trx =>
      sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where store_id <> 1`.execute(trx),
    );
    if (Number(inOne.rows[0]?.n) !== 0) lines.push(`${table} shows rows of other stores`);
    if (['users', 'sessions', 'login_links', 'api_tokens'].includes(table)) continue; // signing in begins before a store is known
    const inNone = await db.asSystem(trx => sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(trx));
    if (Number(inNone.rows[0]?.n) !== 0) lines.push(`${table} shows rows without a store`);
  }
  return lines;
}
