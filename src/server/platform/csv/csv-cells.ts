// Reads single cells of a CSV file; a cell that makes no sense becomes a sentence that says what would be right.
import priceBounds from '../../../../schemas/common/price.json' with { type: 'json' };
import { toMinor } from '../../../domain/money/money.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** The cells of one row, by the names of their columns. Every reader answers undefined for a column that the file lacks. */
export abstract class CsvCells<K extends string> {
  readonly row: number;
  protected readonly cells: Partial<Record<K, string>>;

  constructor(row: number, cells: Partial<Record<K, string>>) {
    this.row = row;
    this.cells = cells;
  }

  /** Notes what is wrong with a cell, and answers undefined for it. */
  abstract wrong(key: K, message: string): undefined;

  has(key: K): boolean {
    return Boolean(this.cells[key]);
  }

  text(key: K, longest = 255): string | undefined {
    const value = this.cells[key];
    if (value !== undefined && value.length > longest)
      return this.wrong(key, t`This text has ${value.length} characters; at most ${longest} fit.`);
    return value;
  }

  /** An amount in the store's currency, as minor units; `''` is null. */
  money(key: K, currency: string): number | null | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return null;
    if (value.startsWith('-')) return this.wrong(key, t`“${value}” is below zero. Enter an amount of 0 or more.`);
    if (!/^\d+(\.\d+)?$/.test(value)) {
      return this.wrong(key, t`“${value}” isn't an amount. Write it with digits and a dot only, such as 12.50.`);
    }
    if (Number(value) > Number(priceBounds.formatMaximum))
      return this.wrong(key, t`“${value}” is too much. ${translated(priceBounds['x-errors'].formatMaximum)}`);
    try {
      return toMinor(value, currency);
    } catch (error) {
      if (error instanceof RangeError) return this.wrong(key, error.message);
      throw error;
    }
  }

  whole(key: K, { least }: { least?: number } = {}): number | undefined {
    const value = this.cells[key];
    if (value === undefined) return undefined;
    if (value === '') return 0;
    const number = /^-?\d{1,9}(\.0+)?$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(number)) return this.wrong(key, t`“${value}” isn't a whole number.`);
    if (least !== undefined && number < least) return this.wrong(key, t`“${value}” is too small. Enter ${least} or more.`);
    return number;
  }

  truth(key: K, whenEmpty: boolean): boolean | undefined {
    const value = this.cells[key]?.toLowerCase();
    if (value === undefined) return undefined;
    if (value === '') return whenEmpty;
    if (['true', 'yes', '1'].includes(value)) return true;
    if (['false', 'no', '0'].includes(value)) return false;
    return this.wrong(key, t`“${value}” is neither true nor false.`);
  }

  /** One of a few words, ignoring case. */
  word<W extends string>(key: K, words: Readonly<Record<string, W>>, whenEmpty: NoInfer<W>): W | undefined {
    const value = this.cells[key]?.toLowerCase();
    if (value === undefined) return undefined;
    if (value === '') return whenEmpty;
    const found = words[value];
    return (
      found ??
      this.wrong(
        key,
        t`“${value}” isn't known here. Use ${Object.keys(words).slice(0, -1).join(', ')} or ${Object.keys(words).at(-1) ?? ''}.`,
      )
    );
  }
}
