import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';

interface Entry {
  id: number;
  action: string;
  actionLabel: string;
  userEmail: string;
  userName: string;
  description: string;
  createdAtEpoch: number;
  ip: string;
  requestId: string;
}

const view = (name: string, more: JsonObject = {}) => ({ route: 'subscriptions', name, query: 'tab=active&sort=-total', ...more });

describe.each(oneEngine)('the account log and saved views (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 2 },
      tables: ['logs', 'saved-views', 'store', 'users', 'sign-in', 'start-up-app'],
    });
  });
  afterAll(() => server?.close());
  const logs = async (filter?: JsonObject, more: JsonObject = {}) =>
    (await server.call('logs.accountLogs', { ...more, ...(filter ? { filter } : {}) })).data as Entry[];

  it('writes a line for every write, with who, what, before and after, and for none that was refused', async () => {
    await server.call('store.updateMultipleDeliveryOptions', { PICKUP: false });
    await server.call('store.merchantReferralClick', {}, { as: 'admin' });
    await server.call('users.updateType', { userId: 1004, loopUserType: 'ADMIN' });
    const before = await logs();
    expect(before.map(entry => [entry.action, entry.userEmail])).toEqual([
      ['user.roleChanged', 'amira@fernandember.example'],
      ['referral.opened', 'jonah@fernandember.example'],
      ['settings.general.updated', 'amira@fernandember.example'],
    ]);
    expect(before[0]).toMatchObject({
      userName: 'Amira Fontaine',
      description: 'Role of Nadia Petrov changed to admin',
      ip: '127.0.0.1',
      requestId: expect.stringMatching(/^[\w-]{8,}$/),
    });
    const { data } = await server.call('logs.accountLog', { id: before[2]?.id ?? 0 });
    expect([data.before.multipleDeliveryOptions, data.after.multipleDeliveryOptions]).toEqual([
      ['SHIPPING', 'PICKUP', 'LOCAL_DELIVERY'],
      ['SHIPPING', 'LOCAL_DELIVERY'],
    ]);
    await server.call('users.updateType', { userId: 1001, loopUserType: 'MEMBER' });
    await server.call('store.updateMultipleDeliveryOptions', { PICKUP: false }, { as: 'mixed' });
    expect(await logs()).toHaveLength(before.length);
    await server.call('sign-in.logout', {}, { as: await server.signIn('mixed') });
    expect((await logs())[0]).toMatchObject({ action: 'sign-in.logout', actionLabel: 'Sign out', userEmail: 'soren@fernandember.example' });
  });

  it('filters by action, person and time, and offers the actions and people that are there', async () => {
    const all = await logs();
    expect((await logs({ action: ['referral.opened'] })).map(entry => entry.action)).toEqual(['referral.opened']);
    expect((await logs({ userEmail: ['jonah@fernandember.example'] })).map(entry => entry.action)).toEqual(['referral.opened']);
    const [newest] = all;
    expect(await logs({ createdAtEpoch: { from: (newest?.createdAtEpoch ?? 0) + 3600 } })).toEqual([]);
    expect(await logs({ createdAtEpoch: { from: (newest?.createdAtEpoch ?? 0) - 3600 } })).toHaveLength(all.length);
    const { data: actions } = await server.call('logs.availableActions');
    expect((actions as { key: string; label: string }[]).map(one => one.key).sort()).toEqual([
      'referral.opened',
      'settings.general.updated',
      'sign-in.logout',
      'user.roleChanged',
    ]);
    expect((actions as { key: string; label: string }[]).find(one => one.key === 'settings.general.updated')?.label).toBe(
      'General settings updated',
    );
    expect((await server.call('logs.users')).data.map((user: { email: string }) => user.email)).toContain('soren@fernandember.example');
    const page = await server.call('logs.accountLogs', { pageSize: 2 });
    expect(page.body.pageInfo).toMatchObject({ hasNextPage: true, total: all.length });
    expect((await logs(undefined, { pageSize: 2, after: page.body.pageInfo?.nextCursor as string })).map(entry => entry.id)).toEqual(
      all.slice(2, 4).map(entry => entry.id),
    );
  });

  it("can't be rewritten by the role that calls run as, nor read by another store", async () => {
    const { db } = server.services;
    await expect(db.inStore(1, trx => trx.updateTable('account_log').set({ user_email: 'unknown' }).execute())).rejects.toThrow(
      /permission denied/,
    );
    await expect(db.inStore(1, trx => trx.deleteFrom('account_log').execute())).rejects.toThrow(/permission denied/);
    const stranger = await server.signIn('owner', 2);
    expect((await server.call('logs.accountLogs', {}, { as: stranger })).data).toEqual([]);
    expect((await server.call('logs.accountLog', { id: (await logs())[0]?.id ?? 0 }, { as: stranger })).status).toBe(404);
  });

  it('keeps views private to their maker, or shared with the store', async () => {
    const { data: mine } = await server.call('saved-views.create', view('Mine'));
    expect(mine).toMatchObject({ name: 'Mine', isShared: false, isMine: true, ownerId: 1001, ownerName: 'Amira Fontaine', version: 1 });
    const { data: shared } = await server.call('saved-views.create', view('Big spenders', { isShared: true }));
    await server.call('saved-views.create', view('Elsewhere', { route: 'selling-plans' }));
    const names = async (as: 'owner' | 'mixed' | string, input: JsonObject = { route: 'subscriptions' }) =>
      ((await server.call('saved-views.list', input, { as })).data as { name: string; isMine: boolean }[]).map(one => [
        one.name,
        one.isMine,
      ]);
    expect(await names('owner')).toEqual([
      ['Big spenders', true],
      ['Mine', true],
    ]);
    expect(await names('mixed')).toEqual([['Big spenders', false]]);
    expect(await names('owner', {})).toHaveLength(3);
    expect(await names(await server.signIn('owner', 2), {})).toEqual([]);
    for (const [name, input] of [
      ['saved-views.update', { ...mine, name: 'Stolen' }],
      ['saved-views.delete', { id: mine.id }],
    ] as const)
      expect((await server.call(name, input, { as: 'mixed' })).status).toBe(404);
    const theirs = await server.call('saved-views.update', { ...shared, name: 'Renamed' }, { as: 'mixed' });
    expect([theirs.status, theirs.body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await server.call('saved-views.update', { ...shared, name: 'Renamed' }, { as: 'admin' })).data).toMatchObject({
      name: 'Renamed',
      version: 2,
      ownerId: 1001,
    });
    expect((await server.call('saved-views.update', { ...shared, name: 'Again' })).body.code).toBe('STALE_VERSION');
    expect((await server.call('saved-views.delete', { id: mine.id })).data).toEqual({ id: mine.id });
    expect(await names('owner')).toEqual([['Renamed', true]]);
  });

  it('refuses a second view of one name, a name that is missing, and views of another maker', async () => {
    await server.call('saved-views.create', view('Once'));
    expect((await server.call('saved-views.create', view('ONCE'))).body).toMatchObject({ code: 'TAKEN', errors: [{ pointer: '/name' }] });
    expect((await server.call('saved-views.create', view('Once', { route: 'selling-plans' }))).status).toBe(200);
    expect((await server.call('saved-views.create', view('Once'), { as: 'mixed' })).status).toBe(200);
    expect((await server.call('saved-views.create', view(''))).body.errors?.[0]).toMatchObject({
      pointer: '/name',
      message: 'Give the view a name.',
    });
    const forged = await server.call('saved-views.create', view('Forged', { ownerId: 1002 }));
    expect([forged.status, forged.body.errors?.[0]]).toEqual([
      422,
      { pointer: '/ownerId', rule: 'readOnly', message: "Made by is set by Perennial and can't be changed." },
    ]);
  });
});
