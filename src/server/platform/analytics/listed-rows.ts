// The rows behind figures that no metric says: a source lists them, subscription by subscription, and here they get names and pages.
import { sql } from 'kysely';
import type { Period } from '../../../domain/calendar/plain-days.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { ChartContext } from './wire.ts';
import type { RowsBehind } from './rows.ts';

/** Which figure of a source: its key, and the row or the days of one that has several. */
export interface ListedPlace {
  metric: string;
  part?: string;
  days?: Period;
}
/** All rows behind a figure, in order. `unit` money: minor units of the store's currency. */
export interface Listed {
  title: string;
  unit: 'money' | 'count';
  days: Period;
  /** `date`: a day of the store. */
  rows: readonly { date: string; contractId: number; value: number }[];
}

/** One page of what a source listed, with names of customers, and what all of it comes to. */
export async function pageOf(
  { trx, store }: Pick<ChartContext, 'trx' | 'store'>,
  { rows, unit }: Listed,
  { from, most }: { from: number; most: number },
): Promise<RowsBehind> {
  const some = rows.slice(from, from + most);
  const ids = [...new Set(some.map(({ contractId }) => contractId))];
  const { rows: found } = await sql<{ id: number; customer_id: number; name: string }>`select c.id, c.customer_id, p.name
    from contracts c join customers p on p.store_id = c.store_id and p.id = c.customer_id
    where c.store_id = ${store.id}::integer and c.id = any(${ids}::bigint[])`.execute(trx);
  const customers = new Map(found.map(one => [Number(one.id), one]));
  const isMoney = unit === 'money';
  const written = (value: number): JsonValue => (isMoney ? toDecimal(value, store.currency_code) : value);
  return {
    isMoney,
    total: rows.length,
    sum: written(rows.reduce((sum, { value }) => sum + value, 0)),
    rows: some.map(({ date, contractId, value }): JsonObject => {
      const customer = customers.get(contractId);
      return {
        at: date,
        subscriptionId: contractId,
        customerId: customer ? Number(customer.customer_id) : null,
        customerName: customer?.name ?? null,
        orderNumber: null,
        what: null,
        value: written(value),
      };
    }),
  };
}
