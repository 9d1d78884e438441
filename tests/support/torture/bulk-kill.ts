// Kills the workers of bulk actions (SIGKILL) at random moments, again and again, and compares afterwards: no row missed, none done twice, as many lines in the
// activity log as rows that were done, and no card charged twice.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { loadDefinitions, projectRoot } from '../../../src/server/platform/definitions.ts';
import { seedStores } from '../../../src/server/features/demo/seed.ts';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { startProgram } from '../program.ts';

const WORKER = fileURLToPath(new URL('../../server/features/bulk-actions/worker.ts', import.meta.url));

export interface KillPlan {
  kind: Database['kind'];
  /** Address of the PostgreSQL database, or the data folder. */
  where: string;
  open(): Promise<Database>;
  kills: number;
  contracts: number;
  /** Workers that share a bulk action (PostgreSQL only). */
  workers: number;
  random: () => number;
  /** Rows of a chunk. */
  rows?: number;
  /** Whether its time is over before all kills are done: the bulk action that runs is brought to its end. */
  isOver?: () => boolean;
}
export interface KillOutcome {
  kills: number;
  bulks: number;
  rows: number;
  failures: string[];
}

export interface Kind {
  key: string;
  input: object;
  from: string;
  note: string;
}
export const KINDS: readonly Kind[] = [
  { key: 'PAUSE_SUBSCRIPTION', input: { until: 'INDEFINITE' }, from: "status = 'ACTIVE'", note: 'subscription_paused' },
  { key: 'RESUME_SUBSCRIPTION', input: { from: 'INTERVAL' }, from: "status = 'PAUSED'", note: 'subscription_resumed' },
  { key: 'CHARGE_ORDER', input: { which: 'NEXT', keepSchedule: true }, from: "status = 'ACTIVE'", note: 'order_charged_now' },
  { key: 'UPDATE_TAGS', input: { mode: 'ADD', tags: ['killed'] }, from: 'true', note: 'tags_updated' },
];

/** Waits for a bulk action by as many processes as it takes; each is killed after a while, until enough were. */
export async function killWorkers(plan: KillPlan): Promise<KillOutcome> {
  const outcome: KillOutcome = { kills: 0, bulks: 0, rows: 0, failures: [] };
  const isEnough = (): boolean => outcome.kills >= plan.kills || plan.isOver?.() === true;
  let db = await plan.open();
  await seedStores(db, { contracts: plan.contracts, stores: 1, areas: Object.keys(loadDefinitions(projectRoot).permissions) });
  for (let round = 0; !isEnough() || round === 0; round++) {
    const kind = KINDS[round % KINDS.length] as Kind;
    const input = kind.key === 'UPDATE_TAGS' ? { mode: 'ADD', tags: [`round-${round}`] } : kind.input;
    const bulkId = await makeBulk(db, kind, input);
    const before = await versions(db);
    for (let isOver = false; !isOver;) {
      if (plan.kind === 'embedded') await db.close();
      isOver = await oneLife(plan, bulkId, isEnough() ? Number.POSITIVE_INFINITY : plan.random() * 900);
      if (!isOver) outcome.kills++;
      if (plan.kind === 'embedded') db = await plan.open();
      const {
        rows: [state],
      } = await db.ownerQuery<{ status: string }>('select status from bulk_actions where store_id = 1 and id = $1', [bulkId]);
      if (['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED'].includes(state?.status ?? '')) isOver = true;
      else if (isOver) {
        outcome.failures.push(`${kind.key} ${bulkId}: its worker ended, but it is ${state?.status}`);
        return outcome;
      }
    }
    const found = await compare(db, bulkId, kind, before);
    outcome.bulks++;
    outcome.rows += found.rows;
    outcome.failures.push(...found.failures);
  }
  await db.close();
  return outcome;
}

/** One set of workers until they end, or until they are killed after `afterMs`. True: one of them brought the bulk action to its end. */
async function oneLife({ kind, where, workers, rows = 5 }: KillPlan, bulkId: number, afterMs: number): Promise<boolean> {
  const children = await Promise.all(
    Array.from({ length: kind === 'postgres' ? workers : 1 }, () =>
      startProgram(WORKER, [kind, where, String(bulkId), String(rows)], { stdio: ['ignore', 'pipe', 'inherit'] }),
    ),
  );
  let said = '';
  for (const child of children)
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ends = children.map(child => once(child, 'exit'));
  await Promise.all(children.map(child => once(child.stdout!, 'data')));
  if (Number.isFinite(afterMs)) {
    await Promise.race([new Promise(resolve => setTimeout(resolve, afterMs)), Promise.all(ends)]);
    for (const child of children) child.kill('SIGKILL');
  }
  await Promise.all(ends);
  return said.includes('over');
}

export async function makeBulk(db: Database, { key, from }: Kind, input: object): Promise<number> {
  const {
    rows: [made],
  } = await db.ownerQuery<{ id: number }>(
    `insert into bulk_actions (store_id, action_key, label, status, input, selection, queued_at) values (1, $1, 'Killed', 'QUEUED', $2, '{"mode": "IDS"}', now()) returning id`,
    [key, JSON.stringify(input)],
  );
  const id = Number(made?.id);
  await db.ownerQuery(
    `insert into bulk_action_rows (store_id, bulk_action_id, position, contract_id) select 1, $1, row_number() over (order by id), id from contracts where store_id = 1 and ${from}`,
    [id],
  );
  await db.ownerQuery(
    'update bulk_actions set total = (select count(*) from bulk_action_rows where store_id = 1 and bulk_action_id = $1) where store_id = 1 and id = $1',
    [id],
  );
  return id;
}

export const versions = async (db: Database): Promise<Map<number, number>> =>
  new Map(
    (await db.ownerQuery<{ id: number; version: number }>('select id, version from contracts where store_id = 1')).rows.map(row => [
      Number(row.id),
      row.version,
    ]),
  );

export async function compare(
  db: Database,
  bulkId: number,
  { key, note }: Kind,
  before: ReadonlyMap<number, number>,
): Promise<{ rows: number; failures: string[] }> {
  const failures: string[] = [];
  const wrong = (text: string): void => {
    failures.push(`${key} ${bulkId}: ${text}`);
  };
  const of = <R>(text: string): Promise<R[]> => db.ownerQuery<R>(text, [bulkId]).then(({ rows }) => rows);
  const rows = await of<{ contract_id: number; status: string; reason: string | null; position: number; order_id: number | null }>(
    'select contract_id, status, reason, position, order_id from bulk_action_rows where store_id = 1 and bulk_action_id = $1',
  );
  const [bulk] = await of<{ total: number; processed: number; succeeded: number; failed: number; skipped: number }>(
    'select * from bulk_actions where store_id = 1 and id = $1',
  );
  const count = (status: string): number => rows.filter(row => row.status === status).length;
  if (count('PENDING')) wrong(`${count('PENDING')} rows were missed`);
  if (
    bulk?.processed !== rows.length ||
    bulk.succeeded !== count('SUCCESS') ||
    bulk.failed !== count('FAILED') ||
    bulk.skipped !== count('SKIPPED')
  )
    wrong(`its counts ${JSON.stringify(bulk)} are not those of its rows`);
  const notes = new Map(
    (
      await of<{ contract_id: number; n: number }>(
        `select contract_id, count(*) as n from events where store_id = 1 and (data->>'bulkActionId')::bigint = $1 and key in ('${note}', 'bulk_action_applied') group by 1`,
      )
    ).map(row => [Number(row.contract_id), Number(row.n)]),
  );
  const now = await versions(db);
  const isCharge = key === 'CHARGE_ORDER';
  for (const row of rows) {
    const id = Number(row.contract_id);
    const changed = row.status === 'SUCCESS' || row.order_id !== null;
    if ((notes.get(id) ?? 0) !== (changed ? 1 : 0)) wrong(`${notes.get(id) ?? 0} lines in the log of ${id}, whose row is ${row.status}`);
    const steps = (now.get(id) ?? 0) - (before.get(id) ?? 0);
    if (!isCharge && steps !== (row.status === 'SUCCESS' ? 1 : 0)) wrong(`${id} was written ${steps} times, its row is ${row.status}`);
    if (row.status === 'FAILED' && !isCharge) wrong(`${id} failed: ${row.reason}`);
  }
  if (isCharge) {
    const keys = new Map(
      (
        await db.ownerQuery<{ key: string; n: number }>(
          `select idempotency_key as key, count(*) as n from billing_attempts where store_id = 1 and idempotency_key like $1 group by 1`,
          [`bulk-${bulkId}-%`],
        )
      ).rows.map(row => [row.key, Number(row.n)]),
    );
    const charged = rows.filter(row => row.order_id !== null);
    for (const row of charged)
      if (keys.get(`bulk-${bulkId}-${row.position}`) !== 1)
        wrong(`the charge of row ${row.position} has ${keys.get(`bulk-${bulkId}-${row.position}`) ?? 0} attempts`);
    if (keys.size > charged.length) wrong(`${keys.size} charges for ${charged.length} rows`);
    const {
      rows: [paid],
    } = await db.ownerQuery<{ taken: number; known: number; open: number }>(
      `select
      (select count(*) from gateway_charges g where g.store_id = 1 and g.idempotency_key like $1 and g.outcome->>'ok' = 'true') as taken,
      (select count(*) from billing_attempts where store_id = 1 and idempotency_key like $1 and success) as known,
      (select count(*) from orders where store_id = 1 and status = 'PROCESSING') as open`,
      [`bulk-${bulkId}-%`],
    );
    if (Number(paid?.taken) !== Number(paid?.known)) wrong(`the gateway took ${paid?.taken} charges, the books have ${paid?.known}`);
    if (Number(paid?.open)) wrong(`${paid?.open} orders are still being charged`);
  }
  return { rows: rows.length, failures };
}
