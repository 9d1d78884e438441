// Subscriptions named by numbers: what is read from a pasted text and from a CSV file.
import { describe, expect, it } from 'vitest';
import { csvOf, idsOfCsv, idsOfText, rowsOfCsv } from '../../../../src/admin/features/bulk-actions/selection/ids.ts';

describe('pasted numbers', () => {
  it('are separated by lines, commas, semicolons and spaces, and may stand as the admin writes them', () => {
    expect(idsOfText('1042\n#1043, 1044;1045 1046\r\n\r\ngid://shopify/SubscriptionContract/99').ids).toEqual([
      1042, 1043, 1044, 1045, 1046, 99,
    ]);
  });
  it('are taken once, and what is none is reported with its line', () => {
    expect(idsOfText('7\n8 7\nseven\n-3\n0')).toEqual({
      ids: [7, 8],
      repeated: 1,
      wrong: [
        { line: 3, text: 'seven' },
        { line: 4, text: '-3' },
        { line: 5, text: '0' },
      ],
    });
  });
  it('beyond what a number can hold are no ids', () => {
    expect(idsOfText('9007199254740991 9007199254740992 12345678901234567890').ids).toEqual([9007199254740991]);
  });
});

describe('a CSV file', () => {
  it('keeps quotes, separators and line ends within quotes, and knows each row’s line', () => {
    expect(rowsOfCsv('\uFEFFa,b\r\n"1,2","say ""so""\nnow"\r\n\r\n3,4')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1,2', 'say "so"\nnow'] },
      { line: 5, cells: ['3', '4'] },
    ]);
  });
  it('may be separated by semicolons or tabs', () => {
    expect(rowsOfCsv('a;b\n1;2').at(1)?.cells).toEqual(['1', '2']);
    expect(rowsOfCsv('a\tb\n1\t2').at(1)?.cells).toEqual(['1', '2']);
  });
  it('has its ids in the first column, whatever else is there', () => {
    expect(idsOfCsv('subscription_id,next_order_date\n12,2026-12-01\nx,\n12,\n13,')).toEqual({
      ids: [12, 13],
      repeated: 1,
      wrong: [{ line: 3, text: 'x' }],
    });
  });
  it('says in a sentence why it can’t be read', () => {
    expect(idsOfCsv('')).toBe('This file is empty.');
    expect(idsOfCsv('id\n12')).toBe('The first column must be headed subscription_id. This file begins with “id”.');
    expect(idsOfCsv('subscription_id\n\n')).toBe('This file has no rows below its head.');
  });
  it('is sent with every row and column, in one way of writing, so that the server reads what was read here', () => {
    expect(csvOf('\uFEFFsubscription_id;note\r\n1;a,b\n\n2;"c;d"\n1;a "b"\nzzz;')).toBe(
      'subscription_id,note\n1,"a,b"\n2,"c;d"\n1,"a ""b"""\nzzz,\n',
    );
  });
});
