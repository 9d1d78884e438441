// Check 9 on the product itself: a server is killed (SIGKILL) at random moments of bulk actions and started again. It goes on by itself:
// without a command. On PostgreSQL two servers share them, and whichever has the work when it is killed.
import { openSession } from '../../../src/server/platform/auth/sessions.ts';
import { openDatabase } from '../../../src/server/platform/db/database.ts';
import { compare, KINDS, makeBulk, versions, type Kind } from './bulk-kill.ts';
import { startProduct, type Product } from '../browser/product.ts';

export interface RestartReport {
  kills: number;
  bulks: number;
  rows: number;
  /** Milliseconds from the first answer of a restarted server until a row more was done. */ resumed: number[];
  failures: string[];
}

interface Progress {
  status: string;
  processed: number;
}
const OVER = ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED'];
const pause = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms);
  });

async function progress(product: Product, token: string, id: number): Promise<Progress> {
  for (;;) {
    const answer = await fetch(`${product.url}/host/bulk/bulkActions/progress?id=${id}`, { headers: { authorization: token } });
    const body = (await answer.json()) as { data?: Progress };
    if (body.data) return body.data;
    // Busy with the very thing; anything else is not expected.
    if (answer.status !== 503) throw new Error(`progress answered ${answer.status}: ${JSON.stringify(body)}`);
    await pause(100);
  }
}

/** Needs the built product (dist). The demo store of the embedded database has `size` subscriptions. */
export async function killServers({
  folder,
  kills,
  size,
  random,
  isOver: isTimeOver = () => false,
}: {
  folder: string;
  kills: number;
  size: number;
  random: () => number;
  isOver?: () => boolean;
}): Promise<RestartReport> {
  const isEnough = (): boolean => report.kills >= kills || isTimeOver();
  const report: RestartReport = { kills: 0, bulks: 0, rows: 0, resumed: [], failures: [] };
  const open = () => openDatabase({ database: { kind: 'embedded' }, dataFolder: folder });
  await (await startProduct({ folder, size, patience: 300_000 })).stop();
  for (let round = 0; round === 0 || !isEnough(); round++) {
    const kind = KINDS[round % KINDS.length] as Kind;
    const db = await open();
    // The session outlives the server; signing in would wait for the bulk action.
    const {
      rows: [owner],
    } = await db.ownerQuery<{ id: number }>("select id from users where store_id = 1 and type = 'OWNER'");
    const { token } = await db.asSystem(trx => openSession(trx, 1, Number(owner?.id), 24));
    const bulkId = await makeBulk(db, kind, kind.key === 'UPDATE_TAGS' ? { mode: 'ADD', tags: [`round-${round}`] } : kind.input);
    const before = await versions(db);
    await db.close();
    for (let life = 0, isOver = false; !isOver; life++) {
      const product = await startProduct({ folder, size, patience: 300_000 });
      const from = performance.now();
      const begun = await progress(product, token, bulkId);
      isOver = OVER.includes(begun.status);
      // The first one finds the bulk action waiting; each after it finds it where the one before was killed.
      const killAt = !isEnough() ? from + random() * 1200 : Number.POSITIVE_INFINITY;
      let hasResumed = life === 0 || isOver;
      while (!isOver) {
        if (hasResumed && performance.now() > killAt) break;
        const now = await progress(product, token, bulkId);
        isOver = OVER.includes(now.status);
        if (!hasResumed && (isOver || now.processed > begun.processed)) {
          hasResumed = true;
          report.resumed.push(performance.now() - from);
        }
        if (performance.now() - from > 120_000) {
          report.failures.push(`${kind.key} ${bulkId}: nothing went on for two minutes after a restart (${JSON.stringify(now)})`);
          await product.stop('SIGKILL');
          return report;
        }
        await pause(5);
      }
      if (isOver) await product.stop();
      else {
        await product.stop('SIGKILL');
        report.kills++;
      }
    }
    const after = await open();
    const found = await compare(after, bulkId, kind, before);
    await after.close();
    report.bulks++;
    report.rows += found.rows;
    report.failures.push(...found.failures);
  }
  return report;
}

export interface SharedKills {
  /** Address of an empty PostgreSQL database. */
  url: string;
  kills: number;
  /** Subscriptions of the demo store; above some thousand, both servers get a part of a bulk action. */
  size: number;
  random: () => number;
  isOver?: () => boolean;
  /** Bulk actions at most, one of each kind after the other. */
  bulks?: number;
  /** Their kinds, in this order; all of them if it is left out. */
  kinds?: readonly Kind['key'][];
}

/**
 * Two servers on one PostgreSQL database. A bulk action is started through the one, as people do; then one of the two, whichever, is killed
 * again and again and restarted, while the other answers. `resumed` holds how long after a kill the next row was done. Needs the built
 * product (dist).
 */
export async function killSharedServers({
  url,
  kills,
  size,
  random,
  isOver = () => false,
  bulks = Number.POSITIVE_INFINITY,
  kinds = KINDS.map(kind => kind.key),
}: SharedKills): Promise<RestartReport> {
  const report: RestartReport = { kills: 0, bulks: 0, rows: 0, resumed: [], failures: [] };
  const start = (): Promise<Product> => startProduct({ size, patience: 300_000, env: { DATABASE_URL: url } });
  const servers: Product[] = [await start()];
  const db = await openDatabase({ database: { kind: 'postgres', url } });
  try {
    servers.push(await start());
    const {
      rows: [owner],
    } = await db.ownerQuery<{ id: number }>("select id from users where store_id = 1 and type = 'OWNER'");
    const { token } = await db.asSystem(trx => openSession(trx, 1, Number(owner?.id), 24));
    const post = async (
      server: Product,
      path: string,
      body: object,
    ): Promise<{ status: number; data?: { id: number; confirmCount: number | null } }> => {
      const answer = await fetch(`${server.url}/host/bulk/bulkActions/${path}`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    const isEnough = (): boolean => report.kills >= kills || isOver();
    for (let round = 0; round < bulks && (round === 0 || !isEnough()); round++) {
      const kind = KINDS.find(one => one.key === kinds[round % kinds.length]) as Kind;
      const input = kind.key === 'UPDATE_TAGS' ? { mode: 'ADD', tags: [`round-${round}`] } : kind.input;
      const { rows: chosen } = await db.ownerQuery<{ id: number }>(
        `select id from contracts where store_id = 1 and ${kind.from} order by id limit 10000`,
      );
      const before = await versions(db);
      const made = await post(servers[round % 2] as Product, 'create', {
        actionKey: kind.key,
        selection: { mode: 'IDS', ids: chosen.map(row => Number(row.id)) },
        input,
      });
      if (made.status !== 200 || !made.data) throw new Error(`create answered ${JSON.stringify(made)}`);
      const { id, confirmCount } = made.data;
      const run = await post(servers[(round + 1) % 2] as Product, 'runBulkAction', {
        id,
        ...(confirmCount === null ? {} : { confirmCount }),
      });
      if (run.status !== 200) throw new Error(`runBulkAction answered ${JSON.stringify(run)}`);
      const now = async (): Promise<Progress> =>
        (await db.ownerQuery<Progress>('select status, processed from bulk_actions where store_id = 1 and id = $1', [id]))
          .rows[0] as Progress;
      let moved = performance.now();
      for (let { status, processed } = await now(); !OVER.includes(status);) {
        const killed = isEnough() ? undefined : Math.floor(random() * 2);
        const killAt = killed === undefined ? Number.POSITIVE_INFINITY : performance.now() + random() * 700;
        let diedAt: number | undefined;
        let again: Promise<void> | undefined;
        // Until the kill, and from then on until a row more is done.
        while (!OVER.includes(status) && (diedAt === undefined || moved < diedAt)) {
          if (killed !== undefined && diedAt === undefined && performance.now() > killAt) {
            await servers[killed]?.stop('SIGKILL');
            report.kills++;
            // What it had done by then is done.
            ({ status, processed } = await now());
            diedAt = performance.now();
            again = start().then(server => {
              servers[killed] = server;
            });
          }
          const seen = await now();
          if (seen.processed > processed) moved = performance.now();
          ({ status, processed } = seen);
          // The server that is left answers, whatever the other was at.
          const answer = await fetch(`${(servers[killed === 0 ? 1 : 0] as Product).url}/host/bulk/bulkActions/progress?id=${id}`, {
            headers: { authorization: token },
          });
          if (answer.status !== 200 && answer.status !== 503)
            report.failures.push(`${kind.key} ${id}: the other server answered ${answer.status}`);
          await answer.arrayBuffer();
          if (performance.now() - Math.max(moved, diedAt ?? 0) > 120_000) {
            await again;
            report.failures.push(`${kind.key} ${id}: nothing went on for two minutes (${JSON.stringify(seen)})`);
            return report;
          }
          await pause(5);
        }
        await again;
        if (diedAt !== undefined && moved > diedAt) report.resumed.push(moved - diedAt);
      }
      const found = await compare(db, id, kind, before);
      report.bulks++;
      report.rows += found.rows;
      report.failures.push(...found.failures);
    }
    return report;
  } finally {
    for (const server of servers) await server.remove();
    await db.close();
  }
}
