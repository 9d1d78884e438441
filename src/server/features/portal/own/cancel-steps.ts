// Where an attempt of a customer to cancel stands: what was kept of it, and which step is next.
import { sql } from 'kysely';
import type { Flow, Reason } from '../../cancellation-flows/flow.ts';
import type { Portal } from '../portal.ts';

export interface Kept {
  id: number;
  outcome: 'OPEN' | 'SAVED' | 'CANCELLED';
  is_arl: boolean;
  benefit_id: number | null;
  benefit_outcome: string | null;
  reason_id: number | null;
  offer_outcome: string | null;
  /** Null: they were not asked yet. */
  comment: string | null;
}
/** REASON: what helps with the reason that was chosen, and room for a comment. */
export type Step = 'BENEFIT' | 'REASONS' | 'REASON' | 'OFFER' | 'CONFIRM';

/** The attempt of an address; without an id the latest one of the last day. Undefined: there is none of this customer. */
export async function attemptOf({ context, subscription }: Portal, id: number | undefined): Promise<Kept | undefined> {
  const which =
    id === undefined ? sql`outcome = 'OPEN' and started_at > ${context.now()}::timestamptz - interval '24 hours'` : sql`id = ${id}::bigint`;
  const { rows } = await sql<Kept>`select id, outcome, is_arl, benefit_id, benefit_outcome, reason_id, offer_outcome, comment
    from cancellation_attempts where store_id = ${context.storeId}::integer and contract_id = ${subscription.contract.id}::bigint
      and source = 'CUSTOMER' and ${which} order by id desc limit 1`.execute(context.trx);
  return rows[0];
}

export const reasonOf = (flow: Flow, { reason_id: id }: Pick<Kept, 'reason_id'>): Reason | undefined =>
  flow.reasons.find(one => one.id === id);

/**
 * The first step that was not answered yet. Where automatic renewal laws hold one thing alone stands before the end: no suggestions, no
 * comment, and a reason may be left out.
 */
export function stepAt(flow: Flow, kept: Kept): Step {
  const reason = reasonOf(flow, kept);
  for (const step of flow.steps) {
    if (step === 'BENEFIT' && kept.benefit_outcome === null) return step;
    if (step === 'REASONS' && !reason && !(flow.isArl && kept.comment !== null)) return step;
    if (step === 'REASONS' && !flow.isArl && kept.comment === null) return 'REASON';
    if (step === 'OFFER' && kept.offer_outcome === null && (flow.isArl ? flow.offer : reason?.offer)) return step;
  }
  return 'CONFIRM';
}
