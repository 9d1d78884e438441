// Result files of bulk actions, and drafts that were not started.
import type { Retention } from '../../platform/records/retention.ts';
import { KEPT_DAYS } from './bulk-record.ts';

const isOldDraft = (bulk: string): string => `(${bulk}.status = 'DRAFT' and ${bulk}.updated_at < now() - interval '${KEPT_DAYS} days')`;

export const retention: Retention[] = [
  {
    table: 'bulk_action_rows',
    over: `exists (select from bulk_actions b where b.store_id = r.store_id and b.id = r.bulk_action_id
      and (b.finished_at < now() - interval '${KEPT_DAYS} days' or ${isOldDraft('b')}))`,
  },
  { table: 'bulk_actions', over: isOldDraft('r') },
];
