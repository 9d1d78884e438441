// How the admin is built and served while developing: the definitions as modules, the start script in the HTML, a nonce on every tag.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { definitionsPlugin } from './scripts/definitions-plugin.ts';
import { startPlugin } from './scripts/start-plugin.ts';

export default defineConfig({
  plugins: [definitionsPlugin(), react(), startPlugin()],
  // The server puts a fresh nonce in its place at every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/admin', emptyOutDir: true, target: 'es2022', sourcemap: true, reportCompressedSize: false, chunkSizeWarningLimit: 700,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
