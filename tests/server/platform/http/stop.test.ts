import fs from 'node:fs';
import http from 'node:http';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../support/database.ts';
import { randomFrom } from '../../../support/random.ts';
import { startStoppable, stopUnderLoad, type Stoppable } from '../../../support/torture/stops.ts';
import { planSeed } from '../../../support/seed.ts';

const started: Stoppable[] = [];
async function start(folder: string, ...args: string[]): Promise<Stoppable> {
  const one = await startStoppable(folder, ...args);
  started.push(one);
  return one;
}
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.stop('SIGKILL');
    await one.ended;
  }
});

it('stops without breaking a request: running ones finish, none is reset, the job is handed back and runs after the next start', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  let child = await start(folder, 'job');
  await expect.poll(() => child.lines.includes('job started 1')).toBe(true);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const told = { times: 0 };
  const ask = (method: string, path: string, by: http.Agent | false = agent) =>
    new Promise<string>(resolve => {
      const request = http.request(child.url + path, { method, agent: by, headers: { authorization: child.token } }, response => {
        if (response.headers.connection === 'close') told.times++;
        response
          .resume()
          .on('end', () => resolve(String(response.statusCode)))
          .on('error', error => resolve((error as { code?: string }).code ?? 'error'));
      });
      request.on('error', error => resolve((error as { code?: string }).code ?? error.message)).end();
    });
  const slow = Array.from({ length: 3 }, () => ask('POST', '/host/main/slow/wait'));
  // As a load balancer does: it sends on its open connections, and nothing more once an answer asks to close them.
  const outcomes: Record<string, number> = {};
  const load = Array.from({ length: 4 }, async () => {
    while (told.times === 0) {
      const outcome = await ask('GET', '/host/main/slow/quick');
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  });
  await new Promise(resolve => {
    setTimeout(resolve, 200);
  });
  child.stop('SIGTERM');
  expect(await Promise.all(slow)).toEqual(['200', '200', '200']);
  expect(await child.ended).toBe(0);
  await Promise.all(load);
  expect(Object.keys(outcomes)).toEqual(['200']);
  expect(told.times).toBeGreaterThan(0);
  expect(await ask('GET', '/host/main/slow/quick', false)).toBe('ECONNREFUSED'); // on a connection of its own: one that is kept may not have seen its end yet
  agent.destroy();
  child = await start(folder);
  await expect.poll(() => child.lines.includes('job started 1')).toBe(true); // handed back: it counts as never begun
  child.stop('SIGINT');
  expect(await child.ended).toBe(0);
});

// Longer, and again and again: npm run torture -- stop.
it('stops while sixty connections write: each is answered and asked to close its connection, every write that was answered is there after the next start, and no other', async () => {
  const seed = planSeed();
  console.log(`stop: FC_SEED=${seed}`);
  const folder = temporaryFolder();
  onTestFinished(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const report = await stopUnderLoad({ folder, connections: 60, random: randomFrom(seed) });
  expect(report.failures).toEqual([]);
  expect(report.written).toBeGreaterThan(0);
});
