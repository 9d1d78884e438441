// The team: who works in the store, with which role and which rights. Guards of settings.md 9.
import { sql, type Selectable } from 'kysely';
import { accessOf } from '../../../../contract/access.ts';
import type { Access, JsonValue, Permission } from '../../../../contract/types.ts';
import type { UsersTable } from '../../../../generated/tables.ts';
import { RANK, permissionsOf, type UserType } from '../../../platform/auth/permissions.ts';
import { Refusal, invalid, notFound, type Context } from '../../../platform/context.ts';

type User = Selectable<UsersTable>;
const forbidden = (message: string): Refusal => new Refusal(403, 'FORBIDDEN', message);
const nameOf = (user: User): string => `${user.first_name} ${user.last_name}`.trim() || user.email;

/** A user of the store, locked for a change. Support staff look as if they were not there. */
async function needUser(context: Context, id: number, lock: boolean): Promise<User> {
  let query = context.trx
    .selectFrom('users')
    .selectAll()
    .where('store_id', '=', context.storeId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .where('type', '<>', 'LOOP_USER');
  if (lock) query = query.forUpdate();
  const user = await query.executeTakeFirst();
  if (!user) throw notFound('user');
  return user;
}

const answer = (context: Context, user: User, permissions: Permission[]): JsonValue =>
  ({
    userId: user.id,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    loopUserType: user.type,
    permissions,
  }) as unknown as JsonValue;

/** The rights of a user, one line for each area. */
export async function readPermissions(context: Context, { id }: { id: number }): Promise<JsonValue> {
  const user = await needUser(context, id, false);
  return answer(context, user, permissionsOf(context.definitions, user.type as UserType, user.permissions));
}

/** Only somebody of a lower rank: owners change admins and members, admins change members; nobody changes themselves or the owner. */
function refuseRank(context: Context, user: User, what: { self: string; owner: string }): void {
  if (user.id === context.user.id) throw forbidden(what.self);
  if (user.type === 'OWNER') throw forbidden(what.owner);
  const mine = RANK[context.user.type as UserType];
  if (user.type === 'ADMIN' && mine < RANK.OWNER) throw forbidden('Only the owner can change an admin.');
}

/**
 * Sets the rights named, leaves the others. Each grant must be available for its area and held by whoever gives it; a right that depends on
 * another one brings READ of that with it.
 */
export async function updatePermissions(
  context: Context,
  input: { id: number; permissions: { permissionKey: string; access: Access }[] },
): Promise<JsonValue> {
  const user = await needUser(context, input.id, true);
  refuseRank(context, user, { self: "You can't change your own permissions.", owner: 'The owner always has all permissions.' });
  const before = permissionsOf(context.definitions, user.type as UserType, user.permissions);
  const wanted = new Map(before.map(one => [one.permissionKey, one.access]));
  const mine = accessOf(context.session).permissions;
  const errors = input.permissions.flatMap(({ permissionKey, access }, i) => {
    const area = before.find(one => one.permissionKey === permissionKey);
    const at = `/permissions/${i}`;
    if (!area) return [{ pointer: `${at}/permissionKey`, rule: 'enum', message: `There is no permission "${permissionKey}".` }];
    const label = area.label ?? permissionKey;
    if (access !== 'NO_ACCESS' && !area.availableAccessMode.includes(access))
      return [
        {
          pointer: `${at}/access`,
          rule: 'enum',
          message: `${label} can only be ${area.availableAccessMode.includes('READ') ? 'viewed' : 'changed'}.`,
        },
      ];
    if (access !== area.access && !holds(mine[permissionKey], access))
      return [{ pointer: `${at}/access`, rule: 'rights', message: `You can't give more than you have yourself: ${label}.` }];
    wanted.set(permissionKey, access);
    return [];
  });
  if (errors.length) throw invalid(errors);
  for (const area of before) {
    if (wanted.get(area.permissionKey) === 'NO_ACCESS') continue;
    for (const needed of area.dependsOn ?? []) if (wanted.get(needed) === 'NO_ACCESS') wanted.set(needed, 'READ');
  }
  await context.trx
    .updateTable('users')
    .set({ permissions: JSON.stringify(Object.fromEntries(wanted)) })
    .where('store_id', '=', context.storeId)
    .where('id', '=', user.id)
    .execute();
  const changed = before.filter(one => wanted.get(one.permissionKey) !== one.access);
  await context.log({
    action: 'user.permissionsUpdated',
    category: 'Users',
    description: `Permissions of ${nameOf(user)} updated`,
    entity: 'user',
    entityId: user.id,
    before: Object.fromEntries(changed.map(one => [one.permissionKey, one.access])),
    after: Object.fromEntries(changed.map(one => [one.permissionKey, wanted.get(one.permissionKey) as Access])),
  });
  return answer(context, user, permissionsOf(context.definitions, user.type as UserType, Object.fromEntries(wanted)));
}

const LEVEL: Record<Access, number> = { NO_ACCESS: 0, READ: 1, WRITE: 2 };
const holds = (mine: Access | undefined, wanted: Access): boolean => LEVEL[mine ?? 'NO_ACCESS'] >= LEVEL[wanted];

/** Changes the role. OWNER: the present owner hands the store over and stays as an admin; there is exactly one owner. */
export async function updateType(context: Context, input: { userId: number; loopUserType: UserType }): Promise<JsonValue> {
  const user = await needUser(context, input.userId, true);
  const wanted = input.loopUserType;
  refuseRank(context, user, {
    self: "You can't change your own role.",
    owner: "You can't change the owner's role. The owner can hand the store over to somebody else.",
  });
  if (wanted === 'OWNER') {
    if (context.user.type !== 'OWNER' || !accessOf(context.session).can('designateOwner', 'WRITE'))
      throw forbidden('Only the owner can hand the store over.');
    await context.trx
      .updateTable('users')
      .set({ type: 'ADMIN', permissions: JSON.stringify({}) })
      .where('store_id', '=', context.storeId)
      .where('type', '=', 'OWNER')
      .execute();
  } else if (wanted === 'ADMIN' && RANK[context.user.type as UserType] < RANK.OWNER)
    throw forbidden('Only the owner can make somebody an admin.');
  // A new role begins with its own rights; what was set for the old one does not go along.
  if (wanted !== user.type)
    await context.trx
      .updateTable('users')
      .set({ type: wanted, permissions: JSON.stringify({}) })
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
  refuseRank(context, user, { self: "You can't remove yourself.", owner: "You can't remove the owner." });
  await context.trx
    .updateTable('users')
    .set({ removed_at: sql<Date>`now()` })
    .where('store_id', '=', context.storeId)
    .where('id', '=', user.id)
    .execute();
  await sql`update sessions set revoked_at = now() where store_id = ${context.storeId} and user_id = ${user.id}
      and revoked_at is null`.execute(context.trx);
  await sql`update login_links set used_at = now() where store_id = ${context.storeId} and user_id = ${user.id}
      and used_at is null`.execute(context.trx);
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
