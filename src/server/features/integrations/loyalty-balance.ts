// The points of customers as their loyalty app last said them, kept beside their subscriptions: e-mails name them, and are written where no
// app can be asked.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/db/database.ts';
import { inSteps } from '../../platform/queue/in-steps.ts';
import type { Job } from '../../platform/queue/queue.ts';
import { loyaltyApp, NoAnswer, pointsOf, type Asking } from './loyalty-vendor.ts';

/** Customers who get an e-mail about an order within this time are asked for (days), each once a day. */
const AHEAD_DAYS = 14;
/** Customers asked for in one run, of one store. */
const MOST = 500;

/** Keeps what an app said of a customer, at all their subscriptions. */
export async function rememberPoints(trx: Kysely<Tables>, storeId: number, customerId: number, points: number): Promise<void> {
  await sql`update contracts set loyalty_points = ${Math.floor(points)}::integer, loyalty_points_at = now()
    where store_id = ${storeId}::integer and customer_id = ${customerId}::bigint`.execute(trx);
}

export const FORGET_JOB = 'forget-points';
interface Forgotten {
  storeId: number;
  /** The moment of the database when the app was disconnected: what another app says later stays. */
  until: string;
}

/** Without its app a store knows no points: they go after the transaction. */
export async function forgetPointsLater({ queue, storeId, trx }: Pick<Context, 'queue' | 'storeId' | 'trx'>): Promise<void> {
  const { rows } = await sql<{ until: string }>`select now()::text as until`.execute(trx);
  await queue.send(FORGET_JOB, { storeId, until: rows[0]!.until } satisfies Forgotten, { trx });
}

/** Forgets the points of all subscriptions, a page of them in each transaction; safe to repeat. */
export async function forgetPoints(db: Database, { storeId, until }: Forgotten, job: Pick<Job, 'signal' | 'progressed'>): Promise<void> {
  let after = 0;
  await inSteps(db, storeId, job, async (trx, most, begun) => {
    begun();
    const { rows } = await sql<{ last: number | null; n: number }>`with page as (
        select id, loyalty_points_at <= ${until}::timestamptz as known from contracts
        where store_id = ${storeId}::integer and id > ${after}::bigint order by id limit ${most}
      ), forgotten as (
        update contracts c set loyalty_points = null, loyalty_points_at = null from page p
        where c.store_id = ${storeId}::integer and c.id = p.id and p.known and c.loyalty_points_at <= ${until}::timestamptz
      )
      select max(id) as last, count(*)::integer as n from page`.execute(trx);
    after = rows[0]?.last ?? after;
    return (rows[0]?.n ?? 0) >= most;
  });
}

/**
 * Asks the loyalty apps for the points of customers with an order soon. Gives how many were read; an app that does not answer is left until
 * the next run.
 */
export async function readBalances(
  services: Asking & Pick<Context, 'db' | 'definitions' | 'secrets'>,
  signal?: AbortSignal,
): Promise<number> {
  const keys = Object.values(services.definitions.integrations).flatMap(kind => (kind.loyalty ? [kind.key] : []));
  const { rows: stores } = await services.db.ownerQuery<{ id: number }>(
    `select distinct store_id as id from integrations where status = 'CONNECTED' and key = any($1) order by 1`,
    [keys],
  );
  let customersRead = 0;
  for (const { id: storeId } of stores) {
    const { app, customers } = await services.db.inStore(storeId, async trx => ({
      app: await loyaltyApp({ trx, storeId, definitions: services.definitions, secrets: services.secrets }),
      customers: (
        await sql<{ id: number; email: string }>`select distinct c.customer_id as id, c.customer_email as email
          from contracts c join stores s on s.id = c.store_id
          where c.store_id = ${storeId}::integer and c.status = 'ACTIVE' and c.customer_email <> '' and c.customer_id is not null
            and c.next_billing_at < now() + s.clock_offset_ms * interval '1 millisecond' + ${AHEAD_DAYS} * interval '1 day'
            and (c.loyalty_points_at is null or c.loyalty_points_at < now() - interval '1 day')
          limit ${MOST}`.execute(trx)
      ).rows,
    }));
    if (!app) continue;
    try {
      for (const { id, email } of customers) {
        signal?.throwIfAborted();
        const points = await pointsOf(services, app, email);
        await services.db.inStore(storeId, trx => rememberPoints(trx, storeId, id, points));
        customersRead++;
      }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
  }
  return customersRead;
}
