// Languages of a store: one of them is the primary one, which is always there and always published.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { optionsOf } from '../../../contract/paths.ts';
import { invalidState } from '../../platform/context.ts';
import { rules } from '../../platform/records/rules.ts';
import { sourcesOf } from '../../platform/texts/sources.ts';
import { valuesIn } from '../../platform/texts/values.ts';
import { percentOf, progressOf } from './progress.ts';
import { t } from '../../../domain/text/t.ts';

/** Languages that a store has at most. */
const MOST = 20;

export const storeLanguage = rules({
  derive: {
    needs: ['locale', 'isPrimary', 'isPublished'],
    members: ['state', 'translatedPercent', 'missingCount', 'draftCount'],
    async of(languages, context) {
      const sources = await sourcesOf(context, {});
      return Promise.all(
        languages.map(async ({ locale, isPrimary, isPublished }): Promise<JsonObject> => {
          const state = isPrimary ? 'PRIMARY' : isPublished ? 'PUBLISHED' : 'DRAFT';
          if (isPrimary) return { state, translatedPercent: 100, missingCount: 0, draftCount: 0 };
          const progress = progressOf(sources, await valuesIn(context, String(locale)), String(locale));
          const missingCount = progress.total - progress.translated;
          return { state, translatedPercent: percentOf(progress), missingCount, draftCount: progress.drafts };
        }),
      );
    },
  },
  fill: (verb, { record, input }, { definitions }): JsonObject => {
    if (verb === 'create')
      return {
        isPrimary: false,
        isPublished: false,
        name: optionsOf(definitions.common.locale).find(one => one.value === input.locale)?.title ?? String(input.locale ?? ''),
      };
    return record?.isPrimary === true ? { isPublished: true } : {};
  },
  async validate(verb, { before, record, input }, context) {
    if (verb === 'delete' && before?.isPrimary === true)
      return invalidState(t`Your primary language can not be removed. Make another one primary first.`);
    if (verb === 'update' && before?.isPrimary === true && record?.isPrimary !== true)
      return invalidState(t`A store always has a primary language. Make another one primary instead.`);
    if (verb === 'update' && before?.isPrimary === true && input.isPublished === false)
      return invalidState(t`Your primary language is always published. Make another one primary first.`);
    if (verb !== 'create') return undefined;
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from records
      where store_id = ${context.storeId} and entity = 'store-language' and deleted_at is null`.execute(context.trx);
    return (rows[0]?.n ?? 0) >= MOST ? invalidState(t`A store has ${MOST} languages at most. Remove one first.`) : undefined;
  },
  async after(verb, { before, record }, context) {
    const { trx, storeId } = context;
    if (verb === 'update' && record?.isPrimary === true && before?.isPrimary !== true)
      await sql`update records set data = data || '{"isPrimary": false}', version = version + 1, updated_at = ${context.now()},
        updated_by = ${context.user.email} where store_id = ${storeId} and entity = 'store-language' and deleted_at is null
        and data ->> 'locale' <> ${String(record.locale)} and data ->> 'isPrimary' = 'true'`.execute(trx);
    // What was translated goes with its language; adding it again begins from nothing.
    if (verb === 'delete' && before)
      for (const table of ['texts', 'text_versions'] as const)
        await trx.deleteFrom(table).where('store_id', '=', storeId).where('locale', '=', String(before.locale)).execute();
  },
});
