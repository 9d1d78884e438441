// Reads single cells of a product file; a cell that makes no sense becomes a sentence with its row and column.
import priceBounds from '../../../../../schemas/common/price.json' with { type: 'json' };
import { toMinor } from '../../../../domain/money/money.ts';
import type { ColumnKey } from './columns.ts';
import type { CsvRow, RowError } from './read-csv.ts';
import { classicName } from './columns.ts';

/** The cells of one row. Every reader answers undefined for a column that the file lacks, and notes what is wrong in `errors`. */
export class Cells {
  readonly row: number;
  private readonly cells: CsvRow['cells'];
  private readonly columns: Map<ColumnKey, string>;
  private readonly errors: RowError[];

  constructor({ row, cells }: CsvRow, columns: Map<ColumnKey, string>, errors: RowError[]) {
    this.row = row;
    this.cells = cells;
    this.columns = columns;
    this.errors = errors;
  }

  wrong(key: ColumnKey, message: string): undefined {
    const handle = this.cells.handle;
    this.errors.push({ row: this.row, column: this.columns.get(key) ?? classicName(key), ...(handle ? { handle } : {}), message });
    return undefined;
  }

  has(key: ColumnKey): boolean {
    return Boolean(this.cells[key]);
  }

  text(key: ColumnKey, longest = 255): string | undefined {
    const value = this.cells[key];
    if (value !== undefined && value.length > longest)
      return this.wrong(key, `This text has ${value.length} characters; at most ${longest} fit.`);
    return value;
  }

  /** A comma-separated list, without doubles. */
  tags(key: ColumnKey): string[] | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    const seen = new Map<string, string>();
    for (const tag of value
      .split(',')
      .map(part => part.trim())
      .filter(Boolean))
      if (!seen.has(tag.toLowerCase())) seen.set(tag.toLowerCase(), tag);
    const tags = [...seen.values()];
    if (tags.length > 250) return this.wrong(key, `A product can have at most 250 tags; this one has ${tags.length}.`);
    const long = tags.find(tag => tag.length > 255);
    if (long !== undefined)
      return this.wrong(key, `The tag “${long.slice(0, 40)}…” is longer than 255 characters. Separate tags with commas.`);
    return tags;
  }

  /** An amount in the store's currency, as minor units; `''` is null. */
  money(key: ColumnKey, currency: string): number | null | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return null;
    if (value.startsWith('-')) return this.wrong(key, `“${value}” is below zero. Enter an amount of 0 or more.`);
    if (!/^\d+(\.\d+)?$/.test(value)) {
      return this.wrong(key, `“${value}” isn't an amount. Write it with digits and a dot only, such as 12.50.`);
    }
    if (Number(value) > Number(priceBounds.formatMaximum))
      return this.wrong(key, `“${value}” is too much. ${priceBounds['x-errors'].formatMaximum}`);
    try {
      return toMinor(value, currency);
    } catch (error) {
      if (error instanceof RangeError) return this.wrong(key, error.message);
      throw error;
    }
  }

  whole(key: ColumnKey, { least }: { least?: number } = {}): number | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return 0;
    const number = /^-?\d{1,9}(\.0+)?$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(number)) return this.wrong(key, `“${value}” isn't a whole number.`);
    if (least !== undefined && number < least) return this.wrong(key, `“${value}” is too small. Enter ${least} or more.`);
    return number;
  }

  /** Grams may come with decimals; we keep whole grams. */
  grams(key: ColumnKey): number | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return 0;
    if (!/^\d{1,9}(\.\d+)?$/.test(value)) return this.wrong(key, `“${value}” isn't a weight. Enter grams as a number of 0 or more.`);
    return Math.round(Number(value));
  }

  truth(key: ColumnKey, whenEmpty: boolean): boolean | undefined {
    const value = this.cells[key]?.toLowerCase();
    if (value === undefined) return undefined;
    if (value === '') return whenEmpty;
    if (['true', 'yes', '1'].includes(value)) return true;
    if (['false', 'no', '0'].includes(value)) return false;
    return this.wrong(key, `“${value}” is neither true nor false.`);
  }

  url(key: ColumnKey): string | null | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return null;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return this.wrong(key, `“${value.slice(0, 80)}” isn't the address of a picture. It should begin with https://.`);
    return url.href;
  }

  /** One of a few words, ignoring case. */
  word<W extends string>(key: ColumnKey, words: Readonly<Record<string, W>>, whenEmpty: NoInfer<W>): W | undefined {
    const value = this.cells[key]?.toLowerCase();
    if (value === undefined) return undefined;
    if (value === '') return whenEmpty;
    const found = words[value];
    return (
      found ??
      this.wrong(key, `“${value}” isn't known here. Use ${Object.keys(words).slice(0, -1).join(', ')} or ${Object.keys(words).at(-1)}.`)
    );
  }
}
