// A built server of several processes on PostgreSQL: each has its duty, one that dies is replaced, and they start and stop as one.
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase, engines } from '../support/database.ts';
import { startProduct, type Product } from '../support/browser/product.ts';

const KEY = 'watchdog-0123456789';

interface Line {
  msg: string;
  duty?: string;
  pid?: number;
}
/** What the server logged about its processes. */
const lines = (product: Product): Line[] =>
  product
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Line);
/** Every process that was ever started, in their order. */
const started = (product: Product, duty?: string): number[] =>
  lines(product)
    .filter(line => line.msg === 'A process of the server starts.' && (!duty || line.duty === duty))
    .map(line => line.pid!);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const alive = (product: Product, duty?: string): number[] => started(product, duty).filter(isAlive);

describe.runIf(engines.includes('postgres'))('a server of several processes', () => {
  let database: { url: string; remove: () => Promise<void> };
  let product: Product;
  const start = (): Promise<Product> =>
    startProduct({
      size: 300,
      env: { DATABASE_URL: database.url, PERENNIAL_PROCESSES: '2', PERENNIAL_STATUS_KEY: KEY, LOG_LEVEL: 'info' },
      patience: 120_000,
    });
  const ask = async (path: string, body?: object): Promise<{ status: number; data: any }> => {
    // any: each call has its own answer
    const response = await fetch(product.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: await product.token(), connection: 'close', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, data: ((await response.json()) as { data: unknown }).data };
  };
  /** Starts a bulk action that tags every subscription; gives its id. */
  const tagAll = async (tag: string): Promise<number> => {
    const {
      data: { id, confirmCount },
    } = await ask('/host/bulk/bulkActions/create', {
      actionKey: 'UPDATE_TAGS',
      selection: { mode: 'FILTER', filter: {} },
      input: { mode: 'ADD', tags: [tag] },
    });
    expect((await ask('/host/bulk/bulkActions/runBulkAction', { id, ...(confirmCount === null ? {} : { confirmCount }) })).status).toBe(
      200,
    );
    return id;
  };
  const progress = async (id: number): Promise<{ status: string; processed: number; total: number; succeeded: number }> =>
    (await ask(`/host/bulk/bulkActions/progress?id=${id}`)).data;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    product = await start();
  });
  afterAll(async () => {
    await product?.remove();
    await database?.remove();
  });

  it('says that it listens when all of them work, at one address', async () => {
    expect(alive(product, 'calls')).toHaveLength(2);
    expect(alive(product, 'jobs')).toHaveLength(1);
    expect(product.output().match(/listens on/g)).toHaveLength(1);
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('runs jobs in a process that answers no calls', async () => {
    const id = await tagAll('from a call');
    await expect.poll(async () => (await progress(id)).status).toBe('COMPLETED');
    const { succeeded, total } = await progress(id);
    expect(total).toBeGreaterThan(100);
    expect(succeeded).toBe(total);
  });

  it('adds up the figures of all of them, whichever answers', async () => {
    const figures = async (): Promise<string> =>
      (await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${KEY}`, connection: 'close' } })).text();
    const sessions = (text: string): number =>
      Number(/perennial_requests_total\{name="start-up\.session",status="200"\} (\d+)/.exec(text)?.[1]);
    const before = sessions(await figures()) || 0;
    // Each connection goes to the next process.
    for (let n = 0; n < 6; n++) expect((await ask('/host/user/session')).status).toBe(200);
    for (let n = 0; n < 3; n++) expect(sessions(await figures()) - before).toBe(6);
    expect(await figures()).toMatch(/nodejs_eventloop_lag_p99_seconds [\d.]+/);
  });

  it('goes on when a process that answers calls dies, and replaces it', async () => {
    const [first] = alive(product, 'calls');
    process.kill(first!, 'SIGKILL');
    // The other one answers; a connection of the dead one may break.
    await expect.poll(async () => (await ask('/readyz').catch(() => ({ status: 0 }))).status).toBe(200);
    await expect.poll(() => alive(product, 'calls').filter(pid => pid !== first).length).toBe(2);
    const replaced = async (): Promise<string | undefined> =>
      /perennial_replaced_total (\d+)/.exec(
        await (await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${KEY}`, connection: 'close' } })).text(),
      )?.[1];
    await expect.poll(replaced).toBe('1');
    expect(lines(product).some(line => line.msg.startsWith('A process of the server ended unexpectedly') && line.duty === 'calls')).toBe(
      true,
    );
  });

  it('goes on with a bulk action when the process that runs jobs dies', async () => {
    const [jobs] = alive(product, 'jobs');
    const id = await tagAll('over a death');
    process.kill(jobs!, 'SIGKILL');
    await expect.poll(async () => (await progress(id)).status).toBe('COMPLETED');
    const { succeeded, total } = await progress(id);
    expect(succeeded).toBe(total);
    expect(alive(product, 'jobs')).toHaveLength(1);
    expect(alive(product, 'jobs')).not.toContain(jobs);
  });

  it('stops as one: each request is answered, clients are asked to close connections they keep, no process is left', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
    const outcomes: Record<string, number> = {};
    let isTold = false;
    const token = await product.token();
    const once = (path: string): Promise<void> =>
      new Promise(resolve => {
        const note = (outcome: string): void => {
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          resolve();
        };
        http
          .get(product.url + path, { agent, headers: { authorization: token } }, response => {
            if (response.headers.connection === 'close') isTold = true;
            response
              .resume()
              .on('end', () => note(String(response.statusCode)))
              .on('error', error => note(error.message));
          })
          .on('error', error => note(error.message));
      });
    const load = Array.from({ length: 6 }, async () => {
      while (!isTold) await once('/host/user/session');
    });
    await new Promise(resolve => {
      setTimeout(resolve, 300);
    });
    const all = alive(product);
    expect(await product.stop()).toBe(0);
    await Promise.all(load);
    agent.destroy();
    expect(isTold).toBe(true);
    expect(Object.keys(outcomes)).toEqual(['200']);
    expect(all.filter(isAlive)).toEqual([]);
    expect(lines(product).filter(line => /did not/.test(line.msg))).toEqual([]);
  });

  it('leaves no process behind when it is killed', async () => {
    product = await start();
    const all = alive(product);
    expect(all).toHaveLength(3);
    await product.stop('SIGKILL');
    await expect.poll(() => all.filter(isAlive)).toEqual([]);
  });

  it('does not start half: what one of them can not do is said once', async () => {
    const failed = await startProduct({
      env: { DATABASE_URL: database.url.replace(/\/[^/]*$/, '/there_is_none'), PERENNIAL_PROCESSES: '2' },
    }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(failed).toContain('ended with 1');
    expect(failed.match(/there_is_none/g)).toHaveLength(1);
  });
});
