// A real pgbouncer in transaction mode in front of a PostgreSQL of the tests.
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './postgres.ts';

/** The program; undefined where it is not installed. */
export const findPooler = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin']
    .map(folder => path.join(folder, 'pgbouncer'))
    .find(file => fs.existsSync(file));

export interface Pooler {
  /** The address of a database through the pooler. */
  url(database: string, user: string): string;
  stop(): Promise<void>;
}

/** Starts one that lends these users `size` connections each of the server at `port`, one transaction long. */
export async function startPooler(port: number, size: number, users: readonly string[]): Promise<Pooler> {
  const program = findPooler();
  if (!program) throw new Error('pgbouncer is not installed (Debian: apt-get install pgbouncer).');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-pooler-'));
  const own = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  fs.writeFileSync(path.join(folder, 'users.txt'), users.map(user => `"${user}" ""\n`).join(''));
  fs.writeFileSync(
    file,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${path.join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      `default_pool_size = ${size}`,
      'max_client_conn = 200',
      'ignore_startup_parameters = extra_float_digits',
      '',
    ].join('\n'),
  );
  fs.chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child: ChildProcess = spawn(program, ['-q', ...asUser, file], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    const ended = new Promise(resolve => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGQUIT')) await ended;
    fs.rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString: `postgres://${users[0]}@127.0.0.1:${own}/postgres`, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return { url: (database, user) => `postgres://${user}@127.0.0.1:${own}/${database}`, stop };
    } catch (error) {
      if (child.exitCode !== null || tries > 200) {
        await stop();
        throw new Error('pgbouncer did not start.', { cause: error });
      }
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
