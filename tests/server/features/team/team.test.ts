import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Role, type TestServer } from '../../../support/server.ts';
import type { Permission } from '../../../../src/contract/types.ts';

const OWNER = 1001,
  ADMIN = 1002,
  MIXED = 1003,
  READER = 1004;

const said = ({ status, body }: { status: number; body: { message?: string } }) => [status, body.message];

describe.each(oneEngine)('users and their rights (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 2 },
      tables: ['users', 'start-up', 'store', 'logs', 'start-up-app'],
    });
    await server.services.db.ownerQuery(
      "insert into users (store_id, id, email, first_name, type) values (1, 1900, 'support@perennial.example', 'Support', 'LOOP_USER'), (1, 1901, 'second@fernandember.example', 'Second', 'ADMIN')",
    );
  });
  afterAll(() => server?.close());
  const permissions = async (id: number) =>
    Object.fromEntries(
      ((await server.call('users.readPermissions', { id })).data.permissions as Permission[]).map(one => [one.permissionKey, one.access]),
    );
  const setPermissions = (as: Role | string, id: number, changes: Record<string, string>) =>
    server.call(
      'users.updatePermissions',
      { id, permissions: Object.entries(changes).map(([permissionKey, access]) => ({ permissionKey, access })) },
      { as },
    );

  it('lists the team without the support staff of the maker', async () => {
    const { data } = await server.call('users.list');
    expect(
      (data as { userId: number; isStoreOwner: boolean; loopUserType: string }[]).map(user => [
        user.userId,
        user.loopUserType,
        user.isStoreOwner,
      ]),
    ).toEqual([
      [1001, 'OWNER', true],
      [1002, 'ADMIN', false],
      [1003, 'MEMBER', false],
      [1004, 'MEMBER', false],
      [1901, 'ADMIN', false],
    ]);
    expect((await server.call('users.readPermissions', { id: 1900 })).status).toBe(404);
    expect((await server.call('users.delete', { id: 1900 })).status).toBe(404);
    expect((await server.call('users.list', { q: 'jonah' })).data).toHaveLength(1);
  });

  it('S213 S320 gives each area NO_ACCESS, READ or WRITE: owners everything, admins all but handing over, members a look', async () => {
    const owner = await permissions(OWNER),
      admin = await permissions(ADMIN),
      reader = await permissions(READER);
    const areas = Object.values(server.services.definitions.permissions);
    for (const area of areas) {
      const most = area.availableAccessMode.includes('WRITE') ? 'WRITE' : 'READ';
      expect(owner[area.permissionKey]).toBe(most);
      expect(admin[area.permissionKey]).toBe(area.permissionKey === 'designateOwner' ? 'NO_ACCESS' : most);
      expect(['NO_ACCESS', 'READ']).toContain(reader[area.permissionKey]);
    }
    const fresh = await server.services.db.ownerQuery<{ id: number }>(
      "insert into users (store_id, email, type) values (1, 'new@fernandember.example', 'MEMBER') returning id",
    );
    const member = await permissions(fresh.rows[0]?.id ?? 0);
    for (const area of areas) expect(member[area.permissionKey]).toBe(area.availableAccessMode.includes('READ') ? 'READ' : 'NO_ACCESS');
  });

  it('changes the rights of a member; what a right depends on comes along', async () => {
    const { status } = await setPermissions('admin', READER, {
      subscriptionDetails: 'NO_ACCESS',
      subscriptionProduct: 'WRITE',
      manageApiToken: 'WRITE',
    });
    expect(status).toBe(200);
    expect(await permissions(READER)).toMatchObject({ subscriptionProduct: 'WRITE', subscriptionDetails: 'READ', manageApiToken: 'WRITE' });
  });

  it('binds a changed right at the next call, in either direction', async () => {
    const reader = await server.signIn('readOnly');
    const logs = async () => (await server.call('logs.accountLogs', {}, { as: reader })).status;
    expect(await logs()).toBe(200);
    await setPermissions('owner', READER, { accountLogs: 'NO_ACCESS' });
    expect(await logs()).toBe(403);
    await setPermissions('owner', READER, { accountLogs: 'READ' });
    expect(await logs()).toBe(200);
  });

  it('S225 refuses a change by a person who may only look, and names the area', async () => {
    const { status, body } = await server.call('store.updateMultipleDeliveryOptions', { PICKUP: true }, { as: 'readOnly' });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.message).toContain('General');
    expect((await server.call('store.multipleDeliveryOptions', {}, { as: 'readOnly' })).status).toBe(200);
  });

  it('keeps the guards: not oneself, not the owner, no admin by an admin, nothing one lacks oneself', async () => {
    expect(said(await setPermissions('admin', ADMIN, { inventory: 'READ' }))).toEqual([403, "You can't change your own permissions."]);
    expect(said(await setPermissions('admin', OWNER, { inventory: 'READ' }))).toEqual([403, 'The owner always has all permissions.']);
    expect(said(await setPermissions('admin', 1901, { inventory: 'READ' }))).toEqual([403, 'Only the owner can change an admin.']);
    expect((await setPermissions('owner', 1901, { inventory: 'READ' })).status).toBe(200);
    // A member who may change rights gives no more than they have.
    await setPermissions('owner', MIXED, { updateUserPermission: 'WRITE', pricingSettings: 'NO_ACCESS', inventory: 'WRITE' });
    expect((await setPermissions('mixed', READER, { inventory: 'WRITE' })).status).toBe(200);
    for (const grant of [
      { pricingSettings: 'WRITE' },
      { updateUserType: 'READ' },
      { manageApiToken: 'WRITE', sellingPlan: 'WRITE' },
    ] as Record<string, string>[]) {
      const { status, body } = await setPermissions('mixed', READER, grant);
      expect([status, body.errors?.at(-1)?.rule]).toEqual([422, 'rights']);
      expect(body.errors?.at(-1)?.message).toMatch(/^You can't give more than you have yourself: [A-Z]/);
    }
    expect(said(await setPermissions('mixed', 1901, { inventory: 'READ' }))).toEqual([403, 'Only the owner can change an admin.']);
    expect((await setPermissions('owner', READER, { accountLogs: 'WRITE' })).body.errors?.[0]?.pointer).toBe('/permissions/0/access');
    expect((await setPermissions('owner', READER, { rootAccess: 'WRITE' })).body.errors?.[0]?.pointer).toBe('/permissions/0/permissionKey');
  });

  it('changes roles by rank; handing the store over leaves exactly one owner', async () => {
    const type = (as: Role | string, userId: number, loopUserType: string) =>
      server.call('users.updateType', { userId, loopUserType }, { as });
    expect(said(await type('admin', ADMIN, 'MEMBER'))).toEqual([403, "You can't change your own role."]);
    expect((await type('admin', READER, 'ADMIN')).status).toBe(403);
    expect((await type('admin', OWNER, 'MEMBER')).status).toBe(403);
    expect((await type('admin', READER, 'OWNER')).body.message).toBe('Only the owner can hand the store over.');
    expect((await type('owner', READER, 'LOOP_USER')).status).toBe(422);
    expect((await type('owner', READER, 'ADMIN')).data).toEqual({ userId: READER, loopUserType: 'ADMIN' });
    expect((await type('owner', READER, 'MEMBER')).status).toBe(200);
    expect((await type('owner', ADMIN, 'OWNER')).status).toBe(200);
    const { data } = await server.call('users.list', { filter: { loopUserType: ['OWNER'] } }, { as: 'admin' });
    expect((data as { userId: number }[]).map(user => user.userId)).toEqual([ADMIN]);
    expect((await type('owner', READER, 'ADMIN')).status).toBe(403); // an admin now, at the next call
    expect((await type('admin', OWNER, 'OWNER')).status).toBe(200);
    expect((await type('owner', ADMIN, 'ADMIN')).status).toBe(200);
  });

  it('removes people by rank', async () => {
    const remove = (as: Role | string, id: number) => server.call('users.delete', { id }, { as });
    expect(said(await remove('admin', OWNER))).toEqual([403, "You can't remove the owner."]);
    expect(said(await remove('owner', OWNER))).toEqual([403, "You can't remove yourself."]);
    expect((await remove('admin', 1901)).status).toBe(403);
    expect((await remove('owner', 1901)).data).toEqual({ userId: 1901 });
    expect((await remove('owner', 1901)).status).toBe(404);
    expect((await remove(await server.signIn('owner', 2), READER)).status).toBe(404);
    const { data } = await server.call('logs.users');
    expect((data as { userId: number; isRemoved: boolean }[]).find(user => user.userId === 1901)?.isRemoved).toBe(true);
  });

  it('S218 S219 without user_permission in the plan everybody may do everything, but only the owner and admins change rights', async () => {
    await server.services.db.ownerQuery('update stores set billing_plan_id = 2 where id = 1');
    server.services.sessions.forget();
    try {
      expect((await server.call('store.updateMultipleDeliveryOptions', { PICKUP: false }, { as: 'readOnly' })).status).toBe(200);
      for (const role of ['readOnly', 'mixed'] as const)
        expect(said(await setPermissions(role, role === 'mixed' ? READER : MIXED, { inventory: 'READ' }))).toEqual([
          403,
          'Only the owner and admins can change the permissions of users.',
        ]);
      for (const role of ['owner', 'admin'] as const) expect((await setPermissions(role, READER, { inventory: 'READ' })).status).toBe(200);
    } finally {
      await server.services.db.ownerQuery('update stores set billing_plan_id = 4 where id = 1');
      server.services.sessions.forget();
    }
  });
});
