// Every minute: campaigns whose time has come begin, their letters are written, and those whose time is over end.
import { sql } from 'kysely';
import { CAMPAIGNS, lettersLeft, writeLetters } from '../campaign-letters.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { storesWhere } from '../../../platform/queue/stores-now.ts';

export const campaigns: JobModule = {
  name: CAMPAIGNS,
  cron: '* * * * *',
  async run(services, _data: object, job) {
    const { db } = services;
    const toWrite: { storeId: number; campaignId: number }[] = [];
    const stores = await storesWhere(
      db,
      `exists (select from records r where r.store_id = s.id and r.entity = 'campaign' and r.deleted_at is null
        and r.data ->> 'status' in ('SCHEDULED', 'ACTIVE'))
        or exists (select from campaign_members m where m.store_id = s.id and m.letter in ('NEW', 'WAITING'))`,
    );
    for (const { id, now } of stores) {
      job.signal.throwIfAborted();
      await db.inStore(id, async trx => {
        await sql`update records r set version = version + 1, updated_at = ${now}::timestamptz, data = data || jsonb_build_object('status',
            case when (data ->> 'endAt')::timestamptz <= ${now}::timestamptz then 'COMPLETED' else 'ACTIVE' end)
          where store_id = ${id}::integer and entity = 'campaign' and deleted_at is null
            and (data ->> 'status' in ('SCHEDULED', 'ACTIVE') and (data ->> 'endAt')::timestamptz <= ${now}::timestamptz
              or data ->> 'status' = 'SCHEDULED' and (data ->> 'startAt')::timestamptz <= ${now}::timestamptz)`.execute(trx);
        toWrite.push(...(await lettersLeft({ trx, storeId: id })));
      });
    }
    // Some at a time; what is left when many wait to be sent is written in the next minute.
    for (const campaign of toWrite)
      for (let more = true; more;) {
        job.signal.throwIfAborted();
        more = await db.inStore(campaign.storeId, trx => writeLetters(services, trx, campaign), { timeoutMs: 60_000 });
        await job.progressed();
      }
  },
};
