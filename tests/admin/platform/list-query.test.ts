// The address of a list: what is shown <-> the page's address -> the input of the list call.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterText } from '../../../src/admin/list/filters/filter-text.ts';
import { filtersOf, headOf, kindOf } from '../../../src/admin/list/list-head.ts';
import {
  daysOf,
  joinList,
  type ListHead,
  type ListState,
  readState,
  splitList,
  toInput,
  writeState,
} from '../../../src/admin/platform/list-query.ts';
import { preloadKey } from '../../../src/admin/platform/start/preloaded-requests.ts';
import { filterSchema } from '../../../src/contract/filter-schema.ts';
import { compileValidator } from '../../../src/contract/validation/compile.ts';
import type { ListScreen } from '../../../src/contract/types.ts';
import { productDefinitions } from '../../support/definitions.ts';

const definitions = productDefinitions();
const screen = definitions.resources.subscriptions?.list as ListScreen;
const entity = definitions.entities.subscription;
const head = headOf(screen, entity);
const now = { zone: 'America/New_York', at: Date.parse('2026-11-21T15:00:00Z') };
const show = (patch: Partial<ListState>): ListState => ({ ...readState('', head), ...patch });

describe('the address of a list', () => {
  it('is bare for the list as it opens', () => {
    expect(writeState(readState('', head), head)).toBe('');
  });

  it('gives back every state that can be shown', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 }).filter(value => value.trim() === value);
    fc.assert(
      fc.property(
        fc.record({
          tab: fc.constantFrom(...head.tabs.map(tab => tab.id)),
          q: fc.oneof(fc.constant(''), text),
          size: fc.constantFrom(25, 50, 100),
          page: fc.integer({ min: 1, max: 100 }),
          filters: fc.record(
            {
              status: fc.subarray(['ACTIVE', 'PAUSED', 'FAILED'], { minLength: 1 }).map(joinList),
              lastPaymentStatus: fc.constantFrom('null', 'FAILED,null'),
              tags: fc.array(text, { minLength: 1, maxLength: 3 }).map(joinList),
              planGroupIds: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }).map(ids => ids.join()),
              total: fc.constantFrom('10..', '..50.5', '-3..8'),
              completedOrdersCount: fc.constantFrom('1..2', '..7'),
              countryCode: fc.constantFrom('DE', 'DE,FR'),
              isPrepaid: fc.constantFrom('yes', 'no'),
              createdAtEpoch: fc.constantFrom('today', '2026-02-01..', '2024-02-29..2026-11-21'),
            },
            { requiredKeys: [] },
          ),
          sort: fc.record({ field: fc.constantFrom('total', 'createdAtEpoch'), order: fc.constantFrom('ASC' as const, 'DESC' as const) }),
          cursor: fc.option(text, { nil: undefined }),
        }),
        ({ cursor, ...rest }) => {
          const state: ListState = { ...rest, ...(cursor && rest.page > 1 ? { after: cursor } : {}) };
          expect(readState(writeState(state, head), head)).toEqual(state);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['an unknown tab, size or page', '?tab=nowhere&size=7&page=-3&after=x', {}],
    [
      'an unknown option, and keeps the known one',
      '?status=x,ACTIVE&lastPaymentStatus=null,maybe',
      { status: 'ACTIVE', lastPaymentStatus: 'null' },
    ],
    ['options that are all unknown', '?status=x&source=elsewhere&isPrepaid=perhaps', {}],
    ['bounds that are no number, and keeps the other one', '?total=abc..20&completedOrdersCount=..1e400', { total: '..20' }],
    ['days that are none', '?createdAtEpoch=2026-02-30..2026-03-01&nextBillingDateEpoch=soon', { createdAtEpoch: '..2026-03-01' }],
    ['ids that are no number', '?planGroupIds=undefined,7&productIds=NaN,-1', { planGroupIds: '7' }],
    ['countries that are none', '?countryCode=Germany,DE', { countryCode: 'DE' }],
    ['an order that the list has not', '?sort=-note', {}],
    ['a page beyond what numbers reach', '?page=4000', {}],
    ['values longer than any', `?tags=${'x'.repeat(300)},vip`, { tags: 'vip' }],
  ])('leaves out %s', (_what, search, filters) => {
    expect(readState(search, head)).toEqual(show({ filters }));
  });

  it('never asks the server for what it refuses, whatever stands in the address', () => {
    const validate = compileValidator(filterSchema(entity as NonNullable<typeof entity>));
    const anything = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.string({ minLength: 250, maxLength: 300 }),
      fc.constantFrom('x', '1..2', '..', 'null', '9999-12-31..', '..0001-01-01', '1e99..', '-1', 'a,b', '\\', 'today'),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(head.filters)), anything), filters => {
        const filter = toInput(readState(`?${new URLSearchParams(filters)}`, head), head, now)?.filter ?? {};
        expect(validate(filter), JSON.stringify([filter, validate.errors])).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps commas and backslashes of values apart from those between them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }), values => {
        expect(splitList(joinList(values))).toEqual(values);
      }),
    );
  });
});

describe('the input of the list call', () => {
  it('has a filter of each kind in the form the server takes', () => {
    const state = show({
      filters: {
        status: 'ACTIVE,PAUSED',
        total: '10..50.5',
        completedOrdersCount: '3..',
        planGroupIds: '1,2',
        countryCode: 'DE',
        isPrepaid: 'no',
        tags: 'vip,early bird',
        lastPaymentStatus: 'null,FAILED',
        nextBillingDateEpoch: '2026-11-01..2026-11-30',
      },
    });
    const input = toInput(state, head, now);
    expect(input?.filter).toEqual({
      status: ['ACTIVE', 'PAUSED'],
      total: { min: '10', max: '50.5' },
      completedOrdersCount: { min: 3 },
      planGroupIds: [1, 2],
      countryCode: ['DE'],
      isPrepaid: false,
      tags: ['vip', 'early bird'],
      lastPaymentStatus: [null, 'FAILED'],
      nextBillingDateEpoch: { from: Date.parse('2026-11-01T04:00:00Z') / 1000, to: Date.parse('2026-12-01T05:00:00Z') / 1000 - 1 },
    });
    const validate = compileValidator(filterSchema(entity as NonNullable<typeof entity>));
    expect(validate(input?.filter), JSON.stringify(validate.errors)).toBe(true);
  });

  it('lets the tab decide over a chip on the same field', () => {
    expect(toInput(show({ tab: 'failed', filters: { status: 'ACTIVE' } }), head, now)?.filter).toEqual({ status: ['FAILED'] });
  });

  it('asks by cursor where there is one, else by number', () => {
    expect(toInput(show({ page: 3, after: 'x' }), head, now)).toMatchObject({ after: 'x' });
    expect(toInput(show({ page: 3, after: 'x' }), head, now)).not.toHaveProperty('page');
    expect(toInput(show({ page: 3 }), head, now)).toMatchObject({ page: 3 });
  });

  it("waits for the store's zone where days are asked for", () => {
    expect(toInput(show({ filters: { createdAtEpoch: 'last-7-days' } }), head)).toBeUndefined();
    expect(toInput(show({ filters: { status: 'ACTIVE' } }), head)).toBeDefined();
  });

  it('has one key, wherever it is built', () => {
    expect(preloadKey('a.list', { b: 1, a: [2], c: undefined })).toBe(preloadKey('a.list', { a: [2], b: 1 }));
  });
});

describe('dates', () => {
  it.each([
    ['today', '2026-11-21', '2026-11-21'],
    ['last-30-days', '2026-10-23', '2026-11-21'],
    ['next-7-days', '2026-11-21', '2026-11-27'],
    ['this-month', '2026-11-01', '2026-11-30'],
    ['last-month', '2026-10-01', '2026-10-31'],
    ['next-month', '2026-12-01', '2026-12-31'],
    ['2026-01-02..', '2026-01-02', ''],
    ['..2026-01-02', '', '2026-01-02'],
    ['tomorrow', '2026-11-22', '2026-11-22'],
  ])('%s means %s to %s', (text, from, to) => {
    expect(daysOf(text, now)).toEqual([from, to]);
  });

  it('are those of the store, not of the browser', () => {
    expect(daysOf('today', { zone: 'Pacific/Auckland', at: Date.parse('2026-11-21T15:00:00Z') })).toEqual(['2026-11-22', '2026-11-22']);
  });
});

describe('filters from the schema', () => {
  it('know their kind', () => {
    expect(Object.fromEntries(filtersOf(screen, entity).map(filter => [filter.field, filter.kind]))).toMatchObject({
      status: 'options',
      nextBillingDateEpoch: 'epoch',
      total: 'money',
      completedOrdersCount: 'number',
      planGroupIds: 'reference',
      countryCode: 'country',
      isPrepaid: 'boolean',
      tags: 'text',
      frequency: 'text',
    } satisfies Partial<ListHead['filters']>);
    expect(kindOf({ type: 'string', format: 'date' })).toBe('date');
    expect(kindOf({ type: 'array', items: { type: 'string', enum: ['a'] } })).toBe('options');
  });

  it('say on their chip what they hold', () => {
    const filters = Object.fromEntries(filtersOf(screen, entity).map(filter => [filter.field, filter]));
    const say = (field: string, value: string, labels = {}): string =>
      filterText(filters[field] as NonNullable<(typeof filters)[string]>, value, 'EUR', labels);
    expect(say('status', 'ACTIVE,PAUSED')).toBe('Active, Paused');
    expect(say('total', '10..')).toBe('at least €10.00');
    expect(say('total', '10..50')).toBe('€10.00 – €50.00');
    expect(say('nextBillingDateEpoch', 'next-7-days')).toBe('Next 7 days');
    expect(say('nextBillingDateEpoch', '..2026-01-02')).toBe('until Jan 2, 2026');
    expect(say('planGroupIds', '1,2', { 1: 'Tea club' })).toBe('Tea club, #2');
    expect(say('isPrepaid', 'yes')).toBe('Yes');
    expect(say('countryCode', 'DE,FR,IT,ES')).toBe('Germany, France +2');
  });
});
