// Amounts of several currencies in one list: compared by what they are worth at the store's rates, as payment recovery does.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import { CURRENCY_CODES, minorDigits } from '../../../../domain/money/money.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { usdRate, type StoreRates } from '../exchange-rates.ts';
import type { Field, EntityMapping } from '../entity-mapping.ts';

/** A currency of the rows, and what a minor unit of it is worth: ten-thousandths of a US dollar, as `numeric`. */
export interface ComparableAmount {
  currency: string;
  unit: RawBuilder<unknown>;
}

/** Tables whose rows have currencies of their own, and an index of their amounts by currency (migration 096). */
const BY_CURRENCY: ReadonlySet<string> = new Set(['contracts']);

const COUNTED: ReadonlySet<string> = new Set(CURRENCY_CODES);

/** The currencies that a filter names; none: it means all. A code of no currency has no rows, and so no amounts to compare. */
export const namedCurrencies = (shape: EntityMapping, filter: JsonObject | undefined): string[] =>
  shape.has('currency_code') && Array.isArray(filter?.currencyCode)
    ? filter.currencyCode.filter(code => typeof code === 'string').filter(code => COUNTED.has(code))
    : [];

/** Whether a field is an amount in the currency of its row. */
export const isAmount = (field: Field | undefined): boolean => field?.kind === 'money' && !field.inDocument;

/** Without a rate, a unit of a currency counts as a dollar: better in the wrong place than in none. */
const comparableAmountOf = (store: StoreRates, currency: string): ComparableAmount => ({
  currency,
  unit: sql`(${String(usdRate(store, currency) || 1)}::numeric * ${10 ** (4 - minorDigits(currency))}::numeric)`,
});

/**
 * The currencies that amounts are compared in, each with its worth: those that the filter names, else those that the store's rows have (and
 * its own). Undefined where the list neither sorts nor filters by an amount, or its rows have no currency of their own.
 */
export async function comparableAmountsOf(
  { trx, storeId, store }: { trx: Kysely<Tables>; storeId: number; store: StoreRates },
  shape: EntityMapping,
  filter: JsonObject | undefined,
  sort?: Field,
): Promise<ComparableAmount[] | undefined> {
  if (!BY_CURRENCY.has(shape.table)) return undefined;
  if (!isAmount(sort) && !Object.keys(filter ?? {}).some(name => isAmount(shape.fields.get(name)))) return undefined;
  const named = namedCurrencies(shape, filter);
  if (named.length) return [...new Set(named)].map(currency => comparableAmountOf(store, currency));
  // From one currency to the next in the index: as many steps as there are currencies.
  const { rows } = await sql<{ code: string }>`with recursive step(code) as (
      (select r.currency_code from ${sql.table(shape.table)} as r where r.store_id = ${storeId}::integer order by r.currency_code limit 1)
      union all
      select (select r.currency_code from ${sql.table(shape.table)} as r where r.store_id = ${storeId}::integer
        and r.currency_code > step.code order by r.currency_code limit 1) from step where step.code is not null)
    select code from step where code is not null`.execute(trx);
  return [...new Set([store.currency_code, ...rows.map(row => row.code)])].map(currency => comparableAmountOf(store, currency));
}

/** An amount of the row `r` in a unit common to all currencies, to sort by. */
export function comparableField(amount: Field, comparableAmounts: readonly ComparableAmount[]): Field {
  const unit = sql`case r.currency_code ${sql.join(
    comparableAmounts.map(({ currency, unit: one }) => sql`when ${currency} then ${one}`),
    sql` `,
  )} end`;
  return { ...amount, name: `worth of ${amount.name}`, column: 'worth', kind: 'number', sql: sql`(${amount.sql} * ${unit})` };
}

/** Bounds of converted amounts: for each currency by itself, and as one condition. */
export interface ComparableBounds {
  each: RawBuilder<unknown>[][];
  any: RawBuilder<unknown>;
}

/**
 * Amounts of all currencies between `low` and `high`, which are minor units of the store's own currency: the first of `comparableAmounts`.
 */
export function comparableBetween(
  amount: Field,
  comparableAmounts: readonly ComparableAmount[],
  low: number | undefined,
  high: number | undefined,
): ComparableBounds {
  const own = comparableAmounts[0] as ComparableAmount;
  const each = comparableAmounts.map(worth => {
    const inIts = (bound: number, whole: 'ceil' | 'floor') =>
      worth === own ? sql`${bound}::bigint` : sql`${sql.raw(whole)}(${bound}::numeric * ${own.unit} / ${worth.unit})::bigint`;
    return [
      ...(low === undefined ? [] : [sql`${amount.sql} >= ${inIts(low, 'ceil')}`]),
      ...(high === undefined ? [] : [sql`${amount.sql} <= ${inIts(high, 'floor')}`]),
    ];
  });
  const any = comparableAmounts.map(
    ({ currency }, i) => sql`(${sql.join([sql`r.currency_code = ${currency}`, ...(each[i] ?? [])], sql` and `)})`,
  );
  return { each, any: sql`(${sql.join(any, sql` or `)})` };
}
