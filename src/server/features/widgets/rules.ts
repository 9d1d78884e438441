// What stands around widgets and the themes that they stand in.
import { sql } from 'kysely';
import { rules } from '../../platform/records/rules.ts';

const blocks = sql`(select coalesce(array_agg(distinct b.block order by b.block), '{}') from theme_templates t, unnest(t.blocks) b(block)
  where t.store_id = r.store_id and t.theme_id = r.id)`;

export const storeTheme = rules({
  columns: () => ({
    blocks: sql`to_jsonb(${blocks})`,
    isBlockAdded: sql`${blocks} <> '{}'`,
  }),
});
