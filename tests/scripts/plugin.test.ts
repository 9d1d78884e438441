// The definitions as modules of the admin: validators without eval, and what a change of a file does while developing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, createServer, type ErrorPayload, type HotPayload, type ViteDevServer } from 'vite';
import { definitionsPlugin, type DefinitionsApi } from '../../scripts/definitions-plugin.ts';
import { inputSchema } from '../../src/contract/calls.ts';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import { formCalls } from '../../src/browser-definitions/core.ts';
import { withDefaults } from '../../src/contract/validation/defaults.ts';
import type { JsonValue, Schema } from '../../src/contract/types.ts';
import { checkProject, loadDefinitions, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';
import { miniFiles, miniOptions } from '../contract/mini.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'perennial-definitions-'));
  made.push(path);
  return path;
};
const write = (root: string, file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

/** The mini-app as a project on disk. */
function project(): string {
  const root = folder();
  for (const [file, text] of Object.entries({ ...miniFiles(), ...miniOptions.options })) write(root, file, text);
  for (const [kind, names] of Object.entries(miniOptions.renderers ?? {}))
    for (const name of names ?? []) write(root, `renderers/${kind}/${name}.tsx`, 'export default () => null;');
  write(root, 'src/admin/ui/icons.tsx', "export const icons: Record<string, unknown> = { 'store': 1, 'bell': 2 };");
  write(
    root,
    'src/server/features/coffees/calls/coffees.ts',
    'export async function taste() {}\nexport const roast = 1;\nexport const sellOut = 1;\nexport const blend = () => {};\nconst shake = 1;\nexport { shake as mix };\n',
  );
  return root;
}

test('a project on disk is read with its handlers, renderers, options and icons', () => {
  const root = project();
  expect(checkProject(root).problems).toEqual([]);
  expect(readDefinitionFiles(root)).toEqual(miniFiles());
});

const said = (schema: Schema, list: JsonValue[]): unknown =>
  list.map(data => {
    const validate = compileValidator(schema);
    validate(data);
    return JSON.parse(JSON.stringify((validate.errors ?? []).map(error => [error.keyword, error.instancePath, error.params]))) as unknown;
  });

describe('built', () => {
  const ENTRY = `import { forms, validators } from 'virtual:perennial/catalogue';
    export async function run(cases) {
      const out = {};
      for (const load of Object.values(forms)) Object.assign(validators, (await load()).default.validators);
      for (const [name, list] of Object.entries(cases)) {
        const validate = (await validators[name]()).default;
        out[name] = list.map(data => (validate(data), (validate.errors ?? []).map(error => [error.keyword, error.instancePath, error.params])));
      }
      return out;
    }`;
  const RUN = `import { readFileSync } from 'node:fs';
    import { run } from './out/entry.mjs';
    let evil = true;
    try { new Function('return 1')(); } catch { evil = false; }
    if (evil) throw new Error('Making code from strings is allowed here, so this proves nothing.');
    console.log(JSON.stringify(await run(JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')))));`;
  /** What the built validators say, in a Node that refuses to make code from strings as a browser under our policy does. */
  async function run(root: string, cases: Record<string, JsonValue[]>): Promise<Record<string, unknown>> {
    const work = folder();
    write(work, 'entry.js', ENTRY);
    write(work, 'run.mjs', RUN);
    write(work, 'cases.json', JSON.stringify(cases));
    await build({
      root: work,
      configFile: false,
      logLevel: 'error',
      plugins: [definitionsPlugin({ root })],
      build: {
        outDir: 'out',
        minify: false,
        target: 'es2022',
        lib: { entry: join(work, 'entry.js'), formats: ['es'], fileName: () => 'entry.mjs' },
      },
    });
    return JSON.parse(
      execFileSync(process.execPath, ['--disallow-code-generation-from-strings', join(work, 'run.mjs')], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      }),
    ) as Record<string, unknown>;
  }
  test('validators say without eval what they say on the server: the mini-app', async () => {
    const root = project();
    const definitions = loadDefinitions(root);
    const coffee: JsonValue = {
      name: '😀'.repeat(41),
      price: '0.10',
      stock: 1001,
      notes: ['a', 'a'],
      origin: 'kenya',
      roast: 'BURNT',
      lots: [{}, { bags: 0 }],
      extra: 1,
    };
    const cases: Record<string, JsonValue[]> = {
      'entities/coffee': [{}, coffee, { id: 1, name: 'A', price: '1.00' }],
      'settings/brewing': [{}, { isOn: true, hour: 24, repeat: 'NEVER' }],
      'calls/coffees.roast': [{ id: 0, grade: 6 }],
      'calls/coffees.mix': [{}],
    };
    const result = await run(root, cases);
    expect(result['entities/coffee']).toEqual(said(definitions.entities.coffee as Schema, cases['entities/coffee'] ?? []));
    expect(result['settings/brewing']).toEqual(said(definitions.settings.brewing as Schema, cases['settings/brewing'] ?? []));
    for (const name of ['coffees.roast', 'coffees.mix'] as const)
      expect(result[`calls/${name}`]).toEqual(
        said(inputSchema(definitions.calls[name] as never, definitions.ambient), cases[`calls/${name}`] ?? []),
      );
    expect((result['entities/coffee'] as unknown[][])[2]).toEqual([]);
  });

  test('validators say without eval what they say on the server: every schema of the product', async () => {
    const definitions = loadDefinitions();
    const schemas: Record<string, Schema> = {};
    for (const kind of ['entities', 'settings'] as const)
      for (const [name, schema] of Object.entries(definitions[kind])) schemas[`${kind}/${name}`] = schema;
    for (const name of formCalls(definitions))
      schemas[`calls/${name}`] = inputSchema(definitions.calls[name] as never, definitions.ambient);
    const cases = Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        const filled = withDefaults<Record<string, JsonValue>>(schema, {});
        const wild = Object.fromEntries(
          Object.keys(schema.properties ?? {}).map((field, i) => [field, [null, 'x', -1, [1, 1], { a: 1 }, true, 1e9][i % 7] as JsonValue]),
        );
        return [name, [{}, filled, wild, 'x'] as JsonValue[]];
      }),
    );
    const result = await run(projectRoot, cases);
    for (const [name, schema] of Object.entries(schemas)) expect(result[name], name).toEqual(said(schema, cases[name] as JsonValue[]));
  });
});

describe('while developing', () => {
  let server: ViteDevServer;
  let root: string;
  const sent: HotPayload[] = [];
  let connect: () => void;
  beforeAll(async () => {
    root = project();
    server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      appType: 'custom',
      plugins: [
        {
          name: 'watch-connections',
          configureServer: made => {
            made.ws.on = ((event: string, then: () => void) => {
              if (event === 'connection') connect = then;
            }) as typeof made.ws.on;
          },
        },
        definitionsPlugin(),
      ],
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
    });
    server.ws.send = ((payload: HotPayload) => {
      sent.push(payload);
    }) as typeof server.ws.send;
  });
  afterAll(() => server.close());
  const codeOf = async (id: string): Promise<string> => (await server.transformRequest(`virtual:perennial/${id}`))?.code ?? '';
  /** Changes a file and waits for what the browser gets. */
  async function change(file: string, text: string): Promise<HotPayload> {
    const before = sent.length;
    writeFileSync(join(root, file), text);
    while (sent.length === before)
      await new Promise(resolve => {
        setTimeout(resolve, 20);
      });
    return sent.at(-1) as HotPayload;
  }

  test('there is a module for the core, for the catalogue, for the forms of a table, and for each screen, schema and validator', async () => {
    const loaders = await codeOf('catalogue');
    expect(loaders).toContain('POST /api/coffees/roast');
    const core = await codeOf('core');
    expect(core).toContain('GET /api/coffees/list');
    expect(core).not.toContain('/api/coffees/roast');
    expect(await codeOf('screen/coffees')).toContain('/api/coffees/roast');
    await expect(codeOf('screen/coffees/[id]')).rejects.toThrow('There is no list resources/coffees/[id].json.');
    for (const name of ['"coffees/[id]"', '"entities/coffee"', '"settings/brewing"', 'perennial/forms/coffees', '"common/roast"'])
      expect(loaders, name).toContain(name);
    // The forms of calls are as many as the catalogue has actions: the start knows their tables only.
    expect(loaders).not.toContain('calls/');
    const forms = await codeOf('forms/coffees');
    for (const kind of ['schema', 'validator']) expect(forms, kind).toMatch(new RegExp(`perennial/${kind}/calls/coffees.roast`));
    await expect(codeOf('forms/teas')).rejects.toThrow('There are no forms of a table "teas".');
    expect(await codeOf('resource/coffees/[id]')).toContain('tasting');
    expect(await codeOf('schema/entities/coffee')).toContain('Decaffeinated');
    expect(await codeOf('schema/calls/coffees.roast')).toContain('Grade');
    const validator = await codeOf('validator/settings/brewing');
    expect(validator).not.toMatch(/require\(|new Function|eval\(/);
    await expect(codeOf('schema/entities/tea')).rejects.toThrow('There is no schema entities/tea.');
  });

  test('a change reloads the page with the new definitions', async () => {
    const file = 'schemas/entities/coffee.json';
    const text = readFileSync(join(root, file), 'utf8');
    expect(await change(file, text.replace('Decaffeinated', 'Without caffeine'))).toMatchObject({ type: 'full-reload' });
    expect(await codeOf('schema/entities/coffee')).toContain('Without caffeine');
  });

  test('a new settings page needs no more than its file', async () => {
    const text = readFileSync(join(root, 'schemas/settings/brewing.json'), 'utf8');
    expect(
      await change('schemas/settings/grinding.json', text.replace('"MACHINE"', '"GRINDER"').replaceAll('Brewing', 'Grinding')),
    ).toMatchObject({ type: 'full-reload' });
    expect(await codeOf('catalogue')).toContain('Grinding');
    expect(await codeOf('catalogue')).toContain('"settings/grinding"');
  });

  test('a mistake is shown over the page with file, line, sentence and suggestion, until it is corrected', async () => {
    const file = 'schemas/settings/brewing.json';
    const text = readFileSync(join(root, file), 'utf8');
    const payload = (await change(file, text.replace('"widget": "select"', '"widget": "selct"'))) as ErrorPayload;
    expect(payload.type).toBe('error');
    expect(payload.err.message).toBe(
      'schemas/settings/brewing.json:13:198  /properties/repeat/x-ui/widget\n  There is no widget "selct" in renderers/fields. Did you mean "select"?',
    );
    expect(payload.err.loc).toMatchObject({ line: 13, column: 198 });
    expect(await codeOf('core')).toContain('brewing'); // the page works as far as it can,
    sent.length = 0;
    connect(); // and one that is opened now shows the same
    expect(sent).toEqual([payload]);
    expect(await change(file, text)).toMatchObject({ type: 'full-reload' });
  });

  test('the server takes each change of a file that is replaced by another of its name, before the page reloads, and none that is wrong', async () => {
    const file = 'schemas/entities/coffee.json';
    const text = readFileSync(join(root, file), 'utf8');
    const taken: { title: string | undefined; reloads: number }[] = [];
    const reloads = () => sent.filter(({ type }) => type === 'full-reload').length;
    const { api } = server.config.plugins.find(({ name }) => name === 'perennial-definitions') as { api?: DefinitionsApi };
    api?.onGood(definitions => {
      taken.push({ title: definitions.entities.coffee?.title, reloads: reloads() });
      return Promise.resolve();
    });
    // As editors and the studio save: a new file takes the place of the old one.
    const replace = async (content: string): Promise<HotPayload> => {
      const before = sent.length;
      write(root, `${file}.saving`, content);
      renameSync(join(root, `${file}.saving`), join(root, file));
      while (sent.length === before)
        await new Promise(resolve => {
          setTimeout(resolve, 20);
        });
      return sent.at(-1) as HotPayload;
    };
    const before = reloads();
    for (const title of ['Bean', 'Berry', 'Cherry'])
      expect(await replace(text.replace('"title": "Coffee"', `"title": "${title}"`))).toMatchObject({ type: 'full-reload' });
    expect(await replace(text.replace('"type": "object"', '"typ": "object"'))).toMatchObject({ type: 'error' });
    expect(taken).toEqual(['Bean', 'Berry', 'Cherry'].map((title, i) => ({ title, reloads: before + i })));
    expect(await replace(text)).toMatchObject({ type: 'full-reload' });
  });

  test('a file that is no JSON gives no modules until it is corrected', async () => {
    const file = 'schemas/settings/brewing.json';
    const text = readFileSync(join(root, file), 'utf8');
    expect(await change(file, text.replace('"Brewing",', '"Brewing"'))).toMatchObject({ type: 'error' });
    await expect(codeOf('core')).rejects.toThrow('schemas/settings/brewing.json:4:3  /\n  A comma is missing.');
    expect(await change(file, text)).toMatchObject({ type: 'full-reload' });
    expect(await codeOf('core')).toContain('brewing');
  });
});

describe('a wrong definition', () => {
  test('stops a build', async () => {
    const root = project();
    write(
      root,
      'resources/coffees.json',
      readFileSync(join(root, 'resources/coffees.json'), 'utf8').replace('"icon": "store",\n', '"icon": "shop",\n'),
    );
    write(root, 'entry.js', "export { core } from 'virtual:perennial/core';\n");
    const building = build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [definitionsPlugin()],
      build: { outDir: 'out', lib: { entry: join(root, 'entry.js'), formats: ['es'] } },
    });
    await expect(building).rejects.toThrow('resources/coffees.json:5:11  /icon\n  There is no icon "shop".');
  });
});
