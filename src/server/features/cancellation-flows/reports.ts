// Reports of experiments: prepared by a job, which says what they will hold; the file is written while it is downloaded.
import { sql, type Kysely } from 'kysely';
import { accessOf } from '../../../contract/access.ts';
import { csvLine } from '../../../domain/csv/write.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { invalidState, notFound, type Context, type Reply } from '../../platform/context.ts';
import { csvFile } from '../../platform/csv/csv-file.ts';
import { later, t } from '../../../domain/text/t.ts';
import { STAYED } from './attempts.ts';

const KEPT_DAYS = 7;
const PAGE = 1000;
const HEADER = ['subscription_id', 'variant', 'outcome', 'customer_email', 'attempted_at', 'reason', 'offer_id'];
const OPEN = ['EXPERIMENT_REPORT_QUEUED', 'EXPERIMENT_REPORT_IN_PROGRESS'];

/** Prepares the reports of a store that were asked for: counts what they hold, up to the last attempt there is. Safe to repeat. */
export async function prepareReports({ trx, storeId }: { trx: Kysely<Tables>; storeId: number }, now: Date): Promise<void> {
  const until = new Date(now.getTime() + KEPT_DAYS * 86_400_000).toISOString();
  await sql`update records r set version = r.version + 1, updated_at = ${now}::timestamptz, data = r.data || jsonb_build_object(
      'state', 'EXPERIMENT_REPORT_SUCCESS', 'keptUntil', ${until}::text, 'rows', a.n, 'upTo', a.last)
    from records o cross join lateral (select count(*) as n, coalesce(max(id), 0) as last from cancellation_attempts
      where store_id = ${storeId}::integer and variants ? (o.data ->> 'experiment')) a
    where r.store_id = ${storeId}::integer and r.entity = 'experiment-report' and r.deleted_at is null
      and r.data ->> 'state' = any(${OPEN}::text[]) and o.store_id = r.store_id and o.id = r.id`.execute(trx);
}

/** The file of a report that is ready, for seven days; without the customers for people who may not see them. @throws Refusal 404, 409 */
export async function reportFile({ db, storeId, now, trx, session }: Context, id: number): Promise<Reply> {
  const { rows } = await sql<{ data: JsonObject }>`select data from records where store_id = ${storeId}::integer
    and entity = 'experiment-report' and id = ${id}::bigint and deleted_at is null`.execute(trx);
  const report = rows[0]?.data;
  if (!report) throw notFound(later`report`);
  if (report.state !== 'EXPERIMENT_REPORT_SUCCESS') throw invalidState(t`This report is not ready.`);
  if (new Date(String(report.keptUntil)) < now()) throw invalidState(t`Reports are kept for ${KEPT_DAYS} days. This one is gone.`);
  const key = String(report.experiment);
  const at = now();
  const seesCustomers = accessOf(session).can('subscriptionDetails', 'READ');
  async function* lines(): AsyncGenerator<string> {
    for (let after = 0; ;) {
      const page = await db.inStore(
        storeId,
        inner =>
          sql<Line>`select a.id, a.contract_id, a.variants ->> ${key} as variant, ${STAYED(at)} as stayed, c.customer_email as email,
            a.started_at, a.reason, a.offer_id
          from cancellation_attempts a join contracts c on c.store_id = a.store_id and c.id = a.contract_id
          where a.store_id = ${storeId}::integer and a.variants ? ${key} and a.id > ${after}::bigint
            and a.id <= ${Number(report?.upTo ?? 0)}::bigint order by a.id limit ${PAGE}`.execute(inner),
        { readOnly: true },
      );
      yield page.rows
        .map(row =>
          csvLine(
            [
              row.contract_id,
              row.variant,
              row.stayed ? 'saved' : 'continued',
              seesCustomers ? row.email : null,
              row.started_at.toISOString(),
              row.reason,
              row.offer_id,
            ].map(value => (value === null ? '' : String(value))),
          ),
        )
        .join('');
      if (page.rows.length < PAGE) return;
      after = page.rows.at(-1)?.id ?? after;
    }
  }
  return csvFile(`experiment-${key}.csv`, HEADER, lines());
}
interface Line {
  id: number;
  contract_id: number;
  variant: string;
  stayed: boolean;
  email: string;
  started_at: Date;
  reason: string | null;
  offer_id: number | null;
}
