// Every hour: looks for the records of own domains. Those that wait are looked at each time for a week, those that are right once a day.
import type { JobModule } from '../../../platform/queue/job.ts';
import { lookUp, noteLooked, wantedRecords } from '../domains.ts';

interface Due {
  store_id: number;
  id: number;
  now: Date;
}

export const checkDomains: JobModule = {
  name: 'check-email-domains',
  cron: '23 * * * *',
  async run({ db, domainRecords, secrets }, _data: object, job) {
    const { rows } = await db.ownerQuery<Due>(
      `select d.store_id, d.id, now() + s.clock_offset_ms * interval '1 millisecond' as now
        from email_domains d join stores s on s.id = d.store_id
        where d.last_checked_at is null or d.last_checked_at < now() + s.clock_offset_ms * interval '1 millisecond'
          - case when d.status in ('NOT_VERIFIED', 'PENDING') and d.created_at > now() - interval '7 days'
            then interval '50 minutes' else interval '1 day' end
        order by d.store_id, d.id`,
    );
    for (const { store_id: storeId, id, now } of rows) {
      job.signal.throwIfAborted();
      const records = await db.inStore(storeId, trx => wantedRecords({ trx, storeId, secrets }, id));
      if (!records) continue;
      const looked = await lookUp(records, domainRecords);
      await db.inStore(storeId, trx => noteLooked(trx, { storeId, id, at: now }, looked));
    }
  },
};
