// How another thread or process runs a file of the server: the built one beside this, or its source through tsx.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Entry {
  file: string;
  /** Where the file is a source: the folder of the package that reads it. */
  tsx?: string;
}

/**
 * The file `name` beside the module `from` (its import.meta.url). A bundle has no folders: there it stands beside the bundle.
 */
export function entryBeside(from: string, name: string): Entry {
  const here = path.dirname(fileURLToPath(from));
  const source = path.join(here, `${name}.ts`);
  if (!fs.existsSync(source)) return { file: path.join(here, `${name}.js`) };
  return { file: source, tsx: path.dirname(createRequire(import.meta.url).resolve('tsx/package.json')) };
}

/** The address of a file of tsx. */
export const tsxFile = (tsx: string, file: string): string => pathToFileURL(path.join(tsx, file)).href;
