// Words of widgets in other languages: which widgets there are to translate, and theirs, by what they stand on (D221, D222).
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { Reply, type Context } from '../../../platform/context.ts';
import { changeTexts, textRows, type Translation } from '../../../platform/texts/text-verbs.ts';
import { sourcesOf } from '../../../platform/texts/sources.ts';
import { sql } from 'kysely';
import { ENTITY_OF } from '../mappings.ts';
import { t } from '../../../../domain/text/t.ts';

type Kind = keyof typeof ENTITY_OF;
interface OfWidget {
  id: number;
  locale: string;
  target: Kind;
}

/** The name under which the texts of a kind are translated. */
const categoryOf = ({ definitions }: Context, target: Kind): string =>
  definitions.entities[ENTITY_OF[target]]?.['x-record']?.localised ?? '';
const chosen = (context: Context, { id, locale, target }: OfWidget) => ({ categoryId: categoryOf(context, target), entityId: id, locale });

/** The widgets of a kind, with how many texts each has (C611). */
export async function listCategoryWidgets(context: Context, { target }: { target: Kind }): Promise<JsonValue> {
  const { trx, storeId } = context;
  const categoryId = categoryOf(context, target);
  const { rows } = await sql<{ id: number; name: string; status: string }>`select id::float8 as id, data ->> 'name' as name,
      data ->> 'status' as status from records where store_id = ${storeId}::integer and entity = ${ENTITY_OF[target]} and deleted_at is null
      and data ->> 'type' = ${target} order by lower(data ->> 'name'), id`.execute(trx);
  const sources = await sourcesOf(context, { categoryId });
  return rows.map(row => ({ ...row, target, categoryId, textCount: sources.filter(one => one.ownerId === String(row.id)).length }));
}

/** C612: the texts of a widget in a language. @throws Refusal 404 */
export const translations = async (context: Context, input: OfWidget): Promise<JsonObject[]> => textRows(context, chosen(context, input));

/** C613: words of a widget in another language than the primary one. @throws Refusal 404, 409, 422 */
export async function updateTranslations(context: Context, input: OfWidget & { translations: Translation[] }): Promise<Reply> {
  await changeTexts(context, chosen(context, input), input.translations);
  const keys = [...new Set(input.translations.map(one => one.key))];
  return new Reply(await textRows(context, { ...chosen(context, input), keys }), { message: t`The texts are saved.` });
}
