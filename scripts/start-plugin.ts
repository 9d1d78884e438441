// Vite plugin: puts the start script (src/admin/platform/start/start.ts with its table of first calls) into the HTML's head, and preloads the font.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { rolldown } from 'rolldown';
import { callFor } from '../src/contract/find.ts';
import type { Call, Definitions } from '../src/contract/types.ts';
import type { StartCall, StartTable } from '../src/admin/platform/start/preloaded-requests.ts';
import { headOf } from '../src/admin/list/list-head.ts';
import { checkProject } from '../src/server/platform/definitions.ts';

const TABLE = 'virtual:perennial/start';
/** The call that answers the session. */
const SESSION = 'start-up.session';

interface OutputFile {
  type: string;
  fileName: string;
  facadeModuleId?: string | null;
  imports?: string[];
  isEntry?: boolean;
}

/** Which calls the HTML's head sends at once: the session's, and on a list's page the list's. `files` names the chunks of a module. */
export function startTable(definitions: Definitions, files: (module: string) => string[]): StartTable {
  const callOf = (call: Call): StartCall => ({
    call: call.name,
    host: call.host,
    prefix: definitions.hosts[call.host]?.prefix ?? '',
    path: call.path,
  });
  const session = definitions.calls[SESSION];
  const lists: StartTable['lists'] = {};
  for (const resource of Object.values(definitions.resources)) {
    if (!resource.list || resource.page || resource.route.includes('[')) continue;
    const call = resource.list.call ? definitions.calls[resource.list.call] : callFor(definitions, resource, 'list');
    const pager = call && definitions.hosts[call.host]?.pagers[call.page ?? 'whole'];
    if (!call || !pager || call.path.includes('{')) continue;
    lists[resource.route] = {
      ...callOf(call),
      head: headOf(resource.list, definitions.entities[resource.of ?? call.of]),
      names: {
        pageSize: pager.size ?? 'pageSize',
        page: pager.page ?? 'page',
        after: pager.after ?? 'after',
        before: pager.before ?? 'before',
      },
      files: [
        ...new Set([
          ...files(`virtual:perennial/resource/${resource.route}`),
          ...files(`virtual:perennial/schema/entities/${resource.of ?? call.of}`),
        ]),
      ],
    };
  }
  // The first entry that has a screen is where a person lands who may see it; whoever may not costs one refused request.
  const landing =
    [...definitions.navigation.main, ...definitions.navigation.lower].find(entry => !entry.planned)?.to.replace(/^\//, '') ?? '';
  return {
    landing,
    session: session ? callOf(session) : { call: SESSION, host: 'user', prefix: definitions.hosts.user?.prefix ?? '', path: '/session' },
    lists,
  };
}

async function compile(root: string, table: StartTable): Promise<string> {
  const bundle = await rolldown({
    input: join(root, 'src/admin/platform/start/start.ts'),
    platform: 'browser',
    plugins: [
      {
        name: 'perennial-start-table',
        resolveId: id => (id === TABLE ? `\0${TABLE}` : undefined),
        load: id => (id === `\0${TABLE}` ? `export const start = ${JSON.stringify(table)};` : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code.trim().replaceAll('</script', '<\\/script');
}

export function startPlugin(): Plugin {
  let root = process.cwd();
  let base = '/';
  return {
    name: 'perennial-start',
    configResolved(config) {
      root = config.root;
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, context) {
        const bundle = Object.values((context.bundle ?? {}) as Record<string, OutputFile>);
        const entry = bundle.find(file => file.isEntry);
        const files = (module: string): string[] =>
          bundle
            .filter(file => file.type === 'chunk' && file.facadeModuleId === `\0${module}`)
            .flatMap(file => [
              file.fileName,
              ...(file.imports ?? []).filter(name => name !== entry?.fileName && !entry?.imports?.includes(name)),
            ])
            .map(name => base + name);
        const { definitions } = checkProject(root);
        const code = await compile(root, startTable(definitions, files));
        return html.replace('<!--start-->', () => `<script nonce="__CSP_NONCE__">${code}</script>`);
      },
    },
  };
}
