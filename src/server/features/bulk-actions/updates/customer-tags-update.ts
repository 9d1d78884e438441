// Gives all customers the tags that their subscriptions and the settings say (C180), in steps of some hundred.
import { sql } from 'kysely';
import { readSettings, retagCustomers } from '../../../engine/index.ts';
import type { StepwiseUpdate } from './contract-update.ts';

export const RECALCULATE_CUSTOMER_TAGS = 'RECALCULATE_CUSTOMER_TAGS';

export const customerTags: StepwiseUpdate = {
  kind: RECALCULATE_CUSTOMER_TAGS,
  async candidates(trx, storeId, after, limit) {
    const { rows } = await sql<{
      id: number;
    }>`select id from customers where store_id = ${storeId}::integer and id > ${after}::bigint order by id limit ${limit}`.execute(trx);
    return rows.map(row => row.id);
  },
  async count(trx, storeId) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from customers where store_id = ${storeId}::integer`.execute(trx);
    return Number(rows[0]?.n ?? 0);
  },
  async step(context, ids) {
    const { tags } = await readSettings(context);
    const changed = await retagCustomers(context.trx, context.storeId, ids, tags, context.now());
    return { changed, skipped: [] };
  },
};
