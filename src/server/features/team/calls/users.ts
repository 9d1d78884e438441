// The team: who works in the store, with which role and which rights.
import { sql } from 'kysely';
import { accessOf } from '../../../../contract/access.ts';
import type { Access, JsonValue, Schema } from '../../../../contract/types.ts';
import { refuseGrants } from '../../../platform/auth/grants.ts';
import { makeLoginLink, ssoAddress } from '../../../platform/auth/login-links.ts';
import { type UserType } from '../../../platform/auth/permissions.ts';
import { Refusal, invalid, type Context } from '../../../platform/context.ts';
import { fillMessage } from '../../../platform/mail/message.ts';
import { listErrors, withDependencies, type Grant } from '../grants.ts';
import { forbidden, nameOf, needUser, refuseRank, rightsOf, type User } from '../members.ts';
import { addMember, isTeamFull, MAX_USERS } from '../new-member.ts';
import { refuseRole, roleOf } from '../rules.ts';
import { t } from '../../../../domain/text/t.ts';

/** How long the link of an invitation is good (minutes): seven days. */
const INVITATION_MINUTES = 7 * 24 * 60;

const answer = (context: Context, user: User): JsonValue =>
  ({
    userId: user.id,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    loopUserType: user.type,
    roleId: user.role_id,
    permissions: rightsOf(context, user),
  }) as JsonValue;

/** The rights of a user, one line for each area. */
export const readPermissions = async (context: Context, { userId }: { userId: number }): Promise<JsonValue> =>
  answer(context, await needUser(context, userId, false));

/**
 * Sets the rights named, leaves the others. Each grant must be available for its area and held by the giver; a right that depends on
 * another one brings READ of that with it.
 */
export async function updatePermissions(context: Context, input: { userId: number; permissions: Grant[] }): Promise<JsonValue> {
  const user = await needUser(context, input.userId, true);
  refuseRank(context, user, { self: t`You can't change your own permissions.`, owner: t`The owner always has all permissions.` });
  const before = rightsOf(context, user);
  const errors = listErrors(context.definitions, input.permissions);
  if (errors.length) throw invalid(errors);
  const list = context.definitions.entities.role as Schema;
  const held = { permissions: before as JsonValue };
  refuseGrants(context, list, { permissions: input.permissions as JsonValue }, held);
  const named = new Map(input.permissions.map(one => [one.permissionKey, one.access]));
  const wanted = withDependencies(
    context.definitions,
    before.map(({ permissionKey, access }) => ({ permissionKey, access: named.get(permissionKey) ?? access })),
  );
  refuseGrants(context, list, { permissions: wanted as JsonValue }, held);
  const permissions = JSON.stringify(Object.fromEntries(wanted.map(one => [one.permissionKey, one.access])));
  await context.trx.updateTable('users').set({ permissions }).where('store_id', '=', context.storeId).where('id', '=', user.id).execute();
  const now = new Map<string, Access>(wanted.map(one => [one.permissionKey, one.access]));
  const changed = before.filter(one => now.get(one.permissionKey) !== one.access);
  await context.log({
    action: 'user.permissionsUpdated',
    category: 'Users',
    description: `Permissions of ${nameOf(user)} updated`,
    entity: 'user',
    entityId: user.id,
    before: Object.fromEntries(changed.map(one => [one.permissionKey, one.access])),
    after: Object.fromEntries(changed.map(one => [one.permissionKey, now.get(one.permissionKey) as Access])),
  });
  return answer(context, await needUser(context, user.id, false));
}

/** Changes the role. OWNER: the present owner hands the store over and stays as an admin; there is exactly one owner. */
export async function updateType(context: Context, input: { userId: number; loopUserType: UserType }): Promise<JsonValue> {
  const user = await needUser(context, input.userId, true);
  const wanted = input.loopUserType;
  refuseRank(context, user, {
    self: t`You can't change your own role.`,
    owner: t`You can't change the owner's role. The owner can hand the store over to another person.`,
  });
  const own = { permissions: JSON.stringify({}), role_id: null, role_permissions: null };
  if (wanted === 'OWNER') {
    if (context.user.type !== 'OWNER' || !accessOf(context.session).can('designateOwner', 'WRITE'))
      throw forbidden(t`Only the owner can hand the store over.`);
    // Who handed it over a moment ago is no owner any more, whatever the session of this call says.
    if ((await needUser(context, context.user.id, false)).type !== 'OWNER') throw forbidden(t`Only the owner can hand the store over.`);
    if (user.invited_at !== null && user.last_active_at === null)
      throw new Refusal(409, 'INVALID_STATE', t`${nameOf(user)} has not joined yet. Hand the store over once the invitation was accepted.`);
    await context.trx
      .updateTable('users')
      .set({ type: 'ADMIN', ...own })
      .where('store_id', '=', context.storeId)
      .where('type', '=', 'OWNER')
      .execute();
  } else refuseRole(context, { systemType: wanted, permissions: [] }, rightsOf(context, user));
  // A new role begins with its own rights; what was set for the old one does not go along.
  if (wanted !== user.type || user.role_id !== null)
    await context.trx
      .updateTable('users')
      .set({ type: wanted, ...own })
      .where('store_id', '=', context.storeId)
      .where('id', '=', user.id)
      .execute();
  await context.log({
    action: 'user.roleChanged',
    category: 'Users',
    description: `Role of ${nameOf(user)} changed to ${wanted.toLowerCase()}`,
    entity: 'user',
    entityId: user.id,
    before: { loopUserType: user.type },
    after: { loopUserType: wanted },
  });
  return { userId: user.id, loopUserType: wanted };
}

/** Removes a user; all sessions end at once. The person's entries in the account log stay. */
async function remove(context: Context, { id }: { id: number }): Promise<JsonValue> {
  const user = await needUser(context, id, true);
  refuseRank(context, user, { self: t`You can't remove yourself.`, owner: t`You can't remove the owner.` });
  await context.trx
    .updateTable('users')
    .set({ removed_at: sql<Date>`now()` })
    .where('store_id', '=', context.storeId)
    .where('id', '=', user.id)
    .execute();
  await sql`update sessions set revoked_at = now() where store_id = ${context.storeId} and user_id = ${user.id}
      and revoked_at is null`.execute(context.trx);
  await endLinks(context, user.id);
  await context.log({
    action: 'user.deleted',
    category: 'Users',
    description: `${nameOf(user)} removed from the team`,
    entity: 'user',
    entityId: user.id,
    before: { email: user.email, loopUserType: user.type },
  });
  return { userId: user.id };
}
export { remove as delete };

const endLinks = ({ trx, storeId }: Context, userId: number): Promise<unknown> =>
  sql`update login_links set used_at = now() where store_id = ${storeId} and user_id = ${userId} and used_at is null`.execute(trx);

interface Invited {
  email: string;
  firstName: string;
  lastName?: string;
  roleId?: number | null;
}

/**
 * Invites a person by e-mail: what the platform's staff list is where stores live on one. They are on the list as invited until they have
 * opened the link. Without a role they get the one for new people.
 */
export async function invite(context: Context, { email, firstName, lastName = '', roleId }: Invited): Promise<JsonValue> {
  const role = await roleOf(context, roleId ?? (await defaultRoleId(context)));
  if (!role || role.systemType === 'OWNER')
    throw invalid([{ pointer: '/roleId', rule: 'reference', message: t`Choose a role that can be given.` }]);
  refuseRole(context, role);
  const address = email.trim();
  const { rows } = await sql`select from users where store_id = ${context.storeId} and removed_at is null
    and lower(email) = ${address.toLowerCase()}`.execute(context.trx);
  if (rows.length) {
    const message = t`This person is on the team already.`;
    throw new Refusal(409, 'TAKEN', message, [{ pointer: '/email', rule: 'unique', message }]);
  }
  if (await isTeamFull(context)) throw new Refusal(422, 'VALIDATION', t`A team has at most ${MAX_USERS} people. Remove a user first.`);
  const person = { email: address, firstName: firstName.trim(), lastName: lastName.trim(), invitedAt: context.now() };
  const id = await addMember(context, person, role);
  await sendInvitation(context, await needUser(context, id, true));
  await context.log({
    action: 'user.invited',
    category: 'Users',
    description: `${`${firstName} ${lastName}`.trim()} invited as ${role.name}`,
    entity: 'user',
    entityId: id,
    after: { email: address, role: role.name },
  });
  return { userId: id, email: address };
}

/** Sends the invitation again; the link sent before ends. */
export async function inviteAgain(context: Context, { id }: { id: number }): Promise<JsonValue> {
  const user = await needUser(context, id, true);
  if (user.invited_at === null || user.last_active_at !== null)
    throw new Refusal(409, 'INVALID_STATE', t`${nameOf(user)} has joined already and signs in by e-mail.`);
  await endLinks(context, id);
  await sendInvitation(context, user);
  return { userId: id, email: user.email };
}

async function sendInvitation(context: Context, user: User): Promise<void> {
  // Where links by e-mail open nothing, the letter leads to the store's own way in.
  const link = context.store.sso_required
    ? ssoAddress(context.address, context.storeId)
    : await makeLoginLink(context.trx, context.storeId, user.id, context.address, INVITATION_MINUTES);
  const values = { firstName: user.first_name || 'there', inviter: context.user.name, days: INVITATION_MINUTES / 1440, link };
  await context.mail({
    to: user.email,
    sendBefore: new Date(Date.now() + INVITATION_MINUTES * 60_000),
    ...fillMessage(context.definitions.messages, 'TEAM_INVITATION', { store: { name: context.store.name } }, values),
  });
}

async function defaultRoleId({ trx, storeId }: Context): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from records where store_id = ${storeId} and entity = 'role' and deleted_at is null
    order by (data ->> 'isDefault')::boolean desc, id limit 1`.execute(trx);
  return rows[0]?.id ?? 0;
}
