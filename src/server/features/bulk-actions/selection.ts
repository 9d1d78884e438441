// Which subscriptions a bulk action is for: a filter of their list, ids, or a CSV file; and the rows they are frozen to.
import { sql, type RawBuilder } from 'kysely';
import { compileValidator } from '../../../contract/validation/compile.ts';
import { filterSchema } from '../../../contract/filter-schema.ts';
import { MAX_FILTERED, MAX_GIVEN } from '../../../domain/text/bulk-limits.ts';
import { subscriptionNumber } from '../../../domain/text/subscription-number.ts';
import type { FieldError, JsonObject, Schema } from '../../../contract/types.ts';
import { validate } from '../../../contract/validation/validate.ts';
import { invalid, type Context } from '../../platform/context.ts';
import { CsvDamaged, CsvTooLarge, readCsv } from '../../platform/csv/read-csv.ts';
import { insertMany, type RowValues, type Status } from '../../engine/index.ts';
import { numberIn, placedBy } from '../../platform/records/order-number.ts';
import { conditionsIn, conditionsOf } from '../../platform/records/list/filter.ts';
import type { Asking } from '../../platform/records/conditions/compile.ts';
import { comparableAmountsOf } from '../../platform/records/list/currency-comparison.ts';
import { inFigures, t } from '../../../domain/text/t.ts';

export { MAX_GIVEN };
/** Most subscriptions of a filter, and the sentence for more. */
export const mostFiltered = ({ db }: Pick<Context, 'db'>): number => MAX_FILTERED[db.kind];
export const tooMany = (most: number): Error =>
  wrong(
    '/selection',
    'maxItems',
    t`More than ${inFigures(most)} subscriptions match. Narrow the filters and start one bulk action for each part.`,
  );
export const noneMatch = (): Error => wrong('/selection', 'minItems', t`No subscriptions match these filters.`);
export const ID_COLUMN = 'subscription_id';

export interface Selection {
  mode: 'FILTER' | 'IDS' | 'CSV';
  filter?: JsonObject;
  q?: string;
  ids?: (number | string)[];
  fileName?: string;
  content?: string;
}

export type Fault = 'NOT_FOUND' | 'DUPLICATE' | 'WRONG_STATUS';
const SENTENCES: Record<Exclude<Fault, 'WRONG_STATUS'>, string> = {
  NOT_FOUND: 'No subscription has this id.',
  DUPLICATE: 'This subscription stands in the list more than once. It is done once.',
};

/** An id as it was given, the values beside it, and the subscription it means. */
export interface GivenRow {
  given: string;
  values: RowValues | null;
  contractId: number | null;
  status: Status | null;
  fault: Exclude<Fault, 'WRONG_STATUS'> | null;
}

const wrong = (pointer: string, rule: string, message: string): Error => invalid([{ pointer, rule, message }]);
const filters = new WeakMap<Schema, Schema>();

/** Conditions over `contracts as r` for a filter of the list. @throws Refusal 422 */
async function matching(context: Asking, { filter, q }: Selection): Promise<{ where: RawBuilder<unknown> }> {
  const shape = context.shape('subscription');
  if (filter) {
    let schema = filters.get(shape.schema);
    if (!schema) filters.set(shape.schema, (schema = filterSchema(shape.schema)));
    const errors: FieldError[] = validate(schema, compileValidator(schema), filter).map(error => ({
      ...error,
      pointer: `/selection/filter${error.pointer}`,
    }));
    if (errors.length) throw invalid(errors);
  }
  const comparableAmounts = await comparableAmountsOf(context, shape, filter);
  const also = await conditionsIn(context, shape, filter);
  const all = (words: string | undefined): RawBuilder<unknown> => {
    const { early, late } = conditionsOf(shape, filter, words, context.store.currency_code, comparableAmounts);
    return sql.join([sql`r.store_id = ${context.storeId}::integer`, ...early, ...late, ...also], sql` and `);
  };
  const number = numberIn(q);
  // As in the list, the number of an order finds the subscription that placed it.
  return {
    where:
      number === undefined ? all(q) : sql`((${all(number)}) or (${all(undefined)} and r.id in (${placedBy(context.storeId, number)})))`,
  };
}

/** How many subscriptions a filter finds, counted no further than one above the limit. */
export async function countMatching(context: Asking & Pick<Context, 'db'>, selection: Selection): Promise<number> {
  const { where } = await matching(context, selection);
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from (select 1 from contracts as r where ${where} limit ${mostFiltered(context) + 1}) as counted`.execute(
    context.trx,
  );
  return Number(rows[0]?.n ?? 0);
}

/** Up to `limit` ids that a filter finds, the newest first as in the list. */
export async function someMatching(context: Asking, selection: Selection, limit: number): Promise<number[]> {
  const { where } = await matching(context, selection);
  const { rows } = await sql<{ id: number }>`select r.id from contracts as r where ${where} order by r.id desc limit ${limit}`.execute(
    context.trx,
  );
  return rows.map(row => row.id);
}

/** Freezes a filter to rows, in the order of their ids. Gives how many. @throws Refusal 422 above the limit, or when there is none */
export async function freezeFilter(context: Asking & Pick<Context, 'db'>, bulkId: number, selection: Selection): Promise<number> {
  const most = mostFiltered(context);
  const { where } = await matching(context, selection);
  // One more than may be: the transaction that finds too many is taken back.
  const { numAffectedRows } = await sql`insert into bulk_action_rows (store_id, bulk_action_id, position, contract_id)
    select ${context.storeId}::integer, ${bulkId}::bigint, row_number() over (order by f.id), f.id from (select r.id from contracts as r
      where ${where} limit ${most + 1}) as f`.execute(context.trx);
  const n = Number(numAffectedRows ?? 0);
  if (n === 0) throw noneMatch();
  if (n > most) throw tooMany(most);
  return n;
}

/** What a file of subscriptions may hold: rows without anything in them are left out, but read. */
const FILE_LIMITS = { rows: 2 * MAX_GIVEN, columns: 100, cells: 1_000_000 };
const tooManyRows = (): Error =>
  wrong(
    '/selection/content',
    'maxItems',
    t`This file has more than ${inFigures(MAX_GIVEN)} rows, the most that a bulk action takes. Split it and start one for each part.`,
  );

/** The ids of a selection with their values, as they were given. @throws Refusal 422 for a file that is none, or too long */
export async function givenBy(
  selection: Selection,
  columns: readonly string[] = [],
): Promise<{ given: string; values: RowValues | null }[]> {
  if (selection.mode === 'IDS') return (selection.ids ?? []).map(id => ({ given: String(id).trim(), values: null }));
  let records: string[][];
  try {
    const options = { trim: true, max_record_size: 100_000 };
    records = (await readCsv(selection.content ?? '', options, FILE_LIMITS)).filter(record => record.some(Boolean));
  } catch (error) {
    if (error instanceof CsvTooLarge && error.what === 'rows') throw tooManyRows();
    if (error instanceof CsvTooLarge) {
      const most = inFigures(FILE_LIMITS[error.what]);
      throw wrong(
        '/selection/content',
        'maxItems',
        error.what === 'columns'
          ? t`This file has more than ${most} columns. Keep only the columns that the template has.`
          : t`This file has more than ${most} cells. Keep only the columns that the template has.`,
      );
    }
    if (error instanceof CsvDamaged) throw wrong('/selection/content', 'format', error.message);
    throw wrong(
      '/selection/content',
      'format',
      error instanceof Error && 'lines' in error
        ? t`This file can't be read as CSV. The mistake is near row ${String(error.lines)}. Save it as “CSV UTF-8” and choose it once more.`
        : t`This file can't be read as CSV. Save it as “CSV UTF-8” and choose it once more.`,
    );
  }
  const [head, ...body] = records;
  const names = (head ?? []).map(name => name.toLowerCase());
  if (names[0] !== ID_COLUMN)
    throw wrong('/selection/content', 'format', t`The first column of the file must have the header ${ID_COLUMN}.`);
  for (const column of columns)
    if (!names.includes(column))
      throw wrong('/selection/content', 'format', t`The file has no column ${column}. Add it, or download the template.`);
  if (body.length === 0) throw wrong('/selection/content', 'minItems', t`This file has a header but no rows.`);
  if (body.length > MAX_GIVEN) throw tooManyRows();
  return body.map(record => ({
    given: (record[0] ?? '').slice(0, 100),
    values:
      names.length > 1
        ? Object.fromEntries(
            names
              .slice(1, 20)
              .flatMap((name, i) => (name.startsWith('#') ? [] : [[name.slice(0, 100), (record[i + 1] ?? '').slice(0, 1000)]])),
          )
        : null,
  }));
}

/** Finds the subscriptions that ids mean: ours first, else the platform's. A repeated one is reported as such. */
export async function resolve(
  { trx, storeId }: Pick<Context, 'trx' | 'storeId'>,
  list: readonly { given: string; values?: RowValues | null }[],
): Promise<GivenRow[]> {
  const numbers = list.map(({ given }) => subscriptionNumber(given));
  const wanted = [...new Set(numbers.filter(number => number !== undefined))];
  const { rows } =
    wanted.length === 0
      ? { rows: [] }
      : await sql<{ id: number; shopify_id: number; status: Status }>`
    select id, shopify_id, status from contracts where store_id = ${storeId}::integer and id = any(${wanted}::bigint[])
    union select id, shopify_id, status from contracts where store_id = ${storeId}::integer
      and shopify_id = any(${wanted}::bigint[])`.execute(trx);
  const own = new Map(rows.map(row => [row.id, row]));
  const platform = new Map(rows.map(row => [row.shopify_id, row]));
  const seen = new Set<number>();
  return list.map(({ given, values = null }, i) => {
    const number = numbers[i];
    const found = number === undefined ? undefined : (own.get(number) ?? platform.get(number));
    if (!found) return { given, values, contractId: null, status: null, fault: 'NOT_FOUND' };
    if (seen.has(found.id)) return { given, values, contractId: found.id, status: found.status, fault: 'DUPLICATE' };
    seen.add(found.id);
    return { given, values, contractId: found.id, status: found.status, fault: null };
  });
}

/**
 * Writes given ids as rows. Those that can't be done are marked at once: they fail or are skipped before anything runs. `otherwise` says
 * why a state is wrong; null: it is not.
 */
export async function freezeGiven(
  { trx, storeId, now }: Pick<Context, 'trx' | 'storeId' | 'now'>,
  bulkId: number,
  rows: readonly GivenRow[],
  otherwise: (status: Status) => string | null,
): Promise<{ total: number; failed: number; skipped: number }> {
  const told = rows.map(({ fault, status }) => {
    if (fault) return { status: fault === 'NOT_FOUND' ? 'FAILED' : 'SKIPPED', reason: SENTENCES[fault] };
    const reason = status && otherwise(status);
    return reason ? { status: 'SKIPPED', reason } : { status: 'PENDING', reason: null };
  });
  await insertMany(
    trx,
    'bulk_action_rows',
    rows.map(({ given, values, contractId, fault }, i) => ({
      store_id: storeId,
      bulk_action_id: bulkId,
      position: i + 1,
      given,
      values,
      contract_id: fault ? null : contractId,
      ...told[i],
      tries: 0,
      processed_at: told[i]?.reason ? now() : null,
    })),
  );
  const count = (status: string): number => told.filter(one => one.status === status).length;
  return { total: rows.length, failed: count('FAILED'), skipped: count('SKIPPED') };
}
