// The team: support staff of the product's maker and removed members are not there, whoever asks.
import { sql } from 'kysely';
import { rules } from '../../platform/records/rules.ts';

export const user = rules({
  scope: () => sql`(r.removed_at is null and r.type <> 'LOOP_USER')`,
  columns: () => ({ isStoreOwner: sql`(r.type = 'OWNER')` }),
});
