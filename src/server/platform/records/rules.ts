// Rules of an entity: what stands around its generic verbs where the schema can't say it. A feature exports them from
// src/server/features/<name>/rules.ts.
import type { RawBuilder } from 'kysely';
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Context, Refusal } from '../context.ts';

/** What a rule that reads may use: everything of a request but its writes; where links lead is known in requests alone. */
export type RuleContext = Pick<Context, 'trx' | 'storeId' | 'store' | 'user' | 'session' | 'definitions' | 'now' | 'shape'> &
  Partial<Pick<Context, 'config' | 'address'>>;
export type WriteVerb = 'create' | 'update' | 'delete' | 'move';

/** A write as a rule sees it. `before` is missing where the record is being made, `record` (what it will be) where it is deleted. */
export interface Written {
  before?: JsonObject;
  record?: JsonObject;
  input: JsonObject;
}

/** What members a rule adds to records, and from which of their members. */
export interface Derivation {
  /** Members of the record that `of` is given. */
  needs: readonly string[];
  /**
   * Members that it adds, or says in the words of the wire where the record keeps them otherwise. Nothing is sorted or filtered by them.
   */
  members: readonly string[];
  /** One object for each of the page's records, in their order; what it leaves out is not added. */
  of(values: JsonObject[], context: RuleContext): Promise<JsonObject[]> | JsonObject[];
}

/**
 * Rules run in the transaction of the call, below row-level security, and up to four times when it is repeated: nothing but work of the
 * database.
 * Derived members and those of `columns` are neither filtered nor sorted by.
 */
export interface Rules {
  /** Handlers of its calls look at other records; with `validate` or a guard it follows by itself. See one-at-a-time.ts. */
  oneAtATime?: true;
  /** A predicate over the row `r`: records that do not meet it are not there for this person, in whatever way they are asked for. */
  scope?(context: RuleContext): RawBuilder<unknown>;
  /** Further members as SQL over the row `r`, so that lists stay text from the database to the answer. */
  columns?(context: RuleContext): Record<string, RawBuilder<unknown>>;
  derive?: Derivation;
  /**
   * What a record keeps from a person because of what it is about, where `x-ui.permission` of a field would keep it from all records alike.
   * Undefined: they
   * may have everything. Gives new values of members; undefined takes a member away.
   */
  conceal?(context: RuleContext): ((record: JsonObject) => Record<string, JsonValue | undefined>) | undefined;
  /** Parameters of lists that name no field, each as a predicate over the row `r`. */
  narrow?: Record<string, (value: JsonValue, context: RuleContext) => RawBuilder<unknown>>;
  /** What the server itself puts into a record that is made or changed: its maker, a number. */
  fill?(verb: 'create' | 'update', written: Written, context: Context): JsonObject | Promise<JsonObject>;
  /** What no schema can say. Errors of fields are answered together with those of the schema; a Refusal is thrown as it is. */
  validate?(
    verb: WriteVerb,
    written: Written,
    context: Context,
  ): FieldError[] | Refusal | undefined | Promise<FieldError[] | Refusal | undefined>;
  /**
   * Further work of the same transaction, after the write: copies, jobs, e-mail. What it gives goes into the
   * answer of a record that was made; what is no field of the entity is shown that once: a token.
   */
  after?(verb: WriteVerb, written: Written, context: Context): Promise<JsonObject | void> | JsonObject | void;
}

/** What no schema of a settings page can say. `page` fits its schema, has its defaults and nothing that is hidden. */
export interface SettingRules {
  /** A page as it is saved, where people may write what it holds in several ways. It need not fit its schema yet. */
  settle?(page: JsonObject): JsonObject;
  /** What is wrong with a page: two of its fields together, with what else the store has, or with the step from `before`. */
  validate?(page: JsonObject, context: Context, before: JsonObject): FieldError[] | Promise<FieldError[]>;
  /** Further work of the same transaction, once the page is saved. */
  after?(page: JsonObject, context: Context, before: JsonObject): Promise<void>;
  /** A sentence about a page that was saved and may not do what was meant; null when there is none. */
  warn?(page: JsonObject, context: Pick<RuleContext, 'trx' | 'storeId'>): Promise<string | null>;
}

/** Declares the rules of the entity that the export is named after: `export const savedView = rules({ … })` stands around "saved-view". */
export const rules = (given: Rules): Rules => given;

/** "savedView" -> "saved-view". */
export const entityOf = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** A record without what is concealed of it. */
export const concealed = (concealing: NonNullable<ReturnType<NonNullable<Rules['conceal']>>>, record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...record, ...concealing(record) }).filter(([, value]) => value !== undefined)) as JsonObject;

/**
 * The members that a derivation adds to some records. @throws Error when it answers for fewer records, or touches members that are not its
 * own
 */
export async function derived(derive: Derivation, records: JsonObject[], context: RuleContext): Promise<JsonObject[]> {
  const given = records.map(record => Object.fromEntries(derive.needs.map(name => [name, record[name] ?? null])));
  const found = await derive.of(given, context);
  if (found.length !== records.length) throw new Error(`A rule derived ${found.length} answers for ${records.length} records.`);
  return found.map(one => Object.fromEntries(derive.members.flatMap(name => (one[name] === undefined ? [] : [[name, one[name]]]))));
}
