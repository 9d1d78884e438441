// Calls over HTTP with every check on, and works that take turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildRequest } from '../../src/contract/request.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { createApp } from '../../src/server/platform/http/app.ts';
import { openSession } from '../../src/server/platform/auth/sessions.ts';
import type { Services } from '../../src/server/platform/services.ts';

const ASKER = fileURLToPath(new URL('asker.ts', import.meta.url));

export interface Served {
  ask(name: string, input: JsonObject): Promise<JsonObject>;
  /** Asks from another process, again and again, while the work runs. Gives the times (ms) of all that were asked since it was there. */
  askMeanwhile(name: string, input: JsonObject, work: () => Promise<unknown>): Promise<number[]>;
  close(): Promise<void>;
}

/** A client of a server over HTTP as the owner of a store, the first by default. */
export async function clientOf({ db, definitions }: Services, url: string, storeId = 1): Promise<Omit<Served, 'close'>> {
  const { token } = await db.asSystem(trx => openSession(trx, storeId, storeId * 1000 + 1, 24));
  return {
    ask: async (name, input) => {
      const request = buildRequest(definitions, definitions.calls[name]!, input, {});
      const response = await fetch(url + request.url, {
        method: request.method,
        body: request.body === undefined ? null : JSON.stringify(request.body),
        headers: { ...request.headers, authorization: token },
      });
      const body = (await response.json()) as JsonObject;
      if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`);
      return body;
    },
    askMeanwhile: async (name, input, work) => {
      const request = buildRequest(definitions, definitions.calls[name]!, input, {});
      const child = spawn(
        process.execPath,
        [
          '--import',
          'tsx',
          ASKER,
          url + request.url,
          request.method,
          JSON.stringify({ ...request.headers, authorization: token }),
          request.body === undefined ? '' : JSON.stringify(request.body),
        ],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      const end = once(child, 'close');
      await Promise.race([once(child.stdout, 'data'), end]);
      try {
        await work();
      } finally {
        child.stdin.end('over\n');
      }
      await end;
      return JSON.parse(said.slice('asking\n'.length)) as number[];
    },
  };
}

/** The server in this process. */
export async function serve(services: Services): Promise<Served> {
  const app = await createApp(services);
  services.state = 'ready';
  await app.listen({ port: 0, host: '127.0.0.1' });
  const bound = app.server.address();
  return {
    ...(await clientOf(services, `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`)),
    close: () => app.close(),
  };
}

/** Runs both in turns, so that whatever else the machine does meets both. */
export async function turns(rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = works.map(() => []);
  for (let i = -Math.min(5, rounds >> 1); i < rounds; i++) {
    for (const [n, work] of works.entries()) {
      const from = performance.now();
      await work();
      if (i >= 0) times[n]!.push(performance.now() - from);
    }
  }
  return times;
}
