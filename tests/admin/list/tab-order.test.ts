// A tab with an order of its own: it opens in it, the address stays bare, and another order stands in the address.
import { describe, expect, it } from 'vitest';
import { headOf } from '../../../src/admin/list/list-head.ts';
import { readState, toInput, writeState } from '../../../src/admin/platform/list-query.ts';
import type { ListScreen, Schema } from '../../../src/contract/types.ts';

const entity = {
  type: 'object',
  'x-record': { name: { one: 'row', many: 'rows' }, sort: ['at', 'lostAt'] },
  properties: {
    id: { type: 'integer' },
    at: { title: 'Next try', type: 'integer', format: 'epoch' },
    lostAt: { title: 'Lost', type: 'integer', format: 'epoch' },
    note: { title: 'Note', type: 'string' },
  },
} as unknown as Schema;
const list: ListScreen = {
  columns: [{ field: 'id' }, { field: 'at' }, { field: 'note' }, { field: 'lostAt' }],
  optional: ['lostAt'],
  sort: { field: 'at', order: 'ASC' },
  tabs: [
    { title: 'Open' },
    { title: 'Lost', sort: { field: 'lostAt', order: 'DESC' }, columns: [{ field: 'id' }, { field: 'lostAt', title: 'Lost on' }] },
  ],
};
const head = headOf(list, entity);

describe('the order of a tab', () => {
  it('is its own, else that of the list', () => {
    expect(readState('', head).sort).toEqual({ field: 'at', order: 'ASC' });
    expect(readState('?tab=lost', head).sort).toEqual({ field: 'lostAt', order: 'DESC' });
    expect(toInput(readState('?tab=lost', head), head)).toMatchObject({ sort: 'lostAt', order: 'DESC' });
  });
  it.each(['?tab=lost', '?tab=lost&sort=lostAt', '?tab=lost&sort=-at', '?sort=-lostAt', '?sort=-at'])(
    'is written only where it differs: %s',
    address => expect(writeState(readState(address, head), head)).toBe(address),
  );
  it.each([
    ['?tab=lost&sort=-lostAt', '?tab=lost'],
    ['?sort=at', ''],
  ])('is left out where it is as usual: %s', (address, bare) => expect(writeState(readState(address, head), head)).toBe(bare));
});
