// Saved views of lists: private to their maker, or shared with the store.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { rules } from '../../platform/records/rules.ts';
import { t } from '../../../domain/text/t.ts';
import { nameKey } from '../../../domain/text/names.ts';
import { nameKeySql } from '../../platform/records/name-key.ts';

/** Views per person and store; more are refused. */
const MAX_VIEWS = 200;
const ownerId = sql`(r.data ->> 'ownerId')::bigint`;
const isShared = sql`(r.data ->> 'isShared')::boolean`;

export const savedView = rules({
  scope: ({ user }) => sql`(${isShared} or ${ownerId} = ${user.id})`,
  derive: { needs: ['ownerId'], members: ['isMine'], of: (views, { user }) => views.map(view => ({ isMine: view.ownerId === user.id })) },
  fill: (verb, _written, { user }): JsonObject => (verb === 'create' ? { ownerId: user.id, ownerName: user.name } : {}),
  async validate(verb, { before, record }, context) {
    if (before && before.ownerId !== context.user.id && context.user.type === 'MEMBER')
      return new Refusal(
        403,
        'FORBIDDEN',
        t`Only ${String(before.ownerName)} or an admin can change this shared view. Save it under another name instead.`,
      );
    if (verb === 'create' && (await countOwn(context)) >= MAX_VIEWS)
      return new Refusal(422, 'VALIDATION', t`You have ${MAX_VIEWS} saved views. Delete one before you save another.`);
    return record && (await refuseSameName(context, record));
  },
});

async function countOwn({ trx, storeId, user }: Context): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from records as r where r.store_id = ${storeId} and r.entity = 'saved-view' and r.deleted_at is null
      and ${ownerId} = ${user.id}`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** One name per list and person, and one among the shared ones. */
async function refuseSameName({ trx, storeId, user }: Context, view: JsonObject): Promise<Refusal | undefined> {
  const { rows } = await sql`select 1 from records as r where r.store_id = ${storeId} and r.entity = 'saved-view' and r.deleted_at is null
        and r.id <> ${Number(view.id ?? 0)}
    and r.data ->> 'route' = ${String(view.route)} and ${nameKeySql(sql`r.data ->> 'name'`)} = ${nameKey(String(view.name))}
    and (${ownerId} = ${user.id} or (${view.isShared === true} and ${isShared})) limit 1`.execute(trx);
  if (rows.length === 0) return undefined;
  const message = t`A view named "${String(view.name)}" exists already. Choose another name.`;
  return new Refusal(409, 'TAKEN', message, [{ pointer: '/name', rule: 'unique', message }]);
}
