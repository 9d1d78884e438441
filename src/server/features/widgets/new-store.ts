// The widget that a store begins with: the standard look, on its product pages, so that a plan shows as soon as it is published.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { Beginning } from '../../platform/auth/open-store.ts';
import { ENTITY_OF } from './mappings.ts';

const TYPE = 'PRODUCT';
/** Only the team reads it. */
const NAME = 'Subscription widget';

/** With the place for it on the product pages of the theme that shoppers see. In version 1 it is a snippet, which merchants put there. */
export const begin: Beginning = async (trx, { entities }, { storeId, email }, widgetVersion) => {
  if (widgetVersion < 2) return;
  const entity = ENTITY_OF[TYPE];
  const fields = entities[entity]?.properties ?? {};
  const part = (name: string): JsonObject => withDefaults<JsonObject>(fields[name] ?? {}, {});
  const data = {
    name: NAME,
    type: TYPE,
    status: 'ACTIVE',
    isCustomised: false,
    preferences: part('preferences'),
    styles: part('styles'),
    texts: part('texts'),
  };
  await sql`with places as (
      update theme_templates t set blocks = array_append(t.blocks, ${TYPE}::text) from store_themes h
      where h.store_id = t.store_id and h.id = t.theme_id and h.role = 'MAIN' and t.store_id = ${storeId}::integer and t.type = ${TYPE}
      returning t.theme_id, t.key),
    widget as (
      insert into records (store_id, entity, position, data, updated_by)
      values (${storeId}::integer, ${entity}, 1, ${JSON.stringify(data)}::jsonb, ${email}) returning id)
    insert into widget_mappings (store_id, theme_id, template_key, type, widget_id, mapped_at)
    select ${storeId}::integer, p.theme_id, p.key, ${TYPE}::text, w.id, now() from places p, widget w`.execute(trx);
};
