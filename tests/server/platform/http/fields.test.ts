// Check 28 over the whole catalogue: what a call does not know, or may not be written, is refused and not ignored; nothing is found or
// sorted by what is hidden from all.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRequest, inputSchema, isRead, parseRequest } from '../../../../src/contract/request.ts';
import type { Call, JsonObject } from '../../../../src/contract/types.ts';
import { validInput, type Pool } from '../../../support/arbitrary.ts';
import { ask } from '../../../support/ask.ts';
import { idsOf } from '../../../support/stores.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** Columns and words by which an attacker would try to reach beyond what is shown. */
const UNSEEN = [
  'store_id',
  'storeId',
  'role',
  'gateway_token',
  'gatewayToken',
  'portal_token',
  'portalToken',
  'token_hash',
  'search',
  'permissions',
  'deleted_at',
  '__class',
  'id; drop table stores',
];

describe('fields', () => {
  let server: TestServer;
  let pool: Pool;
  const calls = (): Call[] => Object.values(server.services.definitions.calls);
  const written = async () =>
    Number(
      (await server.services.db.ownerQuery<{ n: number }>('select (select count(*) from account_log) + (select count(*) from events) as n'))
        .rows[0]?.n,
    );
  const send = async (
    call: Call,
    input: JsonObject,
    change: (request: { url: string; body: JsonObject | undefined }) => void,
  ): Promise<{ status: number; text: string }> => {
    const request = buildRequest(server.services.definitions, call, input);
    const sent = { url: request.url, body: request.body as JsonObject | undefined };
    change(sent);
    return ask(server.url + sent.url, {
      method: request.method,
      headers: { ...request.headers, authorization: token, ...(sent.body ? { 'content-type': 'application/json' } : {}) },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    });
  };
  /** An input whose form can be read; what else is wrong with it does not matter. */
  const sampleOf = (call: Call, seed: number): JsonObject => {
    const some = fc.sample(validInput(call, pool), { numRuns: call.encode ? 20 : 1, seed }) as JsonObject[];
    const isReadable = (input: JsonObject): boolean => {
      const { body } = buildRequest(server.services.definitions, call, input);
      try {
        parseRequest(call, { params: {}, query: {}, body });
        return true;
      } catch {
        return false;
      }
    };
    return (call.encode ? some.find(isReadable) : undefined) ?? (some[0] as JsonObject);
  };
  let token = '';
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 30, stores: 2 }, jobs: true, config: { workers: 0 } });
    pool = await idsOf(server.services.db, 1);
    token = await server.signIn('owner');
  });
  afterAll(() => server?.close());

  it('that a write does not know are refused by every call, and nothing is written', async () => {
    const letIn: string[] = [];
    let asked = 0;
    const before = await written();
    for (const [i, call] of calls().entries()) {
      if (isRead(call) || call.table === 'sign-in') continue;
      const open = inputSchema(call).additionalProperties === true;
      const input = sampleOf(call, 11 + i);
      if (open) continue;
      for (const name of server.services.definitions.ambient) delete input[name];
      for (const [name, value] of Object.entries({ store_id: 2, role: 'OWNER', isAdmin: true, unknownMember: 1 })) {
        const { status, text } = await send(call, input, request => {
          if (call.method === 'DELETE' || call.method === 'GET') {
            request.url += `${request.url.includes('?') ? '&' : '?'}${name}=${String(value)}`;
            return;
          }
          const place = call.wrap ? ((request.body ?? {})[call.wrap] as JsonObject) : (request.body ??= {});
          place[name] = value;
        });
        asked++;
        // It is that field which is refused, whatever else is wrong with the input.
        if (status < 400 || status >= 500 || !text.includes(name)) letIn.push(`${call.name} took ${name}: ${status} ${text.slice(0, 200)}`);
      }
    }
    expect(letIn).toEqual([]);
    expect(asked).toBeGreaterThan(250);
    expect(await written()).toBe(before);
  });

  it('that can only be read are refused by every call that makes or changes a record, at their place', async () => {
    const letIn: string[] = [];
    let asked = 0;
    for (const [i, call] of calls().entries()) {
      const entity = server.services.definitions.entities[call.of];
      if (!entity || (call.does !== 'create' && call.does !== 'update')) continue;
      const input = sampleOf(call, 21 + i);
      for (const [name, field] of Object.entries(entity.properties ?? {})) {
        if (!field.readOnly || name === entity['x-record']?.key || name === 'version' || inputSchema(call).properties?.[name]) continue;
        asked++;
        const { status, text } = await send(call, { ...input, [name]: 'forged' }, request => {
          const body = (request.body ??= {});
          const place = call.wrap ? ((body[call.wrap] ??= {}) as JsonObject) : body;
          place[name] = 'forged';
        });
        if (status < 400 || status >= 500 || !text.includes(name)) letIn.push(`${call.name} took ${name}: ${status} ${text.slice(0, 200)}`);
      }
    }
    expect(letIn).toEqual([]);
    expect(asked).toBeGreaterThan(20);
  });

  it('that are hidden from all can be neither filtered nor sorted by, nor exported', async () => {
    const letIn: string[] = [];
    let asked = 0;
    for (const [i, call] of calls().entries()) {
      const names = new Set(call.in.map(param => param.name));
      if (!isRead(call) || !(names.has('filter') || names.has('sort') || names.has('columns'))) continue;
      const base: JsonObject = Object.fromEntries(
        call.in
          .filter(param => param.required)
          .map(param => [param.name, (fc.sample(validInput(call, pool), { numRuns: 1, seed: 31 + i })[0] as JsonObject)[param.name] ?? 1]),
      );
      const known = new Set(Object.keys(call.in.find(param => param.name === 'filter')?.schema.properties ?? {}));
      for (const name of UNSEEN) {
        if (names.has('filter') && !known.has(name)) {
          asked++;
          const answer = await server.call(call.name, { ...base, filter: { [name]: ['x'] } }).catch(() => ({ status: 200 }));
          if (answer.status !== 422) letIn.push(`${call.name} filters by ${name}: ${answer.status}`);
        }
        if (names.has('sort')) {
          asked++;
          const answer = await server.call(call.name, { ...base, sort: name }).catch(() => ({ status: 200 }));
          if (answer.status !== 422) letIn.push(`${call.name} sorts by ${name}: ${answer.status}`);
        }
        if (names.has('columns')) {
          asked++;
          const answer = await server.call(call.name, { ...base, columns: [name] }).catch(() => ({ status: 200 }));
          // Where the record that it belongs to is not there, nothing is exported either.
          const isNowhere = answer.status === 404 && Object.keys(base).length > 0;
          if (answer.status !== 422 && !isNowhere) letIn.push(`${call.name} exports ${name}: ${answer.status}`);
        }
      }
    }
    expect(letIn).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  });

  it('as the wire has them hold no token, hash or card data in any answer', async () => {
    const { rows } = await server.services.db.ownerQuery<{ t: string }>(
      "select gateway_token as t from payment_methods where store_id = 1 and gateway_token <> '' union select portal_token from customers where store_id = 1 and portal_token <> ''",
    );
    const secrets = rows.map(row => row.t).filter(text => text.length >= 16);
    expect(secrets.length).toBeGreaterThan(5);
    const told: string[] = [];
    for (const [i, call] of calls().entries()) {
      if (!isRead(call) || call.public) continue;
      for (const input of fc.sample(validInput(call, pool), { numRuns: 3, seed: 41 + i })) {
        const { text } = await send(call, input as JsonObject, () => undefined);
        const found = secrets.find(secret => text.includes(secret));
        if (found) told.push(`${call.name} tells ${found.slice(0, 6)}…`);
      }
    }
    expect([...new Set(told)]).toEqual([]);
  });
});
