// What people (or programs) write into a list's address by hand must not break the page.
import { describe, expect, it } from 'vitest';
import { type ListHead, readState, toInput } from '../../../src/admin/platform/list-query.ts';

const head: ListHead = {
  filters: { createdAtEpoch: 'epoch', total: 'money' },
  numeric: [],
  only: {},
  tabs: [{ id: 'all' }],
  sorts: [],
  size: 25,
};

describe('the address of a list', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('a date filter that says “%s” means nothing', text => {
    const state = readState(`?createdAtEpoch=${text}`, head);
    expect(state.filters).toEqual({});
    expect(toInput(state, head, { zone: 'UTC', at: 0 })).toEqual({ pageSize: 25 });
  });
  it('D096 a page that is no number is the first one, and of a broken number its whole part counts', () => {
    const pageOf = (text: string): number => readState(`?page=${text}`, head).page;
    expect(['abc', '', '%20', '3x', 'NaN', 'Infinity', '-2', '1e9'].map(pageOf)).toEqual(Array(8).fill(1));
    expect(['2', '7.9', '%203'].map(pageOf)).toEqual([2, 7, 3]);
  });
});
