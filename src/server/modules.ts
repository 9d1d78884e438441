// Finds handlers, jobs and guards by their files: nothing is registered by hand. The build replaces this module by one with fixed imports.
import { existsSync, readdirSync } from 'node:fs';
import type { Handler, PublicHandler } from './context.ts';
import type { JobModule } from './jobs.ts';
import type { Guard } from './verbs/verbs.ts';

export interface Modules {
  /** "<table>.<key>" -> function: the exports of src/server/handlers/<table>.ts. */
  handlers: Map<string, Handler & PublicHandler>;
  jobs: JobModule[];
  guards: Record<string, Guard>;
}

/** The exports of every module in a folder, by the file's name without its ending. */
export type Exports = Record<string, Record<string, unknown>>;

/** What modules export, as the server uses it. `delete_` stands for delete, which is no name for a function. */
export function gather(handlers: Exports, jobs: Exports, guards: Exports): Modules {
  const found: Modules = { handlers: new Map(), jobs: [], guards: {} };
  for (const [table, exports] of Object.entries(handlers)) {
    for (const [name, value] of Object.entries(exports))
      if (typeof value === 'function')
        found.handlers.set(`${table}.${name === 'delete_' ? 'delete' : name}`, value as Handler & PublicHandler);
  }
  for (const exports of Object.values(jobs)) {
    for (const value of Object.values(exports))
      if (
        value !== null &&
        typeof value === 'object' &&
        typeof (value as JobModule).run === 'function' &&
        typeof (value as JobModule).name === 'string'
      )
        found.jobs.push(value as JobModule);
  }
  for (const exports of Object.values(guards)) Object.assign(found.guards, exports.guards);
  return found;
}

async function folder(name: string): Promise<Exports> {
  const url = new URL(`./${name}/`, import.meta.url);
  const exports: Exports = {};
  if (!existsSync(url)) return exports;
  for (const file of readdirSync(url).sort()) {
    if (!file.endsWith('.ts')) continue;
    exports[file.slice(0, -'.ts'.length)] = (await import(/* @vite-ignore */ new URL(file, url).href)) as Record<string, unknown>;
  }
  return exports;
}

/** Reads the folders handlers/, jobs/ and guards/ (each file of the last exports `guards`). */
export async function loadModules(): Promise<Modules> {
  return gather(await folder('handlers'), await folder('jobs'), await folder('guards'));
}
