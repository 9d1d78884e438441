// Deletes what has done its duty: idempotency keys after a day, sign-in links, attempts and sessions that ended, rows of bulk actions after a month.
import { KEPT_DAYS } from '../bulk/record.ts';
import { KEPT_HOURS } from '../http/idempotency.ts';
import type { JobModule } from '../jobs.ts';

const STATEMENTS = [
  `delete from idempotency_keys where created_at < now() - interval '${KEPT_HOURS} hours'`,
  "delete from login_attempts where at < now() - interval '1 hour'",
  "delete from login_links where expires_at < now() - interval '1 day'",
  "delete from sessions where expires_at < now() - interval '30 days' or revoked_at < now() - interval '30 days'",
  // The account log is kept for twelve months.
  "delete from account_log where created_at < now() - interval '12 months'",
  // Result files of bulk actions, and drafts that nobody started.
  `delete from bulk_action_rows r using bulk_actions b where b.store_id = r.store_id and b.id = r.bulk_action_id and b.finished_at < now() - interval '${KEPT_DAYS} days'`,
  `delete from bulk_actions where status = 'DRAFT' and updated_at < now() - interval '${KEPT_DAYS} days'`,
];

export const tidy: JobModule = {
  name: 'tidy', cron: '17 * * * *',
  async run(services, _data, job) {
    for (const statement of STATEMENTS) {
      job.signal.throwIfAborted();
      await services.db.ownerQuery(statement);
    }
  },
};
