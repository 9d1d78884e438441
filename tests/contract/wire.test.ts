// A call on the wire: what is sent, what the server reads of it, how the answer is wrapped and unwrapped.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputSchema, paramName } from '../../src/contract/calls.ts';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import { at, put } from '../../src/contract/paths.ts';
import { buildRequest, parseRequest } from '../../src/contract/request.ts';
import { AnswerError, readAnswer, writeAnswer } from '../../src/contract/response.ts';
import type { Call, Host, JsonObject, JsonValue } from '../../src/contract/types.ts';
import { validate } from '../../src/contract/validation/validate.ts';
import { mini } from './mini.ts';

const definitions = mini();
const call = (key: string): Call => definitions.calls[`coffees.${key}`] as Call;
const main = definitions.hosts.main as Host;
const build = (key: string, input: JsonObject = {}, options = {}): ReturnType<typeof buildRequest> =>
  buildRequest(definitions, call(key), input, options);

/** What our server would read of a request, as its router and parsers hand it on. */
function arrive(one: Call, { url, body }: { url: string; body?: JsonValue }): JsonObject {
  const { pathname, searchParams } = new URL(url, 'http://x');
  const names = [...one.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string);
  const match = new RegExp(`^${main.prefix}${one.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
  const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match?.[i + 1] ?? '')]));
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(searchParams.keys())) {
    const all = searchParams.getAll(name);
    query[name] = all.length > 1 ? all : (all[0] as string);
  }
  return parseRequest(one, { params, query, body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)) });
}

describe('a request', () => {
  test('puts path parameters into the path and the rest of a read into the query', () => {
    expect(build('read', { id: 12 })).toEqual({ method: 'GET', url: '/host/main/api/coffees/12', headers: { accept: 'application/json' } });
    expect(build('list', { pageSize: 25, after: 'a b', filter: { status: ['GREEN'] }, q: undefined as unknown as string }).url).toBe(
      '/host/main/api/coffees/list?pageSize=25&after=a+b&filter=%7B%22status%22%3A%5B%22GREEN%22%5D%7D',
    );
  });
  test('puts the rest of a write into the body, and what the call names into the query', () => {
    expect(build('roast', { id: 1, grade: 3 })).toMatchObject({
      method: 'POST',
      url: '/host/main/api/coffees/roast',
      body: { id: 1, grade: 3 },
      headers: { 'content-type': 'application/json' },
    });
    expect(build('blend', { ids: [1, 2], grade: 3 }, { ambient: { shop: 'beans.myshopify.com' } })).toMatchObject({
      url: '/host/main/api/coffees/blend?grade=3',
      body: { shop: 'beans.myshopify.com', variables: { ids: [1, 2] } },
    });
  });
  test('fills ambient parameters only where the call takes them', () => {
    expect(build('roast', { id: 1, grade: 1 }, { ambient: { shop: 'x' } }).body).toEqual({ id: 1, grade: 1 });
  });
  test('repeats lists in the query, escapes paths and uses the configured address', () => {
    const listed = { ...call('taste'), in: [] };
    expect(buildRequest(definitions, listed, { ids: [1, 2], on: true }, { hosts: { main: 'https://api.example.com' } }).url).toBe(
      'https://api.example.com/api/coffees/taste?ids=1&ids=2&on=true',
    );
    expect(build('read', { id: 'a/b' }).url).toBe('/host/main/api/coffees/a%2Fb');
  });
  test('without its path parameter is a mistake that is named', () => {
    expect(() => build('read')).toThrow('GET /api/coffees/{id} (coffees.read) needs "id".');
  });
  test('keeps a path parameter in the body where the record has it', () => {
    expect(build('update', { id: 1, name: 'A', price: '2.00' })).toMatchObject({
      url: '/host/main/api/coffees/1',
      body: { id: 1, name: 'A', price: '2.00' },
    });
  });
});

describe('what the server reads of it', () => {
  test('has numbers, booleans, lists and objects again', () => {
    const input = { pageSize: 25, filter: { isDecaf: true }, q: '12', order: 'ASC' };
    expect(arrive(call('list'), build('list', input))).toEqual(input);
    expect(arrive(call('blend'), build('blend', { ids: [7], grade: 2 }, { ambient: { shop: 's' } }))).toEqual({
      ids: [7],
      grade: 2,
      shop: 's',
    });
    const many = {
      ...call('taste'),
      in: [{ name: 'ids', required: false, schema: { type: 'array' as const, items: { type: 'integer' as const } } }],
    };
    expect(parseRequest(many, { query: { ids: ['1', '2'] } })).toEqual({ ids: [1, 2] });
    expect(parseRequest(many, { query: { ids: '[3,4]' } })).toEqual({ ids: [3, 4] });
    expect(parseRequest(many, { query: { ids: '5' } })).toEqual({ ids: [5] });
  });
  test('leaves what does not fit for the validator to name', () => {
    const input = parseRequest(call('list'), { query: { pageSize: 'many', filter: '{broken' } });
    const schema = inputSchema(call('list'), definitions.ambient);
    expect(validate(schema, compileValidator(schema), input).map(error => [error.pointer, error.message])).toEqual([
      ['/pageSize', 'Rows per page must be a whole number.'],
      ['/filter', 'Filter must be a group of fields.'],
    ]);
  });
  test('has no read-only fields of the record, save parameters', () => {
    expect(parseRequest(call('update'), { params: { id: '3' }, body: { id: 3, name: 'A', status: 'SOLD_OUT', price: '1.00' } })).toEqual({
      id: 3,
      name: 'A',
      price: '1.00',
    });
    expect(parseRequest(call('create'), { body: { id: 3, name: 'A', price: '1.00' } })).toEqual({ name: 'A', price: '1.00' });
  });
  test('ignores bodies that are no objects and names of prototypes', () => {
    expect(parseRequest(call('roast'), { body: [1] })).toEqual({});
    expect(Object.getPrototypeOf(parseRequest(call('roast'), { body: JSON.parse('{"__proto__":{"a":1},"id":1}') }))).toBe(Object.prototype);
  });
  test('is what was sent, for all calls and inputs', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter(text => !/^[[{]/.test(text) && text.trim() !== '');
    const by: Record<string, fc.Arbitrary<JsonObject>> = {
      list: fc.record(
        {
          pageSize: fc.integer({ min: 1, max: 250 }),
          page: fc.nat(99),
          q: word,
          after: word,
          sort: fc.constantFrom('name', 'price'),
          order: fc.constantFrom('ASC', 'DESC'),
          filter: fc.record({
            status: fc.subarray(['GREEN', 'ROASTED']),
            isDecaf: fc.boolean(),
            price: fc.record({ min: fc.constant('1.00') }),
          }),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
      read: fc.record({ id: fc.integer({ min: 1 }) }),
      roast: fc.record({ id: fc.integer(), grade: fc.nat() }),
      delete: fc.record({ id: fc.integer({ min: 1 }) }),
      blend: fc.record({ shop: word, ids: fc.array(fc.integer(), { minLength: 1 }), grade: fc.nat(9) }) as fc.Arbitrary<JsonObject>,
      update: fc.record({
        id: fc.integer({ min: 1 }),
        name: word,
        price: fc.constant('1.00'),
        stock: fc.nat(),
        isDecaf: fc.boolean(),
        notes: fc.array(word),
        version: fc.nat(),
      }) as fc.Arbitrary<JsonObject>,
      taste: fc.record({ grade: fc.nat(9), q: word }, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>,
    };
    for (const [key, inputs] of Object.entries(by)) {
      fc.assert(
        fc.property(inputs, input => {
          expect(arrive(call(key), build(key, input))).toEqual(input);
        }),
        { numRuns: 100 },
      );
    }
  });
});

const names = (key: string): string[] => Object.keys(inputSchema(call(key)).properties ?? {});
describe('the input of a call', () => {
  test('follows from the verb', () => {
    expect(names('read')).toEqual(['id']);
    expect(names('delete')).toEqual(['id']);
    expect(names('order')).toEqual(['ids']);
    expect(names('list')).toEqual(
      ['pageSize', 'page', 'after', 'before', 'sort', 'q', 'filter', 'order'].sort(
        (a, b) => names('list').indexOf(a) - names('list').indexOf(b),
      ),
    );
    expect(inputSchema(call('create')).required).toEqual(['name', 'price']);
    expect(inputSchema(call('update')).required).toEqual(['id']);
    expect(names('update')).toContain('version');
  });
  test('takes what the file says: optional names, lists, parameters of the table, a schema', () => {
    expect(paramName('ids[]?')).toEqual({ name: 'ids', list: true, required: false });
    expect(paramName('the id')).toBeUndefined();
    expect(inputSchema(call('sellOut'))).toMatchObject({
      required: ['id'],
      properties: { reason: { title: 'Reason' } },
      additionalProperties: false,
    });
    expect(call('blend').in.find(param => param.name === 'ids')?.schema.type).toBe('array');
    expect(inputSchema(call('mix'))).toMatchObject({ required: ['parts'], additionalProperties: false });
  });
  test('lists sort and filter only by what the record offers', () => {
    const schema = inputSchema(call('list'), definitions.ambient);
    const said = (input: JsonObject): string[] =>
      validate(schema, compileValidator(schema), input).map(error => `${error.pointer} ${error.message}`);
    expect(
      said({
        sort: 'name',
        filter: {
          status: ['GREEN'],
          price: { max: '5' },
          isDecaf: false,
          stock: { min: 1 },
          roastedAtEpoch: { from: 1 },
          origin: ['Kenya', null],
        },
      }),
    ).toEqual([]);
    expect(said({ sort: 'stock' })).toEqual(['/sort Choose Name or Price for “Sort by”.']);
    expect(said({ filter: { name: ['x'] } })).toEqual(['/filter/name "name" is not a field of “Filter”.']);
    expect(said({ filter: { status: ['BURNT'], price: {} } })).toEqual([
      '/filter/status/0 Choose Green, Roasted or Sold out for “Entry 1 of status”.',
      '/filter/price Price needs at least 1 entry.',
    ]);
    expect(said({ pageSize: 251, shop: 'anything' })).toEqual(['/pageSize Rows per page must be between 1 and 250.']);
  });
  test('has the defaults of the table and the host', () => {
    expect(call('list')).toMatchObject({
      name: 'coffees.list',
      host: 'main',
      method: 'GET',
      path: '/api/coffees/list',
      of: 'coffee',
      permission: 'sellingPlan',
      out: 'data',
      total: 'pageInfo.total',
      invalidates: ['coffee'],
      title: 'List',
    });
    expect(call('taste').out).toBe('data.notes');
    expect(call('blend').poll).toEqual({ call: 'coffees.taste', path: 'status', values: ['DONE'] });
  });
});

describe('an answer', () => {
  test('is read where the call says, and written there', () => {
    const body = writeAnswer(call('taste'), main, ['plum', 'nuts'], undefined, 'Tasted');
    expect(body).toEqual({ success: true, message: 'Tasted', code: 'SUCCESS', data: { notes: ['plum', 'nuts'] } });
    expect(readAnswer(call('taste'), main, body)).toEqual({ data: ['plum', 'nuts'], message: 'Tasted' });
  });
  test('of a list has its total and its cursors', () => {
    const pageInfo = {
      hasNextPage: true,
      hasPreviousPage: false,
      nextCursor: 'n',
      previousCursor: null,
      total: 10000,
      totalIsCapped: true,
    };
    const body = writeAnswer(call('list'), main, [{ id: 1 }], pageInfo);
    expect(readAnswer(call('list'), main, body)).toMatchObject({ data: [{ id: 1 }], total: 10000, pageInfo });
  });
  test('of another back end is read by its own paths', () => {
    const host: Host = {
      ...main,
      ok: 'ok',
      pagers: { ...main.pagers, cursor: { size: 'n', after: 'c', next: 'page.next', previous: 'page.prev', total: 'count' } },
    };
    const other = { ...call('list'), out: 'result.items', total: 'count', ok: 'ok' };
    const body = writeAnswer(other, host, [{ id: 1 }], { hasNextPage: true, hasPreviousPage: false, nextCursor: 'n', total: 3 });
    expect(body).toMatchObject({ ok: true, result: { items: [{ id: 1 }] }, page: { next: 'n' }, count: 3 });
    expect(readAnswer(other, host, body)).toMatchObject({
      data: [{ id: 1 }],
      total: 3,
      pageInfo: { hasNextPage: true, hasPreviousPage: false, nextCursor: 'n' },
    });
  });
  test('as a whole is the body itself', () => {
    const whole = { ...call('taste'), out: '' };
    expect(writeAnswer(whole, main, { hasWidget: true })).toEqual({ hasWidget: true });
    expect(readAnswer(whole, main, { hasWidget: true }).data).toEqual({ hasWidget: true });
  });
  test('of a whole list is counted', () =>
    expect(readAnswer({ ...call('list'), page: 'whole', total: undefined }, main, { data: [1, 2] } as JsonValue).total).toBe(2));
  test('that says no, or lacks what was promised, is an error in words', () => {
    expect(() => readAnswer({ ...call('taste'), ok: 'done' }, main, { done: false, message: 'The cup is empty.' })).toThrow(AnswerError);
    expect(() => readAnswer({ ...call('taste'), ok: 'done' }, main, { done: false, message: 'The cup is empty.' })).toThrow(
      'The cup is empty.',
    );
    expect(() => readAnswer({ ...call('taste'), ok: 'done' }, main, {})).toThrow(
      'Taste was refused without a reason ("done" is not true in the answer).',
    );
    expect(() => readAnswer(call('list'), main, { data: {} })).toThrow(
      'GET /api/coffees/list (coffees.list) should answer a list at "data", but holds object there.',
    );
    expect(() => readAnswer(call('taste'), main, { success: false, code: 'TAKEN', message: 'Taken.', requestId: 'r' })).toThrow('Taken.');
  });
  test('passes through its codec both ways', () => {
    const coded = { ...call('taste'), decode: 'boolean-strings', out: 'data' };
    const body = writeAnswer(coded, main, { on: true, list: [{ off: false }] });
    expect(at(body, 'data.list[0].off')).toBe('false');
    expect(readAnswer(coded, main, body).data).toEqual({ on: true, list: [{ off: false }] });
  });
  test('a path that is written is read back, for all paths', () => {
    const step = fc.oneof(
      fc.constantFrom('a', 'b', 'settings'),
      fc.nat(2).map(n => `[${n}]`),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), fc.jsonValue(), (steps, value) => {
        const path = steps
          .join('.')
          .replace(/\.\[/g, '[')
          .replace(/^\[(\d)\]/, '$1');
        expect(at(put(undefined, path, value as JsonValue), path)).toEqual(value);
      }),
    );
  });
});
