// Attempts to cancel: what is kept of each, and when one counts as saved.
import { sql, type RawBuilder } from 'kysely';
import { invalidState, notFound, type Context } from '../../platform/context.ts';
import type { Variant } from '../../../domain/experiments/experiment.ts';
import { later, t } from '../../../domain/text/t.ts';
import { nameKey } from '../../../domain/text/names.ts';
import { nameKeySql } from '../../platform/records/name-key.ts';

/** An attempt that is left open counts as one that stayed after a day. */
export const STAYED = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(outcome = 'SAVED' or (outcome = 'OPEN' and started_at <= ${now}::timestamptz - interval '24 hours'))`;

export interface Attempt {
  id: number;
  contract_id: number;
  customer_id: number;
  source: string;
  is_arl: boolean;
  benefit_id: number | null;
  reason_id: number | null;
  reason: string | null;
  offer_id: number | null;
  outcome: 'OPEN' | 'SAVED' | 'CANCELLED';
}

/** Locks an attempt that is still open. @throws Refusal 404; 409 where it has ended */
export async function needOpen({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, id: number): Promise<Attempt> {
  const { rows } = await sql<Attempt>`select id, contract_id, customer_id, source, is_arl, benefit_id, reason_id, reason, offer_id, outcome
    from cancellation_attempts where store_id = ${storeId}::integer and id = ${id}::bigint for update`.execute(trx);
  const [found] = rows;
  if (!found) throw notFound(later`attempt`);
  if (found.outcome !== 'OPEN') throw invalidState(t`This attempt has ended. Begin again from the subscription.`);
  return found;
}

/** Columns of an attempt that an answer sets. */
export type Answered = Partial<
  Record<'benefit_outcome' | 'treatment_outcome' | 'offer_outcome', 'ACCEPTED' | 'REJECTED'> & {
    reason_id: number | null;
    reason: string | null;
    treatment: string;
    offer_id: number;
    comment: string | null;
    outcome: 'SAVED' | 'CANCELLED';
  }
>;

export async function writeAnswer(
  { trx, storeId, now }: Pick<Context, 'trx' | 'storeId' | 'now'>,
  id: number,
  answered: Answered,
): Promise<void> {
  const ended = answered.outcome ? { finished_at: now() } : {};
  await trx
    .updateTable('cancellation_attempts')
    .set({ ...answered, ...ended })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute();
}

/** Notes which variant an attempt showed, and gives the customer its tag. */
export async function noteVariant(
  { trx, storeId }: Pick<Context, 'trx' | 'storeId'>,
  { id, customer_id: customerId }: Pick<Attempt, 'id' | 'customer_id'>,
  part: { experiment: { id: number; controlTag: string; variantTag: string }; variant: Variant } | undefined,
): Promise<void> {
  if (!part) return;
  const { experiment, variant } = part;
  await sql`update cancellation_attempts set variants = variants || ${JSON.stringify({ [experiment.id]: variant })}::jsonb
    where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
  const tag = variant === 'A' ? experiment.controlTag : experiment.variantTag;
  await sql`update customers set tags = tags || ${tag}::text, version = version + 1
    where store_id = ${storeId}::integer and id = ${customerId}::bigint 
      and not exists (select 1 from unnest(tags) one where ${nameKeySql(sql`one`)} = ${nameKey(tag)})`.execute(trx);
}
