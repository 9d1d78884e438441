// Calls over HTTP with every check on, and works that take turns.
import { buildRequest } from '../../src/contract/request.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { createApp } from '../../src/server/app.ts';
import { openSession } from '../../src/server/auth/sessions.ts';
import type { Services } from '../../src/server/services.ts';

/** The server in this process, asked as the owner of the first store. */
export async function serve(services: Services): Promise<{ ask: (name: string, input: JsonObject) => Promise<JsonObject>; close: () => Promise<void> }> {
  const app = await createApp(services);
  services.state = 'ready';
  await app.listen({ port: 0, host: '127.0.0.1' });
  const bound = app.server.address();
  const url = `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`;
  const { token } = await services.db.asSystem(trx => openSession(trx, 1, 1001, 24));
  return {
    ask: async (name, input) => {
      const request = buildRequest(services.definitions, services.definitions.calls[name]!, input, {});
      const response = await fetch(url + request.url, { method: request.method, body: request.body === undefined ? null : JSON.stringify(request.body), headers: { ...request.headers, authorization: token } });
      const body = await response.json() as JsonObject;
      if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`);
      return body;
    },
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
