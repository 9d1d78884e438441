// How the admin is built and served while developing: the definitions as modules, the start script in the HTML, a nonce on every tag.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { definitionsPlugin } from './scripts/definitions-plugin.ts';
import { formAlias } from './scripts/form-alias.ts';
import { helpPlugin } from './scripts/help-plugin.ts';
import { iconPlugin } from './scripts/icon-plugin.ts';
import { languagesPlugin } from './scripts/languages-plugin.ts';
import { retryStylesPlugin } from './scripts/retry-styles-plugin.ts';
import { startPlugin } from './scripts/start-plugin.ts';

interface Graph {
  getModuleInfo(id: string): { isEntry: boolean; importedIds: readonly string[]; importers: readonly string[] } | null;
}

/** Modules of lists, each the entry of a file of its own. */
const OWN = '\0virtual:perennial/screen/';
/**
 * What the indexes of react-admin and ra-core name and the first page does not use: stock components, the query of plain REST. Counted as
 * imported by the entry, whatever later pages use of it would be in the first file.
 */
const LATER = /\/node_modules\/(ra-ui-materialui|ra-i18n-polyglot|ra-language-english|react-admin\/dist\/(?!index\.js)|query-string)/;
/** Everything that the entry imports without delay goes into one file: on a slow line a dozen small ones cost more than they spare. */
const whole = (() => {
  const known = new Map<string, boolean>();
  return (id: string, graph: Graph): string | null => {
    if (LATER.test(id)) return null;
    if (!known.has(id)) {
      // Its importers, their importers, and so on: each module is looked at once.
      const above = new Set([id]);
      let isReached = false;
      for (const module of above) {
        const info = graph.getModuleInfo(module);
        isReached ||= known.get(module) === true || (info?.isEntry === true && !module.startsWith(OWN));
        for (const importer of info?.importers ?? []) if (known.get(importer) !== false && !LATER.test(importer)) above.add(importer);
      }
      if (isReached) known.set(id, true);
      else for (const module of above) known.set(module, false);
    }
    return known.get(id) ? 'app' : null;
  };
})();

export default defineConfig({
  plugins: [definitionsPlugin(), helpPlugin(), iconPlugin(), react(), retryStylesPlugin(), startPlugin(), languagesPlugin()],
  resolve: { alias: formAlias },
  // Only the product's own pages; the tests have pages too, with modules of their own.
  optimizeDeps: { entries: ['index.html', 'src/studio/index.html'] },
  // The server puts a fresh nonce in its place at every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/admin',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: whole, debugName: 'app' }] } } },
  },
});
