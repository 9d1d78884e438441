// Reads single cells of a product file; a cell that makes no sense becomes a sentence with its row and column.
import { CsvCells } from '../../../platform/csv/csv-cells.ts';
import type { ColumnKey } from './columns.ts';
import type { CsvRow, RowError } from './read-csv.ts';
import { classicName } from './columns.ts';
import { t } from '../../../../domain/text/t.ts';
import { uniqueTags } from '../../../../domain/text/tags.ts';

/** The cells of one row; what is wrong with them is noted in `errors`. */
export class Cells extends CsvCells<ColumnKey> {
  private readonly columns: Map<ColumnKey, string>;
  private readonly errors: RowError[];

  constructor({ row, cells }: CsvRow, columns: Map<ColumnKey, string>, errors: RowError[]) {
    super(row, cells);
    this.columns = columns;
    this.errors = errors;
  }

  wrong(key: ColumnKey, message: string): undefined {
    const handle = this.cells.handle;
    this.errors.push({ row: this.row, column: this.columns.get(key) ?? classicName(key), ...(handle ? { handle } : {}), message });
    return undefined;
  }

  /** A comma-separated list, without doubles. */
  tags(key: ColumnKey): string[] | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    const tags = uniqueTags(value.split(','));
    if (tags.length > 250) return this.wrong(key, t`A product can have at most 250 tags; this one has ${tags.length}.`);
    const long = tags.find(tag => tag.length > 255);
    if (long !== undefined)
      return this.wrong(key, t`The tag “${long.slice(0, 40)}…” is longer than 255 characters. Separate tags with commas.`);
    return tags;
  }

  /** Grams may come with decimals; we keep whole grams. */
  grams(key: ColumnKey): number | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return 0;
    if (!/^\d{1,9}(\.\d+)?$/.test(value)) return this.wrong(key, t`“${value}” isn't a weight. Enter grams as a number of 0 or more.`);
    return Math.round(Number(value));
  }

  url(key: ColumnKey): string | null | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return null;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return this.wrong(key, t`“${value.slice(0, 80)}” isn't the address of a picture. It should begin with https://.`);
    return url.href;
  }
}
