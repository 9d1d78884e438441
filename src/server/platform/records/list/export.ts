// Any list as CSV, streamed: all rows that match, a page at a time, each page in a transaction of its own, so that a slow reader holds up
// no other call.
import type { RawBuilder } from 'kysely';
import { compileValidator } from '../../../../contract/validation/compile.ts';
import { filterSchema } from '../../../../contract/filter-schema.ts';
import { csvLine } from '../../../../domain/csv/write.ts';
import { csvFile } from '../../csv/csv-file.ts';
import { isoDay, isoInstant } from '../../../../domain/calendar/calendar.ts';
import { humanise } from '../../../../contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../../../contract/types.ts';
import { validate } from '../../../../contract/validation/validate.ts';
import { invalid, type Context, type Reply } from '../../context.ts';
import type { JsonRow } from '../../db/json-rows.ts';
import { listRecords, listRows, type ListQuery } from './list.ts';
import { canMove, keysInOrder, rowsByKeys } from './keys.ts';
import { readingOf, recordText, valuesOf } from './row-serializer.ts';
import { visible, visibleNames } from '../mask.ts';
import { concealed, type RuleContext } from '../rules.ts';
import type { Field, EntityMapping } from '../entity-mapping.ts';
import { t, translated } from '../../../../domain/text/t.ts';

/** Rows are put into words at once, page by page: calls wait for no more than one. */
const PAGE = 60;
/** Longest (ms) that all keys of a list may take to be put in order. */
const KEYS_MS = 60_000;

export interface ExportInput {
  q?: string;
  filter?: JsonObject;
  sort?: string;
  order?: 'ASC' | 'DESC';
  /** Fields in the order of the file; left out: those of `x-record.export`. */
  columns?: string[];
  /** Values that the records have, besides what the filter asks for. */
  also?: JsonObject;
  /** Further conditions over the row `r`. */
  where?: RawBuilder<unknown>[];
}

/**
 * How a value, given in JSON, stands in the file: instants as ISO 8601 in the store's zone, lists with commas, booleans in words; null is
 * empty.
 */
function cell(field: Field, json: string, zone: string): string {
  if (json === 'null') return '';
  if (field.kind === 'epoch') return isoInstant(Number(json) * 1000, zone);
  if (json.startsWith('"')) return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
  if (json.startsWith('[')) return (JSON.parse(json) as JsonValue[]).join(', ');
  return json === 'true' ? 'yes' : json === 'false' ? 'no' : json;
}

function noColumn(shape: EntityMapping, name: string): string {
  const columns = [...shape.fields.values()].filter(one => one.kind !== 'json').map(one => one.name);
  return t`${translated(shape.titleMany)} can't be exported with the column ${name}. Choose from: ${columns.join(', ')}.`;
}

/** The fields of an entity that a file can hold: all that are one value, or a list of plain ones. */
function fieldsFor(shape: EntityMapping, names: readonly string[]): Field[] {
  return names.map((name, i) => {
    const field = name === shape.key.name ? shape.key : shape.fields.get(name);
    if (!field || field.kind === 'json') throw invalid([{ pointer: `/columns/${i}`, rule: 'enum', message: noColumn(shape, name) }]);
    return field;
  });
}

/** Filter schemas by their entity's; each is compiled once. */
const filters = new WeakMap<Schema, Schema>();

/**
 * The file of an entity's list; titles of fields, in the language of the request, in its first line.
 * @throws Refusal 422 for a column, filter, sort or search that can't be
 */
export async function exportRecords(
  context: RuleContext & Pick<Context, 'db'>,
  entity: string,
  { q, filter, also, sort, order, columns, where }: ExportInput,
): Promise<Reply> {
  const whole = context.shape(entity);
  const shape = visible(whole, context);
  const { columns: usual = [], from = {} } = shape.hints.export ?? {};
  const columnNames = columns?.map(column => (Object.hasOwn(from, column) && from[column]) || column);
  // What the person may not have is left out, asked for or not.
  const names = visibleNames(whole, context, [...new Set(columnNames?.length ? columnNames : usual)]);
  const fields = fieldsFor(shape, names.length ? names : [shape.key.name]);
  if (filter) {
    let schema = filters.get(shape.schema);
    if (!schema) filters.set(shape.schema, (schema = filterSchema(shape.schema)));
    const errors = validate(schema, compileValidator(schema), filter).map(error => ({ ...error, pointer: `/filter${error.pointer}` }));
    if (errors.length) throw invalid(errors);
  }
  const conceal = shape.rules.conceal?.(context);
  // What is concealed of a row may follow from members that the file does not hold.
  const only = (field: Field): boolean => fields.includes(field) || (conceal !== undefined && field.kind !== 'json');
  const query: ListQuery = { q, filter: also ? { ...also, ...filter } : filter, sort, order, where, size: PAGE, total: false, only };
  // A wrong sort or search is refused before the first byte.
  await listRecords(context, shape, { ...query, size: 1 });
  const { db, store, storeId, user, session, definitions, now } = context;
  /** Each page is read in a transaction of its own. */
  const reader = (trx: RuleContext['trx']): RuleContext => ({
    trx,
    store,
    storeId,
    user,
    session,
    definitions,
    now,
    shape: context.shape,
  });
  // Every page of this query is read alike.
  const reading = readingOf(shape, only);
  const values = valuesOf(
    reading,
    fields.map(field => field.name),
  );
  const openValues = (row: JsonRow, concealing: NonNullable<typeof conceal>): string[] => {
    const record = concealed(concealing, JSON.parse(recordText(reading, row, store.currency_code)) as JsonObject);
    return fields.map(field => JSON.stringify(record[field.name] ?? null));
  };
  const line = (row: JsonRow): string => {
    const texts = conceal ? openValues(row, conceal) : values(row, store.currency_code);
    return csvLine(fields.map((field, i) => cell(field, texts[i] as string, store.timezone)));
  };
  const head = fields.map(field => translated(field.schema.title ?? humanise(field.name)));
  /** In an order that no row leaves, each page begins where the last one ended. */
  async function* pages(): AsyncGenerator<string> {
    for (let after: string | undefined; ;) {
      const { text, next } = await db.inStore(
        storeId,
        async trx => {
          const { taken, pageInfo } = await listRows(reader(trx), shape, { ...query, ...(after ? { after } : {}) }, line);
          return { text: taken.join(''), next: pageInfo.hasNextPage ? (pageInfo.nextCursor ?? undefined) : undefined };
        },
        { readOnly: true },
      );
      if (text) yield text;
      if (!next) return;
      after = next;
    }
  }
  /**
   * In any other order a row that changes could move past the place that was reached: which rows there are, and in which order, is settled
   * at one moment.
   */
  let keys: Awaited<ReturnType<typeof keysInOrder>>;
  const settle = async (): Promise<void> => {
    keys = await db.inStore(storeId, trx => keysInOrder(reader(trx), shape, query), { readOnly: true, timeoutMs: KEYS_MS });
  };
  async function* settled(): AsyncGenerator<string> {
    for (let at = 0; at < keys.length; at += PAGE) {
      const some = [...keys.subarray(at, at + PAGE)];
      const taken = await db.inStore(storeId, trx => rowsByKeys(reader(trx), shape, some, query.only, line), { readOnly: true });
      if (taken.length) yield taken.join('');
    }
  }
  const day = isoDay(context.now().getTime(), store.timezone);
  const isSettled = canMove(shape, query);
  const file = `${shape.hints.name.many.replaceAll(' ', '-')}-${day}.csv`;
  return csvFile(file, head, isSettled ? settled() : pages(), isSettled ? settle : undefined);
}
