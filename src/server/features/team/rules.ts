// The team and its roles: support staff of the product's maker and removed members are hidden from all.
import { sql } from 'kysely';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { rules } from '../../platform/records/rules.ts';
import { grantErrors } from '../../platform/auth/grants.ts';
import { RANK, type UserType } from '../../platform/auth/permissions.ts';
import { listErrors, grantsOfType, isGrants, withDependencies, type Grant } from './grants.ts';
import { forbidden, needUser, rightsOf } from './members.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

/** People who have the role `r`: by its id, or by their type where it is one of the product's. */
const people = sql`(select count(*) from users u where u.store_id = r.store_id and u.removed_at is null
  and case when r.data ->> 'systemType' is null then u.role_id = r.id else u.role_id is null and u.type = r.data ->> 'systemType' end)`;

export const user = rules({
  // One owner, so many people.
  oneAtATime: true,
  scope: () => sql`(r.removed_at is null and r.type <> 'LOOP_USER')`,
  columns: () => ({
    isStoreOwner: sql`(r.type = 'OWNER')`,
    name: sql`coalesce(nullif(trim(r.first_name || ' ' || r.last_name), ''), r.email)`,
    state: sql`(case when r.invited_at is not null and r.last_active_at is null then 'INVITED' else 'ACTIVE' end)`,
    roleName: sql`coalesce((select role.data ->> 'name' from records role where role.store_id = r.store_id and role.entity = 'role'
      and role.id = r.role_id and role.deleted_at is null), initcap(r.type))`,
  }),
});

const SYSTEM = later`This is a standard role: it can’t be changed or deleted. Duplicate it and change the copy.`;
const refused = (message: string): Refusal => new Refusal(409, 'INVALID_STATE', message);

export const role = rules({
  columns: () => ({
    usersCount: people,
    kind: sql`(case when r.data ->> 'systemType' is null then 'CUSTOM' else 'SYSTEM' end)`,
  }),
  // What the standard roles give follows from the catalogue of areas, which grows with the product.
  derive: {
    needs: ['systemType', 'permissions'],
    members: ['permissions'],
    of: (roles, { definitions }) =>
      roles.map(({ systemType, permissions }) => ({
        permissions: (systemType === null || systemType === undefined
          ? permissions
          : grantsOfType(definitions, systemType as UserType)) as JsonObject['permissions'],
      })) as JsonObject[],
  },
  fill: (_verb, { record, input }, { definitions }): JsonObject => {
    const given = (record ?? input).permissions ?? [];
    // What is no list of permissions is the schema's to refuse.
    if (!isGrants(given)) return {};
    return { permissions: withDependencies(definitions, given) as JsonValue };
  },
  async validate(verb, { before, record, input }, context) {
    if (before?.isSystem === true) return refused(translated(SYSTEM));
    if (verb !== 'delete') return listErrors(context.definitions, (record?.permissions ?? []) as Grant[]);
    if (before?.isDefault === true) return refused(t`New people get this role. Make another one the role for new people first.`);
    const n = await peopleOf(context, Number(before?.id));
    if (n === 0) return undefined;
    const replacement = await roleOf(context, Number(input.replacementRoleId ?? 0));
    if (replacement && replacement.id !== before?.id && replacement.systemType !== 'OWNER') return undefined;
    const message =
      n === 1 ? t`Choose the role that the person who has this one gets.` : t`Choose the role that the ${n} people who have this one get.`;
    return [{ pointer: '/replacementRoleId', rule: 'required', message }];
  },
  async after(verb, { before, record, input }, context) {
    if (verb === 'delete') {
      const replacement = await roleOf(context, Number(input.replacementRoleId ?? 0));
      if (replacement)
        for (const { id } of await idsOf(context, Number(before?.id))) {
          refuseRole(context, replacement, rightsOf(context, await needUser(context, id, false)));
          await giveRole(context, id, replacement);
        }
    } else if (verb === 'update' && record)
      await sql`update users set role_permissions = ${JSON.stringify(record.permissions)}::jsonb
        where store_id = ${context.storeId} and role_id = ${Number(record.id)}`.execute(context.trx);
  },
});

async function idsOf({ trx, storeId }: Context, roleId: number): Promise<{ id: number }[]> {
  return (
    await sql<{
      id: number;
    }>`select id from users where store_id = ${storeId} and role_id = ${roleId} and removed_at is null order by id for update`.execute(trx)
  ).rows;
}
const peopleOf = async (context: Context, roleId: number): Promise<number> => (await idsOf(context, roleId)).length;

export interface RoleRow {
  id: number;
  name: string;
  systemType: UserType | null;
  permissions: Grant[];
}

/** A role of the store; undefined where there is none. */
export async function roleOf({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, id: number): Promise<RoleRow | undefined> {
  const { rows } = await sql<{ id: number; data: Omit<RoleRow, 'id'> }>`select id, data from records
    where store_id = ${storeId} and entity = 'role' and id = ${id} and deleted_at is null`.execute(trx);
  return rows[0] && { ...rows[0].data, id: rows[0].id, systemType: rows[0].data.systemType ?? null };
}

/**
 * Refuses a role that gives more than its giver holds; `had` is what its person could do before, which may stay.
 * @throws Refusal 403
 */
export function refuseRole(context: Context, given: Pick<RoleRow, 'systemType' | 'permissions'>, had: readonly Grant[] = []): void {
  if (given.systemType === 'OWNER') throw forbidden(t`A store has one owner. The owner can hand the store over to another person.`);
  if (given.systemType === 'ADMIN' && RANK[context.user.type as UserType] < RANK.OWNER)
    throw forbidden(t`Only the owner can make a user an admin.`);
  const permissions = given.systemType === null ? given.permissions : grantsOfType(context.definitions, given.systemType);
  const list = (grants: readonly Grant[]): JsonObject => ({ permissions: grants as unknown as JsonValue });
  const [error] = grantErrors(context, context.definitions.entities.role as Schema, list(permissions), list(had));
  if (error) throw forbidden(error.message);
}

/** Gives a person a role; ask `refuseRole` first. What was set for the person besides the former role does not go along. */
export async function giveRole({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, userId: number, given: RoleRow): Promise<void> {
  await sql`update users set type = ${given.systemType ?? 'MEMBER'}, permissions = '{}'::jsonb,
      role_id = ${given.systemType === null ? given.id : null}::bigint,
      role_permissions = ${given.systemType === null ? JSON.stringify(given.permissions) : null}::jsonb
    where store_id = ${storeId} and id = ${userId}`.execute(trx);
}
