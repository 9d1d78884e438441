// The product with further definitions and files, in a folder of its own: to be built as a developer would who added them.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the product is built of, and what files are generated into. */
const SOURCES = [
  'src',
  'schemas',
  'resources',
  'renderers',
  'scripts',
  'languages',
  'public',
  'docs/architecture.md',
  'README.md',
  'index.html',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
];

/** Copies what the product is built of into `folder`, without its packages. */
export function copySources(folder: string): void {
  for (const name of SOURCES) cpSync(join(root, name), join(folder, name), { recursive: true });
}

/** The same with the packages, and `files` (path from its root -> text) written over it. */
export function copyProduct(folder: string, files: Record<string, string> = {}): void {
  copySources(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
