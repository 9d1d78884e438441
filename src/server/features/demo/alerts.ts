// The alerts of a freshly seeded store: what the checks of the alert center find in its rows.
import type { Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { CHECKS } from '../alerts/catalogue.ts';
import { runCheck, scopeOf } from '../alerts/raise.ts';

/** The demo stores' plan sets no limit, so that no plan is needed to check for one. */
export async function raiseAlerts(trx: Kysely<Tables>, storeId: number, now: number): Promise<void> {
  const store = await trx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirstOrThrow();
  const scope = scopeOf(trx, store, new Date(now), []);
  // A new store has not been checked yet, and no job is due that would check it.
  for (const check of CHECKS) await runCheck(scope, check);
}
