// The list verb: filter, sort, search and pages by key over any table or kind of document, with a total that is exact or says that it is
// not.
import { sql, type RawBuilder } from 'kysely';
import type { Call, Host, JsonObject, PageInfo } from '../../../../contract/types.ts';
import { invalid } from '../../context.ts';
import { packCursor, unpackCursor } from './cursor.ts';
import { conditionsIn, conditionsOf, isIndexed } from './filter.ts';
import { type JsonRow } from '../../db/json-rows.ts';
import {
  byKeys,
  COUNTED,
  DEEPEST,
  FINDERS,
  type Found,
  gathered,
  isCovered,
  isUsual,
  unanswered,
  type Wanted,
  type Plan,
} from './list-plan.ts';
import { visible } from '../mask.ts';
import { concealed, derived, type RuleContext } from '../rules.ts';
import { KEY_VALUE, readingOf, recordText, SORT_VALUE, type Reading } from './row-serializer.ts';
import type { Field, EntityMapping } from '../entity-mapping.ts';
import { countFacets, keptTotal, totalOf } from './totals.ts';
import { isAmount, namedCurrencies, comparableField, comparableAmountsOf } from './currency-comparison.ts';
import { estimate, finderCount, firstMatching, finderKeys } from './finder.ts';
import { inOrder } from './in-order.ts';
import { t, translated } from '../../../../domain/text/t.ts';

/** How many rows, in the order asked for, are looked through for a search before the index of the whole store is asked. */
const WINDOW = 3_000;
export const DEFAULT_SIZE = 25;
export const LARGEST_SIZE = 250;

/** Tables with a function `<table>_first_matching` that finds the first of them in order (migration 055), and the columns it orders by. */
const ORDERED: Record<string, readonly string[]> = { contracts: ['id', 'created_at', 'updated_at', 'next_billing_at', 'total'] };
/**
 * Up to so many matches, as the planner guesses, are sorted to find the first of them; more are met within a few thousand rows of the list.
 */
const SORTABLE = 60_000;

/**
 * Up to so many rows that the filters leave are put in order themselves: they may stand anywhere in the list, and walking through it may
 * find them last.
 */
const FEW = 2_000;
/**
 * It pays sooner with a search, which looks at more than a page of them, and among amounts of several currencies, each of which is walked
 * through to its end if need be.
 */
const FEW_OF_MANY = 10_000;
/** Sooner still where the first thousands don't have what is searched for. */
const FEW_TO_GO_ON = 25_000;

/** Rows that are looked at one by one for a total, at most, before the total says that it is the least there can be. */
const LOOKED = 10_000;

export interface ListQuery {
  size?: number;
  after?: string;
  before?: string;
  page?: number;
  offset?: number;
  sort?: string;
  order?: 'ASC' | 'DESC';
  q?: string;
  filter?: JsonObject;
  /** Further conditions over the row `r`, for lists below something else: sql`r.contract_id = ${id}`. */
  where?: RawBuilder<unknown>[];
  /** Which fields to read; by default what lists of the entity carry. */
  only?: (field: Field) => boolean;
  /** The order without `sort`; by default the position of documents, else the newest key first. */
  defaultSort?: { field: string; order: 'ASC' | 'DESC' };
  /** false leaves the total out. */
  total?: boolean;
  /** Further fields of the page's rows, in SQL over the row `r`: a small thing that lives elsewhere, looked up in the same query. */
  extra?: Record<string, RawBuilder<unknown>>;
  /** Rows looked through before a search asks the index of the whole store. */
  window?: number;
  /** Rows looked at one by one for a total. */
  looked?: number;
}
export interface ListResult {
  records: JsonObject[];
  pageInfo: PageInfo;
}

/** The common names for what a call's pager calls otherwise (limit, offset, pageNumber, ...). */
export function listQuery(call: Call, host: Host | undefined, input: JsonObject): ListQuery {
  const pager = host?.pagers[call.page ?? 'whole'];
  const named = (role: 'size' | 'page' | 'offset' | 'after' | 'before') => (pager?.[role] ? input[pager[role] as string] : undefined);
  return {
    // A list without paging is whole: as many as a list may be deep.
    size: (call.page ?? 'whole') === 'whole' ? DEEPEST : (named('size') as number | undefined),
    after: named('after') as string | undefined,
    before: named('before') as string | undefined,
    page: named('page') as number | undefined,
    offset: named('offset') as number | undefined,
    sort: input.sort as string | undefined,
    order: input.order as 'ASC' | 'DESC' | undefined,
    q: input.q as string | undefined,
    filter: input.filter as JsonObject | undefined,
  };
}

export type Where = RuleContext;

/** One page of an entity's records. @throws Refusal 422 for a sort, page or cursor that can't be */
export async function listRecords(context: Where, shape: EntityMapping, query: ListQuery): Promise<ListResult> {
  const { texts, pageInfo } = await listTexts(context, shape, query);
  return { records: texts.map(text => JSON.parse(text) as JsonObject), pageInfo };
}

/** The same for callers that only pass them on: each record in JSON. */
export async function listTexts(context: Where, shape: EntityMapping, query: ListQuery): Promise<{ texts: string[]; pageInfo: PageInfo }> {
  const { taken, pageInfo } = await listRows(context, shape, query, (row, reading) =>
    recordText(reading, row, context.store.currency_code),
  );
  return { texts: query.only ? taken : await withDerived(context, shape, taken), pageInfo };
}

/** Records in JSON with the members that the entity's rules derive, and without those that they conceal. */
async function withDerived(context: Where, shape: EntityMapping, texts: string[]): Promise<string[]> {
  const { derive, conceal } = shape.rules;
  const concealing = conceal?.(context);
  if (texts.length === 0 || (!derive && !concealing)) return texts;
  const records = texts.map(text => JSON.parse(text) as JsonObject);
  const added = derive ? await derived(derive, records, context) : [];
  return records.map((record, i) => {
    const whole = { ...record, ...added[i] };
    return JSON.stringify(concealing ? concealed(concealing, whole) : whole);
  });
}

export type Take<T> = (row: JsonRow, reading: Reading) => T;

/** The same for callers that need no records: whatever `take` makes of each row. */
export async function listRows<T>(
  context: Where,
  shape: EntityMapping,
  query: ListQuery,
  take: Take<T>,
): Promise<{ taken: T[]; pageInfo: PageInfo }> {
  const size = query.size === DEEPEST ? DEEPEST : Math.min(query.size ?? DEFAULT_SIZE, LARGEST_SIZE);
  const { plan: fullPlan, reading } = await planOf(context, shape, query);
  const { sort, descending } = fullPlan;

  const backward = query.before !== undefined && query.after === undefined;
  const link = query.after ?? query.before;
  const cursor = link === undefined ? undefined : unpackCursor(link, sort, descending, shape.key, backward ? 'before' : 'after');
  const offset = cursor ? 0 : (query.offset ?? ((query.page ?? 1) - 1) * size);
  if (offset + size > DEEPEST)
    throw invalid([
      {
        pointer: query.offset === undefined ? '/page' : '/offset',
        rule: 'maximum',
        message: t`Pages by number reach the first 10,000 rows. Narrow the list by a filter, or go on page by page.`,
      },
    ]);

  const { plan, left, counted } = await chosen(fullPlan, query.total !== false);
  // A number that is kept is asked for in the same batch.
  const [found, knownTotal] = await Promise.all([
    pageOf(plan, { cursor, backward, offset, want: size + 1 }, left),
    query.total === false || plan.extra > 0 ? undefined : keptTotal(plan),
  ]);
  const more = found.rows.length > size;
  const rows = found.rows.slice(0, size);
  if (backward) rows.reverse();
  const taken = rows.map(row => take(row, reading));
  const hasNextPage = backward ? true : more;
  const hasPreviousPage = backward ? more : cursor !== undefined || offset > 0;
  const packed = (row: JsonRow | undefined) =>
    row ? packCursor(sort.name, descending, { value: textOf(row[SORT_VALUE]), key: textOf(row[KEY_VALUE]) ?? '' }) : null;
  const pageInfo: PageInfo = {
    hasNextPage: hasNextPage && rows.length > 0,
    hasPreviousPage: hasPreviousPage && rows.length > 0,
    nextCursor: hasNextPage ? packed(rows.at(-1)) : null,
    previousCursor: hasPreviousPage ? packed(rows[0]) : null,
  };
  if (query.total !== false) {
    const isWhole = !cursor && offset === 0 && !more;
    const total = isWhole
      ? { total: rows.length, isCapped: false }
      : found.seen
        ? { total: found.seen.n, isCapped: !found.seen.isWhole }
        : knownTotal !== undefined
          ? { total: knownTotal, isCapped: false }
          : (counted ?? (await totalOf(plan, found.keys)));
    // A count that ends somewhere is never less than what stands on the page.
    pageInfo.total = Math.max(total.total, rows.length > 0 ? offset + rows.length : 0);
    if (total.isCapped) pageInfo.totalIsCapped = true;
  }
  return { taken, pageInfo };
}

export const textOf = (json: string | null | undefined): string | null => JSON.parse(json ?? 'null') as string | null;

/** What of a table a list may hold at all: rows of the store that were not deleted, and that the entity's rules let this person have. */
export function scopeOf(shape: EntityMapping, context: Where): RawBuilder<unknown>[] {
  const scope = shape.rules.scope?.(context);
  return [
    sql`r.store_id = ${context.storeId}::integer`,
    ...(scope ? [scope] : []),
    ...(shape.isDocument ? [sql`r.entity = ${shape.entity}`] : []),
    ...(shape.has('deleted_at') ? [sql`r.deleted_at is null`] : []),
  ];
}

/** How a list is read: conditions, order, columns. @throws Refusal 422 for a filter, search or order that can't be */
export async function planOf(context: Where, whole: EntityMapping, query: ListQuery): Promise<{ plan: Plan; reading: Reading }> {
  const shape = visible(whole, context);
  const { trx, storeId, store } = context;
  const { sort: order, descending } = orderOf(shape, query);
  const comparableAmounts = await comparableAmountsOf(context, shape, query.filter, order);
  const conditions = conditionsOf(shape, query.filter, query.q, store.currency_code, comparableAmounts);
  if (!FINDERS[shape.table]) conditions.early.push(...conditions.late.splice(0));
  const also = await conditionsIn(context, shape, query.filter);
  const fixed = [...scopeOf(shape, context), ...(query.where ?? []), ...also];
  // Amounts of one currency are in the order of its index; those of several are brought into one.
  const several =
    comparableAmounts && comparableAmounts.length > 1 && isAmount(order) ? { amount: order, each: comparableAmounts } : undefined;
  if (comparableAmounts?.length === 1 && namedCurrencies(shape, query.filter).length === 0)
    fixed.push(sql`r.currency_code = ${comparableAmounts[0]?.currency}`);
  const sort = several ? comparableField(order, several.each) : order;
  const reading = readingOf(shape, query.only, query.only ? query.extra : { ...shape.rules.columns?.(context), ...query.extra });
  const plan: Plan = {
    trx,
    storeId,
    shape,
    fixed,
    conditions,
    columns: reading.columns,
    sort,
    descending,
    window: query.window ?? WINDOW,
    looked: query.looked ?? LOOKED,
    extra: (query.where?.length ?? 0) + also.length + (shape.rules.scope ? 1 : 0),
    comparableAmounts: several,
    keysFirst: isCovered(shape, order, conditions),
    source: sql.table(shape.table),
  };
  return { plan, reading };
}

export function orderOf(shape: EntityMapping, query: ListQuery): { sort: Field; descending: boolean } {
  if (query.sort !== undefined) {
    const field = query.sort === shape.key.name ? shape.key : shape.fields.get(query.sort);
    const allowed = shape.hints.sort ?? [];
    if (!field || (!allowed.includes(query.sort) && field !== shape.key))
      throw invalid([
        {
          pointer: '/sort',
          rule: 'enum',
          message: t`Sort ${translated(shape.titleMany)} by one of: ${[...allowed, shape.key.name].join(', ')}.`,
        },
      ]);
    return { sort: field, descending: query.order === 'DESC' };
  }
  const usual = query.defaultSort && (shape.fields.get(query.defaultSort.field) ?? shape.key);
  if (usual) return { sort: usual, descending: (query.order ?? query.defaultSort?.order) === 'DESC' };
  if (shape.isDocument)
    return {
      sort: {
        name: 'position',
        schema: { type: 'integer' },
        kind: 'whole',
        column: 'position',
        sql: sql.ref('r.position'),
        nullable: true,
        inDocument: false,
      },
      descending: query.order === 'DESC',
    };
  return { sort: shape.key, descending: query.order !== 'ASC' };
}

interface Chosen {
  plan: Plan;
  /** Rows that the filters leave, as far as it was counted. */ left?: number | undefined;
  counted?: { total: number; isCapped: boolean };
}

/**
 * How the rows of a filtered list are found: in the order of the list, or where the filters leave few, these first. The total, which tells
 * it, is counted before the page.
 */
async function chosen(plan: Plan, isCounted: boolean): Promise<Chosen> {
  if (!plan.keysFirst || isUsual(plan)) return { plan };
  if (plan.conditions.late.length > 0) {
    const left = await countFacets(plan, FEW_TO_GO_ON + 1);
    return { plan: left !== undefined && left <= FEW_OF_MANY ? gathered(plan) : plan, left };
  }
  if (!isCounted || plan.conditions.onlyOn?.column === COUNTED[plan.shape.table]) return { plan };
  const counted = await totalOf(plan, undefined);
  const isFew = !counted.isCapped && counted.total <= (plan.comparableAmounts ? FEW_OF_MANY : FEW);
  return { plan: isFew ? gathered(plan) : plan, left: counted.isCapped ? undefined : counted.total, counted };
}

/** Up to so many matches, as the planner guesses, are fetched from the index at once; more are met within a few rows of the list. */
const RARE = 2_000;

/**
 * The rows of a page. A search for something rare asks the table's finder; one for something common looks through a window of the list in
 * its order, and asks the finder only when that does not fill the page. What the index knows nothing of has the window alone.
 * @throws Refusal 422 for a search that the index knows nothing of, when the window neither fills its first page nor is the whole list
 */
async function pageOf(plan: Plan, wanted: Wanted, left?: number): Promise<Found> {
  const { late } = plan.conditions;
  if (left === 0) return { rows: [] };
  if (late.length === 0) return { rows: await inOrder(plan, wanted, []) };
  const { n, isC } = await estimate(plan);
  const isKnown = isIndexed(plan.conditions.finder, isC);
  const guess = plan.window === WINDOW && isKnown ? n : RARE + 1;
  const isFromTop = !wanted.cursor && wanted.offset === 0 && plan.conditions.early.length === 0 && plan.extra === 0;
  const isFirst =
    isFromTop && guess <= SORTABLE && ORDERED[plan.shape.table]?.includes(plan.sort.column) === true && unanswered(plan).length === 0;
  if (guess <= RARE && isFirst && Object.keys(plan.conditions.finder.overlaps).length > 1) {
    // Lists mostly go together (a plan has its products), of which the guess knows nothing.
    const near = await inOrder(plan, wanted, late, plan.window);
    if (near.length >= wanted.want) return { rows: near, seen: await finderCount(plan) };
  }
  if (guess > RARE) {
    const near = await inOrder(plan, wanted, late, plan.window);
    const seen =
      wanted.cursor || wanted.offset > 0 || near.hits === undefined ? undefined : { n: near.hits, isWhole: near.isWhole === true };
    if (near.length >= wanted.want || near.isWhole) return { rows: near, seen };
  }
  if (!isKnown) {
    // A caller who goes on from a given page gets the next one, as long as it takes.
    if (wanted.cursor) return { rows: await inOrder(plan, wanted, late) };
    throw invalid([
      {
        pointer: '/q',
        rule: 'search',
        message: t`There are too many ${translated(plan.shape.titleMany)} to look through for these signs. Type more letters or digits, or
          narrow the list by a filter.`,
      },
    ]);
  }
  if (isFirst) return firstMatching(plan, wanted);
  // Found everywhere except near the beginning of the order: then reading on in order is the shortest way, or looking at all rows that the
  // filters leave.
  const keys = guess > DEEPEST ? undefined : await finderKeys(plan);
  if (!keys || keys.length > DEEPEST)
    return { rows: await inOrder(left !== undefined && left <= FEW_TO_GO_ON ? gathered(plan) : plan, wanted, late) };
  const named = byKeys(plan, keys);
  const also = unanswered(plan);
  const isAll = plan.conditions.early.length === 0 && plan.extra === 0 && also.length === 0;
  return { rows: await inOrder(named, wanted, also), keys, ...(isAll ? { seen: { n: keys.length, isWhole: true } } : {}) };
}
