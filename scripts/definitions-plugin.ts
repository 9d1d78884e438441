// Vite plugin: the definition files as modules of the admin. A changed file reloads the page; a wrong one is shown in the overlay with its place.
import { join, relative, sep } from 'node:path';
import type { ErrorPayload, Plugin, ViteDevServer } from 'vite';
import type { Definitions, Problem, Resource, Schema } from '../src/contract/types.ts';
import { inputSchema } from '../src/contract/calls.ts';
import { validatorCode } from '../src/contract/compile.ts';
import { coreOf, formCalls } from '../src/contract/core.ts';
import { tell } from '../src/contract/check.ts';
import { checkProject } from '../src/server/definitions.ts';

const PREFIX = 'virtual:perennial/';

/** The modules `virtual:perennial/core`, `/loaders`, `/resource/<route>`, `/schema/<kind>/<name>` and `/validator/<kind>/<name>`. */
export function definitionsPlugin(options: { root?: string } = {}): Plugin {
  let root = options.root ?? process.cwd();
  let current: { definitions: Definitions; problems: Problem[] } | undefined;
  const state = (): { definitions: Definitions; problems: Problem[] } => current ??= checkProject(root);

  const schemaOf = (definitions: Definitions, kind: string, name: string): Schema | undefined => {
    if (kind !== 'calls') return (definitions as unknown as Record<string, Record<string, Schema>>)[kind]?.[name];
    const call = definitions.calls[name];
    return call && inputSchema(call, definitions.ambient);
  };

  return {
    name: 'perennial-definitions',
    configResolved(config) { root = options.root ?? config.root; },
    resolveId(id) { return id.startsWith(PREFIX) ? `\0${id}` : undefined; },
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const path = id.slice(PREFIX.length + 1);
      const { definitions, problems } = state();
      if (problems.length) this.error({ message: problems.map(tell).join('\n'), ...place(root, problems[0] as Problem) });
      if (path === 'core') return `export const core = ${parsed(coreOf(definitions))};`;
      if (path === 'loaders') return loaders(definitions);
      const [kind = '', ...rest] = path.split('/');
      const name = rest.join('/');
      if (kind === 'resource') {
        const resource: Resource | undefined = definitions.resources[name];
        if (!resource) this.error(`There is no screen resources/${name}.json.`);
        return `export default ${parsed(resource)};`;
      }
      const [group = '', ...own] = rest;
      const schema = schemaOf(definitions, group, own.join('/'));
      if (!schema) this.error(`There is no schema ${name}.`);
      if (kind === 'schema') return `export default ${parsed(schema)};`;
      if (kind === 'validator') return validatorCode(schema as Schema, join(root, 'src/contract/validator-runtime.ts').split(sep).join('/'));
      return this.error(`There is no module ${PREFIX}${path}.`);
    },
    configureServer(server) { follow(server, () => root, () => { current = undefined; }, state); },
  };
}

const place = (root: string, problem: Problem): { id: string; loc: { file: string; line: number; column: number } } => {
  const file = join(root, problem.file);
  return { id: file, loc: { file, line: problem.line, column: problem.column } };
};

/** JSON as a JavaScript expression; large texts parse faster this way than as literals. */
const parsed = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;

function loaders(definitions: Definitions): string {
  const dynamic = (kind: string, names: string[]): string => `{${names.map(name => `${JSON.stringify(name)}:()=>import(${JSON.stringify(`${PREFIX}${kind}/${name}`)})`).join(',')}}`;
  const named = (group: 'entities' | 'settings' | 'common'): string[] => Object.keys(definitions[group]).map(name => `${group}/${name}`);
  const judged = [...named('entities'), ...named('settings'), ...formCalls(definitions).map(name => `calls/${name}`)];
  return `export const resources = ${dynamic('resource', Object.keys(definitions.resources))};\n` +
    `export const schemas = ${dynamic('schema', [...judged, ...named('common')])};\n` +
    `export const validators = ${dynamic('validator', judged)};\n`;
}

/** Reloads the page when a definition changes; while something is wrong, the overlay says what and the old page stays. */
function follow(server: ViteDevServer, rootOf: () => string, forget: () => void, state: () => { problems: Problem[] }): void {
  const concerns = (file: string): boolean => {
    const path = relative(rootOf(), file).split(sep).join('/');
    return /^(schemas|resources)\/.*\.json$/.test(path) || /^renderers\/[^/]+\/.*(\.tsx|\.options\.json)$/.test(path) || /^src\/server\/handlers\/.*\.ts$/.test(path);
  };
  let timer: NodeJS.Timeout | undefined;
  const told = { broken: false };
  const changed = (event: string, file: string): void => {
    if (!concerns(file)) return;
    // A renderer or handler that is only edited changes no name; one that comes or goes may.
    if (/\.tsx?$/.test(file) && event === 'change' && !told.broken) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      forget();
      const { problems } = state();
      if (problems.length) {
        told.broken = true;
        const err: ErrorPayload['err'] = { plugin: 'perennial-definitions', message: problems.map(tell).join('\n'), stack: '', ...place(rootOf(), problems[0] as Problem) };
        server.config.logger.error(err.message);
        server.ws.send({ type: 'error', err });
        return;
      }
      told.broken = false;
      for (const module of server.moduleGraph.idToModuleMap.values()) if (module.id?.startsWith(`\0${PREFIX}`)) server.moduleGraph.invalidateModule(module);
      server.ws.send({ type: 'full-reload' });
    }, 50);
  };
  for (const event of ['add', 'change', 'unlink'] as const) server.watcher.on(event, file => changed(event, file));
  for (const folder of ['schemas', 'resources', 'renderers', 'src/server/handlers']) server.watcher.add(join(rootOf(), folder));
  server.httpServer?.once('close', () => clearTimeout(timer));
}
