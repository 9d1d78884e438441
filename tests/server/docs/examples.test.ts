// The examples of docs/add-a-….md, followed page by page and then used as people would: through the real server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tell } from '../../../src/check/index.ts';
import { productWith, type Examples } from '../../support/doc-examples.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let examples: Examples;
let server: TestServer;
beforeAll(async () => {
  examples = await productWith(['add-a-settings-page.md', 'add-a-resource.md', 'add-a-field.md', 'add-a-call.md', 'add-a-message.md']);
  server = await startTestServer({ services: { definitions: examples.checked.definitions, modules: examples.modules } });
});
afterAll(async () => {
  await server?.close();
  examples?.remove();
});

it('nothing is wrong with the definitions that they make', () => expect(examples.checked.problems.map(tell)).toEqual([]));

describe('add a settings page', () => {
  it('has defaults, refuses what is wrong in the words of the page, keeps what is right, and shows it to readers', async () => {
    const page = { settingsPage: 'loyalty-points' };
    expect((await server.call('settings.get', page)).data).toMatchObject({ enabled: false, pointsPerOrder: 10, version: 0 });
    const wrong = await server.call('settings.set', { ...page, enabled: true, pointsPerOrder: 0 });
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: '/pointsPerOrder', message: 'Give at least 1 point.' }]]);
    expect((await server.call('settings.set', { ...page, enabled: true, pointsPerOrder: 25 })).status).toBe(200);
    expect((await server.call('settings.get', page, { as: 'readOnly' })).data).toMatchObject({
      enabled: true,
      pointsPerOrder: 25,
      version: 1,
    });
    expect((await server.call('settings.set', { ...page, enabled: false }, { as: 'readOnly' })).status).toBe(403);
  });
});

describe('plain REST', () => {
  const ask = async (query: Record<string, unknown>, as = 'owner') =>
    server.request(
      'GET',
      `/rest/suppliers?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]))}`,
      { as },
    );
  const names = (rows: { name: string }[]): string[] => rows.map(row => row.name);

  it('answers lists as ra-data-simple-rest asks for them, with their total in Content-Range', async () => {
    const made: { id: number; name: string }[] = [];
    for (const name of ['Whitebeam', 'Rowan', 'Spindle'])
      made.push((await server.call('rest-supplier.create', { name, email: `${name}@example.com` })).data as never);
    const q = 'Whitebeam@';
    expect(await ask({ sort: ['name', 'DESC'], range: [0, 1], filter: { id: made.map(one => one.id) } })).toMatchObject({
      status: 200,
      json: [{ name: 'Whitebeam' }, { name: 'Spindle' }],
    });
    const second = await ask({ sort: ['name', 'DESC'], range: [2, 3], filter: { id: made.map(one => one.id) } });
    expect([names(second.json), second.headers.get('content-range')]).toEqual([['Rowan'], 'suppliers 2-2/3']);
    expect(names((await ask({ sort: ['id', 'ASC'], range: [0, 9], filter: { q } })).json)).toEqual(['Whitebeam']);
    const none = await ask({ filter: { q: 'unknown' } });
    expect([none.json, none.headers.get('content-range')]).toEqual([[], 'suppliers */0']);
    await server.call('rest-supplier.update', { ...made[1], email: 'r@example.com', rating: 'POOR', standIn: made[0]?.id as number });
    expect(names((await ask({ filter: { rating: 'POOR', q: 'Rowan' } })).json)).toEqual(['Rowan']);
    expect(names((await ask({ filter: { standIn: made[0]?.id }, sort: ['name', 'ASC'], range: [0, 24] })).json)).toEqual(['Rowan']);
    // As ra-data-simple-rest deletes: with a type, and no body.
    for (const one of [made[1], made[0], made[2]]) {
      const gone = await server.request('DELETE', `/rest/suppliers/${one?.id}`, { as: 'owner', headers: { 'content-type': 'text/plain' } });
      expect([gone.status, gone.json]).toEqual([200, { id: one?.id }]);
    }
  });

  it.each([
    [{ range: [0, 250] }, '/range'],
    [{ range: [5, 2] }, '/range'],
    [{ range: 'all' }, '/range'],
    [{ sort: 'name' }, '/sort'],
    [{ sort: ['email', 'ASC'] }, '/sort'],
    [{ filter: { id: [] } }, '/filter/id'],
    [{ filter: { id: ['x'] } }, '/filter/id/0'],
    [{ filter: { email: 'a@example.com' } }, '/filter/email'],
    [{ filter: [] }, '/filter'],
  ])('refuses %j and names %s', async (query, pointer) => {
    const { status, json } = await ask(query);
    expect([status, json.errors]).toMatchObject([422, [{ pointer }]]);
  });

  it('has the gate of every call', async () => {
    expect((await server.request('GET', '/rest/suppliers', { as: null })).status).toBe(401);
    expect((await ask({}, 'readOnly')).status).toBe(200);
    const body = JSON.stringify({ name: 'Yew', email: 'y@example.com' });
    const headers = { 'content-type': 'application/json' };
    expect((await server.request('POST', '/rest/suppliers', { as: 'readOnly', body, headers })).status).toBe(403);
    const key = { ...headers, 'idempotency-key': 'the-same-key-for-yew' };
    const [first, again] = [
      await server.request('POST', '/rest/suppliers', { as: 'owner', body, headers: key }),
      await server.request('POST', '/rest/suppliers', { as: 'owner', body, headers: key }),
    ];
    expect([first.status, again.json]).toEqual([200, first.json]);
    const elsewhere = await server.signIn('owner', 2);
    expect((await server.request('GET', `/rest/suppliers/${first.json.id}`, { as: elsewhere })).status).toBe(404);
    const stale = JSON.stringify({ ...first.json, version: 7 });
    expect((await server.request('PUT', `/rest/suppliers/${first.json.id}`, { as: 'owner', body: stale, headers })).status).toBe(409);
    await server.call('rest-supplier.delete', { id: first.json.id as number });
  });
});

describe('add a resource, a field and calls', () => {
  const make = async (name: string, more: Record<string, string | number | null> = {}) =>
    server.call('rest-supplier.create', { name, email: `${name.toLowerCase()}@example.com`, ...more });

  it('makes, finds, counts, exports, changes and deletes suppliers', async () => {
    const { data: alder } = await make('Alder', { rating: 'GOOD' });
    expect(alder).toMatchObject({ name: 'Alder', rating: 'GOOD', leadDays: 7, status: 'ACTIVE', version: 1 });
    await make('Birch', { leadDays: 30, rating: 'POOR', standIn: alder.id });
    expect((await make('Cypress', { rating: 'POOR' })).body.errors).toMatchObject([{ pointer: '/standIn' }]);
    expect((await make('Alder')).body.errors).toMatchObject([{ pointer: '/name' }]);
    const missing = await server.call('rest-supplier.create', { email: 'x@example.com' });
    expect(missing.body.errors).toMatchObject([{ pointer: '/name', message: 'Enter a name.' }]);

    const named = async (input: object) =>
      (await server.call('rest-supplier.list', input as never)).data.map((one: { name: string }) => one.name);
    expect(await named({})).toEqual(['Alder', 'Birch']);
    expect(await named({ q: 'birch@' })).toEqual(['Birch']);
    expect(await named({ filter: { rating: ['POOR'] } })).toEqual(['Birch']);
    expect(await named({ filter: { leadDays: { min: 10 } } })).toEqual(['Birch']);
    expect((await server.call('rest-supplier.counts')).data).toMatchObject({ all: 2, GOOD: 1, POOR: 1 });
    const { text } = await server.request('GET', '/rest/suppliers/export', { as: 'owner' });
    expect(
      text
        .split(/\r?\n/)
        .filter(Boolean)
        .slice(1)
        .map(line => line.split(',').slice(1)),
    ).toEqual([
      ['Alder', 'alder@example.com', 'GOOD', '7'],
      ['Birch', 'birch@example.com', 'POOR', '30'],
    ]);

    const itself = await server.call('rest-supplier.update', { ...alder, standIn: alder.id });
    expect(itself.body.errors).toMatchObject([{ pointer: '/standIn', message: 'Choose another supplier than this one.' }]);
    const used = await server.call('rest-supplier.delete', { id: alder.id });
    expect([used.status, used.body.message]).toEqual([
      409,
      expect.stringMatching(/^This supplier is used by .+ Choose another there first\.$/),
    ]);
    expect((await server.call('rest-supplier.create', { name: 'Cedar', email: 'c@example.com' }, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('rest-supplier.update', { ...alder, email: 'other@example.com', version: 0 })).status).toBe(409);
    const lines = (await server.call('logs.accountLogs', { q: 'Alder' })).data as { action: string }[];
    expect(lines.map(line => line.action)).toContain('supplier.created');
  });

  it('suspends and reinstates, and answers when something would arrive', async () => {
    const { data: dogwood } = await make('Dogwood', { leadDays: 3 });
    const { data: answer } = await server.call('suppliers.nextDelivery', { id: dogwood.id });
    expect(answer.arrivesAtEpoch - Date.now() / 1000).toBeGreaterThan(2.9 * 86_400);
    expect(answer.arrivesAtEpoch - Date.now() / 1000).toBeLessThan(3.1 * 86_400);
    expect((await server.call('suppliers.suspend', { id: dogwood.id })).data).toMatchObject({ status: 'SUSPENDED' });
    expect((await server.call('suppliers.suspend', { id: dogwood.id })).body).toMatchObject({
      message: 'Only active suppliers can be suspended.',
    });
    expect((await server.call('suppliers.nextDelivery', { id: dogwood.id })).status).toBe(409);
    expect((await server.call('suppliers.reinstate', { id: dogwood.id })).data).toMatchObject({ status: 'ACTIVE' });
    expect((await server.call('suppliers.nextDelivery', { id: 987_654 })).status).toBe(404);
  });
});
