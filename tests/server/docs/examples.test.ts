// The examples of docs/add-a-….md, followed page by page and then used as people would: through the real server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tell } from '../../../src/check/index.ts';
import { productWith, type Examples } from '../../support/doc-examples.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let examples: Examples;
let server: TestServer;
beforeAll(async () => {
  examples = await productWith(['add-a-settings-page.md', 'add-a-resource.md', 'add-a-field.md', 'add-a-call.md']);
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

describe('add a resource, a field and calls', () => {
  const make = async (name: string, more: Record<string, string | number | null> = {}) =>
    server.call('suppliers.create', { name, email: `${name.toLowerCase()}@example.com`, ...more });

  it('makes, finds, counts, exports, changes and deletes suppliers', async () => {
    const { data: alder } = await make('Alder', { rating: 'POOR' });
    expect(alder).toMatchObject({ name: 'Alder', rating: 'POOR', leadDays: 7, status: 'ACTIVE', version: 1 });
    await make('Birch', { leadDays: 30, standIn: alder.id });
    expect((await make('Alder')).body.errors).toMatchObject([{ pointer: '/name' }]);
    const missing = await server.call('suppliers.create', { email: 'x@example.com' });
    expect(missing.body.errors).toMatchObject([{ pointer: '/name', message: 'Enter a name.' }]);

    const named = async (input: object) =>
      (await server.call('suppliers.list', input as never)).data.map((one: { name: string }) => one.name);
    expect(await named({})).toEqual(['Alder', 'Birch']);
    expect(await named({ q: 'birch@' })).toEqual(['Birch']);
    expect(await named({ filter: { rating: ['POOR'] } })).toEqual(['Alder']);
    expect(await named({ filter: { leadDays: { min: 10 } } })).toEqual(['Birch']);
    expect((await server.call('suppliers.counts')).data).toMatchObject({ all: 2, GOOD: 1, POOR: 1 });
    const { text } = await server.request('GET', '/host/main/api/suppliers/export', { as: 'owner' });
    expect(
      text
        .split(/\r?\n/)
        .filter(Boolean)
        .slice(1)
        .map(line => line.split(',').slice(1)),
    ).toEqual([
      ['Alder', 'alder@example.com', 'POOR', '7'],
      ['Birch', 'birch@example.com', 'GOOD', '30'],
    ]);

    const itself = await server.call('suppliers.update', { ...alder, standIn: alder.id });
    expect(itself.body.errors).toMatchObject([{ pointer: '/standIn', message: 'Choose another supplier than this one.' }]);
    const used = await server.call('suppliers.delete', { id: alder.id });
    expect([used.status, used.body.message]).toEqual([409, 'This supplier stands in for 1 supplier. Choose another one there first.']);
    expect((await server.call('suppliers.create', { name: 'Cedar', email: 'c@example.com' }, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('suppliers.update', { ...alder, rating: 'GOOD', version: 0 })).status).toBe(409);
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
