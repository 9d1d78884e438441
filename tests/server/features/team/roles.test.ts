// Roles of a store's own, invitations, and the admin seen as a role: settings.md 9.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, Permission } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { STANDARD_ROLES } from '../../../../src/domain/team/standard-roles.ts';

const OWNER = 1001,
  ADMIN = 1002,
  MIXED = 1003,
  READER = 1004;
const SUPPORT = [
  { permissionKey: 'subscriptionDetails', access: 'READ' },
  { permissionKey: 'subscriptionOrderActions', access: 'WRITE' },
  { permissionKey: 'updateUserPermission', access: 'READ' },
];

describe.each(oneEngine)('roles (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 4, stores: 2 } });
  });
  afterAll(() => server?.close());
  const roles = async () => (await server.call('roles.list')).data as Record<string, any>[];
  const roleNamed = async (name: string) => (await roles()).find(role => role.name === name) as Record<string, any>;
  const add = async (name: string, permissions: JsonObject[] = SUPPORT) =>
    (await server.call('roles.create', { name, permissions })).data as Record<string, any>;
  const rights = async (id: number) =>
    Object.fromEntries(
      ((await server.call('users.readPermissions', { id })).data.permissions as Permission[]).map(one => [one.permissionKey, one.access]),
    );

  it('D115 D118 lists the standard roles, and makes, changes and deletes own ones; what one depends on comes with it', async () => {
    expect((await roles()).map(role => [role.name, role.kind, role.isDefault, role.usersCount])).toEqual([
      ['Owner', 'SYSTEM', false, 1],
      ['Admin', 'SYSTEM', false, 1],
      ['Member', 'SYSTEM', true, 2],
    ]);
    // The words that other languages have for them are those of the database.
    expect((await roles()).map(({ name, description }) => ({ name, description }))).toEqual(STANDARD_ROLES);
    const areas = (await server.call('roles.defaultPermission')).data as Permission[];
    expect(areas).toHaveLength(72);
    expect(areas.every(area => area.access !== 'WRITE' && area.label)).toBe(true);

    const made = await add('Support, no refunds', [{ permissionKey: 'subscriptionOrderActions', access: 'WRITE' }]);
    expect(made.permissions).toHaveLength(72);
    const given = (made.permissions as Permission[]).filter(one => one.access !== 'NO_ACCESS');
    expect(given).toEqual([
      { permissionKey: 'subscriptionOrderActions', access: 'WRITE' },
      { permissionKey: 'subscriptionDetails', access: 'READ' },
    ]);
    expect((await server.call('roles.create', { name: 'support, NO refunds', permissions: [] })).status).toBe(409);
    const changed = await server.call('roles.update', { id: made.id, version: made.version, name: 'Support', permissions: SUPPORT });
    expect([changed.status, changed.data.name]).toEqual([200, 'Support']);
    expect((await server.call('roles.update', { id: made.id, version: made.version, name: 'Late', permissions: [] })).status).toBe(409);
    const copy = (await server.call('roles.duplicate', { id: made.id })).data;
    expect([copy.name, copy.isDefault]).toEqual(['Support (copy)', false]);
    expect((await server.call('roles.duplicate', { id: made.id })).data.name).toBe('Support (copy 2)');
    for (const one of await roles())
      if (one.kind === 'CUSTOM') expect((await server.call('roles.delete', { id: one.id })).status).toBe(200);
    expect(await roles()).toHaveLength(3);
  });

  it('refuses areas that are none, accesses that an area lacks, and more than the giver has', async () => {
    const wrong = await server.call('roles.create', {
      name: 'Wrong',
      permissions: [
        { permissionKey: 'nothing', access: 'READ' },
        { permissionKey: 'accountLogs', access: 'WRITE' },
      ],
    });
    expect([wrong.status, (wrong.body.errors as { message: string }[]).map(one => one.message).sort()]).toEqual([
      422,
      ['Account logs can only be viewed.', 'There is no permission "nothing".'],
    ]);
    await server.call('users.updatePermissions', { id: ADMIN, permissions: [{ permissionKey: 'pricingSettings', access: 'READ' }] });
    const more = await server.call(
      'roles.create',
      { name: 'More', permissions: [{ permissionKey: 'pricingSettings', access: 'WRITE' }] },
      { as: 'admin' },
    );
    expect([more.status, (more.body.errors as { message: string }[])[0]?.message]).toEqual([
      422,
      "You can't give more than you have yourself: Plan and billing.",
    ]);
    await server.call('users.updatePermissions', { id: ADMIN, permissions: [{ permissionKey: 'pricingSettings', access: 'WRITE' }] });
  });

  it('keeps the standard roles as they are', async () => {
    const member = await roleNamed('Member');
    const whole = (await server.call('roles.read', { id: member.id })).data;
    expect((whole.permissions as Permission[]).every(one => one.access !== 'WRITE')).toBe(true);
    const answer = await server.call('roles.update', { id: member.id, version: member.version, name: 'Mine', permissions: [] });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'This is a standard role: it can’t be changed or deleted. Duplicate it and change the copy.',
    ]);
    expect((await server.call('roles.delete', { id: member.id })).status).toBe(409);
  });

  it('D035 D117 gives a person a role: their rights are those of the role at once, and follow when it changes', async () => {
    const role = await add('Order desk');
    const token = await server.signIn('readOnly');
    const before = await server.call('subscription-contract.list', {}, { as: token });
    expect(before.status).toBe(200);
    expect((await server.call('settings.get', { settingsPage: 'general' }, { as: token })).status).toBe(200);
    expect((await server.call('roles.addUser', { roleId: role.id, userId: READER })).data).toMatchObject({
      loopUserType: 'MEMBER',
      roleId: role.id,
    });
    expect((await server.call('settings.get', { settingsPage: 'general' }, { as: token })).status).toBe(403);
    expect(await rights(READER)).toMatchObject({
      subscriptionDetails: 'READ',
      subscriptionOrderActions: 'WRITE',
      generalSettings: 'NO_ACCESS',
    });
    const listed = ((await server.call('users.list')).data as Record<string, any>[]).find(one => one.userId === READER);
    expect([listed?.roleName, listed?.roleId]).toEqual(['Order desk', role.id]);
    expect((await roleNamed('Order desk')).usersCount).toBe(1);

    const wider = [...SUPPORT, { permissionKey: 'generalSettings', access: 'READ' }];
    await server.call('roles.update', { id: role.id, version: role.version, name: 'Order desk', permissions: wider });
    expect((await server.call('settings.get', { settingsPage: 'general' }, { as: token })).status).toBe(200);
    // What is set for the person counts before the role.
    await server.call('users.updatePermissions', { id: READER, permissions: [{ permissionKey: 'generalSettings', access: 'NO_ACCESS' }] });
    expect((await server.call('settings.get', { settingsPage: 'general' }, { as: token })).status).toBe(403);
  });

  it('a role with people is deleted only with a replacement, which its people then have', async () => {
    const role = await roleNamed('Order desk');
    const alone = await server.call('roles.delete', { id: role.id });
    expect([alone.status, (alone.body.errors as { message: string }[])[0]?.message]).toEqual([
      422,
      'Choose the role that the person who has this one gets.',
    ]);
    const member = await roleNamed('Member');
    expect((await server.call('roles.delete', { id: role.id, replacementRoleId: (await roleNamed('Owner')).id })).status).toBe(422);
    expect((await server.call('roles.delete', { id: role.id, replacementRoleId: member.id })).status).toBe(200);
    expect(await rights(READER)).toMatchObject({ generalSettings: 'READ', subscriptionOrderActions: 'READ' });
  });

  it('guards ranks: no person changes themselves or the owner, admins no admins', async () => {
    const role = await add('Guarded');
    const said = async (userId: number, as = 'owner') => {
      const { status, body } = await server.call('roles.addUser', { roleId: role.id, userId }, { as });
      return [status, body.message];
    };
    expect(await said(OWNER)).toEqual([403, "You can't change your own role."]);
    expect(await said(OWNER, 'admin')).toEqual([
      403,
      "You can't change the owner's role. The owner can hand the store over to another person.",
    ]);
    const owner = await roleNamed('Owner');
    expect((await server.call('roles.addUser', { roleId: owner.id, userId: READER })).status).toBe(403);
    expect((await server.call('roles.addUser', { roleId: 999_999, userId: READER })).status).toBe(404);
    const admin = await roleNamed('Admin');
    expect((await server.call('roles.addUser', { roleId: admin.id, userId: READER }, { as: 'admin' })).status).toBe(403);
    expect((await server.call('roles.delete', { id: role.id })).status).toBe(200);
  });

  it('D035 D116 one role is for new people; who is invited without a role gets it, by a link that signs in once', async () => {
    const role = await add('Newcomers');
    expect((await server.call('roles.makeDefault', { id: role.id })).status).toBe(200);
    expect((await roles()).filter(one => one.isDefault).map(one => one.name)).toEqual(['Newcomers']);
    expect((await server.call('roles.delete', { id: role.id })).body.message).toBe(
      'New people get this role. Make another one the role for new people first.',
    );
    const invited = await server.call('users.invite', { firstName: 'Rosa', lastName: 'Klein', email: 'rosa@fernandember.example' });
    expect(invited.status).toBe(200);
    const { userId } = invited.data as { userId: number };
    const row = async () => ((await server.call('users.list', { q: 'rosa' })).data as Record<string, any>[])[0];
    expect(await row()).toMatchObject({ userId, state: 'INVITED', roleName: 'Newcomers' });
    const again = await server.call('users.invite', { firstName: 'Rosa', email: 'ROSA@fernandember.example' });
    expect([again.status, again.body.message]).toEqual([409, 'This person is on the team already.']);
    const texts = async (): Promise<string[]> =>
      server.services.db
        .inStore(1, trx =>
          trx.selectFrom('outbox').select('text').where('recipient', '=', 'rosa@fernandember.example').orderBy('id').execute(),
        )
        .then(rows => rows.map(row => row.text));
    expect((await server.call('users.inviteAgain', { id: userId })).status).toBe(200);
    const [first, second] = (await texts()).map(text => /link=([\w-]+)/.exec(text)?.[1] as string);
    expect((await server.call('sign-in.redeemLink', { token: first as string }, { as: null })).status).toBe(400);
    const session = await server.call('sign-in.redeemLink', { token: second as string }, { as: null });
    expect(session.status).toBe(200);
    expect((await server.call('sign-in.redeemLink', { token: second as string }, { as: null })).status).toBe(400);
    const token = (session.data as { token: string }).token;
    expect((await server.call('subscription-contract.list', {}, { as: token })).status).toBe(200);
    expect((await server.call('settings.get', { settingsPage: 'general' }, { as: token })).status).toBe(403);
    expect((await server.call('users.delete', { id: userId })).status).toBe(200);
    expect((await server.call('subscription-contract.list', {}, { as: token })).status).toBe(401);
    const member = await roleNamed('Member');
    await server.call('roles.makeDefault', { id: member.id });
  });

  it('D001 the admin is for the team of a store: a customer of it is answered alike and gets no link', async () => {
    const { rows } = await server.services.db.ownerQuery<{ email: string }>(
      'select email from customers where store_id = 1 order by id limit 1',
    );
    const email = rows[0]?.email as string;
    const links = async (to: string): Promise<number> =>
      (await server.services.db.ownerQuery("select from outbox where recipient = $1 and text like '%link=%'", [to])).rows.length;
    const before = await links('amira@fernandember.example');
    const [team, customer] = [
      await server.call('sign-in.requestLink', { email: 'amira@fernandember.example' }, { as: null }),
      await server.call('sign-in.requestLink', { email }, { as: null }),
    ];
    expect([customer.status, customer.body.message]).toEqual([team.status, team.body.message]);
    // Links are sent after the answer.
    await expect.poll(() => links('amira@fernandember.example')).toBe(before + 1);
    expect(await links(email)).toBe(0);
  });

  it('the admin can be seen as a role: with its reads, without a write; members can’t, and nothing of it stays', async () => {
    const role = await add('Looked at');
    const headers = { 'x-perennial-role-preview': String(role.id), 'content-type': 'application/json' };
    const as = (who: string, path: string, method = 'GET', body?: string) =>
      server.request(method, path, { as: who, headers, ...(body ? { body } : {}) });
    const session = await as('owner', '/host/user/session');
    expect(session.status).toBe(200);
    expect(session.json.data).toMatchObject({ rolePreview: { id: role.id, name: 'Looked at' }, user: { loopUserType: 'MEMBER' } });
    expect((await as('owner', '/host/main/api/preferences/setting/general')).status).toBe(403);
    const write = await as('owner', `/host/user/role/${role.id}/makeDefault`, 'PUT', '{}');
    expect([write.status, write.json.code]).toEqual([403, 'ROLE_PREVIEW']);
    expect((await as('mixed', '/host/user/session')).status).toBe(403);
    expect((await server.call('settings.get', { settingsPage: 'general' })).status).toBe(200);
  });

  it('a look at a larger role shows no more than the person may see', async () => {
    const rows = await roles();
    await server.call('users.updatePermissions', { id: ADMIN, permissions: [{ permissionKey: 'pricingSettings', access: 'NO_ACCESS' }] });
    for (const { id, name } of rows) {
      const { status, json } = await server.request('GET', '/host/user/session', {
        as: 'admin',
        headers: { 'x-perennial-role-preview': String(id) },
      });
      const given = (json.data.user.permissions as Permission[]).find(one => one.permissionKey === 'pricingSettings');
      expect([name, status, given?.access, json.data.user.loopUserType === 'OWNER']).toEqual([name, 200, 'NO_ACCESS', false]);
    }
    await server.call('users.updatePermissions', { id: ADMIN, permissions: [{ permissionKey: 'pricingSettings', access: 'WRITE' }] });
  });

  it('each answer names the rights it was given by, which change with them', async () => {
    const token = await server.signIn('mixed');
    const name = async () => (await server.request('GET', '/host/user/session', { as: token })).headers.get('x-perennial-rights');
    await server.call('users.updatePermissions', { id: MIXED, permissions: [{ permissionKey: 'accountLogs', access: 'READ' }] });
    const before = await name();
    expect(before).toMatch(/^[\w-]{16}$/);
    expect(await name()).toBe(before);
    await server.call('users.updatePermissions', { id: MIXED, permissions: [{ permissionKey: 'accountLogs', access: 'NO_ACCESS' }] });
    expect(await name()).not.toBe(before);
  });

  it('roles of one store are no other store’s', async () => {
    const role = await add('Private');
    const other = await server.signIn('owner', 2);
    expect((await server.call('roles.read', { id: role.id }, { as: other })).status).toBe(404);
    expect((await server.call('roles.addUser', { roleId: role.id, userId: 2003 }, { as: other })).status).toBe(404);
    expect((await server.call('roles.list', {}, { as: other })).data).toHaveLength(3);
  });
});
