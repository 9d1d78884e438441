// Vite plugin: the definition files as modules of the admin. A changed file reloads the page; what is wrong is shown in the overlay with
// its place, over a page that works as far as it can, and stops a build.
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorPayload, Plugin, ViteDevServer } from 'vite';
import type { Definitions, Problem, Resource, Schema } from '../src/contract/types.ts';
import { inputSchema } from '../src/contract/calls.ts';
import { validatorCode } from '../src/contract/validation/compile.ts';
import { type Core, coreOf, formTables, packCore } from '../src/browser-definitions/core.ts';
import { frameOf, isListOnly, packPart, partFor, type ScreenStart } from '../src/browser-definitions/core-parts.ts';
import { tell, type Checked } from '../src/check/index.ts';
import { checkForAdmin, checkProject } from '../src/server/platform/definitions.ts';
import { filesBelow, readSource } from './lib/source-files.ts';

const PREFIX = 'virtual:perennial/';

/** What the plugin offers to the development server: the same definitions that the browser gets, read and checked once for both. */
export interface DefinitionsApi {
  /**
   * Calls back when definition files changed and nothing is wrong with them, before the pages reload. Definitions with a problem
   * never come: the last good ones go on serving.
   */
  onGood(take: (definitions: Definitions) => Promise<void>): void;
}
const moduleAt = (file: string): string =>
  fileURLToPath(new URL(`../src/${file}`, import.meta.url))
    .split(sep)
    .join('/');
const RUNTIME = moduleAt('contract/validation/validator-runtime.ts');
const CORE = moduleAt('browser-definitions/core.ts');

/**
 * The modules `virtual:perennial/core` (what the frame needs), `/catalogue` (all the rest, and the loaders of what follows),
 * `/screen/<route>` (what a
 * list needs besides the frame), `/resource/<route>`, `/forms/<table>`, `/schema/<kind>/<name>` and `/validator/<kind>/<name>`.
 */
export function definitionsPlugin(options: { root?: string } = {}): Plugin<DefinitionsApi> {
  let root = options.root ?? process.cwd();
  let isServing = false;
  let current: Checked | undefined;
  const takers: ((definitions: Definitions) => Promise<void>)[] = [];
  // A build of the admin does not ask for the server's sources; while developing both run, and one check serves both.
  const state = (): Checked => (current ??= isServing ? checkProject(root) : checkForAdmin(root));
  let cores: { of: Definitions; whole: Core; frame: Core } | undefined;
  /** All of the core, and what of it the frame needs. */
  const coresOf = (definitions: Definitions): { whole: Core; frame: Core } => {
    if (cores?.of === definitions) return cores;
    const whole = coreOf(definitions);
    cores = { of: definitions, whole, frame: frameOf(whole, named(root)) };
    return cores;
  };

  return {
    name: 'perennial-definitions',
    api: { onGood: take => takers.push(take) },
    configResolved(config) {
      root = options.root ?? config.root;
      isServing = config.command === 'serve';
    },
    resolveId(id) {
      return id.startsWith(PREFIX) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const path = id.slice(PREFIX.length + 1);
      const { definitions, problems, broken } = state();
      if (problems.length && (broken || !isServing))
        this.error({ message: problems.map(tell).join('\n'), ...place(root, problems[0] as Problem) });
      const { whole, frame } = coresOf(definitions);
      const coreCode = (core: Core): string =>
        `import { unpackCore } from ${JSON.stringify(CORE)};\nexport const core = unpackCore(${parsed(packCore(core))});\n`;
      if (path === 'core') return coreCode(frame);
      if (path === 'catalogue') return coreCode(whole) + loaders(definitions);
      const [kind = '', ...rest] = path.split('/');
      const name = rest.join('/');
      if (kind === 'resource') {
        const resource: Resource | undefined = definitions.resources[name];
        if (!resource) this.error(`There is no screen resources/${name}.json.`);
        return `export default ${parsed(resource)};`;
      }
      if (kind === 'screen') {
        const resource: Resource | undefined = definitions.resources[name];
        if (!resource || !isListOnly(resource)) this.error(`There is no list resources/${name}.json.`);
        const schema = definitions.entities[resource.of ?? ''];
        const start: ScreenStart = {
          resource,
          schemaName: `entities/${resource.of ?? ''}`,
          schema,
          part: packPart(partFor(whole, frame, resource, schema), whole.hosts),
        };
        return `export default ${parsed(start)};`;
      }
      if (kind === 'forms') {
        const calls = formTables(definitions)[name]?.map(call => `calls/${call}`);
        if (!calls) this.error(`There are no forms of a table "${name}".`);
        return `export default {schemas:${dynamic('schema', calls)},validators:${dynamic('validator', calls)}};`;
      }
      const [group = '', ...own] = rest;
      const schema = schemaOf(definitions, group, own.join('/'));
      if (!schema) this.error(`There is no schema ${name}.`);
      if (kind === 'schema') return `export default ${parsed(schema)};`;
      if (kind === 'validator') return validatorCode(schema as Schema, RUNTIME);
      return this.error(`There is no module ${PREFIX}${path}.`);
    },
    // No module imports a list's own file: the page names it to the browser (start-plugin.ts).
    buildStart() {
      if (isServing) return;
      const { definitions } = state();
      for (const resource of Object.values(definitions.resources))
        if (isListOnly(resource))
          this.emitFile({
            type: 'chunk',
            preserveSignature: 'strict',
            id: `${PREFIX}screen/${resource.route}`,
            name: `screen-${resource.route.replace(/\W+/g, '-')}`,
          });
    },
    configureServer(server) {
      follow(
        server,
        () => root,
        () => {
          current = undefined;
        },
        state,
        definitions => Promise.all(takers.map(take => take(definitions))),
      );
    },
  };
}

/**
 * What the code of the admin and of the cells names in quotation marks: "saved-views.list", if it is a call. Both are there from the start.
 */
const named = (root: string): string[] => [
  ...new Set(
    ['src/admin', 'renderers/cells']
      .flatMap(folder => filesBelow(root, folder))
      .filter(file => /\.tsx?$/.test(file))
      .flatMap(file => [...readSource(root, file).matchAll(/'([a-z][\w-]*\.[A-Za-z]\w*)'/g)].map(([, name]) => name as string)),
  ),
];

function schemaOf(definitions: Definitions, kind: string, name: string): Schema | undefined {
  if (kind === 'actions') return definitions.actions[name]?.form ?? undefined;
  if (kind !== 'calls') return (definitions as unknown as Record<string, Record<string, Schema>>)[kind]?.[name];
  const call = definitions.calls[name];
  return call && inputSchema(call, definitions.ambient);
}

const place = (root: string, problem: Problem): { id: string; loc: { file: string; line: number; column: number } } => {
  const file = join(root, problem.file);
  return { id: file, loc: { file, line: problem.line, column: problem.column } };
};

/** JSON as a JavaScript expression; large texts parse faster this way than as literals. */
const parsed = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;

const dynamic = (kind: string, names: string[]): string =>
  `{${names.map(name => `${JSON.stringify(name)}:()=>import(${JSON.stringify(`${PREFIX}${kind}/${name}`)})`).join(',')}}`;
function loaders(definitions: Definitions): string {
  const named = (group: 'entities' | 'settings' | 'common'): string[] => Object.keys(definitions[group]).map(name => `${group}/${name}`);
  const forms = Object.values(definitions.actions).flatMap(action => (action.form ? `actions/${action.key}` : []));
  const judged = [...named('entities'), ...named('settings'), ...forms];
  return (
    `export const resources = ${dynamic('resource', Object.keys(definitions.resources))};\n` +
    `export const schemas = ${dynamic('schema', [...judged, ...named('common')])};\n` +
    `export const validators = ${dynamic('validator', judged)};\n` +
    `export const forms = ${dynamic('forms', Object.keys(formTables(definitions)))};\n`
  );
}

/**
 * Reloads the page when a definition changes, after the server has taken it; while something is wrong, the overlay says what over the page
 * as it was. It listens to Vite's watcher, which goes on hearing of a file that was replaced by another of its name: `fs.watch` of Node 20
 * does not.
 */
function follow(
  server: ViteDevServer,
  rootOf: () => string,
  forget: () => void,
  state: () => Checked,
  take: (definitions: Definitions) => Promise<unknown>,
): void {
  const concerns = (file: string): boolean => {
    const path = relative(rootOf(), file).split(sep).join('/');
    return (
      /^(schemas|resources)\/.*\.json$/.test(path) ||
      /^renderers\/[^/]+\/.*(\.tsx|\.options\.json)$/.test(path) ||
      /^src\/server\/features\/[^/]+\/calls\/.*\.ts$/.test(path)
    );
  };
  const show = (problems: Problem[]): void => {
    const err: ErrorPayload['err'] = {
      plugin: 'perennial-definitions',
      message: problems.map(tell).join('\n'),
      stack: '',
      ...place(rootOf(), problems[0] as Problem),
    };
    server.ws.send({ type: 'error', err });
  };
  server.ws.on('connection', () => {
    const { problems } = state();
    if (problems.length) show(problems);
  });
  let timer: NodeJS.Timeout | undefined;
  const overlay = { broken: false };
  let taken: Promise<void> = Promise.resolve();
  const changed = (event: string, file: string): void => {
    if (!concerns(file)) return;
    // A renderer or handler that is only edited changes no name; one that comes or goes may.
    if (/\.tsx?$/.test(file) && event === 'change' && !overlay.broken) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      forget();
      for (const module of server.moduleGraph.idToModuleMap.values())
        if (module.id?.startsWith(`\0${PREFIX}`)) server.moduleGraph.invalidateModule(module);
      const { problems } = state();
      if (problems.length) {
        overlay.broken = true;
        server.config.logger.error(problems.map(tell).join('\n'));
        show(problems);
        return;
      }
      overlay.broken = false;
      const { definitions } = state();
      taken = taken
        .then(() => take(definitions))
        .then(
          () => server.ws.send({ type: 'full-reload' }),
          (error: unknown) => server.config.logger.error(error instanceof Error ? error.message : String(error)),
        );
    }, 50);
  };
  for (const event of ['add', 'change', 'unlink'] as const) server.watcher.on(event, file => changed(event, file));
  for (const folder of ['schemas', 'resources', 'renderers', 'src/server/features']) server.watcher.add(join(rootOf(), folder));
  server.httpServer?.once('close', () => clearTimeout(timer));
}
