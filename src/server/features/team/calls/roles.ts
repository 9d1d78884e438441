// Roles: which one new people get, and who has which. Reading and writing them is the generic verbs' work, with the rules of the team.
import { sql } from 'kysely';
import type { JsonValue } from '../../../../contract/types.ts';
import { notFound, type Context } from '../../../platform/context.ts';
import { forbidden, nameOf, needUser, refuseRank, rightsOf } from '../members.ts';
import { giveRole, refuseRole, roleOf } from '../rules.ts';
import { updateType } from './users.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** D116 Makes a role the one that new people get; there is exactly one. */
export async function makeDefault(context: Context, { id }: { id: number }): Promise<JsonValue> {
  const role = await roleOf(context, id);
  if (!role) throw notFound(later`role`);
  if (role.systemType === 'OWNER' || role.systemType === 'ADMIN')
    throw forbidden(t`New people can’t become owner or admin by themselves. Choose another role.`);
  refuseRole(context, role);
  await sql`update records set data = data || jsonb_build_object('isDefault', id = ${id}), version = version + 1
    where store_id = ${context.storeId} and entity = 'role' and deleted_at is null
      and (data ->> 'isDefault')::boolean is distinct from (id = ${id})`.execute(context.trx);
  await context.log({
    action: 'role.defaultChanged',
    category: 'Roles',
    description: `New people get the role ${role.name}`,
    entity: 'role',
    entityId: id,
  });
  return { id, isDefault: true };
}

/** D117 Gives a person a role. A standard role is the person's type; handing the store over has a call of its own. */
export async function addUser(context: Context, { roleId, userId }: { roleId: number; userId: number }): Promise<JsonValue> {
  const role = await roleOf(context, roleId);
  if (!role) throw notFound(later`role`);
  if (role.systemType !== null && role.systemType !== 'OWNER') return updateType(context, { userId, loopUserType: role.systemType });
  const user = await needUser(context, userId, true);
  refuseRank(context, user, {
    self: t`You can't change your own role.`,
    owner: t`You can't change the owner's role. The owner can hand the store over to another person.`,
  });
  refuseRole(context, role, rightsOf(context, user));
  await giveRole(context, userId, role);
  await context.log({
    action: 'user.roleChanged',
    category: 'Users',
    description: `Role of ${nameOf(user)} changed to ${role.name}`,
    entity: 'user',
    entityId: userId,
    before: { loopUserType: user.type, roleId: user.role_id },
    after: { loopUserType: 'MEMBER', roleId },
  });
  return { userId, roleId, loopUserType: 'MEMBER' };
}
