// People of the team, locked for a change, and who may change whom. Guards of settings.md 9.
import type { Selectable } from 'kysely';
import type { UsersTable } from '../../../generated/tables.ts';
import { RANK, permissionsOf, type UserType } from '../../platform/auth/permissions.ts';
import type { Permission } from '../../../contract/types.ts';
import { Refusal, notFound, type Context } from '../../platform/context.ts';
import { later, t } from '../../../domain/text/t.ts';

export type User = Selectable<UsersTable>;
export const forbidden = (message: string): Refusal => new Refusal(403, 'FORBIDDEN', message);
export const nameOf = (user: User): string => `${user.first_name} ${user.last_name}`.trim() || user.email;

/** A user of the store, locked for a change. Support staff look as if they were not there. @throws Refusal 404 */
export async function needUser(context: Context, id: number, lock: boolean): Promise<User> {
  let query = context.trx
    .selectFrom('users')
    .selectAll()
    .where('store_id', '=', context.storeId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .where('type', '<>', 'LOOP_USER');
  if (lock) query = query.forUpdate();
  const user = await query.executeTakeFirst();
  if (!user) throw notFound(later`user`);
  return user;
}

/** What a person may do, one line for each area. */
export const rightsOf = ({ definitions }: Pick<Context, 'definitions'>, user: User): Permission[] =>
  permissionsOf(definitions, user.type as UserType, user.permissions, user.role_permissions);

/** Only people of a lower rank: owners change admins and members, admins change members; no person changes themselves or the owner. */
export function refuseRank(context: Context, user: User, what: { self: string; owner: string }): void {
  if (user.id === context.user.id) throw forbidden(what.self);
  if (user.type === 'OWNER') throw forbidden(what.owner);
  const mine = RANK[context.user.type as UserType];
  if (user.type === 'ADMIN' && mine < RANK.OWNER) throw forbidden(t`Only the owner can change an admin.`);
}
