// What a page of the admin says of itself: the language of its reader, and its errors.
import type { JsonObject } from '../../../../contract/types.ts';
import { intlLocale, t } from '../../../../domain/text/t.ts';
import { invalid, type Context } from '../../../platform/context.ts';
import { languagesNow } from '../../../platform/languages.ts';

/** The language in which the person reads the admin, in whichever browser. @throws Refusal 422 when the admin does not speak it */
export async function setLanguage(context: Context, { language }: { language: string }): Promise<JsonObject> {
  const known = languagesNow();
  if (!known.some(one => one.code === language))
    throw invalid([{ pointer: '/language', rule: 'enum', message: t`Choose ${listed(known.map(one => `${one.code} (${one.name})`))}.` }]);
  const { storeId, user } = context;
  await context.trx.updateTable('users').set({ language }).where('store_id', '=', storeId).where('id', '=', user.id).execute();
  return { language };
}
const listed = (names: string[]): string => new Intl.ListFormat(intlLocale(), { type: 'disjunction' }).format(names);

/** An error of the page, on its way to the error-reporting service (S307, S308). Written to the log in any case. */
export async function reportError(
  context: Context,
  input: { message: string; source?: string; file?: string; requestId?: string },
): Promise<JsonObject> {
  context.report({
    message: input.message,
    sourceFunction: input.source,
    file: input.file,
    requestId: input.requestId ?? context.requestId,
    shop: context.store.myshopify_domain,
    origin: 'admin',
  });
  return { reported: true };
}
