// The server's code as bundles for plain Node: by the build, and by tests for what they run in processes of their own.
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { moduleFiles } from '../../src/server/platform/modules.ts';

/**
 * The server finds its modules by their files; a bundle has no folders, so their imports are written out here, and loaded when they are
 * asked for, as there: what is between them and the code that begins would else be run in another order.
 */
const ALL_MODULES = '\0all-modules';
const fixedImports = (root: string): Plugin => ({
  name: 'fixed-imports',
  resolveId: source => (source === 'all-modules' ? ALL_MODULES : undefined),
  load(id) {
    if (id !== ALL_MODULES) return undefined;
    const files = moduleFiles(join(root, 'src/server'));
    const imports = files.map(({ path }, i) => `import * as module_${i} from ${JSON.stringify(path)};`);
    const modules = files.map(
      ({ kind, name }, i) => `{ kind: ${JSON.stringify(kind)}, name: ${JSON.stringify(name)}, exports: module_${i} }`,
    );
    return `${imports.join('\n')}\nexport default [${modules.join(', ')}];\n`;
  },
  transform: {
    filter: { id: /src\/server\/platform\/modules\.ts$/ },
    handler(code) {
      const head = code.slice(0, code.indexOf('/** Imports every module. */'));
      return {
        code: `${head}\nexport async function loadModules() { return gather((await import('all-modules')).default); }\n`,
        map: { mappings: '' },
      };
    },
  },
});

/**
 * Writes `<name>.js` for each name -> file of `input` into `folder`, which lies within the project so that packages are found, with all that
 * the server looks for beside its bundle but the empty database, which it otherwise makes.
 */
export async function bundleServer(root: string, folder: string, input: Record<string, string>): Promise<void> {
  // What is done apart has an entry of its own (src/server/platform/apart).
  const processes = Object.fromEntries(
    readdirSync(join(root, 'src/server'), { withFileTypes: true, recursive: true })
      .filter(({ name }) => name.endsWith('-process.ts'))
      .map(({ name, parentPath }) => [name.slice(0, -'.ts'.length), join(parentPath, name)]),
  );
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: { ...input, 'embedded-worker': 'src/server/platform/db/embedded/embedded-worker.ts', ...processes },
    // Packages stay where npm put them: PGlite, pg and others read files beside their own code.
    external: id => !/^[./\0]/.test(id) && id !== 'all-modules',
    plugins: [fixedImports(root)],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
  });
  await bundle.close();
  cpSync(join(root, 'src/server/platform/analytics/fonts'), join(folder, 'fonts'), { recursive: true });
  cpSync(join(root, 'src/server/platform/db/migrations'), join(folder, 'migrations'), { recursive: true });
}
