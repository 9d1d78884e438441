// A server with goods to sell, for the tests of one block: started before them, closed after them.
import { afterAll, beforeAll, expect } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type CallOptions, type TestServer, type TestServerOptions } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods, type Made } from './fixture.ts';

export interface GoodsServer {
  readonly server: TestServer;
  readonly goods: Goods;
  /** A subscription to these goods. */
  make(over?: Parameters<typeof makeContract>[2]): Promise<Made>;
  /** A call that must be answered with 200; gives what stands at its `out`. */
  ok(name: string, input?: JsonObject, options?: CallOptions): Promise<any>; // any: every test knows the shape of the call it makes
}

/** To be called in a `describe`: its tests find the server and the goods in what it gives. */
export function serverWithGoods(options: TestServerOptions = {}): GoodsServer {
  let server: TestServer | undefined;
  let goods: Goods | undefined;
  beforeAll(async () => {
    server = await startTestServer(options);
    goods = await stockGoods(server);
  }, 120_000);
  afterAll(() => server?.close());
  return {
    get server() {
      return server!;
    },
    get goods() {
      return goods!;
    },
    make: over => makeContract(server!, goods!, over),
    async ok(name, input = {}, more = {}) {
      const answer = await server!.call(name, input, more);
      expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(200);
      return answer.data;
    },
  };
}
