// Deletes what belonged to a record that is gone.
import type { JobModule } from '../../../platform/queue/job.ts';
import { DELETE_JOB, deleteRows as deleteAll, type RowsOf } from '../../../platform/queue/delete-rows.ts';

export const deleteRows: JobModule = {
  name: DELETE_JOB,
  run: ({ db }, data: RowsOf, job) => deleteAll(db, data, job),
};
