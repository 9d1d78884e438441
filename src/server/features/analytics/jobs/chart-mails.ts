// Every five minutes: the charts of each store that are to be sent. Stores go one after the other, so that many charts of one hold up
// none of the others' work for long.
import { HAS_DUE, sendCharts } from '../mailed-charts.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { storesWhere } from '../../../platform/queue/stores-now.ts';

const CHART_MAILS_STORE = 'chart-mails-store';

export const chartMails: JobModule = {
  name: 'chart-mails',
  cron: '*/5 * * * *',
  async run({ db, queue }, _data: object, job) {
    for (const { id } of await storesWhere(db, HAS_DUE)) {
      job.signal.throwIfAborted();
      await queue.send(CHART_MAILS_STORE, { storeId: id }, { singletonKey: `${CHART_MAILS_STORE}-${id}` });
    }
  },
};

export const chartMailsStore: JobModule = {
  name: CHART_MAILS_STORE,
  run: (services, { storeId }: { storeId: number }, job) => sendCharts(services, storeId, job.signal),
};
