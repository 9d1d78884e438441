// `npm run adopt`: schemas as public catalogues have them become settings pages that the check accepts, with word of what was changed; the others are refused
// with the way out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf, type AdoptedPage } from '../../scripts/lib/adopted-page.ts';
import { Refused } from '../../scripts/lib/new-definitions.ts';
import { checkAll, tell } from '../../src/check/index.ts';
import { checkOptions, readDefinitionFiles } from '../../src/server/platform/definitions.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const files = readDefinitionFiles();
const options = checkOptions();
const wishes = { name: 'foreign', permission: 'generalSettings', group: 'Store', icon: 'store' };
const adopted = (schema: unknown, name = 'foreign'): AdoptedPage => pageOf(schema, { ...wishes, name }, files, options);
const page = (schema: unknown) => JSON.parse(adopted(schema).text) as Record<string, any>; // any: each test knows its page
const checked = (made: AdoptedPage) => checkAll({ ...files, [made.file]: made.text }, options);
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const USABLE: [string, object, string[]][] = [
  ['an enum', object({ level: { enum: ['low', 'veryHigh'] } }), ['a choice of values']],
  ['an enum with null', object({ level: { type: ['string', 'null'], enum: ['low', null] } }), ['a choice of values']],
  ['a choice without titles', object({ level: { oneOf: [{ const: 1 }, { const: 2 }] } }), ['a choice of values']],
  ['a constant', object({ version: { const: '2' }, kind: { const: 'x' } }), ['version → ownVersion']],
  ['a choice of objects', object({ target: { oneOf: [object({ kind: { const: 'mail' }, to: { type: 'string' } }), object({ kind: { const: 'hook' }, url: { type: 'string', format: 'uri' } })] } }), ['a choice of kinds']], // prettier-ignore
  ['objects that all hold', { allOf: [object({ a: { type: 'string' } }), { $ref: '#/definitions/b' }], definitions: { b: object({ b: { type: 'integer' } }) } }, ['(allOf)']], // prettier-ignore
  ['members of any name', object({ env: { type: 'object', patternProperties: { '^[A-Z]+$': { type: 'string' } } } }), ['a table of names and texts']], // prettier-ignore
  ['objects of any name', object({ jobs: { type: 'object', additionalProperties: object({ steps: { type: 'integer' } }) } }), ['has its name in "key"']], // prettier-ignore
  ['draft 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: { port: { type: 'integer', minimum: 1 } }, ...object({ port: { $ref: '#/$defs/port', default: 80 }, pair: { prefixItems: [{ type: 'number' }, { type: 'number' }] } }) }, []], // prettier-ignore
  ['draft 2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema', $defs: { a: { $anchor: 'size', type: 'string' } }, ...object({ a: { $ref: '#size' } }, { unevaluatedProperties: false }) }, ['not checked by "unevaluatedProperties"']], // prettier-ignore
  ['draft 4', { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x', ...object({ ratio: { type: 'number', minimum: 0, exclusiveMinimum: true, required: true } }) }, ['may be left empty']], // prettier-ignore
  ['nested objects without titles', object({ a: object({ b: object({ c: { type: 'boolean' } }) }) }), ['a title made of its name']],
  ['a text or a list', object({ files: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } }), ['(array, not string)']], // prettier-ignore
  ['names with signs', object({ 'max age': { type: 'integer' }, id: { type: 'string' }, $schema: { type: 'string' } }), ['max age → maxAge', 'id → ownId']], // prettier-ignore
  ['a pattern that is slow', object({ a: { type: 'string', pattern: '^(a+)+$' } }), ['has no pattern any more']],
  ['a default that is wrong', object({ a: { type: 'integer', maximum: 3, default: 9 } }), ['has no "default" any more']],
  ['a list as its root', { type: 'array', items: object({ name: { type: 'string' } }) }, ['one field "entries"']],
  ['what must be there', object({ a: object({ b: { type: 'string' } }, { required: ['b'] }) }, { required: ['a'] }), ['may be left empty']],
  ['secrets beside others', object({ host: { type: 'string' }, a: { type: 'string', format: 'password' }, b: { type: 'string', airbyte_secret: true }, c: { type: ['string', 'null'], writeOnly: true }, d: { type: 'string', 'x-sensitive': true } }), ['a secret, and what a page holds can be read', 'a, b, c, d']], // prettier-ignore
  ['a tree beside others', object({ name: { type: 'string' }, tree: { $ref: '#/$defs/tree' } }, { $defs: { tree: object({ children: { type: 'array', items: { $ref: '#/$defs/tree' } }, label: { type: 'string' } }) } }), ['refers to itself']], // prettier-ignore
];
const REFUSED: [string, unknown, string][] = [
  ['what is no schema', [1], 'This is no JSON schema'],
  ['an object with any members', { type: 'object' }, 'Say which ones'],
  ['entries of any name alone', { type: 'object', additionalProperties: { type: 'string' } }, 'Name the fields, or wrap it'],
  ['a part of another file', object({ a: { $ref: 'https://example.com/other.json' } }), 'Copy that part into the file'],
  ['places that mean different things', object({ a: { prefixItems: [{ type: 'string' }, { type: 'number' }] } }), 'a name for each place'],
  ['more than people fill in', object(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, { type: 'string' }]))), 'Adopt one part of it: --part'], // prettier-ignore
];

describe('becomes a page', () => {
  // The product is checked once with all of them.
  const pages = USABLE.map(([, schema], i) => adopted(schema, `foreign-${i}`));
  const all = checkAll({ ...files, ...Object.fromEntries(pages.map(page => [page.file, page.text])) }, options);
  it.each(USABLE.map(([what, , sentences], i) => [what, pages[i] as AdoptedPage, sentences] as const))('%s', (_, made, sentences) => {
    expect(all.problems.filter(({ file }) => file === made.file).map(tell)).toEqual([]);
    expect(made.fields).toBeGreaterThan(0);
    for (const sentence of sentences) expect(made.report.join('\n')).toContain(sentence);
  });
});
it('has no field for a secret, which it would hold in plain text', () => {
  const secrets = {
    a: { type: 'string', format: 'password' },
    b: { type: 'string', airbyte_secret: true },
    c: { type: 'string', writeOnly: true },
  };
  expect(Object.keys(page(object({ host: { type: 'string' }, ...secrets })).properties)).toEqual(['host']);
});
it('takes the kind of a field that is asked for, says that there are others, and refuses one that there is none of', () => {
  const many = object({
    files: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    on: { oneOf: [{ type: 'boolean' }, object({ branch: { type: 'string' } })] },
    size: { type: ['string', 'integer'], maximum: 9 },
  });
  const wanting = (kinds: Record<string, string>) => pageOf(many, { ...wishes, kinds }, files, options);
  const types = (made: AdoptedPage) => Object.values<any>(JSON.parse(made.text).properties).map(({ type }) => type); // any: as in `page`
  const first = wanting({});
  expect([types(first), first.unions.map(({ kinds }) => kinds[0])]).toEqual([
    ['array', 'object', 'string'],
    ['array', 'object', 'string'],
  ]);
  expect(first.report.join('\n')).toContain('--kind on=');
  // Every kind that is offered can be had, and what comes of it is a page.
  for (const { name, kinds } of first.unions)
    for (const kind of kinds) {
      const made = wanting({ [name]: kind });
      expect([
        name,
        checked(made)
          .problems.filter(({ file }) => file === made.file)
          .map(tell),
      ]).toEqual([name, []]);
      expect([name, JSON.parse(made.text).properties[name].type]).toEqual([name, kind]);
    }
  expect(() => wanting({ on: 'number' })).toThrow('--kind on=number names none of these: files=array, files=string');
});
it('keeps the names of fields, and the name of one that has to be called something else beside it', () => {
  const nested = object({ id: { type: 'string' }, 'x-y': { type: 'string' } });
  const { properties } = page(
    object({ 'max-age': { type: 'integer' }, $ref_id: { type: 'string' }, version: { type: 'string' }, 'a.b': nested }),
  );
  expect(Object.keys(properties)).toEqual(['max-age', '$ref_id', 'ownVersion', 'aB']);
  expect(Object.keys(properties.aB.properties)).toEqual(['id', 'x-y']);
  expect([properties.ownVersion.$comment, properties.aB.$comment]).toEqual([
    '"version" in the schema that this page was made of.',
    '"a.b" in the schema that this page was made of.',
  ]);
});
describe('is refused with the way out', () => {
  it.each(REFUSED)('%s', (_, schema, sentence) => {
    expect(() => adopted(schema)).toThrow(Refused);
    expect(() => adopted(schema)).toThrow(sentence);
  });
});

it('values have titles for people, fields of a kind show with it, and the narrower of two bounds counts', () => {
  expect(page(USABLE[0]?.[1]).properties.level.oneOf).toEqual([
    { const: 'low', title: 'Low' },
    { const: 'veryHigh', title: 'Very high' },
  ]);
  const { target } = page(USABLE[4]?.[1]).properties;
  expect(target.properties.url['x-ui']).toEqual({ when: { kind: ['hook'] } });
  const bounds = { allOf: [{ minimum: 2, maximum: 9 }, { minimum: 5 }], type: 'integer', minimum: 1 };
  expect(page(object({ n: bounds })).properties.n).toMatchObject({ minimum: 5, maximum: 9 });
});

describe('forty fields', () => {
  const kinds = [
    { type: 'string', maxLength: 40 },
    { type: 'integer', minimum: 1, maximum: 9, default: 5 },
    { type: 'boolean', default: true },
    { enum: ['never', 'always'], default: 'never' },
    { type: 'array', items: { type: 'string' } },
  ];
  const group = (name: string) =>
    object(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i === 1 ? `${name}-1` : `${name}${i}`, kinds[i % 5]])));
  const made = adopted({ title: 'Runner', ...object({ build: group('b'), test: group('t'), deploy: group('d'), log: group('l') }) });
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ services: { definitions: checked(made).definitions } });
  });
  afterAll(() => server?.close());

  it('are one page in sections, which the server keeps and checks', async () => {
    expect(made.fields).toBe(40);
    expect(JSON.parse(made.text)['x-setting'].sections.map((one: { title: string }) => one.title)).toEqual([
      'Build',
      'Test',
      'Deploy',
      'Log',
    ]);
    const settingsPage = 'foreign';
    expect((await server.call('settings.get', { settingsPage })).data).toMatchObject({ build: { 'b-1': 5, b2: true, b3: 'never' } });
    const wrong = await server.call('settings.set', { settingsPage, build: { 'b-1': 10 } });
    expect([wrong.status, wrong.body.errors?.[0]?.pointer]).toEqual([422, '/build/b-1']);
    expect((await server.call('settings.set', { settingsPage, build: { b0: 'x', 'b-1': 9, b4: ['y'] } })).status).toBe(200);
    expect((await server.call('settings.get', { settingsPage })).data).toMatchObject({ build: { b0: 'x', 'b-1': 9, b4: ['y'] } });
  });
});
