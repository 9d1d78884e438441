// Which columns give way where the page is too narrow for all of them.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { money } from '../../../src/admin/platform/format.ts';
import type { FullColumn } from '../../../src/admin/list/table/columns.ts';
import { fitting, wideEnough } from '../../../src/admin/list/table/fitting.ts';

const column = (field: string, width: number, yields?: number): FullColumn => ({
  field,
  title: field,
  cell: () => null,
  cellName: 'text',
  schema: undefined,
  options: {},
  end: false,
  sortable: false,
  width,
  flexible: false,
  yields,
  slot: 'none',
});
const columns = [column('name', 200), column('method', 240, 1), column('amount', 100), column('tries', 60, 2), column('risk', 100, 3)];
const left = (width: number, beside = 44): string =>
  fitting(columns, width, beside)
    .map(one => one.field)
    .join();

describe('columns that give way', () => {
  it.each([
    [Infinity, 'name,method,amount,tries,risk'],
    [744, 'name,method,amount,tries,risk'],
    [743, 'name,amount,tries,risk'],
    [504, 'name,amount,tries,risk'],
    [503, 'name,amount,risk'],
    [443, 'name,amount'],
    [10, 'name,amount'],
  ])('at %i px %s are left', (width, fields) => expect(left(width)).toBe(fields));
  it('leave space for what stands around them as well', () => {
    expect(left(700, 0)).toBe('name,method,amount,tries,risk');
    expect(left(700, 52)).toBe('name,amount,tries,risk');
  });
});

describe('amounts', () => {
  const total = {
    ...column('total', 112),
    cellName: 'money',
    whole: (value: unknown, record: JsonObject) => money(String(value), String(record.currencyCode)),
  };
  const widthOf = (value: string, currencyCode: string): number =>
    wideEnough(
      [total],
      [
        { total: '1.00', currencyCode: 'USD' },
        { total: value, currencyCode },
      ],
    )[0]!.width;
  it('keep the usual width where they fit, so that nothing moves when the rows arrive', () => {
    expect(widthOf('1694.50', 'CAD')).toBe(112);
    expect(wideEnough([total], [])[0]!.width).toBe(112);
  });
  it('are never cut: the column grows with the longest', () => {
    expect(widthOf('1234567.89', 'CAD')).toBeGreaterThan('CA$1,234,567.89'.length * 8);
    expect(wideEnough([column('name', 80)], [{ name: 'a very long name indeed' }])[0]!.width).toBe(80);
  });
});
