// Roles of a store's own, invitations, and the admin seen as a role: settings.md 9.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, Permission } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { startSignInServer, type SignInServer } from '../../../support/sign-in-service.ts';
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

  describe('single sign-on', () => {
    let service: SignInServer;
    beforeAll(async () => {
      service = await startSignInServer(`${server.url}/login`);
      await server.services.db.ownerQuery(
        "insert into email_domains (store_id, domain, from_email, status) values (1, 'fernandember.example', 'team@fernandember.example', 'VERIFIED')",
      );
      service.accounts.jonah = { email: 'Jonah@FernAndEmber.example', email_verified: true, given_name: 'Jonah' };
      service.accounts.nora = { email: 'nora@fernandember.example', email_verified: true, given_name: 'Nora', family_name: 'Vale' };
      service.accounts.eve = { email: 'amira@fernandember.example', email_verified: false };
      service.accounts.guest = { email: 'guest@elsewhere.example', email_verified: true };
    });
    afterAll(() => service?.close());
    const page = () => ({
      settingsPage: 'single-sign-on',
      enabled: true,
      issuer: service.issuer,
      clientId: service.clientId,
      clientSecret: service.clientSecret,
      domains: ['fernandember.example'],
    });
    const save = (more: object = {}, as?: string) => server.call('settings.set', { ...page(), ...more }, as ? { as } : {});
    const begin = async (input: object = { email: 'anyone@fernandember.example' }) => {
      await server.services.db.ownerQuery('delete from login_attempts');
      return server.call('sign-in.beginSso', input as JsonObject, { as: null });
    };
    const comeBack = async (url: URL) =>
      server.call('sign-in.finishSso', Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'error_description')), {
        as: null,
      });
    const signIn = async (login: string | undefined) => {
      const { data } = await begin();
      return comeBack(await service.visit(data.url as string, login));
    };
    const who = async (token: unknown) => (await server.call('start-up.session', {}, { as: String(token) })).data.user as JsonObject;
    const log = async () =>
      (
        await server.services.db.ownerQuery<{ description: string }>(
          "select description from account_log where store_id = 1 and action like 'user.%' order by id desc limit 1",
        )
      ).rows[0]?.description;

    it('is set up by the owner alone, keeps its secret, and says whether the service answers', async () => {
      expect((await begin()).status).toBe(404);
      expect((await save({}, 'admin')).status).toBe(403);
      const admin = (await roleNamed('Admin')).id;
      for (const [field, wrong] of [
        ['issuer', 'http://login.example.com'],
        ['issuer', 'https://10.0.0.7'],
        ['roleId', admin],
        ['domains', []],
        ['domains', ['fernandember.example', 'gmail.com']],
        ['clientSecret', ''],
      ] as const) {
        const { status, body } = await save({ [field]: wrong });
        expect([status, body.errors?.[0]?.pointer], field).toEqual([422, expect.stringMatching(`^/${field}(/1)?$`)]);
      }
      await server.services.db.ownerQuery("update email_domains set status = 'PENDING'");
      expect((await save()).body.errors).toMatchObject([
        { pointer: '/domains/0', message: expect.stringMatching(/^Show first that fernandember\.example is yours/) },
      ]);
      await server.services.db.ownerQuery("update email_domains set status = 'VERIFIED'");
      expect((await save()).status).toBe(200);
      const { data } = await server.call('settings.get', { settingsPage: 'single-sign-on' });
      expect(data.clientSecret).toBe('••••udge');
      const { rows } = await server.services.db.ownerQuery('select * from secrets');
      expect(JSON.stringify(rows)).not.toContain(service.clientSecret);
      expect((await server.call('single-sign-on.check')).data).toEqual({ isReached: true });
      expect((await server.call('single-sign-on.addresses')).data).toEqual({
        redirect: `${server.url}/login`,
        signIn: `${server.url}/login?store=1`,
      });
      // A secret goes to no other address than the one that it was entered for.
      const moved = await server.call('settings.set', { settingsPage: 'single-sign-on', issuer: `${service.issuer}/other` });
      expect(moved.body.errors?.[0]?.pointer).toBe('/clientSecret');
    });

    it('signs in people of the team, and each answer of the service once', async () => {
      const { data } = await begin();
      const asked = new URL(data.url as string).searchParams;
      expect([asked.get('code_challenge_method'), asked.get('login_hint')]).toEqual(['S256', 'anyone@fernandember.example']);
      const back = await service.visit(data.url as string, 'jonah');
      const { data: entered } = await comeBack(back);
      expect(await who(entered.token)).toMatchObject({ userId: ADMIN, loopUserType: 'ADMIN' });
      expect((await comeBack(back)).body.code).toBe('SSO_EXPIRED');
      const again = await begin({ store: 1 });
      const other = await service.visit(again.data.url as string, 'jonah');
      other.searchParams.set('code', 'forged');
      expect((await comeBack(other)).body.code).toBe('SIGN_IN_SERVICE');
      expect((await signIn(undefined)).body.message).toMatch(/^You did not sign in at 127\.0\.0\.1:/);
      expect((await begin({ store: 2 })).status).toBe(404);
    });

    it('lets in whom the service confirms, with the role of the page; the log says why not', async () => {
      for (const [login, why] of [
        ['eve', /has not confirmed/],
        ['guest', /does not belong to the team/],
        ['nora', /not on the team yet/],
      ] as const) {
        const { status, body } = await signIn(login);
        expect([status, body.code, body.message], login).toEqual([403, 'SSO_REFUSED', expect.stringMatching(why)]);
        expect(await log()).toMatch(why);
      }
      const { id: roleId } = await add('From outside', [{ permissionKey: 'subscriptionDetails', access: 'READ' }]);
      expect((await save({ roleId })).status).toBe(200);
      expect((await server.call('roles.delete', { id: roleId as number })).body.message).toMatch(/Single sign-on/);
      const [one, two] = await Promise.all([signIn('nora'), signIn('nora')]);
      const nora = await who(one.data.token);
      expect(nora).toMatchObject({ firstName: 'Nora', lastName: 'Vale', loopUserType: 'MEMBER' });
      expect((await who(two.data.token)).userId).toBe(nora.userId);
      expect(await log()).toBe(`nora@fernandember.example joined the team from ${new URL(service.issuer).host} as From outside`);
      expect((await server.call('settings.get', { settingsPage: 'general' }, { as: String(one.data.token) })).status).toBe(403);
      // The service's name of a person counts, not the address; who was removed stays out.
      service.accounts.nora!.email = 'n.vale@fernandember.example';
      expect((await who((await signIn('nora')).data.token)).userId).toBe(nora.userId);
      service.accounts.heir = { email: 'nora@fernandember.example', email_verified: true };
      expect((await signIn('heir')).body.message).toMatch(/belonged to another person/);
      await server.call('users.delete', { id: nora.userId as number });
      expect((await signIn('nora')).body.message).toMatch(/removed from the team/);
    });

    it('is the only way where the owner says so; the owner comes in by a link all the same', async () => {
      const byLink = await server.signIn('mixed');
      const { data } = await signIn('jonah');
      await server.services.db.ownerQuery('delete from outbox');
      expect((await save({ isRequired: true })).status).toBe(200);
      await expect.poll(async () => (await server.call('start-up.session', {}, { as: byLink })).status).toBe(401);
      expect((await server.call('start-up.session', {}, { as: String(data.token) })).status).toBe(200);
      for (const email of ['jonah@fernandember.example', 'amira@fernandember.example'])
        await server.call('sign-in.requestLink', { email }, { as: null });
      await server.settled();
      await server.call('users.invite', { firstName: 'Ida', email: 'ida@fernandember.example' });
      const { rows } = await server.services.db.ownerQuery<{ recipient: string; text: string }>(
        'select recipient, text from outbox order by id',
      );
      expect(rows.map(({ recipient }) => recipient)).toEqual(['amira@fernandember.example', 'ida@fernandember.example']);
      expect(rows[1]?.text).toContain(`${server.url}/login?store=1`);
      expect((await server.call('settings.set', { settingsPage: 'single-sign-on', enabled: false })).status).toBe(200);
      expect((await server.services.db.ownerQuery("select from secrets where table_name = 'settings/single-sign-on'")).rows).toEqual([]);
      expect((await begin()).status).toBe(404);
    });
  });
});
