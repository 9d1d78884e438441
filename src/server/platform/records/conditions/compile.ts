// Sets of conditions as predicates over the row `r` of contracts, and the facts of one contract for the evaluator.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { accessOf } from '../../../../contract/access.ts';
import { forbiddenRows, type ConditionKind, type ConditionSet } from '../../../../contract/conditions.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Asked, AskedSet, Operand, Operator } from '../../../../domain/conditions/evaluate.ts';
import { factKindOf, TAG_FACTS, type FactKind, type FactValue } from '../../../../domain/conditions/facts.ts';
import { countryOf, provinceCodes } from '../../../../domain/places/places.ts';
import { toMinor } from '../../../../domain/money/money.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { invalid } from '../../context.ts';
import { comparableAmountsOf } from '../list/currency-comparison.ts';
import type { RuleContext } from '../rules.ts';
import { factSql, type FactScope } from './facts-sql.ts';
import { nameKey } from '../../../../domain/text/names.ts';

type Catalogue = Record<string, ConditionKind>;

/** Values as facts hold them: tags by their keys, countries and provinces by their codes, however they were written. */
const held = (kind: ConditionKind, value: number | string): (number | string)[] =>
  TAG_FACTS.has(kind.fact)
    ? [nameKey(String(value))]
    : kind.fact === 'provinceCode'
      ? provinceCodes(String(value))
      : kind.fact === 'countryCode'
        ? [countryOf(String(value)) ?? value]
        : [value];

/** A set in the units of its facts. Rows of conditions that are gone meet nothing. `currency` is the store's. */
export function askedOf(set: ConditionSet, catalogue: Catalogue, currency: string): AskedSet {
  const unit = (kind: ConditionKind, value: JsonValue): number | string =>
    factKindOf(kind.fact) === 'money' ? toMinor(String(value), currency) : (value as number | string);
  return {
    match: set.match,
    rows: set.rows.map((row): Asked => {
      const kind = catalogue[row.conditionKey];
      if (!kind) return { fact: 'status', operator: 'IN', value: [] };
      const value: Operand = Array.isArray(row.value) ? row.value.flatMap(one => held(kind, unit(kind, one))) : unit(kind, row.value);
      return { fact: kind.fact, operator: row.operator as Operator, value };
    }),
  };
}

/** How values of a fact are written into SQL. */
const TYPE: Record<FactKind, RawBuilder<unknown>> = {
  number: sql`bigint`,
  money: sql`bigint`,
  text: sql`text`,
  texts: sql`text`,
  ids: sql`bigint`,
};

/** One condition over an expression; never null, so that it may stand in any combination. */
export function compileOne(
  fact: RawBuilder<unknown>,
  kind: FactKind,
  { operator, value }: Pick<Asked, 'operator' | 'value'>,
): RawBuilder<unknown> {
  const given = Array.isArray(value) ? [...(value as readonly (number | string)[])] : [value as number | string];
  const [a, b] = given;
  const type = TYPE[kind];
  const isList = kind === 'texts' || kind === 'ids';
  const listed = sql`${given}::${type}[]`;
  const among = isList ? sql`(${fact} && ${listed})` : sql`coalesce(${fact} = any(${listed}), false)`;
  const compared = (sign: string): RawBuilder<unknown> => sql`coalesce(${fact} ${sql.raw(sign)} ${a}::${type}, false)`;
  switch (operator) {
    case 'EQ':
      return compared('=');
    case 'GT':
      return compared('>');
    case 'GTE':
      return compared('>=');
    case 'LT':
      return compared('<');
    case 'LTE':
      return compared('<=');
    case 'BETWEEN':
      return sql`coalesce(${fact} between ${a}::${type} and ${b}::${type}, false)`;
    case 'EVERY_NTH':
      return sql`coalesce(${fact} > 0 and ${fact} % ${a}::${type} = 0, false)`;
    case 'CONTAINS':
      return sql`coalesce(exists (select 1 from unnest(${listed}) part where strpos(${fact}, part) > 0), false)`;
    case 'IN':
    case 'PRESENT':
    case 'ANY_OF':
      return among;
    case 'NOT_IN':
    case 'NOT_PRESENT':
    case 'NONE_OF':
      return sql`(not ${among})`;
    case 'ALL_OF':
      return sql`(${fact} @> ${listed})`;
    case 'ONLY':
      return sql`(cardinality(${fact}) > 0 and ${fact} <@ ${listed})`;
  }
}

/** Contracts that meet a set, as a predicate over the row `r`; undefined for an empty set, which all meet. */
export function compileSet(set: AskedSet, scope: FactScope): RawBuilder<unknown> | undefined {
  if (set.rows.length === 0) return undefined;
  const rows = set.rows.map(row => {
    const fact = factSql(row.fact, scope);
    return compileOne(fact.sql, fact.kind, row);
  });
  return sql`(${sql.join(rows, set.match === 'ANY' ? sql` or ` : sql` and `)})`;
}

type Reading = Pick<RuleContext, 'trx' | 'storeId' | 'store' | 'shape' | 'now'>;
/** The person who asks; undefined for work whose conditions were allowed when a person set it up. */
export type Asking = Reading & { session: RuleContext['session'] | undefined };

/** What facts depend on, for the store of a request; amounts are looked up only where a condition compares one. */
export async function factScope(context: Reading, facts: readonly string[], orderId?: number): Promise<FactScope> {
  const isMoney = facts.some(name => factKindOf(name) === 'money');
  const amounts = isMoney ? await comparableAmountsOf(context, context.shape('subscription'), { total: null }) : undefined;
  return { storeId: context.storeId, now: context.now(), amounts: amounts ?? [], ...(orderId === undefined ? {} : { orderId }) };
}

/** The same for a set of the wire. @throws Refusal 422 for an amount with too many decimals */
export function askedIn(set: JsonObject, catalogue: Catalogue, currency: string): AskedSet {
  try {
    return askedOf(set as ConditionSet, catalogue, currency);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid([{ pointer: '/conditions', rule: 'format', message: error.message }]);
  }
}

/**
 * The predicate for a set as it stands on the wire (`at`), which was validated.
 * @throws Refusal 422 for a condition on what the person may not read
 */
export async function conditionSql(
  context: Asking,
  set: JsonObject,
  catalogue: Catalogue,
  at = '/conditions',
): Promise<RawBuilder<unknown> | undefined> {
  const { session } = context;
  const forbidden = session ? forbiddenRows(catalogue, set, area => accessOf(session).can(area, 'READ')) : [];
  if (forbidden.length) throw invalid(forbidden.map(error => ({ ...error, pointer: at + error.pointer })));
  const questions = askedIn(set, catalogue, context.store.currency_code);
  return compileSet(
    questions,
    await factScope(
      context,
      questions.rows.map(row => row.fact),
    ),
  );
}

/** The named facts of one contract; undefined where there is no such contract. */
export async function factsOfContract(
  trx: Kysely<Tables>,
  contractId: number,
  names: readonly string[],
  scope: FactScope,
): Promise<Record<string, FactValue> | undefined> {
  const own = [...new Set(names)];
  const columns = own.map((name, i) => sql`${factSql(name, scope).sql} as ${sql.ref(`f${i}`)}`);
  const { rows } = await sql<Record<string, FactValue>>`select ${sql.join([sql`r.id as id`, ...columns])} from contracts as r
    where r.store_id = ${scope.storeId}::integer and r.id = ${contractId}::bigint`.execute(trx);
  const [row] = rows;
  return row && Object.fromEntries(own.map((name, i) => [name, row[`f${i}`] ?? null]));
}
