// The complete examples of the pages under docs/: code blocks below a line that begins with the bold name of their file.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkAll, type Checked } from '../../src/check/index.ts';
import { blocksOf, joined } from '../../scripts/lib/cookbook.ts';
import { gather, moduleFiles, type Modules } from '../../src/server/platform/modules.ts';
import { checkOptions, projectRoot, readDefinitionFiles, readHandlerNames } from '../../src/server/platform/definitions.ts';

/** Path from the root -> text, of every code block that stands below a line such as "**`schemas/settings/points.json`** is …". */
export const exampleFiles = (page: string): Record<string, string> =>
  Object.fromEntries(blocksOf(page).map(({ file, text }) => [file, text]));

export interface Examples {
  /** What is wrong with the product's definitions and the examples together. */
  checked: Checked;
  modules: Modules;
  /** The definition files of both, and the examples' code: path from the root -> text. */
  files: Record<string, string>;
  remove(): void;
}

/**
 * The product with the examples of some pages, in the order in which a reader would follow them, and `more` in the same form. Their code
 * stands in a folder of its own, as it would in src.
 */
export async function productWith(pages: string[], more: Record<string, string> = {}): Promise<Examples> {
  const files = readDefinitionFiles();
  const code: Record<string, string> = {};
  const root = join(projectRoot, '.cache', `doc-examples-${process.pid}`);
  const src = join(root, 'src');
  mkdirSync(join(src, 'server/features'), { recursive: true });
  for (const folder of ['contract', 'domain', 'generated', 'server/platform'])
    symlinkSync(join(projectRoot, 'src', folder), join(src, folder));
  for (const added of [...pages.map(page => exampleFiles(readFileSync(join(projectRoot, 'docs', page), 'utf8'))), more])
    for (const [path, text] of Object.entries(added)) {
      if (path.endsWith('.json')) {
        const value = JSON.parse(text) as unknown;
        files[path] = JSON.stringify(files[path] === undefined ? value : joined(JSON.parse(files[path]), value), null, 2);
      } else {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
        code[path] = text;
      }
    }
  const own = moduleFiles(join(src, 'server')).filter(({ path }) => path.startsWith(join(src, 'server/features')));
  const modules = [];
  for (const { kind, name, path } of [...moduleFiles(), ...own])
    modules.push({ kind, name, exports: (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown> });
  const options = checkOptions();
  return {
    checked: checkAll(files, { ...options, handlers: [...readHandlerNames(), ...readHandlerNames(root)] }),
    modules: gather(modules),
    files: { ...files, ...code },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
