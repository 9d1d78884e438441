// A person who comes to the team: invited, or let in by the store's own sign-in service.
import type { Context } from '../../platform/context.ts';
import { giveRole, type RoleRow } from './rules.ts';

/** People in a store's team; more are refused. */
export const MAX_USERS = 500;

type Scope = Pick<Context, 'trx' | 'storeId'>;

/** Whether the team takes no more people. */
export async function isTeamFull({ trx, storeId }: Scope): Promise<boolean> {
  const { n } = await trx
    .selectFrom('users')
    .select(count => count.fn.countAll().as('n'))
    .where('store_id', '=', storeId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(n) >= MAX_USERS;
}

interface NewMember {
  email: string;
  firstName: string;
  lastName: string;
  /** Of those who have not come yet. */
  invitedAt?: Date;
  /** What the store's sign-in service calls them. */
  ssoSubject?: string;
}

/** Makes a person a member with a role; ask `isTeamFull` first. @returns their number */
export async function addMember(scope: Scope, person: NewMember, role: RoleRow): Promise<number> {
  const { id } = await scope.trx
    .insertInto('users')
    .values({
      store_id: scope.storeId,
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      type: 'MEMBER',
      permissions: '{}',
      invited_at: person.invitedAt ?? null,
      sso_subject: person.ssoSubject ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await giveRole(scope, id, role);
  return id;
}
