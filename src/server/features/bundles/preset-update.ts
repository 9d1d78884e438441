// The update that brings subscriptions to what a preset bundle holds (C182): one of a store at a time, and its bundles stay as they are
// meanwhile.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { type Aggregate, performOne, type UnitOfWork } from '../../engine/index.ts';
import { readBundles } from './catalogue.ts';
import type { BundleChildChange } from '../../../generated/entities.ts';
import { applyPreset } from './preset-changes.ts';
import { PRESET_UPDATE } from './rules.ts';

interface Outcome {
  contractId: number;
  changed: boolean;
  skipped?: string;
}

const bundled = sql`status in ('ACTIVE', 'PAUSED') and bundle_ids is not null`;

export const presetBundles = {
  kind: PRESET_UPDATE,
  async candidates(trx: Kysely<Tables>, storeId: number, after: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id from contracts where store_id = ${storeId}::integer and ${bundled}
      and id > ${after}::bigint order by id limit ${limit}::integer`.execute(trx);
    return rows.map(row => row.id);
  },
  async count(trx: Kysely<Tables>, storeId: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from contracts where store_id = ${storeId}::integer
      and ${bundled}`.execute(trx);
    return rows[0]?.n ?? 0;
  },
  async apply(work: UnitOfWork, aggregates: readonly Aggregate[], input: JsonObject): Promise<Outcome[]> {
    const [bundle] = await readBundles(work.context, { ids: [Number(input.bundleId)] });
    const outcomes: Outcome[] = [];
    for (const subscription of aggregates) {
      const contractId = subscription.contract.id;
      await work.loadVariants([subscription]);
      const done = await performOne(work, subscription, {
        action: null,
        apply: async () =>
          bundle !== undefined && (await applyPreset(work, subscription, bundle, input.changes as BundleChildChange[] | undefined)),
      });
      outcomes.push('refused' in done ? { contractId, changed: false, skipped: done.refused } : { contractId, changed: done.result });
    }
    return outcomes;
  },
};
