// Once a day: stores that were opened at the sign-in page and that no one entered.
import type { JobModule } from '../../../platform/queue/job.ts';
import { deleteUnentered } from '../opened.ts';

export const deleteUnenteredStores: JobModule = {
  name: 'delete-unentered-stores',
  cron: '41 3 * * *',
  async run({ db }, _data: object, job) {
    while ((await deleteUnentered(db)) > 0) job.signal.throwIfAborted();
  },
};
