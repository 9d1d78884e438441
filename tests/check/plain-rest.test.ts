// What the check says of a resource of two files: docs/add-a-resource.md with one mistake in it each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAll, tell } from '../../src/check/index.ts';
import { checkOptions, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';
import { exampleFiles } from '../support/doc-examples.ts';

const entity = 'schemas/entities/supplier.json';
const screen = 'resources/suppliers.json';
const example = Object.entries(exampleFiles(readFileSync(join(projectRoot, 'docs/add-a-resource.md'), 'utf8')));
const files: Record<string, string> = {
  ...readDefinitionFiles(),
  ...Object.fromEntries(example.filter(([file]) => file.endsWith('.json'))),
};
const options = checkOptions();
const loaded = (more: Record<string, string> = {}) => checkAll({ ...files, ...more }, options);
const put = (file: string, find: string, text: string): Record<string, string> => {
  expect(files[file]?.split(find)).toHaveLength(2);
  return { [file]: (files[file] as string).replace(find, () => text) };
};

test('two files are three screens and seven calls', () => {
  const { problems, definitions } = loaded();
  expect(problems.map(tell)).toEqual([]);
  const { 'suppliers/create': create, 'suppliers/[id]': page } = definitions.resources;
  expect([create?.title, create?.form?.created, page?.form?.title]).toEqual(['New supplier', '/suppliers/{id}', '{name}']);
  expect(definitions.resources.suppliers).toMatchObject({ calls: 'rest-supplier', actions: [{ call: 'rest-supplier.create' }] });
  expect(page?.actions).toMatchObject([{ call: 'rest-supplier.delete', confirmTitle: 'Delete “{name}”?' }]);
  expect(definitions.resources.suppliers?.form).toBeUndefined();
  const calls = Object.values(definitions.tables['rest-supplier']?.calls ?? {});
  expect(calls.map(call => `${call.method} ${call.path} ${call.permission}`).sort()).toEqual(
    [
      'DELETE /suppliers/{id}',
      'GET /suppliers',
      'GET /suppliers/counts',
      'GET /suppliers/export',
      'GET /suppliers/{id}',
      'POST /suppliers',
      'PUT /suppliers/{id}',
    ].map(route => `${route} generalSettings`),
  );
});

test('rows of plain REST are dragged into an order by one word', () => {
  const { problems, definitions } = loaded(put(screen, '"list": {', '"list": { "order": true,'));
  expect(problems.map(tell)).toEqual([]);
  expect(definitions.calls['rest-supplier.order']).toMatchObject({ method: 'POST', path: '/suppliers/order', does: 'order' });
});

test('a file of its own wins over the screen that follows from the list', () => {
  const own = JSON.stringify({
    $schema: '../../schemas/meta/resource.json',
    title: 'Another supplier',
    of: 'supplier',
    form: { sections: [{ fields: ['name'] }] },
  });
  const { problems, definitions } = loaded({ 'resources/suppliers/create.json': own });
  expect(problems.map(tell)).toEqual([]);
  expect(definitions.resources['suppliers/create']?.title).toBe('Another supplier');
});

test.each([
  [
    'no area',
    put(entity, ' "permission": "generalSettings",', ''),
    /^resources\/suppliers\.json:.*\n.*Name the permission area of plain REST/,
  ],
  [
    'no such area',
    put(entity, '"permission": "generalSettings"', '"permission": "generalSetings"'),
    /supplier\.json:8:.*\n.*generalSetings/,
  ],
  ['another key', put(entity, '"key": "id"', '"key": "name"'), /whose key is "id"/],
  [
    'a plural that is taken',
    { ...put(entity, '"many": "suppliers"', '"many": "Vendors"'), ...vendor() },
    /both would be served at \/rest\/vendors/,
  ],
  [
    'no such field in the form',
    put(screen, '"rating", "standIn"] }]', '"ratin", "standIn"] }]'),
    /suppliers\.json:.*\/form\/sections\/0\/fields\/2\n.*"ratin"/,
  ],
  [
    'no such call behind a button of the form',
    put(screen, '"form": {', '"form": { "actions": [{ "call": "retire", "title": "Retire" }],'),
    /\/form\/actions\/0.*\n.*rest-supplier\.retire/,
  ],
])('it says so: %s', (_, more, sentence) => {
  const told = loaded(more).problems.map(tell);
  expect(told.join('\n')).toMatch(sentence);
});

/** Another entity with its screen, whose records have the same plural. */
function vendor(): Record<string, string> {
  return {
    'schemas/entities/vendor.json': (files[entity] as string).replace('"many": "suppliers"', '"many": "vendors"'),
    'resources/vendors.json': (files[screen] as string).replace('"of": "supplier"', '"of": "vendor"'),
  };
}
