// Saved views of lists: private to their maker, or shared with the store.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { isShared, OWNED, ownedRefusal, ownerId, type Owned } from '../../platform/records/owned.ts';
import { rules } from '../../platform/records/rules.ts';
import { t } from '../../../domain/text/t.ts';
import { nameKey } from '../../../domain/text/names.ts';
import { nameKeySql } from '../../platform/records/name-key.ts';

const MAX_VIEWS = 200;
const VIEWS: Owned = {
  entity: 'saved-view',
  most: MAX_VIEWS,
  tooMany: () => t`You have ${MAX_VIEWS} saved views. Delete one before you save another.`,
  notYours: maker => t`Only ${maker} or an admin can change this shared view. Save it under another name instead.`,
};

export const savedView = rules({
  ...OWNED,
  validate: async (verb, written, context) =>
    (await ownedRefusal(VIEWS, verb, written, context)) ?? (written.record && (await refuseSameName(context, written.record))),
});

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
