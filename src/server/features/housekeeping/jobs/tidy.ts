// Deletes what has done its duty, and empties what is kept for less long than its row (platform/records/retention.ts).
import { BatchSize } from '../../../platform/queue/batch-size.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import type { Job } from '../../../platform/queue/queue.ts';
import { OWN } from '../../../platform/records/retention.ts';
import type { Services } from '../../../platform/services.ts';

/** Rows that one statement changes: a bulk action may have a quarter of a million. */
const ROWS = { min: 200, most: 5000 };

/** @throws what `signal` is aborted with, between two statements */
export async function deleteOutlived(
  { db, retention }: Pick<Services, 'db' | 'retention'>,
  { signal }: Pick<Job<object>, 'signal'>,
): Promise<void> {
  for (const { table, over, empty } of [...OWN, ...retention]) {
    const start = empty ? `update ${table} set ${empty}` : `delete from ${table}`;
    const batchSize = new BatchSize(db, ROWS.most, { min: ROWS.min });
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      const size = batchSize.next();
      const { affected } = await batchSize.timed(() =>
        db.ownerQuery(`${start} where ctid = any(array(select r.ctid from ${table} r where ${over} limit ${size}))`),
      );
      isMore = affected >= size;
    }
  }
}

export const tidy: JobModule = { name: 'tidy', cron: '17 * * * *', run: (services, _data, job) => deleteOutlived(services, job) };
