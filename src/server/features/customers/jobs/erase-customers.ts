// Erases what is left of customers in all tables of their store, and goes on with what a killed process left.
import type { JobModule } from '../../../platform/queue/job.ts';
import type { RunData } from '../../../platform/queue/system-run.ts';
import { ERASE_JOB, runErase } from '../privacy/erase-run.ts';
import { ERASE } from '../privacy/erase-steps.ts';

export const eraseCustomers: JobModule = {
  name: ERASE_JOB,
  cron: '*/10 * * * *',
  atStart: true,
  async run(services, data: Partial<RunData>, job) {
    const { storeId, runId } = data;
    if (storeId !== undefined && runId !== undefined) return runErase(services, { storeId, runId }, job);
    const { rows } = await services.db.ownerQuery<{ store_id: number; id: number }>(
      'select store_id, id from runs where store_id = any(array(select id from stores)) and kind = $1 ' +
        "and status in ('QUEUED', 'IN_PROGRESS')",
      [ERASE],
    );
    for (const row of rows)
      await services.queue.send(ERASE_JOB, { storeId: row.store_id, runId: row.id }, { singletonKey: `${ERASE_JOB}-${row.store_id}` });
    return undefined;
  },
};
