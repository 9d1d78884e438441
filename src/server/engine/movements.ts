// The ledger of movements (migration 270): what a piece of work did to subscriptions as figures need it, line by line. It is written where
// subscriptions are written, in the same transaction, and never changed.
import { sql, type Insertable } from 'kysely';
import { isoDay } from '../../domain/calendar/calendar.ts';
import type { IntervalUnit } from '../../domain/calendar/interval.ts';
import { lineShares } from '../../domain/money/line-shares.ts';
import { monthlyValue } from '../../domain/money/metrics.ts';
import type { MovementsTable } from '../../generated/tables.ts';
import { prepared } from '../platform/db/prepared-statements.ts';
import { rateOfNow } from '../platform/records/exchange-rates.ts';
import type { Aggregate } from './aggregate.ts';
import type { EngineContext } from './context.ts';
import type { ContractRow, LineRow } from './rows.ts';

type MovementKind =
  | 'new'
  | 'expansion'
  | 'contraction'
  | 'exchange'
  | 'paused'
  | 'resumed'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'reactivated'
  | 'undo';
type MovementSource = 'MERCHANT' | 'CUSTOMER' | 'FLOW' | 'API' | 'SHOPIFY' | 'DUNNING' | 'IMPORT' | 'SYSTEM';
/** A row of the ledger as the engine makes it; what it is booked at and the id of its reason are found when it is written. */
type Movement = Omit<Insertable<MovementsTable>, 'booked_before' | 'booked_after' | 'reason_id'> & { reason: string | null };

/** A line of a subscription as the ledger sees it. */
interface Place {
  lineId: number;
  value: number;
  /** What the line is counted under: when any of it changes, the line leaves one place and comes to another. */
  product: number | null;
  variant: number | null;
  plan: number | null;
  country: string;
  frequency: string;
  isPrepaid: boolean;
}

const RUNS: ReadonlySet<string> = new Set(['ACTIVE', 'PAUSED']);
const runs = (status: string | null): boolean => status !== null && RUNS.has(status);

/** What each recurring line of a subscription is worth in a month, in the order of the lines. */
function placesOf(contract: ContractRow, lines: Iterable<LineRow>): Place[] {
  const recurring = [...lines].filter(line => !line.one_time_added).sort((one, two) => one.position - two.position || one.id - two.id);
  const amount = monthlyValue(
    contract.recurring_charge ?? contract.subtotal,
    contract.billing_interval as IntervalUnit,
    contract.billing_interval_count,
  );
  const shares = lineShares(amount, recurring);
  return recurring.map((line, i) => ({
    lineId: line.id,
    value: shares[i] ?? 0,
    product: line.product_id,
    variant: line.variant_id,
    plan: line.plan_group_id,
    country: contract.country_code,
    frequency: contract.frequency,
    isPrepaid: contract.is_prepaid,
  }));
}

const isSamePlace = (one: Place, two: Place): boolean =>
  one.product === two.product &&
  one.variant === two.variant &&
  one.plan === two.plan &&
  one.country === two.country &&
  one.frequency === two.frequency &&
  one.isPrepaid === two.isPrepaid;

/** Each line before and after; one that changed its place stands once for each. */
function pairsOf(before: readonly Place[], after: readonly Place[]): { before?: Place; after?: Place }[] {
  const later = new Map(after.map(place => [place.lineId, place]));
  const pairs: { before?: Place; after?: Place }[] = [];
  for (const place of before) {
    const now = later.get(place.lineId);
    if (now && isSamePlace(place, now)) {
      pairs.push({ before: place, after: now });
      later.delete(place.lineId);
    } else pairs.push({ before: place });
  }
  for (const place of later.values()) pairs.push({ after: place });
  return pairs;
}

const OF_CONTRACT = [
  ...(['recurring_charge', 'subtotal', 'billing_interval', 'billing_interval_count', 'country_code', 'frequency', 'is_prepaid'] as const),
];
const OF_LINE = ['price', 'quantity', 'position', 'product_id', 'variant_id', 'plan_group_id', 'one_time_added'] as const;
/** Whether nothing changed that a place follows from: so it is with most charges, and nothing is worked out then. */
const isSame = (was: ContractRow, now: ContractRow, before: ReadonlyMap<number, LineRow>, lines: readonly LineRow[]): boolean =>
  OF_CONTRACT.every(name => was[name] === now[name]) &&
  before.size === lines.length &&
  lines.every(line => {
    const old = before.get(line.id);
    return old !== undefined && OF_LINE.every(name => old[name] === line[name]);
  });

function kindOf(before: string | null, after: string, change: number): MovementKind {
  if (before === null) return 'new';
  if (before === after) return change > 0 ? 'expansion' : change < 0 ? 'contraction' : 'exchange';
  switch (after) {
    case 'CANCELLED':
      return 'cancelled';
    case 'EXPIRED':
      return 'expired';
    case 'FAILED':
      return 'failed';
    case 'PAUSED':
      return runs(before) ? 'paused' : 'reactivated';
    default:
      return before === 'PAUSED' ? 'resumed' : 'reactivated';
  }
}

/** Who made it: what a cancellation says, payment recovery where it ended or paused the subscription, else who acts. */
function sourceOf({ source, noteData }: EngineContext, { contract }: Aggregate, kind: MovementKind): MovementSource {
  if (noteData?.importId !== undefined) return 'IMPORT';
  if (kind === 'cancelled' && contract.cancellation_source) return contract.cancellation_source as MovementSource;
  if (kind === 'failed') return 'DUNNING';
  switch (source) {
    case 'Admin portal':
      return 'MERCHANT';
    case 'Customer portal':
    case 'Gift recipient':
      return 'CUSTOMER';
    case 'API':
      return 'API';
    case 'Flow':
      return 'FLOW';
    case 'Shopify':
      return 'SHOPIFY';
    case 'System':
      return kind === 'paused' && (contract.dunning as { finalAction?: string } | null)?.finalAction === 'PAUSE' ? 'DUNNING' : 'SYSTEM';
  }
}

/** What one subscription contributes to the ledger in this piece of work; nothing where nothing changed that figures count. */
function movementsOf(context: EngineContext, subscription: Aggregate, at: Date): Movement[] {
  const { contract: now, before } = subscription;
  const was = before.contract;
  const [statusBefore, statusAfter] = [was?.status ?? null, now.status];
  if (was && statusBefore === statusAfter && (!runs(statusAfter) || isSame(was, now, before.lines, subscription.lines))) return [];
  const [places, earlier] = [placesOf(now, subscription.lines), was ? placesOf(was, before.lines.values()) : []];
  const isActive = (status: string | null): boolean => status === 'ACTIVE';
  const counted = (place: Place | undefined, status: string | null): number => (place && isActive(status) ? place.value : 0);
  const pairs = pairsOf(earlier, places).filter(
    pair =>
      statusBefore !== statusAfter ||
      !pair.before ||
      !pair.after ||
      counted(pair.before, statusBefore) !== counted(pair.after, statusAfter),
  );
  if (pairs.length === 0 && statusBefore === statusAfter) return [];
  const change = pairs.reduce((sum, pair) => sum + counted(pair.after, statusAfter) - counted(pair.before, statusBefore), 0);
  const found = kindOf(statusBefore, statusAfter, change);
  const source = sourceOf(context, subscription, found);
  const kind: MovementKind = found === 'cancelled' && source === 'IMPORT' ? 'undo' : found;
  const { timezone } = context.store;
  const rate = now.currency_code === context.store.currency_code ? '1' : rateOfNow(context.store, now.currency_code);
  return (pairs.length ? pairs : [{}]).map((pair, i) => {
    // A row without either: a subscription without products.
    const place = pair.after ?? pair.before;
    return {
      store_id: now.store_id,
      contract_id: now.id,
      change_no: now.version,
      row_no: i,
      line_id: place?.lineId ?? null,
      customer_id: now.customer_id,
      at,
      day: isoDay(at.getTime(), timezone),
      began_on: isoDay(now.created_at.getTime(), timezone),
      kind,
      status_before: statusBefore,
      status_after: statusAfter,
      runs_before: pair.before !== undefined && runs(statusBefore),
      runs_after: pair.after !== undefined && runs(statusAfter),
      value: place?.value ?? 0,
      mrr_before: counted(pair.before, statusBefore),
      mrr_after: counted(pair.after, statusAfter),
      currency_code: now.currency_code,
      rate,
      completed_orders: now.completed_orders,
      source,
      origin: now.source,
      product_id: place?.product ?? null,
      variant_id: place?.variant ?? null,
      plan_group_id: place?.plan ?? null,
      country_code: place?.country ?? now.country_code,
      frequency: place?.frequency ?? now.frequency,
      is_prepaid: place?.isPrepaid ?? now.is_prepaid,
      is_estimated: false,
      reason: kind === 'cancelled' || kind === 'undo' ? now.cancellation_reason || null : null,
    };
  });
}

/**
 * Writes what changed subscriptions add to the ledger. An amount of another currency comes in at the rate of its day, and leaves at what it
 * was booked at: what the line was booked at before is read from its last row.
 */
export async function writeMovements(context: EngineContext, changed: readonly Aggregate[], at: Date): Promise<void> {
  const movements = changed.flatMap(subscription => movementsOf(context, subscription, subscription.at ?? at));
  const [first] = movements;
  if (!first) return;
  const { trx, storeId } = context;
  const own = context.store.currency_code;
  const reasons = [...new Set(movements.flatMap(({ reason }) => reason ?? []))];
  const columns = Object.keys(first).filter(name => name !== 'reason');
  const names = sql.join(columns.map(name => sql.ref(name)));
  const reason = reasons.length
    ? sql`(select min(r.id) from movement_reasons r where r.store_id = m.store_id and r.text = m.reason)`
    : sql`null::bigint`;
  const given = sql`jsonb_to_recordset(${JSON.stringify(movements)}::jsonb) as m (${SHAPE})`;
  const chosen = sql`insert into movements (${names}, booked_before, booked_after, reason_id)
    select ${sql.join(columns.map(name => sql.ref(`m.${name}`)))}`;
  const isForeign = movements.some(({ currency_code: currency }) => currency !== own);
  await Promise.all([
    ...(reasons.length
      ? [
          sql`insert into movement_reasons (store_id, text)
            select ${storeId}::integer, g.reason from unnest(${reasons}::text[]) as g (reason)
            where not exists (select from movement_reasons r where r.store_id = ${storeId}::integer and r.text = g.reason)`.execute(trx),
        ]
      : []),
    (isForeign
      ? sql`${chosen}, b.before, case when m.mrr_after >= m.mrr_before
          then b.before + booked(m.mrr_after - m.mrr_before, m.currency_code, m.rate, ${own}::text)
          else round(b.before::numeric * m.mrr_after / m.mrr_before)::bigint end, ${reason}
        from ${given} cross join lateral (select case when m.mrr_before = 0 then 0 when m.currency_code = ${own}::text then m.mrr_before
          else coalesce((select x.booked_after from movements x where x.store_id = m.store_id and x.contract_id = m.contract_id
              and x.line_id is not distinct from m.line_id order by x.change_no desc, x.row_no desc limit 1),
            booked(m.mrr_before, m.currency_code, m.rate, ${own}::text)) end as before) b`
      : prepared(sql`${chosen}, m.mrr_before, m.mrr_after, ${reason} from ${given}`)
    ).execute(trx),
  ]);
}

/** The columns of a movement on its way into the database. */
const SHAPE = sql.raw(`store_id integer, contract_id bigint, change_no integer, row_no smallint, line_id bigint, customer_id bigint,
  at timestamptz, day date, began_on date, kind text, status_before text, status_after text, runs_before boolean, runs_after boolean,
  value bigint, mrr_before bigint, mrr_after bigint, currency_code text, rate numeric, completed_orders integer, source text, origin text,
  product_id bigint, variant_id bigint, plan_group_id bigint, country_code text, frequency text, is_prepaid boolean, is_estimated boolean,
  reason text`);
