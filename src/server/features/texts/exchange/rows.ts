// Texts with their translations as files: CSV for spreadsheets, XLIFF for translators' programs.
import type { FieldError, JsonObject } from '../../../../contract/types.ts';
import { invalid, type Context, type Reply } from '../../../platform/context.ts';
import { csvFile } from '../../../platform/csv/csv-file.ts';
import { readCsvTable } from '../../../platform/csv/csv-table.ts';
import { staleWire } from '../../../platform/texts/stale-texts.ts';
import { textRows, type Changed, type Translation } from '../../../platform/texts/text-verbs.ts';
import { categoriesOf } from '../../../platform/texts/sources.ts';
import type { ExchangeRow, Found } from './exchange-row.ts';
import { readXliff, TooManyTexts, versionIn } from './xliff.ts';
import { inFigures, t } from '../../../../domain/text/t.ts';

const HEAD = ['Category', 'Record', 'Key', 'Text', 'Source', 'Translation', 'Version'];
const LIMITS = { rows: 20_000, columns: 50, cells: 200_000 };

/** All texts of a language; in the primary one those that are written there. */
export async function exchangeRows(context: Context, locale: string | undefined, isPrimary: boolean): Promise<ExchangeRow[]> {
  const ofRecords = new Set(categoriesOf(context.definitions).flatMap(one => (one.isOfRecords ? [one.categoryId] : [])));
  const rows = await textRows(context, locale === undefined ? {} : { locale });
  return (rows as ExchangeRow[]).filter(row => !(isPrimary && ofRecords.has(row.categoryId)));
}

/** As a CSV file. */
export const csvOf = (name: string, rows: readonly ExchangeRow[]): Reply =>
  csvFile(
    name,
    HEAD,
    rows.map(row => [row.categoryId, row.entityId ?? '', row.key, row.label, row.source, row.value ?? '', String(row.version)]),
  );

const wrongFile = (message: string) => invalid([{ pointer: '/content', rule: 'file', message }]);

/** The translations in a file, each with its line; empty ones are left out. @throws Refusal 422 */
export async function readFile(fileName: string, content: string, locale: string): Promise<Found[]> {
  const found =
    /\.(xlf|xliff|xml)$/i.test(fileName) || content.trimStart().startsWith('<') ? await fromXliff(content, locale) : await fromCsv(content);
  const rows = found.filter(row => row.value.trim() !== '');
  if (rows.length === 0)
    throw wrongFile(t`This file holds no translations. Export the texts, fill in the translations and import that file.`);
  return rows;
}

async function fromXliff(content: string, locale: string): Promise<Found[]> {
  const lost = content.indexOf('\uFFFD');
  if (lost >= 0) {
    const line = content.slice(0, lost).split('\n').length;
    throw wrongFile(t`Line ${line}: a letter was lost when the file was saved or converted (�). Save it again as UTF-8.`);
  }
  let read;
  try {
    read = await readXliff(content, LIMITS.rows);
  } catch (error) {
    if (error instanceof TooManyTexts)
      throw wrongFile(t`This file holds more than ${inFigures(LIMITS.rows)} texts, the most that one import takes. Import it in parts.`);
    throw wrongFile(t`This isn't an XLIFF file: ${(error as Error).message}`);
  }
  if (read.target !== undefined && read.target.toLowerCase() !== locale.toLowerCase())
    throw wrongFile(t`This file is for “${read.target}”, not for “${locale}”. Import it on the page of that language.`);
  return read.rows;
}

async function fromCsv(content: string): Promise<Found[]> {
  const { table, error } = await readCsvTable(content, LIMITS, t`This file is empty.`);
  if (error) throw wrongFile(error.message);
  const { head, body: rows } = table;
  const column = (name: string): number => head.findIndex(cell => cell.trim().toLowerCase() === name.toLowerCase());
  const [category, record, key, value] = [column('Category'), column('Record'), column('Key'), column('Translation')];
  const version = column('Version');
  if (key < 0 || value < 0)
    throw wrongFile(t`The columns “Key” and “Translation” are missing. Export the texts to get a file that has them.`);
  return rows.map((cells, i) => ({
    line: i + 2,
    categoryId: cells[category] ?? '',
    entityId: cells[record] ?? '',
    key: cells[key] ?? '',
    value: cells[value] ?? '',
    version: versionIn(cells[version]),
  }));
}

/** As the verb takes them; with `overwrites`, over whatever was changed since the file was written. */
export const translationsOf = (rows: readonly Found[], overwrites: boolean): Translation[] =>
  rows.map(({ key, entityId, value, version }) => ({
    key,
    value,
    ...(entityId ? { entityId } : {}),
    ...(version === undefined || overwrites ? {} : { version }),
  }));

/** The errors of a file's texts, each with its line. */
export const withLines = (errors: readonly FieldError[], rows: readonly Found[]): FieldError[] =>
  errors.map(({ pointer, rule, message }) => ({
    pointer: '/content',
    rule,
    message: t`Line ${rows[Number(pointer.split('/')[2])]?.line ?? '?'}: ${message}`,
  }));

/** What an import did, and what it left because it was changed since the file was written: with its line, and what is there. */
export const importAnswer = (rows: readonly Found[], { changed, left }: Changed): JsonObject => ({
  read: rows.length,
  changed,
  unchanged: rows.length - changed - left.length,
  left: left.length,
  leftTexts: staleWire(left).map((one, i) => ({ ...one, line: rows[left[i]?.place ?? -1]?.line ?? null })),
});
