// Texts as files: exported, and imported when every line of a file is right.
import { Refusal, Reply, invalid, type Context } from '../../../platform/context.ts';
import { changeTexts, needLanguage } from '../../../platform/texts/text-verbs.ts';
import { exchangeRows, importAnswer, readFile, translationsOf, withLines, writeCsv } from '../exchange/rows.ts';
import { writeXliff } from '../exchange/xliff.ts';

/** All texts of a language as CSV or XLIFF 1.2. @throws Refusal 404 */
export async function exportFile(context: Context, { format, locale }: { format: 'CSV' | 'XLIFF'; locale?: string }): Promise<Reply> {
  const { language, primary } = await needLanguage(context, locale);
  const rows = await exchangeRows(context, locale, language.isPrimary);
  const isCsv = format === 'CSV';
  return new Reply(null, {
    file: {
      name: `texts-${language.locale}.${isCsv ? 'csv' : 'xlf'}`,
      contentType: isCsv ? 'text/csv; charset=utf-8' : 'application/xliff+xml; charset=utf-8',
      content: isCsv ? writeCsv(rows) : writeXliff(rows, primary.locale, language.locale),
    },
  });
}

/** Takes over the translations of a file; what is empty there stays as it is. All or nothing. @throws Refusal 404, 422 with the lines */
export async function importFile(
  context: Context,
  { fileName, content, locale }: { fileName: string; content: string; locale?: string },
): Promise<Reply> {
  const { language } = await needLanguage(context, locale);
  const rows = await readFile(fileName, content, language.locale);
  try {
    const changed = await changeTexts(context, { locale: language.locale }, translationsOf(rows));
    return new Reply(importAnswer(rows, changed), {
      message: changed === 0 ? 'Everything in the file was there already.' : `${changed} ${changed === 1 ? 'text' : 'texts'} imported.`,
    });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'VALIDATION' && error.errors) throw invalid(withLines(error.errors, rows));
    throw error;
  }
}
