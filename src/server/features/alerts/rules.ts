// The history of alerts, with names in place of addresses.
import { sql } from 'kysely';
import { rules } from '../../platform/records/rules.ts';

export const alertLog = rules({
  columns: () => ({
    by: sql`coalesce((select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) from users u
        where u.store_id = r.store_id and u.email = r.by_user limit 1), nullif(r.by_user, ''), 'System')`,
  }),
});
