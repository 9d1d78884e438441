// Writes through a connection that breaks at any moment, and repeats them with the same key until an answer comes: done once, however
// often.
import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { buildRequest, isRead } from '../../../src/contract/request.ts';
import type { Call, JsonObject } from '../../../src/contract/types.ts';
import { validInput } from '../arbitrary.ts';
import { ask } from '../ask.ts';
import type { TestServer } from '../serve.ts';
import { idsOf } from '../stores.ts';

/**
 * A proxy whose connections break where a test wants it: after so many bytes to the server, or before the first byte of its answer comes
 * back.
 */
async function breakingProxy(
  target: string,
): Promise<{ url: string; breakNext(where: { after?: number; answer?: boolean } | undefined): void; close(): Promise<void> }> {
  const { port } = new URL(target);
  let next: { after?: number; answer?: boolean } | undefined;
  const sockets = new Set<net.Socket>();
  const server = net.createServer(client => {
    const rule = next;
    const upstream = net.connect(Number(port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
        });
    }
    let sent = 0;
    client
      .on('data', chunk => {
        const bytes = chunk as Buffer;
        if (rule?.after !== undefined && sent + bytes.length > rule.after) {
          upstream.write(bytes.subarray(0, Math.max(0, rule.after - sent)), () => {
            client.destroy();
            upstream.destroy();
          });
          return;
        }
        sent += bytes.length;
        upstream.write(bytes);
      })
      .on('close', () => {
        if (!rule?.answer) upstream.destroy();
      });
    upstream
      .on('data', chunk => {
        if (rule?.answer) {
          client.destroy();
          upstream.destroy();
        } else client.write(chunk);
      })
      .on('close', () => client.destroy());
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`,
    breakNext: where => {
      next = where;
    },
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Writes of each call between two others: when the time is over early, every call had its share. */
const IN_A_ROW = 5;

export interface CutReport {
  seed: number;
  /** Writes that were made, of those that were meant. */ writes: number;
  of: number;
  cuts: number;
  failures: string[];
}

/**
 * Every writing call `perCall` times, each cut once or twice before it comes through. Effects are counted by the requests that the account
 * log names.
 */
export async function cutAndRetry(
  server: TestServer,
  {
    seed,
    perCall,
    calls = () => true,
    isOver = () => false,
  }: { seed: number; perCall: number; calls?: (call: Call) => boolean; isOver?: () => boolean },
): Promise<CutReport> {
  const { definitions, db } = server.services;
  const pool = await idsOf(db, 1);
  const proxy = await breakingProxy(server.url);
  const report: CutReport = { seed, writes: 0, of: 0, cuts: 0, failures: [] };
  const token = await server.signIn('owner');
  // A test that is run again must not be answered from the first run.
  const run = randomUUID().slice(0, 8);
  const cut = fc.oneof(fc.record({ after: fc.integer({ min: 1, max: 900 }) }), fc.constant({ answer: true }));
  try {
    const chosen = Object.values(definitions.calls).filter(
      one => !isRead(one) && !one.public && one.table !== 'users' && one.name !== 'sign-in.logout' && calls(one),
    );
    const plans = chosen.map((call, i) => ({
      call,
      samples: fc.sample(
        fc.record({ input: validInput(call, pool) as fc.Arbitrary<JsonObject>, cuts: fc.array(cut, { minLength: 1, maxLength: 2 }) }),
        { numRuns: perCall, seed: seed + i },
      ),
    }));
    report.of = chosen.length * perCall;
    for (let from = 0; from < perCall; from += IN_A_ROW)
      for (const { call, samples } of plans) {
        for (const [place, { input, cuts }] of samples.slice(from, from + IN_A_ROW).entries()) {
          if (isOver()) return report;
          const n = from + place;
          const request = buildRequest(definitions, call, input);
          const last = async () =>
            (await db.ownerQuery<{ id: number }>('select coalesce(max(id), 0) as id from account_log')).rows[0]?.id ?? 0;
          const since = await last();
          let status = 0;
          let isFile = false;
          for (const rule of [...cuts, undefined]) {
            proxy.breakNext(rule);
            if (rule) report.cuts++;
            const answer = await ask(proxy.url + request.url, {
              method: request.method,
              ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
              headers: {
                ...request.headers,
                authorization: token,
                'idempotency-key': `cut-${run}-${call.name}-${n}`,
                connection: 'close',
              },
            }).catch(() => undefined);
            status = answer?.status ?? 0;
            isFile = answer?.headers.has('content-disposition') ?? false;
            if (answer && rule === undefined) break;
          }
          // The server may still be at work for a client that is gone.
          await server.settled();
          report.writes++;
          const { rows } = await db.ownerQuery<{ n: number }>(
            'select count(distinct request_id) as n from account_log where id > $1 and store_id = 1',
            [since],
          );
          const effects = rows[0]?.n ?? 0;
          const expected = status >= 200 && status < 300 ? 1 : 0;
          // A file is not kept under its key: it is made for each download, and each is in the log.
          const isRight = effects === expected || (isFile && effects > 1 && effects <= cuts.length + 1);
          if (status === 0 || status >= 500 || !isRight)
            report.failures.push(
              `${call.name} ${JSON.stringify(input).slice(0, 300)} cut ${JSON.stringify(cuts)}: answered ${status}, ${effects} effects`,
            );
        }
      }
  } finally {
    await proxy.close();
  }
  return report;
}
