// The built product as people start it: a process of its own on a free port, with a small demo store in a folder that goes away.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quickNode } from '../quick-node.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Product {
  url: string;
  pid: number;
  /** What the process wrote. */
  output(): string;
  /**
   * The token of a demo user: 'owner', 'admin', 'mixed' or 'readOnly'. Each signs in once; a test that ends the session takes one from
   * `signIn`.
   */
  token(role?: Role): Promise<string>;
  /** A session of its own for a demo user; gives its token. */
  signIn(role?: Role): Promise<string>;
  /** SIGTERM, and waits for the end; gives the exit code. The folder stays for another start. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
  folder: string;
}
export type Role = 'owner' | 'admin' | 'mixed' | 'readOnly';
const ROLES: Role[] = ['owner', 'admin', 'mixed', 'readOnly'];

const demoUsers = async (url: string): Promise<{ userId: number }[]> =>
  ((await (await fetch(`${url}/host/user/login/demo`)).json()) as { data: { users: { userId: number }[] } }).data.users;

/** Starts dist/server/main.js; `npm test` builds it before. `folder` of an earlier start continues there. */
export async function startProduct({
  size = 400,
  env = {},
  folder = mkdtempSync(join(tmpdir(), 'perennial-product-')),
  patience = 240_000,
  node = process.execPath,
  at = root,
  isMeasured = false,
}: {
  size?: number;
  env?: Record<string, string>;
  folder?: string;
  /** How long it may take to start (ms). */ patience?: number;
  /** The Node to run it: the one of the tests. */ node?: string;
  /** The folder whose dist/ it is: the project. */ at?: string;
  /** Started as people start it, without what makes tests quick. */ isMeasured?: boolean;
} = {}): Promise<Product> {
  const child: ChildProcess = spawn(node, [...(isMeasured ? [] : quickNode(node)), 'dist/server/main.js'], {
    cwd: at,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      PERENNIAL_DATA: folder,
      PERENNIAL_DEMO: 'on',
      PERENNIAL_DEMO_SIZE: String(size),
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  let output = '';
  const ended = new Promise<number | null>(resolve => {
    child.once('exit', code => resolve(code));
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The product did not start within ${patience / 1000} seconds:\n${output}`)), patience);
    const read = (data: Buffer): void => {
      output += data.toString();
      const found = /listens on (http:\/\/\S+)/.exec(output);
      if (found) {
        clearTimeout(timer);
        resolve(found[1]!);
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then(code => {
      clearTimeout(timer);
      reject(new Error(`The product ended with ${code} at its start:\n${output}`));
    });
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  let people: Promise<{ userId: number }[]> | undefined;
  const signIn = async (role: Role = 'owner'): Promise<string> => {
    const person = (await (people ??= demoUsers(url)))[ROLES.indexOf(role)];
    if (!person) throw new Error(`There is no demo user for ${role}.`);
    const answer = (await (
      await fetch(`${url}/host/user/login/demo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userId: person.userId }),
      })
    ).json()) as { data: { token: string } };
    return answer.data.token;
  };
  const tokens = new Map<Role, Promise<string>>();
  return {
    url,
    pid: child.pid!,
    folder,
    output: () => output,
    stop,
    signIn,
    token(role = 'owner') {
      const kept = tokens.get(role);
      if (kept) return kept;
      const fresh = signIn(role);
      tokens.set(role, fresh);
      // What failed once is tried again.
      fresh.catch(() => tokens.delete(role));
      return fresh;
    },
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
