import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/contract/csv.ts';

describe('a line of CSV', () => {
  it('is read as the cells that it was written from, and quotes only where it must', () => {
    const rows = [
      ['plain', '12.50', ''],
      ['a, b', 'say "hi"', '"'],
      ['two\nlines', 'and\r\nthree', '\r'],
      ['semi;colon', 'tab\there', ' blank '],
      ['', '', ''],
      ['ünï', '😀', '""'],
    ];
    expect(parse(rows.map(csvLine).join(''), { relax_column_count: false })).toEqual(rows);
    expect(csvLine(['plain', 'a b', '1.5', ''])).toBe('plain,a b,1.5,\n');
    expect(csvLine(['a;b', 'c,d', 'e"f'])).toBe('"a;b","c,d","e""f"\n');
  });
});
