// What the engine needs of the shipping profiles of a store, kept in its details.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';

/** Writes the profiles of a store into its details again. Safe to repeat; in the transaction of what changed them. */
export async function keepProfiles(trx: Kysely<Tables>, storeId: number): Promise<void> {
  await sql`select 1 from stores where id = ${storeId}::integer for update`.execute(trx);
  await sql`update stores set details = jsonb_set(coalesce(details, '{}'), '{shippingProfiles}', coalesce((
    select jsonb_agg(jsonb_build_object('id', r.id) || r.data order by r.id) from records r
      where r.store_id = ${storeId}::integer and r.entity = 'shipping-profile' and r.deleted_at is null), '[]'))
    where id = ${storeId}::integer`.execute(trx);
}
