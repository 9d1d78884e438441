// The reasons that a new store begins with. Each can be changed, switched off and, but for the last, deleted.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';

const DAY = 86_400_000;
type Given = JsonObject & { title: string };

const suggestion = (id: string, title: string, description: string, ctaText: string, action: string, input: JsonObject): JsonObject => ({
  id,
  title,
  description,
  ctaText,
  actions: [{ action, input }],
});
const SKIP = suggestion('skip', 'Skip the next order', 'Nothing is charged until the one after it.', 'Skip it', 'SKIP_ORDER', {
  count: 1,
  notify: true,
});
const pauseFor = (months: number): JsonObject =>
  suggestion('pause', `Pause for ${months} months`, 'Orders begin again by themselves.', 'Pause', 'PAUSE_SUBSCRIPTION', {
    until: 'DURATION',
    intervalCount: months,
    intervalType: 'MONTH',
    notify: true,
  });

export const DEFAULT_REASONS: readonly Given[] = [
  { title: 'Too expensive' },
  { title: 'I have too much of it', responseMode: 'TREATMENTS', treatments: [SKIP, pauseFor(2)] },
  { title: 'I only wanted to try it' },
  { title: 'I am moving or travelling', responseMode: 'TREATMENTS', treatments: [pauseFor(3)] },
  { title: 'I found another product', commentLabel: 'Which one, and why?' },
  { title: 'I did not like it', commentLabel: 'What did you not like?' },
  { title: 'Shipping takes too long', commentLabel: 'What went wrong?' },
  { title: 'Payment problems', audience: 'TEAM' },
  { title: 'Out of stock', audience: 'TEAM' },
  { title: 'Created by mistake', audience: 'TEAM' },
  { title: 'Other', isSystem: true, commentLabel: 'What could we do better?' },
];

/** Writes reasons of a store, in this order and switched on. Safe to repeat: a title that is there stays as it is. */
export async function writeReasons(
  trx: Kysely<Tables>,
  storeId: number,
  by: string,
  reasons: readonly Given[],
  now: number,
): Promise<void> {
  const at = new Date(now - 200 * DAY);
  const rows = reasons.map((reason, i) => ({
    position: i + 1,
    data: { status: 'ACTIVE', audience: 'EVERYBODY', responseMode: 'COMMENT', commentRequired: false, isSystem: false, ...reason },
  }));
  await sql`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
    select ${storeId}::integer, 'cancellation-reason', (r ->> 'position')::integer, r -> 'data', ${at}::timestamptz,
      ${at}::timestamptz, ${by}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) r
    where not exists (select from records o where o.store_id = ${storeId}::integer and o.entity = 'cancellation-reason'
      and o.deleted_at is null and lower(o.data ->> 'title') = lower(r -> 'data' ->> 'title'))`.execute(trx);
}
