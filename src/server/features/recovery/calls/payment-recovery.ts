// The work of payment recovery: payments ahead with their risk, open and lost cases, and what the preview of the settings starts from.
import { sql, type RawBuilder } from 'kysely';
import type { IntervalUnit } from '../../../../domain/calendar/interval.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import type { Call, JsonObject, JsonValue } from '../../../../contract/types.ts';
import { inLine, Reply, type Context } from '../../../platform/context.ts';
import { engineOf, readSettings, shortestPlan } from '../../../engine/index.ts';
import { hasRate, inStoreCurrency } from '../../../platform/records/exchange-rates.ts';
import { maskPersonalData, PERSONAL, seesCustomers } from '../../../platform/auth/personal-data.ts';
import { exportRecords, type ExportInput } from '../../../platform/records/list/export.ts';
import { listQuery, listRecords } from '../../../platform/records/list/list.ts';

const ENTITY = 'upcoming-payment';
/** The parts of the method as one thing, as lists elsewhere have them; null without a method. */
function methodOf(row: JsonObject): JsonObject | null {
  if (row.paymentMethodId === null) return null;
  const expiry = row.expiryYear ? `${String(row.expiryMonth).padStart(2, '0')}/${row.expiryYear as number}` : null;
  return {
    id: row.paymentMethodId ?? null,
    type: row.methodType ?? null,
    brand: row.methodBrand ?? null,
    lastDigits: row.lastDigits ?? null,
    expiry,
    status: row.paymentMethodStatus ?? null,
  };
}

/** By amount means by what it is worth: 5,000 yen come before 40 dollars. */
const byComparableAmount = <Q extends { sort?: string | undefined }>(query: Q): Q =>
  query.sort === 'amount' ? { ...query, sort: 'worth' } : query;

/** Who may not know whose a subscription is finds it by its whole number alone. */
function findable<Q extends { q?: string | undefined; where?: RawBuilder<unknown>[] | undefined }>(context: Context, query: Q): Q {
  if (!query.q || seesCustomers(context)) return query;
  const id = /^\s*#?(\d{1,15})\s*$/.exec(query.q)?.[1];
  return { ...query, q: undefined, where: [id === undefined ? sql`false` : sql`r.id = ${Number(id)}::bigint`] };
}

/**
 * C351: payments ahead (the next charge of each active subscription), in recovery, and lost; filters: date, retries
 * left, last payment, risk, method status.
 */
export async function list(context: Context, input: JsonObject): Promise<Reply> {
  const call = context.definitions.calls['payment-recovery.list'] as Call;
  const { records, pageInfo } = await listRecords(context, context.shape(ENTITY), {
    defaultSort: { field: 'paymentDateEpoch', order: 'ASC' },
    ...findable(context, byComparableAmount(listQuery(call, context.definitions.hosts[call.host], input))),
  });
  return new Reply(
    maskPersonalData(context, records).map(row => ({ ...row, paymentMethod: methodOf(row) })),
    { pageInfo },
  );
}

/** C352: the filtered list as CSV. */
function exportPayments(context: Context, input: ExportInput): Promise<Reply> {
  const allowed = (names: readonly string[]): string[] =>
    seesCustomers(context) ? [...names] : names.filter(name => !PERSONAL.includes(name));
  return exportRecords(context, ENTITY, {
    sort: 'paymentDateEpoch',
    order: 'ASC',
    ...findable(context, byComparableAmount(input)),
    columns: allowed(input.columns ?? context.shape(ENTITY).hints.export?.columns ?? []),
  });
}
const exporting = inLine('exports', exportPayments);
export { exporting as export };

interface Risk {
  what: 'highRisk' | 'lastRetry' | 'cardsExpiring' | 'inRecovery';
  currency_code: string;
  n: number;
  amount: number;
}
/**
 * The tiles of the next 30 days, each with how many payments and what they are worth in the store's currency;
 * `besides` are amounts that it has no rate for.
 */
export async function ahead({ trx, storeId, store }: Context): Promise<JsonValue> {
  const { rows } = await sql<Risk>`
    select what, currency_code, count(*) as n, sum(amount)::bigint as amount from (
      select p.currency_code, p.amount, unnest(array_remove(array[
        case when p.risk_level = 'HIGH' then 'highRisk' end, case when p.state = 'IN_RECOVERY' and p.retries_left <= 1 then 'lastRetry' end,
        case when p.method_status in ('EXPIRING', 'EXPIRED') then 'cardsExpiring' end, case
          when p.state = 'IN_RECOVERY' then 'inRecovery' end], null)) as what
      from upcoming_payments p where p.store_id = ${storeId}::integer and p.is_due_soon
    ) risks group by what, currency_code`.execute(trx);
  const sum = (what: Risk['what']): JsonObject => {
    const own = rows.filter(row => row.what === what);
    const rated = own.filter(row => hasRate(store, row.currency_code));
    return {
      count: own.reduce((n, row) => n + Number(row.n), 0),
      value: toDecimal(
        rated.reduce((total, row) => total + inStoreCurrency(store, Number(row.amount), row.currency_code), 0),
        store.currency_code,
      ),
      besides: own
        .filter(row => !rated.includes(row))
        .map(row => ({ currencyCode: row.currency_code, value: toDecimal(Number(row.amount), row.currency_code) })),
    };
  };
  return {
    currencyCode: store.currency_code,
    days: 30,
    highRisk: sum('highRisk'),
    lastRetry: sum('lastRetry'),
    cardsExpiring: sum('cardsExpiring'),
    inRecovery: sum('inRecovery'),
  };
}

interface Every {
  delivery_interval: IntervalUnit;
  delivery_interval_count: number;
}
/**
 * The billing hour, how often most active subscriptions order, and the shortest frequency of a plan on sale: it decides whether all retries
 * fit in between two orders.
 */
export async function basis(context: Context): Promise<JsonValue> {
  const { trx, storeId } = context;
  const {
    rows: [usual],
  } = await sql<Every>`
    select delivery_interval, delivery_interval_count from contracts where store_id = ${storeId}::integer and status = 'ACTIVE'
      group by 1, 2 order by count(*) desc, 1, 2 limit 1`.execute(trx);
  const shortest = await shortestPlan(context);
  const settings = await readSettings(engineOf(context));
  return {
    billingHour: settings.billingHour,
    shortest,
    usual: usual ? { interval: usual.delivery_interval, intervalCount: usual.delivery_interval_count } : shortest,
  };
}
