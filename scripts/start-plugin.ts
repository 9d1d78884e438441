// Vite plugin: puts the start script (src/admin/platform/start/start.ts) into the HTML's head, and makes the table of what each address
// starts with:
// a file beside the built admin, of which the server gives each page its own entry; while developing the page is filled here.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { rolldown } from 'rolldown';
import { isListOnly } from '../src/browser-definitions/core-parts.ts';
import { callFor } from '../src/contract/find.ts';
import type { Call, Definitions } from '../src/contract/types.ts';
import type { StartCall, StartList } from '../src/admin/platform/start/preloaded-requests.ts';
import { headOf } from '../src/admin/list/list-head.ts';
import { checkProject } from '../src/server/platform/definitions.ts';
import { fillStart, START_FILE, type StartTable } from '../src/server/platform/http/start-table.ts';

const CATALOGUE = 'virtual:perennial/catalogue';
/** The call that answers the session. */
const SESSION = 'start-up.session';

interface OutputFile {
  type: string;
  fileName: string;
  facadeModuleId?: string | null;
  imports?: string[];
  isEntry?: boolean;
}

/**
 * Which calls the HTML's head sends at once: the session's, and on a list's page the list's. `files` names the chunks of a module, its own
 * first.
 */
export function startTable(definitions: Definitions, files: (module: string) => string[]): StartTable {
  const callOf = (call: Call): StartCall => ({
    call: call.name,
    host: call.host,
    prefix: definitions.hosts[call.host]?.prefix ?? '',
    path: call.path,
  });
  const session = definitions.calls[SESSION];
  const screens: StartTable['screens'] = {};
  for (const resource of Object.values(definitions.resources)) {
    if (!resource.list || resource.page || resource.route.includes('[')) continue;
    const call = resource.list.call ? definitions.calls[resource.list.call] : callFor(definitions, resource, 'list');
    const pager = call && definitions.hosts[call.host]?.pagers[call.page ?? 'whole'];
    if (!call || !pager || call.path.includes('{') || call.encode) continue;
    const list: StartList = {
      ...callOf(call),
      head: headOf(resource.list, definitions.entities[resource.of ?? call.of]),
      names: {
        pageSize: pager.size ?? 'pageSize',
        page: pager.page ?? 'page',
        ...(pager.offset && !pager.page ? { offset: pager.offset } : {}),
        after: pager.after ?? 'after',
        before: pager.before ?? 'before',
        filter: call.in.find(param => param.as === 'filter')?.name ?? 'filter',
      },
    };
    const own = files(`virtual:perennial/screen/${resource.route}`);
    screens[resource.route] = { list, ...(isListOnly(resource) ? { file: own[0], files: own } : { files: files(CATALOGUE) }) };
  }
  // The first entry that has a screen is where a person lands who may see it; a person who may not costs one refused request.
  const landing =
    [...definitions.navigation.main, ...definitions.navigation.lower].find(entry => !entry.planned)?.to.replace(/^\//, '') ?? '';
  return {
    landing,
    session: session ? callOf(session) : { call: SESSION, host: 'user', prefix: definitions.hosts.user?.prefix ?? '', path: '/session' },
    screens,
    other: { files: files(CATALOGUE) },
  };
}

async function compile(root: string): Promise<string> {
  const bundle = await rolldown({ input: join(root, 'src/admin/platform/start/start.ts'), platform: 'browser' });
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
      async handler(html, { server, path }) {
        const code = await compile(root);
        const whole = html.replace('<!--start-->', () => `<script nonce="__CSP_NONCE__">${code}</script>`);
        return server
          ? fillStart(
              whole,
              startTable(checkProject(root).definitions, module => [`/@id/__x00__${module}`]),
              path,
            )
          : whole;
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const output: OutputFile[] = Object.values(bundle);
        const entry = output.find(file => file.isEntry && file.facadeModuleId?.endsWith('index.html'));
        const files = (module: string): string[] =>
          output
            .filter(file => file.type === 'chunk' && file.facadeModuleId === `\0${module}`)
            .flatMap(file => [
              file.fileName,
              ...(file.imports ?? []).filter(name => name !== entry?.fileName && !entry?.imports?.includes(name)),
            ])
            .map(name => base + name);
        this.emitFile({ type: 'asset', fileName: START_FILE, source: JSON.stringify(startTable(checkProject(root).definitions, files)) });
      },
    },
  };
}
