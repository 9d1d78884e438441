// Gift programs as the engine reads them: what can be given, for how many orders and at which price.
import { sql } from 'kysely';
import type { GiftPlan, GiftProgram } from '../../../generated/entities.ts';
import type { EngineContext } from '../context.ts';

export type Program = Pick<GiftProgram, 'name' | 'status' | 'shippingMode' | 'shippingPricePerOrder' | 'variantIds'> & {
  id: number;
  plans: GiftPlan[];
};
export type Reading = Pick<EngineContext, 'trx' | 'storeId'>;

async function programs({ trx, storeId }: Reading, which: ReturnType<typeof sql>): Promise<Program[]> {
  const { rows } = await sql<{ id: number; data: Omit<Program, 'id'> }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'gift-program' and deleted_at is null and ${which} order by id`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id }));
}

/** The programs that are on. */
export const programsOn = (context: Reading): Promise<Program[]> => programs(context, sql`data ->> 'status' = 'ACTIVE'`);

/** A program that is on or off; undefined for one that was deleted. */
export const programOf = async (context: Reading, id: number): Promise<Program | undefined> =>
  (await programs(context, sql`id = ${id}::bigint`))[0];
