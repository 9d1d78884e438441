// Versions of the words that a record has in a language.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { Reply, notFound, type Context } from '../../../platform/context.ts';
import { categoriesOf, sourcesOf } from '../../../platform/texts/sources.ts';
import { changeTexts, needLanguage } from '../../../platform/texts/text-verbs.ts';
import { later, t } from '../../../../domain/text/t.ts';

interface Asked {
  localeStoreId: string;
  localizedEntityType: string;
  localizedEntityId: string;
}
/** Versions that are offered. */
const MOST = 30;

type Version = {
  version: number;
  at: string | null;
  by: string;
  /** The words by key; "" where it falls back. */
  data: JsonObject;
};

/** What a record said in a language after each change, the newest first, down to nothing at all (version 0). @throws Refusal 404 */
async function versionsOf(context: Context, { localeStoreId, localizedEntityType: type, localizedEntityId: id }: Asked) {
  const { language } = await needLanguage(context, localeStoreId);
  if (!categoriesOf(context.definitions).some(one => one.categoryId === type && one.isOfRecords)) throw notFound(later`category of texts`);
  const sources = await sourcesOf(context, { categoryId: type, entityId: id });
  const { rows } = await sql<{ version: number; key: string; value: string | null; at: Date; by: string }>`
    select version, key, value, changed_at as at, changed_by as by from text_versions
    where store_id = ${context.storeId} and locale = ${language.locale} and owner_kind = ${sources[0]?.ownerKind ?? ''} and owner_id = ${id}
    order by version, key`.execute(context.trx);
  const emptyTexts: JsonObject = Object.fromEntries(sources.map(({ key }) => [key, '']));
  const versions: Version[] = [{ version: 0, at: null, by: '', data: emptyTexts }];
  for (const { version, key, value, at, by } of rows) {
    let last = versions.at(-1) as Version;
    if (last.version !== version) versions.push((last = { version, at: at.toISOString(), by, data: { ...last.data } }));
    // Parts of the record that are gone have no words any more.
    if (Object.hasOwn(emptyTexts, key)) last.data[key] = value ?? '';
  }
  return { versions: versions.toReversed(), locale: language.locale };
}

/** The versions of a record's words in a language. @throws Refusal 404 */
export async function recordVersions(context: Context, selection: Asked): Promise<JsonValue> {
  const { versions } = await versionsOf(context, selection);
  return [...versions.slice(0, MOST), ...(versions.length > MOST ? versions.slice(-1) : [])] as JsonValue;
}

/** Brings the words of an earlier version back. @throws Refusal 404, 409 in the primary language, 422 where they don't fit any more */
export async function restoreRecord(context: Context, { toVersion, ...selection }: Asked & { toVersion: number }): Promise<Reply> {
  const { versions, locale } = await versionsOf(context, selection);
  const chosen = versions.find(({ version }) => version === toVersion);
  if (!chosen) throw notFound(later`version`);
  const { localizedEntityType: categoryId, localizedEntityId: entityId } = selection;
  await changeTexts(
    context,
    { locale, categoryId, entityId },
    Object.entries(chosen.data).map(([key, value]) => ({ key, value: String(value) })),
  );
  return new Reply({ version: toVersion }, { message: t`The earlier version is back.` });
}
