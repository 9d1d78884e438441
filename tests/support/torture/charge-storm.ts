// Many subscriptions fall due at once on PostgreSQL; the built server that charges them is killed (SIGKILL) in the middle again and again
// and restarted. Afterwards the database is compared: each order charged once, each e-mail that a failure calls for written once, each
// event with each of its consumers once, nothing left or failed.
import { seedStores } from '../../../src/server/features/demo/seed.ts';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { loadDefinitions, projectRoot } from '../../../src/server/platform/definitions.ts';
import { eventLag } from '../../../src/server/platform/events/sweep.ts';
import { startProduct, type Product } from '../browser/product.ts';

export interface StormPlan {
  /** Address of the PostgreSQL database, and the same one opened. */
  url: string;
  db: Database;
  /** Subscriptions of the store; those that are active fall due. */
  contracts: number;
  kills: number;
  random: () => number;
  isOver?: () => boolean;
}
export interface StormReport {
  due: number;
  kills: number;
  paid: number;
  refused: number;
  mails: number;
  events: number;
  /** From the first start of the server until everything was charged, and until every consumer was done (s). */
  seconds: { charged: number; delivered: number };
  failures: string[];
}

/** Nothing may stand still for longer than this (ms); the billing job looks for what is due every minute. */
const STILL_MS = 240_000;
/** Events that the storm's webhook listens to, by its topics. */
const TOPICS = {
  'order/placed': 'order_placed',
  'order/payment_attempt_failed': 'payment_attempt_failed',
  'order/payment_failed': 'payment_failed',
  'order/payment_failed_retry': 'payment_failed_retry',
};
/** E-mails to a customer about a charge that was refused. Their key in the outbox ends with the order and the attempt. */
const FAILURE_MAILS = "('PAYMENT_FAILED', 'PAYMENT_FAILED_WITH_RETRIES')";
/** The store's clock goes so many days ahead: all that would fall due in them is due at once. */
const AHEAD_DAYS = 31;
const DUE = `from contracts c join stores s on s.id = c.store_id where c.store_id = 1 and c.status = 'ACTIVE'
  and c.last_payment_status is distinct from 'FAILED' and c.next_billing_at <= now() + s.clock_offset_ms * interval '1 millisecond'`;
/** What came about in the storm: everything after the number that was the last before it. */
interface Marks {
  event: number;
  attempt: number;
  mail: number;
}

const pause = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms);
  });

/** Needs the built product (dist) and an empty database. */
export async function chargeStorm({ url, db, contracts, kills, random, isOver = () => false }: StormPlan): Promise<StormReport> {
  const count = async (what: string): Promise<number> =>
    Number((await db.ownerQuery<{ n: number }>(`select count(*) as n ${what}`)).rows[0]?.n);
  const last = async (table: string): Promise<number> =>
    Number((await db.ownerQuery<{ n: number }>(`select coalesce(max(id), 0) as n from ${table}`)).rows[0]?.n);
  await seedStores(db, { contracts, history: 'latest', areas: Object.keys(loadDefinitions(projectRoot).permissions) });
  // Nothing listens at the webhook's address: its deliveries are written, and wait.
  await db.exec(`update stores set clock_offset_ms = ${AHEAD_DAYS * 86_400_000} where id = 1;
    delete from records where entity = 'flow'; delete from flow_runs; delete from event_queue;
    insert into webhooks (store_id, address, topics) values (1, 'https://shop.invalid/events', '{${Object.keys(TOPICS).join(',')}}');
    insert into records (store_id, entity, position, data) values (1, 'flow', 1, '{"name": "Tag", "flowType": "CUSTOM", "status": "ACTIVE",
      "triggers": ["ORDER_PLACED"], "actions": [{"action": "UPDATE_TAGS", "input": {"mode": "ADD", "tags": ["paid"]}}]}')`);
  await db.exec('vacuum analyze');
  await db.exec(`create table storm_due as select c.id ${DUE}`);
  const due = await count('from storm_due');
  const marks: Marks = { event: await last('events'), attempt: await last('billing_attempts'), mail: await last('outbox') };

  const report: StormReport = {
    due,
    kills: 0,
    paid: 0,
    refused: 0,
    mails: 0,
    events: 0,
    seconds: { charged: 0, delivered: 0 },
    failures: [],
  };
  const from = performance.now();
  const passed = (): number => (performance.now() - from) / 1000;
  const start = (): Promise<Product> =>
    startProduct({
      patience: 300_000,
      env: { DATABASE_URL: url, PERENNIAL_DEMO: 'off', PERENNIAL_SECRET: 'of-a-storm-whose-database-is-removed' },
    });
  let server = await start();
  try {
    const attempts = (): Promise<number> => count(`from billing_attempts where store_id = 1 and id > ${marks.attempt}`);
    const left = async (): Promise<{ charges: number; events: number }> => {
      const open = await count(`from billing_attempts where store_id = 1 and id > ${marks.attempt} and not ready`);
      return { charges: (await count(DUE)) + open, events: (await eventLag(db)).waiting };
    };
    // In each equal part of the storm once, at a random moment of it, counted in charges.
    const nextKill = (): number => ((report.kills + 0.2 + random() * 0.6) / (kills + 1)) * due;
    let killAt = nextKill();
    let moved = performance.now();
    let seen = '';
    for (;;) {
      const now = await left();
      if (now.charges === 0 && report.seconds.charged === 0) report.seconds.charged = passed();
      if (now.charges === 0 && now.events === 0) break;
      if (report.kills < kills && (await attempts()) > killAt && now.charges > 0 && !isOver()) {
        await server.stop('SIGKILL');
        report.kills++;
        killAt = nextKill();
        server = await start();
      }
      if (seen !== JSON.stringify(now)) moved = performance.now();
      seen = JSON.stringify(now);
      if (performance.now() - moved > STILL_MS) {
        report.failures.push(`Nothing went on for ${STILL_MS / 1000} s: ${seen}`);
        break;
      }
      await pause(due > 5000 ? 250 : 10);
    }
    report.seconds.delivered = passed();
  } finally {
    await server.remove();
  }
  await audit(db, marks, report, count);
  return report;
}

/** Compares what the storm left behind, and adds to the report what is wrong. */
async function audit(db: Database, marks: Marks, report: StormReport, count: (what: string) => Promise<number>): Promise<void> {
  const none = async (what: string, query: string): Promise<void> => {
    const n = await count(query);
    if (n !== 0) report.failures.push(`${what}: ${n}`);
  };
  // Without these each comparison would read all events for each charge.
  await db.exec(`create index on events (((data->>'orderId')::bigint)); create index on flow_runs (event_id);
    analyze events; analyze flow_runs; analyze deliveries; analyze billing_attempts; analyze outbox`);
  const attempts = `billing_attempts t where t.store_id = 1 and t.id > ${marks.attempt}`;
  const events = `events e where e.store_id = 1 and e.id > ${marks.event}`;
  const mails = `outbox m where m.store_id = 1 and m.id > ${marks.mail}`;
  report.paid = await count(`from ${attempts} and t.success`);
  report.refused = await count(`from ${attempts} and not t.success`);
  report.mails = await count(`from ${mails}`);
  report.events = await count(`from ${events}`);

  await none('orders charged twice', `from (select order_id from ${attempts} and t.success group by 1 having count(*) > 1) x`);
  await none('attempts twice', `from (select order_id, attempt_number from ${attempts} group by 1, 2 having count(*) > 1) x`);
  await none(
    'deliveries of a subscription ordered twice',
    `from (select contract_id, cycle from orders where store_id = 1 and status <> 'CANCELLED'
    and exists (select 1 from ${attempts} and t.order_id = orders.id) group by 1, 2 having count(*) > 1) x`,
  );
  await none('charges without an answer', `from ${attempts} and t.success is null`);
  await none(
    'subscriptions that were due and got nothing',
    `from storm_due d where not exists (select 1 from ${attempts} and t.contract_id = d.id)
      and not exists (select 1 from ${events} and e.contract_id = d.id)`,
  );

  const attemptOf = "t.order_id = (e.data->>'orderId')::bigint and t.attempt_number = (e.data->>'attempt')::integer";
  await none(
    'paid orders not told of exactly once',
    `from ${attempts} and t.success and
    (select count(*) from ${events} and e.key = 'order_placed' and (e.data->>'orderId')::bigint = t.order_id) <> 1`,
  );
  await none(
    'refused charges not told of exactly once',
    `from ${attempts} and not t.success and t.error_category is not null and (select count(*) from ${events}
    and e.key in ('payment_attempt_failed', 'payment_failed', 'payment_failed_retry', 'payment_failed_last_retry') and ${attemptOf}) <> 1`,
  );
  const toldCustomer = `${events} and e.key in ('payment_failed', 'payment_failed_retry', 'payment_failed_last_retry')
    and coalesce(e.data->>'isStoreSide', '') <> 'true'`;
  const keyEnd = "concat(':', e.data->>'orderId', ':', e.data->>'attempt')";
  await none(
    'refused charges without their one e-mail to the customer',
    `from (select concat(e.data->>'orderId', ':', e.data->>'attempt') as once from ${toldCustomer}) x where (select count(*)
      from ${mails} and m.dedupe_key in ('PAYMENT_FAILED:' || once, 'PAYMENT_FAILED_WITH_RETRIES:' || once)) <> 1`,
  );
  await none(
    'e-mails about a charge that was not refused',
    `from ${mails} and m.template in ${FAILURE_MAILS} and not exists (select 1 from ${toldCustomer} and e.contract_id = m.contract_id
      and right(m.dedupe_key, length(${keyEnd})) = ${keyEnd})`,
  );
  await none('e-mails twice', `from (select dedupe_key from ${mails} and dedupe_key is not null group by 1 having count(*) > 1) x`);

  const wanted = Object.values(TOPICS)
    .map(key => `'${key}'`)
    .join(', ');
  await none(
    'events without their one delivery to the webhook',
    `from ${events} and e.key in (${wanted})
      and (select count(*) from deliveries d where d.store_id = 1 and d.sender = 'webhooks' and d.event_id = e.id) <> 1`,
  );
  await none(
    'deliveries of no event',
    `from deliveries d where d.store_id = 1 and d.sender = 'webhooks' and not exists (select 1 from ${events} and e.id = d.event_id)`,
  );
  await none(
    'events without their one run of the flow',
    `from ${events} and e.key = 'order_placed' and (select count(*) from flow_runs r where r.store_id = 1 and r.event_id = e.id) <> 1`,
  );
  await none('runs of a flow that failed', `from flow_runs r where r.store_id = 1 and r.status = 'FAILED'`);
  const { waiting, failed } = await eventLag(db);
  if (waiting + failed > 0) report.failures.push(`${waiting} events still wait, ${failed} failed`);
  await none(
    'consumers of one store at different places',
    `from (select 1 from event_cursors where store_id = 1 having count(distinct event_id) > 1) x`,
  );
}
