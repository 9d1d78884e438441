// Check 9 on the product itself: the server is killed (SIGKILL) at random moments of bulk actions and started again. It goes on by itself: nobody asks for it.
import { openSession } from '../../src/server/auth/sessions.ts';
import { openDatabase } from '../../src/server/store/database.ts';
import { compare, KINDS, makeBulk, versions, type Kind } from './bulk-kill.ts';
import { startProduct, type Product } from './product.ts';

export interface RestartReport { kills: number; bulks: number; rows: number; /** Milliseconds from the first answer of a restarted server until a row more was done. */ resumed: number[]; failures: string[] }

interface Progress { status: string; processed: number }
const OVER = ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED'];
const pause = (ms: number): Promise<void> => new Promise(resolve => { setTimeout(resolve, ms); });

async function progress(product: Product, token: string, id: number): Promise<Progress> {
  for (;;) {
    const answer = await fetch(`${product.url}/host/bulk/bulkActions/progress?id=${id}`, { headers: { authorization: token } });
    const body = await answer.json() as { data?: Progress };
    if (body.data) return body.data;
    // Busy with the very thing; anything else is not expected.
    if (answer.status !== 503) throw new Error(`progress answered ${answer.status}: ${JSON.stringify(body)}`);
    await pause(100);
  }
}

/** Needs the built product (dist). The demo store of the embedded database has `size` subscriptions. */
export async function killServers({ folder, kills, size, random }: { folder: string; kills: number; size: number; random: () => number }): Promise<RestartReport> {
  const report: RestartReport = { kills: 0, bulks: 0, rows: 0, resumed: [], failures: [] };
  const open = () => openDatabase({ database: { kind: 'embedded' }, dataFolder: folder });
  await (await startProduct({ folder, size, patience: 300_000 })).stop();
  for (let round = 0; report.kills < kills; round++) {
    const kind = KINDS[round % KINDS.length] as Kind;
    const db = await open();
    // The session outlives the server; signing in would wait for the bulk action.
    const { rows: [owner] } = await db.ownerQuery<{ id: number }>("select id from users where store_id = 1 and type = 'OWNER'");
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
      const killAt = report.kills < kills ? from + random() * 1200 : Number.POSITIVE_INFINITY;
      let hasResumed = life === 0 || isOver;
      while (!isOver) {
        if (hasResumed && performance.now() > killAt) break;
        const now = await progress(product, token, bulkId);
        isOver = OVER.includes(now.status);
        if (!hasResumed && (isOver || now.processed > begun.processed)) { hasResumed = true; report.resumed.push(performance.now() - from); }
        if (performance.now() - from > 120_000) { report.failures.push(`${kind.key} ${bulkId}: nothing went on for two minutes after a restart (${JSON.stringify(now)})`); await product.stop('SIGKILL'); return report; }
        await pause(5);
      }
      if (isOver) await product.stop();
      else { await product.stop('SIGKILL'); report.kills++; }
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
