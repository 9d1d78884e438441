import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/database.ts';

interface Child { url: string; token: string; lines: string[]; stop(signal: NodeJS.Signals): void; ended: Promise<number | null> }

/** Starts the server of tests/support/stoppable.ts in a process of its own. */
function start(folder: string, ...args: string[]): Promise<Child> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/stoppable.ts', folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const ended = new Promise<number | null>(resolve => { child.on('exit', code => resolve(code)); });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', chunk => { lines.push(String(chunk)); });
    child.stdout.on('data', chunk => {
      text += String(chunk);
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        lines.push(line);
        const [word, url, token] = line.split(' ');
        if (word !== 'ready' || !url || !token) continue;
        const one = { url, token, lines, stop: (signal: NodeJS.Signals) => { child.kill(signal); }, ended };
        started.push(one);
        resolve(one);
      }
    });
    void ended.then(code => reject(new Error(`The server ended with ${code}:\n${lines.join('\n')}`)));
  });
}

const started: Child[] = [];
afterEach(async () => { for (const one of started.splice(0)) { one.stop('SIGKILL'); await one.ended; } });

it('stops without breaking a request: running ones finish, none is reset, the job is handed back and runs after the next start', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => { fs.rmSync(folder, { recursive: true, force: true }); });
  let child = await start(folder, 'job');
  await expect.poll(() => child.lines.includes('job started 1'), { timeout: 60_000 }).toBe(true);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const told = { times: 0 };
  const ask = (method: string, path: string, by: http.Agent | false = agent) => new Promise<string>(resolve => {
    const request = http.request(child.url + path, { method, agent: by, headers: { authorization: child.token } }, response => { if (response.headers.connection === 'close') told.times++; response.resume().on('end', () => resolve(String(response.statusCode))).on('error', error => resolve((error as { code?: string }).code ?? 'error')); });
    request.on('error', error => resolve((error as { code?: string }).code ?? error.message)).end();
  });
  const slow = Array.from({ length: 3 }, () => ask('POST', '/host/main/slow/wait'));
  // As a load balancer does: it sends on its open connections, and nothing more once it is told to let go.
  const outcomes: Record<string, number> = {};
  const load = Array.from({ length: 4 }, async () => {
    while (told.times === 0) {
      const outcome = await ask('GET', '/host/main/slow/quick');
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  });
  await new Promise(resolve => { setTimeout(resolve, 200); });
  child.stop('SIGTERM');
  expect(await Promise.all(slow)).toEqual(['200', '200', '200']);
  expect(await child.ended).toBe(0);
  await Promise.all(load);
  expect(Object.keys(outcomes)).toEqual(['200']);
  expect(told.times).toBeGreaterThan(0);
  expect(await ask('GET', '/host/main/slow/quick', false)).toBe('ECONNREFUSED'); // on a connection of its own: one that is kept may not have seen its end yet
  agent.destroy();
  child = await start(folder);
  await expect.poll(() => child.lines.includes('job started 1'), { timeout: 60_000 }).toBe(true); // handed back: it counts as never begun
  child.stop('SIGINT');
  expect(await child.ended).toBe(0);
}, 180_000);
