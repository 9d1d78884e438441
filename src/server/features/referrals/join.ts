// A store that was opened by a referral link: noted with the store that gave it.
import { sql, type Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { mayRefer } from '../../platform/auth/sessions.ts';
import { planOf } from '../../platform/auth/store-plan.ts';
import { writeLog } from '../../platform/records/account-log.ts';
import { newPublicId } from '../../platform/records/public-id.ts';
import type { OpenedStore } from '../../platform/auth/open-store.ts';
import { readRef } from './link.ts';

const actAs = (trx: Kysely<Tables>, storeId: number | ''): Promise<unknown> =>
  sql`select set_config('app.store', ${String(storeId)}, true)`.execute(trx);

/**
 * Notes the new store as joined with the store that referred it, in the transaction that makes it. An unknown code, or a store that may
 * not refer, changes nothing: the new store opens all the same.
 */
export async function joinByReferral(trx: Kysely<Tables>, definitions: Definitions, made: OpenedStore, ref: string): Promise<void> {
  const { domains, invitation } = readRef(ref);
  await actAs(trx, '');
  const referrer = await trx.selectFrom('stores').selectAll().where('myshopify_domain', 'in', domains).executeTakeFirst();
  const now = referrer && new Date(Date.now() + referrer.clock_offset_ms);
  if (referrer && now && mayRefer(planOf(definitions, referrer), now.getTime())) {
    await actAs(trx, referrer.id);
    const joined: JsonObject = { status: 'JOINED', storeName: made.name, joinedAt: now.toISOString() };
    const { rows: invited } = await sql<{ id: number }>`update records set data = data || ${JSON.stringify(joined)}::jsonb,
        version = version + 1, updated_at = now()
      where store_id = ${referrer.id}::integer and entity = 'referral' and deleted_at is null and data ->> 'status' = 'SENT'
        and (data ->> 'code' = ${invitation ?? ''} or lower(data ->> 'email') = lower(${made.email})) returning id`.execute(trx);
    const own: JsonObject = { ...joined, email: made.email, code: newPublicId('nano') };
    const { rows } = invited.length
      ? { rows: invited }
      : await sql<{ id: number }>`insert into records (store_id, entity, position, data, updated_by)
          select ${referrer.id}::integer, 'referral', coalesce(max(position), 0) + 1, ${JSON.stringify(own)}::jsonb, ''
          from records where store_id = ${referrer.id}::integer and entity = 'referral' returning id`.execute(trx);
    const id = rows[0]?.id ?? 0;
    await writeLog(trx, referrer.id, {
      action: 'referral.joined',
      category: 'Store',
      description: `${made.name} joined by your link`,
      entity: 'referral',
      entityId: id,
    });
    await actAs(trx, made.storeId);
    await sql`update stores set details = details || ${JSON.stringify({ referral: { storeId: referrer.id, id } })}::jsonb
      where id = ${made.storeId}::integer`.execute(trx);
  }
  await actAs(trx, made.storeId);
}
