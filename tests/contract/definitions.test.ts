// The product's own definitions: right, with fresh generated files; and every settings page by its file alone.
import { readFileSync, readdirSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { tell } from '../../src/check/index.ts';
import { codecs } from '../../src/domain/codecs/index.ts';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import { strip } from '../../src/contract/validation/condition.ts';
import { withDefaults } from '../../src/contract/validation/defaults.ts';
import type { JsonObject, Schema } from '../../src/contract/types.ts';
import { validate } from '../../src/contract/validation/validate.ts';
import { checkProject, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const { definitions, problems } = checkProject();
const FILES = readDefinitionFiles();

test('nothing is wrong with them', () => expect(problems.map(tell)).toEqual([]));

test('every file names the meta-schema that its kind is checked against', () => {
  for (const [file, text] of Object.entries(FILES)) {
    const named = (JSON.parse(text) as { $schema?: string }).$schema;
    if (named === undefined || named.startsWith('http')) continue;
    const target = new URL(named, `file:///${file}`).pathname.slice(1);
    expect(FILES[target], `${file} names ${named}`).toBeDefined();
  }
});
test('D004 no group of calls has a concrete address: each is this server or a setting of its own', () => {
  const settings = Object.values(definitions.hosts).map(({ config }) => config);
  expect(settings.every(name => /^[A-Z0-9_]+_HOST$/.test(name ?? ''))).toBe(true);
  expect(new Set(settings).size).toBe(settings.length);
  for (const [name, { prefix }] of Object.entries(definitions.hosts)) expect(prefix, name).toMatch(/^\/\w[\w/]*$/);
  for (const { name, path } of Object.values(definitions.calls)) expect(path, name).not.toMatch(/^\/\/|:\/\//);
});
test('every screen can be reached: by the navigation, a card among the settings, a tab, a button, or the page of reports', () => {
  const entries = [...definitions.navigation.main, ...definitions.navigation.lower];
  const named = new Set([...entries, ...entries.flatMap(entry => entry.items ?? [])].map(entry => entry.to));
  const buttons = new Set(
    Object.values(definitions.resources)
      .flatMap(resource => [...(resource.actions ?? []), ...(resource.pages ?? [])])
      .map(one => one.to),
  );
  const lost = Object.values(definitions.resources).filter(
    ({ route, card }) =>
      !route.includes('[') &&
      !route.startsWith('settings') &&
      !route.startsWith('analytics/reports/') &&
      !card &&
      !named.has(`/${route}`) &&
      !buttons.has(`/${route}`),
  );
  expect(lost.map(({ route }) => route)).toEqual([]);
});
test("a word among the actions of rows names the screen's own action, with its question and its conditions", () => {
  const { subscriptions, 'selling-plans': plans } = definitions.resources;
  expect(plans?.list?.rowActions?.find(action => action.id === 'delete')).toEqual(plans?.actions?.find(action => action.id === 'delete'));
  expect(plans?.list?.rowActions?.find(action => action.id === 'delete')).toMatchObject({
    call: 'selling-plan-groups.delete',
    tone: 'critical',
    confirm: expect.any(String),
  });
  expect(plans?.list?.bulk?.slice(0, 2).map(({ id, when }) => [id, when])).toEqual([
    ['publish', { status: 'DRAFT' }],
    ['unpublish', { status: 'ACTIVE' }],
  ]);
  expect(subscriptions?.list?.bulk?.map(({ id, with: given }) => [id, given?.actionKey])).toEqual([
    ['pause', 'PAUSE_SUBSCRIPTION'],
    ['resume', 'RESUME_SUBSCRIPTION'],
    ['cancel', 'CANCEL_SUBSCRIPTION'],
    ['tags', 'UPDATE_TAGS'],
    ['more', undefined],
  ]);
});
test('the meta-schemas are schemas of draft 07', () => {
  const ajv = new Ajv({ strict: false });
  for (const [file, text] of Object.entries(FILES))
    if (file.startsWith('schemas/meta/')) expect(ajv.validateSchema(JSON.parse(text)), file).toBe(true);
});
const address = (file: string): string => `https://perennial.invalid/${file}`;
test('editors find nothing wrong either: the meta-schemas with the generated names fit every file', () => {
  const files = readDefinitionFiles();
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  for (const [file, text] of Object.entries(files))
    if (file.startsWith('schemas/meta/')) ajv.addSchema(JSON.parse(text) as object, address(file));
  for (const [file, text] of Object.entries(files)) {
    const named = (JSON.parse(text) as { $schema?: string }).$schema;
    if (!named?.startsWith('.')) continue;
    const validate = ajv.getSchema(new URL(named, address(file)).href);
    expect(
      validate?.(JSON.parse(text))
        ? []
        : (validate?.errors?.map(error => `${file}${error.instancePath} ${error.message} ${JSON.stringify(error.params).slice(0, 80)}`) ?? [
            `${file} names no meta-schema`,
          ]),
    ).toEqual([]);
  }
});
test('every codec has a file of its own or shares one, and none is left out', () => {
  const files = readdirSync(`${projectRoot}/src/domain/codecs`).filter(name => name !== 'index.ts');
  const index = readFileSync(`${projectRoot}/src/domain/codecs/index.ts`, 'utf8');
  for (const file of files) expect(index, file).toContain(`'./${file}'`);
  for (const codec of Object.values(codecs)) expect([typeof codec.encode, typeof codec.decode]).toEqual(['function', 'function']);
});

describe.each(Object.entries(definitions.settings))('settings page %s', (_name, schema) => {
  const defaults = withDefaults<JsonObject>(schema, {});
  const facts = { 'plan.rank': 4, 'plan.features': definitions.plans.flatMap(plan => plan.features) };
  test('starts from defaults that are valid and complete', () => {
    expect(validate(schema, compileValidator(schema), defaults, facts)).toEqual([]);
  });
  test('refuses a value of the wrong type in every field, with a sentence at that field', () => {
    for (const name of Object.keys(strip(schema, defaults, facts))) {
      const field = schema.properties?.[name] as Schema;
      const bad = [field.type].flat().includes('object') ? 'x' : { not: 'this' };
      const error = validate(schema, compileValidator(schema), { ...defaults, [name]: bad }, facts).find(one => one.pointer === `/${name}`);
      expect(error?.message, name).toMatch(/^[A-Z“"].{4,}/);
    }
  });
  test('refuses an unknown field', () => {
    expect(validate(schema, compileValidator(schema), { ...defaults, unknownField: 1 }, facts).map(error => error.pointer)).toEqual([
      '/unknownField',
    ]);
  });
  test('has a title for every field', () => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) expect(field.title, name).toBeTruthy();
  });
});

test('a picture is uploaded by people who may write the record that it is for', () => {
  const { calls, entities, settings } = definitions;
  const wrong: string[] = [];
  let pictures = 0;
  const walk = (schema: Schema, areas: Set<string | undefined>, at: string): void => {
    const name = schema['x-ui']?.widget === 'image' ? schema['x-ui'].options?.call : undefined;
    if (typeof name === 'string') {
      pictures++;
      if (!areas.has(calls[name]?.permission)) wrong.push(`${at}: ${name} asks for ${calls[name]?.permission}, not ${[...areas].join()}`);
    }
    for (const [key, field] of Object.entries(schema.properties ?? {})) walk(field, areas, `${at}/${key}`);
    if (schema.items) walk(schema.items, areas, at);
  };
  for (const [name, schema] of Object.entries(entities)) {
    const writes = Object.values(calls).filter(call => call.of === name && (call.does === 'create' || call.does === 'update'));
    // A part of another record has no calls of its own.
    const areas = new Set(writes.length ? writes.map(call => call.permission) : [calls[`${name.split('-')[0]}s.create`]?.permission]);
    walk(schema, areas, name);
  }
  for (const [name, schema] of Object.entries(settings)) walk(schema, new Set([schema['x-setting']?.permission]), `settings/${name}`);
  expect(wrong).toEqual([]);
  expect(pictures).toBeGreaterThan(6);
});
