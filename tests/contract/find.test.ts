// Finding calls, screens and places by name or path; filling texts and parameters; moves; the loaded form of screens.
import { describe, expect, test } from 'vitest';
import { callFor, callNamed, fill, placeOf, placeholders, resourceFor, routeTo, template, titleOf } from '../../src/contract/find.ts';
import { coreOf, formCalls, formTables, packCore, unpackCore } from '../../src/browser-definitions/core.ts';
import { DefinitionError, load } from '../../src/contract/load.ts';
import { mayMove, movesOf } from '../../src/contract/states.ts';
import { rendererFor } from '../../src/check/renderer-for.ts';
import type { Schema } from '../../src/contract/types.ts';
import { loadDefinitions } from '../../src/server/platform/definitions.ts';
import { mini, miniFiles } from './mini.ts';

const definitions = mini();
const coffee = definitions.entities.coffee as Schema;

describe('calls', () => {
  test('are found by verb and entity in the table of the screen', () => {
    expect(callFor(definitions, definitions.resources.coffees as never, 'list')?.name).toBe('coffees.list');
    expect(callFor(definitions, { calls: 'coffees' }, 'read', 'tea')).toBeUndefined();
    expect(callFor(definitions, { calls: 'teas' }, 'list')).toBeUndefined();
  });
  test('are named with or without their table', () => {
    expect(callNamed(definitions, 'roast', { calls: 'coffees' })?.name).toBe('coffees.roast');
    expect(callNamed(definitions, 'coffees.roast')?.name).toBe('coffees.roast');
  });
});

describe('screens', () => {
  const resources = Object.fromEntries(
    ['a', 'a/[id]', 'a/new', 'a/[id]/[view]', 'a/new/[view]', 'a/[id]/texts'].map(route => [route, { route }]),
  );
  test.each<[string, string | undefined, Record<string, string>]>([
    ['/a', 'a', {}],
    ['/a/', 'a', {}],
    ['/a?tab=1#x', 'a', {}],
    ['/a/12', 'a/[id]', { id: '12' }],
    ['/a/new', 'a/new', {}],
    ['/a/x%20y', 'a/[id]', { id: 'x y' }],
    ['/a/1/texts', 'a/[id]/texts', { id: '1' }],
    ['/a/new/texts', 'a/new/[view]', { view: 'texts' }],
    ['/a/1/z', 'a/[id]/[view]', { id: '1', view: 'z' }],
    ['/b', undefined, {}],
    ['/', undefined, {}],
    ['/a/%E0%A4%A', 'a/[id]', { id: '%E0%A4%A' }],
  ])('%s is answered by %s', (path, route, params) => {
    const match = resourceFor({ resources }, path);
    expect(match?.resource.route).toBe(route);
    if (route) expect(match?.params).toEqual(params);
  });
  test('have their path filled from parameters', () => {
    expect(routeTo('a/[id]/[view]', { id: 12, view: 'x y' })).toBe('/a/12/x%20y');
    expect(routeTo('a/[id]')).toBe('/a/[id]');
  });
});

describe('places in the navigation', () => {
  const navigation = {
    main: [
      {
        id: 'x',
        title: 'Acquire',
        to: '/plans',
        items: [
          { id: 'p', title: 'Selling plans', to: '/plans' },
          { id: 'l', title: 'Links', to: '/links' },
        ],
      },
      { id: 'home', title: 'Home', to: '/dashboard' },
    ],
    lower: [{ id: 's', title: 'Settings', to: '/settings' }],
  };
  test('S067 S068 the section and sub-section matching the path are found, below them too', () => {
    expect(placeOf(navigation, '/plans/12')).toMatchObject({ section: { id: 'x' }, item: { id: 'p' } });
    expect(placeOf(navigation, '/links')).toMatchObject({ section: { id: 'x' }, item: { id: 'l' } });
    expect(placeOf(navigation, '/settings/general')).toEqual({ section: navigation.lower[0] });
    expect(placeOf(navigation, '/plansX')).toEqual({});
  });
  test('S066 the browser title has the form section > subsection - product', () => {
    expect(titleOf(navigation, '/links', 'Perennial')).toBe('Acquire > Links - Perennial');
    expect(titleOf(navigation, '/dashboard', 'Perennial')).toBe('Home - Perennial');
    expect(titleOf(navigation, '/settings/general', 'Perennial', 'General')).toBe('Settings > General - Perennial');
    expect(titleOf(navigation, '/nowhere', 'Perennial')).toBe('Perennial');
  });
});

describe('texts and parameters', () => {
  test('templates are filled from a record, and leave no gap', () => {
    expect(template('{first} {last} (#{id})', { first: 'Ada', id: 7 })).toBe('Ada (#7)');
    expect(template('{a.b}: {list[1].c}', { a: { b: 'x' }, list: [{}, { c: 0 }] })).toBe('x: 0');
  });
  test('parameters keep their type when one placeholder stands alone, and are left out when absent', () => {
    const scope = { record: { id: 7, tags: ['a'], deep: { x: null } }, row: { id: 9 }, facts: { 'store.id': 1 }, params: { id: '12' } };
    expect(
      fill(
        {
          a: '{id}',
          b: 'no {id}',
          c: '{tags}',
          d: '{row.id}',
          e: '{@store.id}',
          f: '{:id}',
          g: '{/deep/x}',
          h: { i: ['{id}', '{none}'] },
          j: '{none}',
          k: 3,
          l: null,
        },
        scope,
      ),
    ).toEqual({ a: 7, b: 'no 7', c: ['a'], d: 9, e: 1, f: '12', g: null, h: { i: [7] }, k: 3, l: null });
    expect(fill(undefined, scope)).toEqual({});
    expect(placeholders({ a: '{x} {y.z}', b: ['{row.id}'] })).toEqual(['x', 'y.z', 'row.id']);
  });
});

describe('moves', () => {
  test('are open from the states that the file names', () => {
    const open = (record: object): string[] => Object.keys(movesOf(coffee)).filter(action => mayMove(coffee, action, record).ok);
    expect(open({ status: 'GREEN' })).toEqual(['roast', 'sellOut']);
    expect(open({ status: 'SOLD_OUT' })).toEqual([]);
    expect(open({})).toEqual(['create']);
    expect(mayMove(coffee, 'roast', { status: 'GREEN' })).toEqual({ ok: true, to: 'ROASTED' });
  });
  test('are refused with the text of the move, or by naming the states that would do', () => {
    expect(mayMove(coffee, 'sellOut', { status: 'SOLD_OUT' })).toEqual({ ok: false, message: 'Nothing is left to sell.' });
    expect(mayMove(coffee, 'roast', { status: 'SOLD_OUT' })).toEqual({
      ok: false,
      message: 'This coffee is sold out. It must be green for this.',
    });
    expect(mayMove(coffee, 'grind', { status: 'GREEN' })).toMatchObject({ ok: false });
  });
});

describe('loading', () => {
  test('follows references; what stands beside one wins, hints are joined', () => {
    expect(coffee.properties?.roast).toEqual({
      title: 'Roast',
      type: 'string',
      oneOf: definitions.common.roast?.oneOf,
      default: 'MEDIUM',
      'x-ui': { widget: 'select' },
    });
    expect(JSON.stringify(definitions)).not.toContain('"$ref"');
  });
  test('fills in what screens leave out', () => {
    const { coffees } = definitions.resources;
    expect(coffees).toMatchObject({
      route: 'coffees',
      of: 'coffee',
      list: { columns: [{ field: 'name' }, { field: 'price', cell: 'money' }, { field: 'status' }, { field: 'lots.bags' }] },
    });
    expect(coffees?.list?.rowActions).toMatchObject([
      { call: 'coffees.roast', id: 'roast', title: 'Roast' },
      { call: 'coffees.sellOut', id: 'sellOut', title: 'Sell out' },
    ]);
    expect(definitions.resources['coffees/[id]']?.record?.main[1]).toMatchObject({
      call: 'coffees.list',
      columns: [{ field: 'name' }, { field: 'price' }],
      rowActions: [{ call: 'coffees.roast' }],
    });
  });
  test('fills in what hosts, permissions and the navigation leave out', () => {
    expect(definitions.hosts.main).toMatchObject({
      name: 'main',
      prefix: '/host/main',
      out: 'data',
      pagers: { whole: {}, cursor: { size: 'pageSize' } },
    });
    expect(definitions.permissions.viewReports).toMatchObject({
      permissionKey: 'viewReports',
      loopFeatureKey: null,
      isHidden: false,
      availableAccessMode: ['READ'],
    });
    expect(definitions.navigation.main[1]?.items?.[0]).toMatchObject({ id: 'tea', planned: 'Tea, once there is some.' });
  });
  test('of something wrong fails with file and place', () => {
    const files = miniFiles();
    expect(() => load({ ...files, 'schemas/entities/tea.json': '{ "properties": { "a": { "$ref": "no.json" } } }' })).toThrow(
      new DefinitionError([
        { file: 'schemas/entities/tea.json', pointer: '/properties/a/$ref', message: 'There is no file schemas/entities/no.json.' },
      ]).message,
    );
    expect(() => load({ ...files, 'schemas/entities/tea.json': '{' })).toThrow(/schemas\/entities\/tea\.json[^]*This is not JSON/);
  });
});

describe('for the admin', () => {
  test('the core has calls without schemas, and heads', () => {
    const core = coreOf(definitions);
    expect(core.calls['coffees.update']).toMatchObject({
      path: '/api/coffees/{id}',
      in: [{ name: 'id', required: true, schema: {} }],
      body: { properties: { id: {} } },
    });
    expect(core.resources['coffees/[id]']).toMatchObject({ title: 'Coffee', has: ['record', 'form'] });
    expect(core.settings.brewing).toEqual({
      category: 'BREWING',
      type: 'MACHINE',
      permission: 'generalSettings',
      group: 'Store',
      icon: 'store',
      name: 'brewing',
      title: 'Brewing',
    });
    expect(core.entities.coffee?.record?.name.many).toBe('coffees');
    // What only the server and loaded schemas need stays out of the start.
    expect(Object.keys(core.entities.coffee?.record ?? {}).filter(key => !['name', 'key', 'label', 'image', 'from'].includes(key))).toEqual(
      [],
    );
    expect(Object.values(core.calls).filter(call => call.title !== undefined || call.assumed !== undefined)).toEqual([]);
  });
  test('the core is the same after it has travelled', () => {
    for (const one of [definitions, loadDefinitions()]) {
      const core = coreOf(one);
      const arrived = unpackCore(JSON.parse(JSON.stringify(packCore(core))));
      expect(arrived).toEqual(core);
    }
  });
  test('calls that people fill in are known', () => {
    expect(formCalls(definitions)).toEqual([
      'coffees.blend',
      'coffees.create',
      'coffees.delete',
      'coffees.mix',
      'coffees.order',
      'coffees.roast',
      'coffees.sellOut',
      'coffees.update',
    ]);
    expect(formTables(definitions)).toEqual({ coffees: formCalls(definitions) });
  });
  test('a renderer is the one named, else for the format, else for options, else for the type', () => {
    const names = new Set(['money', 'options', 'string']);
    expect(rendererFor({ type: 'string', format: 'money' }, 'cells', names)).toBe('money');
    expect(rendererFor({ type: 'string', format: 'date', 'x-ui': { cell: 'day' } }, 'cells', names)).toBe('day');
    expect(rendererFor({ type: 'string', enum: ['a'] }, 'fields', names)).toBe('options');
    expect(rendererFor({ type: ['string', 'null'], format: 'date' }, 'fields', names)).toBe('string');
    expect(rendererFor({ type: 'boolean' }, 'fields', names)).toBeUndefined();
  });
});
