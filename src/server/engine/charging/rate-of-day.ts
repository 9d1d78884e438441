// What the money of an order is worth on the day on which it is paid, or tried.
import { convert, rateOfNow } from '../../platform/records/exchange-rates.ts';
import type { OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Keeps with an order what it comes to in US dollars now, and the rate by which figures convert it into the currency of the store. */
export function keepRate({ context: { store } }: UnitOfWork, order: OrderRow): void {
  order.total_usd = convert(store, order.total, order.currency_code, 'USD') ?? 0;
  order.rate = rateOfNow(store, order.currency_code);
  order.is_estimated = false;
}
