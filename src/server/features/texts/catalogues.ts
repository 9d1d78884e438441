// Catalogues about texts: the languages that a store has or may add, and the categories of texts with how far their translation is.
import type { JsonObject } from '../../../contract/types.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { categoriesOf, sourcesOf } from '../../platform/texts/sources.ts';
import { needLanguage } from '../../platform/texts/text-verbs.ts';
import { languagesOf, valuesIn } from '../../platform/texts/values.ts';
import { percentOf, progressOf } from './progress.ts';

/** C133: every language that a store may have, its own first. A language is known by its locale. */
export async function locales(context: RuleContext): Promise<JsonObject[]> {
  const own = await languagesOf(context);
  const sources = await sourcesOf(context, {});
  const mine = await Promise.all(
    own.map(async ({ locale, name, isPrimary, isPublished }) => ({
      localeStoreId: locale,
      locale,
      name,
      isPrimary,
      isPublished,
      isEnabled: true,
      translatedPercent: isPrimary ? 100 : percentOf(progressOf(sources, await valuesIn(context, locale), locale)),
    })),
  );
  const has = new Set(own.map(one => one.locale));
  const others = optionsOf(context.definitions.common.locale).filter(({ value }) => !has.has(String(value)));
  return [
    ...mine,
    ...others.map(({ value, title }) => ({
      localeStoreId: String(value),
      locale: String(value),
      name: title,
      isPrimary: false,
      isPublished: false,
      isEnabled: false,
      translatedPercent: 0,
    })),
  ];
}

/**
 * C134: the categories, narrowed to a kind, a theme; with a language how far each is. Without one, those that the store writes in its
 * primary language. @throws Refusal 404 for a language that the store does not have
 */
export async function textCategories(
  context: RuleContext,
  { type, ownerId, locale }: { type?: string; ownerId?: string; locale?: string },
): Promise<JsonObject[]> {
  const { language } = await needLanguage(context, locale);
  const chosen = { ...(type === undefined ? {} : { type }), ...(ownerId === undefined ? {} : { ownerId }) };
  const values = await valuesIn(context, language.locale);
  const sources = await sourcesOf(context, chosen);
  return categoriesOf(context.definitions, chosen)
    .filter(({ isOfRecords }) => !(isOfRecords && language.isPrimary))
    .map(category => {
      const progress = progressOf(
        sources.filter(({ categoryId }) => categoryId === category.categoryId),
        values,
        language.locale,
      );
      return { ...category, ...progress, percent: language.isPrimary ? 100 : percentOf(progress) };
    });
}

/** The texts of gifts alone, which have a page and a right of their own (C169). */
export const giftTextCategories = async (context: RuleContext): Promise<JsonObject[]> =>
  (await textCategories(context, {})).filter(({ categoryId }) => categoryId === 'gift');

/** The languages of the store with how much of one record each has. @throws Refusal 404 for an unknown kind of record */
export async function recordLanguages(
  context: RuleContext,
  { categoryId, entityId }: { categoryId: string; entityId: string },
): Promise<JsonObject[]> {
  const sources = await sourcesOf(context, { categoryId, entityId, mayBeEmpty: true });
  return Promise.all(
    (await languagesOf(context)).map(async ({ locale, name, isPrimary, isPublished }) => {
      const progress = progressOf(sources, isPrimary ? new Map() : await valuesIn(context, locale), locale);
      const translated = isPrimary ? progress.total : progress.translated;
      return { localeStoreId: locale, locale, name, isPrimary, isPublished, ...progress, translated, missing: progress.total - translated };
    }),
  );
}
