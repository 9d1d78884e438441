// Deletes what has done its duty: idempotency keys after a day, sign-in links, attempts and sessions that ended.
import { KEPT_HOURS } from '../http/idempotency.ts';
import type { JobModule } from '../jobs.ts';

const STATEMENTS = [
  `delete from idempotency_keys where created_at < now() - interval '${KEPT_HOURS} hours'`,
  "delete from login_attempts where at < now() - interval '1 hour'",
  "delete from login_links where expires_at < now() - interval '1 day'",
  "delete from sessions where expires_at < now() - interval '30 days' or revoked_at < now() - interval '30 days'",
  // The account log is kept for twelve months.
  "delete from account_log where created_at < now() - interval '12 months'",
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
