// Records that people make for themselves and may share with the store: saved views, charts of their own.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { Refusal, type Context } from '../context.ts';
import type { Rules, Written, WriteVerb } from './rules.ts';

export const ownerId = sql`(r.data ->> 'ownerId')::bigint`;
export const isShared = sql`coalesce((r.data ->> 'isShared')::boolean, false)`;

export interface Owned {
  entity: string;
  /** Records per person and store; more are refused. */
  most: number;
  tooMany(): string;
  /** `maker` is the name of the person who made it. */
  notYours(maker: string): string;
}

/** Refuses changes of what another person made, and more records than a person may have. @returns Refusal 403, 422 */
export async function ownedRefusal(
  { entity, most, tooMany, notYours }: Owned,
  verb: WriteVerb,
  { before }: Written,
  context: Context,
): Promise<Refusal | undefined> {
  if (before && before.ownerId !== context.user.id && context.user.type === 'MEMBER')
    return new Refusal(403, 'FORBIDDEN', notYours(String(before.ownerName)));
  if (verb === 'create' && (await countOwn(context, entity)) >= most) return new Refusal(422, 'VALIDATION', tooMany());
  return undefined;
}

async function countOwn({ trx, storeId, user }: Context, entity: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from records as r where r.store_id = ${storeId} and r.entity = ${entity}
      and r.deleted_at is null and ${ownerId} = ${user.id}`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** They are there for their maker and, once shared, for all; the maker is written down when they are made. */
export const OWNED = {
  scope: ({ user }) => sql`(${isShared} or ${ownerId} = ${user.id})`,
  derive: { needs: ['ownerId'], members: ['isMine'], of: (all, { user }) => all.map(one => ({ isMine: one.ownerId === user.id })) },
  fill: (verb, _written, { user }): JsonObject => (verb === 'create' ? { ownerId: user.id, ownerName: user.name } : {}),
} satisfies Rules;
