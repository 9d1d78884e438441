// Themes of the customer portal: a new one begins as a copy of the live one, and one is live at any time.
import { sql } from 'kysely';
import { same } from '../../../contract/paths.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import { invalidState, type Context } from '../../platform/context.ts';
import { newPublicId } from '../../platform/records/public-id.ts';
import { rules } from '../../platform/records/rules.ts';
import { ENTITY, type ThemeSection } from '../../platform/portal-look/theme.ts';
import { t, translated } from '../../../domain/text/t.ts';

const COPIED = ['sections', 'styles', 'followsDarkMode', 'customCss'] as const;

interface Live {
  id: number;
  nanoId: string;
  data: JsonObject;
}
async function liveRow({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>): Promise<Live | undefined> {
  const { rows } =
    await sql<Live>`select id::float8 as id, data ->> 'nanoId' as "nanoId", data from records where store_id = ${storeId}::integer
    and entity = ${ENTITY} and deleted_at is null and data ->> 'status' = 'LIVE' for update`.execute(trx);
  return rows[0];
}

/** Sections keep their ids over a change: translations are kept by them. */
const numbered = (given: JsonValue | undefined): ThemeSection[] =>
  (Array.isArray(given) ? (given as ThemeSection[]) : []).map(one => ({
    ...one,
    id: one.key === 'custom_section' ? one.id || newPublicId('nano') : one.key,
  }));

/** Every section of the product stands there once, or not at all. */
function sectionErrors(sections: readonly ThemeSection[], titleOf: (key: string) => string): FieldError[] {
  return sections.flatMap(({ key, html = '' }, i): FieldError[] => {
    if (key === 'custom_section')
      return html.trim() ? [] : [{ pointer: `/sections/${i}/html`, rule: 'required', message: t`Write what this section shows.` }];
    if (sections.findIndex(one => one.key === key) === i) return [];
    const label = titleOf(key);
    return [{ pointer: `/sections/${i}/key`, rule: 'unique', message: t`“${label}” is there twice.` }];
  });
}

/** The words of a theme, and of its sections, in all languages. */
async function copyWords({ trx, storeId, now, user }: Context, from: Live, to: JsonObject): Promise<void> {
  for (const [kind, old, made] of [
    ['theme', from.nanoId, to.nanoId],
    [ENTITY, from.id, to.id],
  ] as const)
    await sql`insert into texts (store_id, owner_kind, owner_id, key, locale, value, updated_at, updated_by)
      select store_id, owner_kind, ${String(made)}::text, key, locale, value, ${now()}::timestamptz, ${user.email}::text from texts
      where store_id = ${storeId}::integer and owner_kind = ${kind}::text and owner_id = ${String(old)}::text
        and value is not null`.execute(trx);
}

export const portalTheme = rules({
  async fill(verb, { record, input }, context): Promise<JsonObject> {
    const schema = context.definitions.entities[ENTITY] ?? {};
    const live = verb === 'create' ? await liveRow(context) : undefined;
    const copied = Object.fromEntries(
      COPIED.flatMap(name => (live?.data[name] !== undefined && input[name] === undefined ? [[name, live.data[name]]] : [])),
    );
    const now = { ...(record ?? input), ...copied };
    const sections = numbered(now.sections ?? schema.properties?.sections?.default) as JsonValue;
    const standard = withDefaults<JsonObject>(schema, { sections: numbered(schema.properties?.sections?.default) as JsonValue });
    const filled = withDefaults<JsonObject>(schema, { ...now, sections });
    const isCustomised = COPIED.some(name => !same(filled[name] ?? '', standard[name] ?? ''));
    return { ...copied, sections, isCustomised };
  },
  async validate(verb, { before, record }, context) {
    if (verb === 'delete') return before?.status === 'LIVE' ? invalidState(t`The live theme cannot be deleted.`) : undefined;
    // Two that are published at once come one after the other.
    if (verb === 'move') await liveRow(context);
    if (!record || verb === 'move') return undefined;
    const sections = (record.sections ?? []) as ThemeSection[];
    const options = context.definitions.entities[ENTITY]?.properties?.sections?.items?.properties?.key?.oneOf ?? [];
    const titleOf = (key: string): string => translated(options.find(one => one.const === key)?.title ?? key);
    return sectionErrors(sections, titleOf);
  },
  async after(verb, { before, record }, context) {
    const { trx, storeId, now, user } = context;
    if (verb === 'create' && record) {
      const live = await liveRow(context);
      if (live) await copyWords(context, live, record);
    }
    if (verb === 'move' && record)
      await sql`update records set data = data || '{"status": "DRAFT"}', version = version + 1, updated_at = ${now()}::timestamptz,
        updated_by = ${user.email}::text where store_id = ${storeId}::integer and entity = ${ENTITY} and deleted_at is null
        and data ->> 'status' = 'LIVE' and id <> ${Number(record.id)}::bigint`.execute(trx);
    if (verb === 'delete' && before)
      await sql`delete from texts where store_id = ${storeId}::integer and ((owner_kind = 'theme'
        and owner_id = ${String(before.nanoId)}::text) or (owner_kind = ${ENTITY} and owner_id = ${String(before.id)}::text))`.execute(trx);
  },
});
