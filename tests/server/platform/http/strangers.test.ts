// A client that invents tokens takes no place in the queue from people who are signed in: strangers of one address are one, however they
// call themselves.
import { afterEach, describe, expect, it } from 'vitest';
import { hashToken, newToken } from '../../../../src/server/platform/auth/tokens.ts';
import { ownTransactions } from '../../../../src/server/platform/context.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const FOREVER = 600_000;
const HELD = {
  'schemas/calls/held.json': {
    title: 'Held',
    host: 'main',
    base: '/api/held',
    permission: null,
    calls: { wait: { route: 'GET /wait', does: 'query' }, quick: { route: 'GET /quick', does: 'query' } },
  },
};

let server: TestServer;
let letGo = (): void => undefined;
let inside = 0;
afterEach(async () => {
  letGo();
  await server.close();
});

const start = async (): Promise<void> => {
  inside = 0;
  const held = new Promise<void>(resolve => {
    letGo = resolve;
  });
  const modules = await loadModules();
  const handlers = new Map(modules.handlers);
  handlers.set(
    'held.wait',
    ownTransactions(async () => {
      inside++;
      await held;
      return {};
    }) as never,
  );
  handlers.set('held.quick', (async () => ({})) as never);
  server = await startTestServer({
    seed: { contracts: 4, stores: 1 },
    tables: ['held', 'sign-in'],
    services: { definitions: definitionsWith(HELD), modules: { ...modules, handlers } },
    app: { limits: { places: 1, minSlots: 1, waiting: 6, longMs: FOREVER, maxWaitMs: FOREVER, overloadWaitMs: FOREVER } },
  });
};

describe('a line full of invented tokens', () => {
  it('serves a person whose token was valid before, and goes on refusing the others', async () => {
    await start();
    const known = await server.signIn('mixed');
    expect((await server.call('held.quick', {}, { as: known })).status).toBe(200);
    const first = server.call('held.wait');
    await expect.poll(() => inside).toBe(1);
    // One more than the line holds, so that the first refusal says that it is full.
    const strangers = Array.from({ length: 7 }, () => server.call('held.quick', {}, { as: newToken() }).then(answer => answer.status));
    expect(await Promise.race(strangers)).toBe(503);
    const person = server.call('held.quick', {}, { as: known });
    // The one that had to go was answered before anybody was let in.
    let refused = 0;
    for (const one of strangers)
      void one.then(status => {
        if (status === 503) refused++;
      });
    await expect.poll(() => refused).toBe(2);
    letGo();
    expect((await person).status).toBe(200);
    expect((await first).status).toBe(200);
    expect((await Promise.all(strangers)).sort()).toEqual([401, 401, 401, 401, 401, 503, 503]);
  });

  it("a token stands for its person once it was found good, all of a person's for one, and no longer when it is refused", async () => {
    await start();
    const { sessions, db } = server.services;
    const [a, b] = [await server.signIn('owner'), await server.signIn('owner')];
    expect(sessions.knownPerson(a)).toBeUndefined();
    for (const token of [a, b]) expect((await server.call('held.quick', {}, { as: token })).status).toBe(200);
    expect(sessions.knownPerson(a)).toEqual({ person: '1 1001', store: '1' });
    expect(sessions.knownPerson(b)).toEqual({ person: '1 1001', store: '1' });
    expect([newToken(), 'short', ''].map(token => sessions.knownPerson(token))).toEqual([undefined, undefined, undefined]);
    await db.asOwner(trx => trx.updateTable('sessions').set({ revoked_at: new Date() }).where('token_hash', '=', hashToken(a)).execute());
    sessions.forget();
    expect((await server.call('held.quick', {}, { as: a })).status).toBe(401);
    expect([sessions.knownPerson(a), sessions.knownPerson(b)]).toEqual([undefined, { person: '1 1001', store: '1' }]);
  });
});
