// How often an upgrade was shown in the checkout, and how often it was bought.
import { sql } from 'kysely';
import type { EngineContext } from '../../engine/index.ts';

export type UpgradeEvent = 'VIEW' | 'PURCHASE';
type Scope = Pick<EngineContext, 'trx' | 'storeId'>;

/** Notes that upgrades were shown or bought; each of the list counts. */
export async function noteUpgrades(context: Scope & Pick<EngineContext, 'now'>, kind: UpgradeEvent, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { trx, storeId, now } = context;
  await sql`insert into checkout_upgrade_events (store_id, upgrade_id, kind, at)
    select ${storeId}::integer, id, ${kind}, ${now()}::timestamptz from unnest(${[...ids]}::bigint[]) as u(id)`.execute(trx);
}

export interface UpgradeFigures {
  views: number;
  purchases: number;
}
/** Of each upgrade, so far. */
export async function upgradeFigures({ trx, storeId }: Scope, ids: readonly number[]): Promise<Map<number, UpgradeFigures>> {
  const { rows } = await sql<UpgradeFigures & { id: number }>`select upgrade_id as id,
      count(*) filter (where kind = 'VIEW')::integer as views, count(*) filter (where kind = 'PURCHASE')::integer as purchases
    from checkout_upgrade_events where store_id = ${storeId}::integer and upgrade_id = any(${[...ids]}::bigint[]) group by 1`.execute(trx);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}
