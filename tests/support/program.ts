// Files of tests that run in processes of their own. Each is bundled once, as the server is: read module by module, through tsx, the server
// costs four seconds of the processor with every start.
import { once } from 'node:events';
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleServer } from '../../scripts/lib/server-bundle.ts';
import { projectRoot } from '../../src/server/platform/definitions.ts';
import { QUICK_NODE } from './quick-node.ts';

const made = new Map<string, Promise<string>>();

async function bundled(file: string): Promise<string> {
  const cache = join(projectRoot, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const name = basename(file, '.ts');
  await bundleServer(projectRoot, folder, { [name]: file });
  return join(folder, `${name}.js`);
}

/** Starts a file in TypeScript (its path) in a process of its own, under plain Node. */
export async function startProgram(
  file: string,
  args: readonly string[],
  options: { stdio: StdioOptions; env?: NodeJS.ProcessEnv },
): Promise<ChildProcess> {
  let path = made.get(file);
  if (!path) made.set(file, (path = bundled(file)));
  return spawn(process.execPath, [...QUICK_NODE, await path, ...args], options);
}

/** The same of a worker, which says when it is ready, ends by itself or by a line ("end"), and is killed by tests. */
export async function startWorker(file: string, args: readonly string[]): Promise<ChildProcess> {
  const worker = await startProgram(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(worker.stdout!, 'data');
  return worker;
}
