// Files and rows of imports.
import type { Retention } from '../../platform/records/retention.ts';
import { KEPT_DAYS } from './import/import-record.ts';

/** Imports that have been over, or waited to be started, for so long that their file and rows are no longer needed. */
const isOver = (one: string): string => `${one}.status not in ('CHECKING', 'IN_PROGRESS', 'UNDOING')
  and coalesce(${one}.finished_at, ${one}.updated_at) < now() - interval '${KEPT_DAYS} days'`;

export const retention: Retention[] = [
  {
    table: 'subscription_import_rows',
    over: `exists (select from subscription_imports i where i.store_id = r.store_id and i.id = r.import_id and ${isOver('i')})`,
  },
  { table: 'subscription_imports', over: `r.content is not null and ${isOver('r')}`, empty: 'content = null' },
];
