// Texts as files: exported, and imported when every line of a file is right.
import { t } from '../../../../domain/text/t.ts';
import { Refusal, Reply, invalid, type Context } from '../../../platform/context.ts';
import { changeTexts, needLanguage, type Changed } from '../../../platform/texts/text-verbs.ts';
import { csvOf, exchangeRows, importAnswer, readFile, translationsOf, withLines } from '../exchange/rows.ts';
import { writeXliff } from '../exchange/xliff.ts';

/** All texts of a language as CSV or XLIFF 1.2. @throws Refusal 404 */
export async function exportFile(context: Context, { format, locale }: { format: 'CSV' | 'XLIFF'; locale?: string }): Promise<Reply> {
  const { language, primary } = await needLanguage(context, locale);
  const rows = await exchangeRows(context, locale, language.isPrimary);
  if (format === 'CSV') return csvOf(`texts-${language.locale}.csv`, rows);
  return new Reply(null, {
    file: {
      name: `texts-${language.locale}.xlf`,
      contentType: 'application/xliff+xml; charset=utf-8',
      content: writeXliff(rows, primary.locale, language.locale),
    },
  });
}

/**
 * Takes over the translations of a file; what is empty there stays as it is. All or nothing, but for texts that were changed since the file
 * was written: they are left and told, unless `overwrite` asks for them. @throws Refusal 404, 422 with the lines
 */
export async function importFile(
  context: Context,
  { fileName, content, locale, overwrite = false }: { fileName: string; content: string; locale?: string; overwrite?: boolean },
): Promise<Reply> {
  const { language } = await needLanguage(context, locale);
  const rows = await readFile(fileName, content, language.locale);
  try {
    const done = await changeTexts(context, { locale: language.locale }, translationsOf(rows, overwrite), { leaves: true });
    return new Reply(importAnswer(rows, done), { message: resultText(done) });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'VALIDATION' && error.errors) throw invalid(withLines(error.errors, rows));
    throw error;
  }
}

function resultText({ changed, left }: Changed): string {
  const imported = changed === 0 ? t`Nothing was imported.` : changed === 1 ? t`1 text imported.` : t`${changed} texts imported.`;
  if (left.length > 0)
    return left.length === 1
      ? t`${imported} 1 was changed since and stays as it is.`
      : t`${imported} ${left.length} were changed since and stay as they are.`;
  return changed === 0 ? t`Everything in the file was there already.` : imported;
}
