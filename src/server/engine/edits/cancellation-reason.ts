// The reason of a cancellation as a user of the store or a program gives it: one of the store's own that is on.
import { sql } from 'kysely';
import { invalid } from '../../platform/context.ts';
import type { EngineContext } from '../context.ts';
import { t } from '../../../domain/text/t.ts';
import { nameKey } from '../../../domain/text/names.ts';

/**
 * The title of a reason as the store writes it. Whom its conditions are for does not matter here: the team may choose each.
 * @throws Refusal 422 for one that is not there or off, with those that are on
 */
export async function reasonOf({ trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>, given: string): Promise<string> {
  const { rows } = await sql<{ title: string }>`select data ->> 'title' as title from records where store_id = ${storeId}::integer
    and entity = 'cancellation-reason' and deleted_at is null and data ->> 'status' = 'ACTIVE' order by position, id`.execute(trx);
  const found = rows.find(({ title }) => nameKey(title) === nameKey(given));
  if (found) return found.title;
  const message = rows.length
    ? t`Choose one of the store's reasons: ${rows.map(row => row.title).join(', ')}.`
    : t`No cancellation reason is on. Turn one on under Cancellation flows.`;
  throw invalid([{ pointer: '/cancellationReason', rule: 'enum', message }]);
}
