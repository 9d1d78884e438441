// Kills the process that imports subscriptions (SIGKILL) in the middle of the dry run, of the import and of taking it back, and compares
// afterwards: every good row is one subscription, no bad one is, nothing is there twice, and no e-mail was sent.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { seedStores } from '../../../src/server/features/demo/seed.ts';
import { guessColumns } from '../../../src/server/features/migration/import/columns.ts';
import { readSubscriptionCsv } from '../../../src/server/features/migration/import/read-file.ts';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { loadDefinitions, projectRoot } from '../../../src/server/platform/definitions.ts';
import { startProgram } from '../program.ts';
import { file, goodRow, soldVariants, type Row } from '../../server/features/migration/helpers.ts';

const WORKER = fileURLToPath(new URL('../../server/features/migration/worker.ts', import.meta.url));

export interface ImportKillPlan {
  kind: Database['kind'];
  /** Address of the PostgreSQL database, or the data folder. */
  where: string;
  open(): Promise<Database>;
  /** Rows of the file, and how many of them are bad. */
  rows: number;
  bad: number;
  /** Kills in each phase; where `undo` is left out it isn't taken back. */
  kills: { check: number; import: number; undo?: number };
  /** Subscriptions of a step; 0: as the product takes them. */
  size: number;
  random: () => number;
  isOver?: () => boolean;
}

const FAULTS: Row[] = [
  { Email: 'unknown' },
  { 'Next charge date': '31.12.2030' },
  { 'External variant ID': '1' },
  { 'Unit price': '1.234,50' },
];

/** A file of another app with bad rows in it, spread over its whole length. */
export async function foreignFile(db: Database, rows: number, bad: number): Promise<string> {
  const variants = await soldVariants(db);
  const every = Math.max(1, Math.floor(rows / Math.max(1, bad)));
  return file(
    Array.from({ length: rows }, (_, n) => {
      const isBad = bad > 0 && n % every === 0 && n / every < bad;
      return goodRow(n, variants[n % variants.length]!, isBad ? FAULTS[(n / every) % FAULTS.length] : {});
    }),
  );
}

/** How long a phase took, its kills included, and the most memory that one of its workers had. */
export interface Pace {
  phase: string;
  seconds: number;
  peakMiB: number;
}

/** Imports a file while its worker is killed again and again, undoes it likewise, and says what is wrong afterwards. */
export async function killImports(plan: ImportKillPlan): Promise<{ kills: number; failures: string[]; paces: Pace[] }> {
  const failures: string[] = [];
  const paces: Pace[] = [];
  let kills = 0;
  let db = await plan.open();
  const query = async <R = Record<string, any>>(text: string, params: unknown[] = []): Promise<R[]> =>
    (await db.ownerQuery<R>(text, params)).rows;
  const count = async (what: string): Promise<number> => Number((await query<{ n: number }>(`select count(*) as n from ${what}`))[0]?.n);
  await seedStores(db, { contracts: 20, stores: 1, areas: Object.keys(loadDefinitions(projectRoot).permissions) });
  const content = await foreignFile(db, plan.rows, plan.bad);
  const { table } = await readSubscriptionCsv(content);
  if (!table) throw new Error('The file can not be read.');
  const [made] = await query<{ id: number }>(
    `insert into subscription_imports (store_id, file_name, content, columns) values (1, 'foreign.csv', convert_to($1, 'UTF8'), $2) returning id`,
    [content, JSON.stringify(guessColumns(table.head, table.body))],
  );
  const id = Number(made?.id);
  const before = { contracts: await count('contracts'), customers: await count('customers'), mails: await count('outbox') };

  /** Lives of a worker until the import is in another state. */
  const through = async (status: string, most: number): Promise<void> => {
    const pace: Pace = { phase: status, seconds: 0, peakMiB: 0 };
    paces.push(pace);
    for (let died = 0; ;) {
      const [row] = await query<{ status: string }>(`select status from subscription_imports where id = ${id}`);
      if (row?.status !== status) return;
      const begun = performance.now();
      if (plan.kind === 'embedded') await db.close();
      const mayDie = died < most && plan.isOver?.() !== true;
      const { isDead, peakMiB } = await oneLife(plan, id, mayDie ? 1 + Math.floor(plan.random() * 4) : Number.POSITIVE_INFINITY);
      pace.seconds += (performance.now() - begun) / 1000;
      pace.peakMiB = Math.max(pace.peakMiB, peakMiB);
      if (plan.kind === 'embedded') db = await plan.open();
      if (isDead) {
        died++;
        kills++;
      }
    }
  };
  const expectEqual = (what: string, is: unknown, should: unknown): void => {
    if (JSON.stringify(is) !== JSON.stringify(should)) failures.push(`${what}: ${JSON.stringify(is)} and not ${JSON.stringify(should)}`);
  };
  const counts = async (): Promise<unknown> => {
    const [row] = await query(
      `select status, total, processed, importable, imported, failed, skipped from subscription_imports where id = ${id}`,
    );
    return row;
  };
  const good = plan.rows - plan.bad;

  await through('CHECKING', plan.kills.check);
  expectEqual('after the dry run', await counts(), {
    status: 'READY',
    total: plan.rows,
    processed: plan.rows,
    importable: good,
    imported: 0,
    failed: plan.bad,
    skipped: 0,
  });
  expectEqual('subscriptions after the dry run', await count('contracts'), before.contracts);

  await query(
    `update subscription_imports set status = 'IN_PROGRESS', cursor = 0, processed = 0, failed = 0, skipped = 0 where id = ${id}`,
  );
  await through('IN_PROGRESS', plan.kills.import);
  expectEqual('after the import', await counts(), {
    status: plan.bad ? 'COMPLETED_WITH_ERRORS' : 'COMPLETED',
    total: plan.rows,
    processed: plan.rows,
    importable: good,
    imported: good,
    failed: plan.bad,
    skipped: 0,
  });
  expectEqual('subscriptions', await count('contracts'), before.contracts + good);
  expectEqual('customers', await count('customers'), before.customers + good);
  expectEqual('external ids', await count('(select distinct external_id from contracts where external_id is not null) as one'), good);
  expectEqual('lines', await count("contract_lines l join contracts c on c.id = l.contract_id where c.source = 'MIGRATION'"), good);
  expectEqual('their beginnings', await count("events where key = 'subscription_created' and data->>'importId' is not null"), good);
  expectEqual(
    'rows that are said to be imported and are not theirs',
    await count(`subscription_import_rows r left join contracts c on c.store_id = 1 and c.id = r.contract_id and c.external_id = r.external_id
      where r.import_id = ${id} and (r.status = 'IMPORTED') <> (c.id is not null)`),
    0,
  );
  expectEqual('e-mails', await count('outbox'), before.mails);

  if (plan.kills.undo === undefined) {
    await db.close();
    return { kills, failures, paces };
  }
  await query(`update subscription_imports set status = 'UNDOING' where id = ${id}`);
  await through('UNDOING', plan.kills.undo);
  expectEqual('subscriptions after it was undone', await count('contracts'), before.contracts);
  expectEqual('customers after it was undone', await count('customers'), before.customers);
  expectEqual('rows that were undone', await count(`subscription_import_rows where import_id = ${id} and status = 'UNDONE'`), good);
  expectEqual('e-mails after it was undone', await count('outbox'), before.mails);
  await db.close();
  return { kills, failures, paces };
}

/** One worker until its end, or until it is killed after so many steps. A killed one does not say how much memory it had. */
async function oneLife(
  { kind, where, size }: ImportKillPlan,
  importId: number,
  steps: number,
): Promise<{ isDead: boolean; peakMiB: number }> {
  const child = await startProgram(WORKER, [kind, where, String(importId), String(size)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('step').length - 1 >= steps) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL' && !said.includes('over')) throw new Error(`The worker ended by itself after: ${said}`);
  return { isDead: signal === 'SIGKILL', peakMiB: Number(/over (\d+)/.exec(said)?.[1] ?? 0) };
}
