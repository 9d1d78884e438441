// Figures of a month worked out from the raw tables alone, by what their tiles say they are, and not by the code that answers them.
import { sql } from 'kysely';
import type { Database } from '../../../../src/server/platform/db/database.ts';

interface LedgerRow {
  contract_id: number;
  customer_id: number;
  change_no: number;
  row_no: number;
  day: string;
  at: Date;
  kind: string;
  origin: string;
  status_before: string | null;
  status_after: string;
  runs_before: boolean;
  runs_after: boolean;
  booked_before: number;
  booked_after: number;
  completed_orders: number;
  product_id: number | null;
  plan_group_id: number | null;
  country_code: string;
  reason: string;
}
interface PaidOrder {
  contract_id: number;
  day: string;
  amount: number;
  usd: number;
  currency_code: string;
  order_type: string;
  order_number: number;
}
export interface Raw {
  ledger: LedgerRow[];
  orders: PaidOrder[];
}

/** The rows of a store that figures are made of, in the order in which they happened. */
export async function readRaw(db: Database, zone: string): Promise<Raw> {
  return db.asOwner(async trx => ({
    ledger: (
      await sql<LedgerRow>`select m.*, to_char(m.day, 'YYYY-MM-DD') as day, coalesce(r.text, '') as reason from movements m
        left join movement_reasons r on r.store_id = m.store_id and r.id = m.reason_id
        where m.store_id = 1 order by m.at, m.contract_id, m.change_no, m.row_no`.execute(trx)
    ).rows,
    orders: (
      await sql<PaidOrder>`select contract_id, to_char(processed_at at time zone ${zone}::text, 'YYYY-MM-DD') as day, total as amount,
          total_usd as usd, currency_code, order_type, order_number from orders
        where store_id = 1 and status = 'PAID' and not is_prepaid_delivery`.execute(trx)
    ).rows,
  }));
}

const RUNNING = ['ACTIVE', 'PAUSED'];
const ran = ({ status_before: status }: LedgerRow): boolean => status !== null && RUNNING.includes(status);
const runs = ({ status_after: status }: LedgerRow): boolean => RUNNING.includes(status);
const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0);
const percent = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10);
const dollars = (cents: number): string => (cents / 100).toFixed(2);
/** Numbers of orders above 10 stand in groups of five, called by the first; above 50 in one. */
const group = (n: number): string => String(n <= 10 ? n : n >= 51 ? 51 : 11 + Math.floor((n - 11) / 5) * 5);

/** By name of the figure, as the wire has it: amounts are decimals of dollars. */
export function figuresOf({ ledger, orders }: Raw, { startDate, endDate }: { startDate: string; endDate: string }) {
  const firsts = ledger.filter(row => row.row_no === 0);
  const within = (row: { day: string }): boolean => row.day >= startDate && row.day <= endDate;
  const before = (day: string) => (row: { day: string }) => row.day < day;
  const own = (row: LedgerRow): boolean => row.origin !== 'GIFT';
  const runningOf = (rows: readonly LedgerRow[]): Map<number, LedgerRow> => {
    const last = new Map<number, LedgerRow>();
    for (const row of rows) last.set(row.contract_id, row);
    return new Map([...last].filter(([, row]) => runs(row)));
  };
  const started = firsts.filter(row => within(row) && row.kind === 'new' && runs(row));
  const cancelled = firsts.filter(row => within(row) && row.kind === 'cancelled' && ran(row));
  const isLoss = (row: LedgerRow): boolean => (row.kind === 'cancelled' || row.kind === 'failed') && ran(row);
  const lost = firsts.filter(row => within(row) && isLoss(row));
  const expired = firsts.filter(row => within(row) && row.kind === 'expired' && ran(row));
  const atStart = runningOf(firsts.filter(before(startDate)));
  const change = (row: LedgerRow): number => row.booked_after - row.booked_before;

  // Customers: how many of their subscriptions run, one movement after the other; gifts are left out.
  const held = new Map<number, { now: number; ever: boolean }>();
  let [newOnes, lostOnes, atBegin] = [0, 0, 0];
  let isBegun = false;
  const begin = (): void => {
    if (!isBegun) atBegin = [...held.values()].filter(one => one.now > 0).length;
    isBegun = true;
  };
  for (const row of firsts.filter(own)) {
    if (row.day >= startDate) begin();
    const one = held.get(row.customer_id) ?? { now: 0, ever: false };
    held.set(row.customer_id, one);
    const step = Number(runs(row)) - Number(ran(row));
    one.now += step;
    if (within(row) && step > 0 && !one.ever) newOnes++;
    if (within(row) && step < 0 && one.now === 0 && isLoss(row)) lostOnes++;
    one.ever ||= one.now > 0;
  }
  begin();

  const paid = orders.filter(within);
  const revenue = (rows: readonly PaidOrder[]): string => dollars(sum(rows, row => (row.currency_code === 'USD' ? row.amount : row.usd)));
  const recurring = paid.filter(row => row.order_type === 'RECURRING');

  const byOrder: Record<string, number | null> = {};
  const numberAt = (id: number, row: LedgerRow): number =>
    Math.max(row.completed_orders, ...orders.filter(one => one.contract_id === id && one.day < startDate).map(one => one.order_number));
  const base: string[] = [
    ...[...atStart].filter(([, row]) => own(row)).map(([id, row]) => group(numberAt(id, row))),
    ...started.filter(own).map(row => group(row.completed_orders)),
    ...recurring.map(row => group(row.order_number)),
  ];
  for (const number of new Set(base))
    byOrder[number] = percent(
      lost.filter(row => own(row) && group(row.completed_orders) === number).length,
      base.filter(one => one === number).length,
    );
  const lostRows = ledger.filter(row => within(row) && isLoss(row));
  const by = (rows: readonly LedgerRow[], key: (row: LedgerRow) => string): Record<string, string> =>
    Object.fromEntries(
      [...new Set(rows.map(key))].map(one => [
        one,
        dollars(
          -sum(
            rows.filter(row => key(row) === one),
            change,
          ),
        ),
      ]),
    );
  return {
    'new-subscriptions': started.length,
    'cancelled-subscriptions': cancelled.length,
    'expired-subscriptions': expired.length,
    'net-growth': sum(firsts.filter(within), row => Number(runs(row)) - Number(ran(row))),
    'churn-rate': percent(lost.filter(own).length, [...atStart.values()].filter(own).length + started.filter(own).length),
    'new-subscribers': newOnes,
    'lost-subscribers': lostOnes,
    'subscriber-churn-rate': percent(lostOnes, atBegin + newOnes),
    'new-mrr': dollars(
      sum(
        ledger.filter(row => within(row) && row.kind === 'new' && runs(row)),
        change,
      ),
    ),
    'lost-mrr': dollars(-sum(lostRows, change)),
    paused: firsts.filter(row => within(row) && row.kind === 'paused').length,
    reactivated: firsts.filter(row => within(row) && row.kind === 'reactivated').length,
    revenue: revenue(paid),
    'recurring-revenue': revenue(recurring),
    'checkout-revenue': revenue(paid.filter(row => row.order_type === 'CHECKOUT')),
    'paid-orders': paid.length,
    byOrder,
    lostByReason: by(lostRows, row => row.reason),
    lostByProduct: by(lostRows, row => String(row.product_id)),
    lostByPlan: by(lostRows, row => String(row.plan_group_id)),
  };
}
export type SignedFigures = ReturnType<typeof figuresOf>;
