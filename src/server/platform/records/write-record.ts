// Writing a record as a whole: validated by its schema and its rules, told apart from others of its kind, and logged.
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import { humanise } from '../../../contract/paths.ts';
import { compileValidator } from '../../../contract/validation/compile.ts';
import { strip } from '../../../contract/validation/condition.ts';
import { cssErrors } from './own-css.ts';
import { validate } from '../../../contract/validation/validate.ts';
import { factsOf } from '../../../navigation/facts.ts';
import { Refusal, invalid, type Context } from '../context.ts';
import type { EntityMapping } from './entity-mapping.ts';
import { keyOf, labelOf, needRow, recordOf, refuseTaken, updateRow, viewOfWritten, type Row } from './record-repository.ts';
import { missingErrors } from './references.ts';
import type { Written, WriteVerb } from './rules.ts';
import { checkVersion } from './version-check.ts';

/** Who wrote a row last. */
export const lastOf = (row: Row) => ({ by: String(row.updated_by ?? ''), at: row.updated_at instanceof Date ? row.updated_at : null });

/** Puts another record in the place of one that is locked; `input` is what a person gave. @throws Refusal 409, 422 */
export async function rewrite(
  context: Context,
  shape: EntityMapping,
  row: Row,
  changed: JsonObject,
  input: JsonObject,
): Promise<JsonObject> {
  const before = recordOf(context, shape, row);
  const data = { ...changed, ...(await filledIn(context, shape, 'update', { before, record: changed, input })) };
  await validateRecord(context, shape, 'update', { before, record: data, input });
  await refuseTaken(context, shape, data, keyOf(shape, row));
  const written = await updateRow(context, shape, row, data);
  const after = recordOf(context, shape, written);
  await shape.rules.after?.('update', { before, record: after, input }, context);
  await logRecord(context, shape, 'updated', after, before, after);
  return viewOfWritten(context, shape, written);
}

/**
 * What the entity's rules put into a record. They see it before it is validated, so that it is validated whole: where they stumble over
 * what the schema of the call refuses anyway, that is the answer. @throws Refusal 422
 */
export async function filledIn(context: Context, shape: EntityMapping, verb: 'create' | 'update', written: Written): Promise<JsonObject> {
  try {
    return (await shape.rules.fill?.(verb, written, context)) ?? {};
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const errors = joined(context.inputErrors, schemaErrors(context, shape, written.record ?? written.input));
    if (errors.length) throw invalid(errors);
    throw error;
  }
}

/**
 * Changes some fields of a record, for calls that name a part of it; `what` is given the record as it is, and may refuse.
 * @throws Refusal 404, 409 STALE_VERSION, 422
 */
export async function changePart(
  context: Context,
  entity: string,
  id: number,
  what: (record: JsonObject) => JsonObject | Promise<JsonObject>,
): Promise<JsonObject> {
  const shape = context.shape(entity);
  const row = await needRow(context, shape, id, { lock: true });
  const record = recordOf(context, shape, row);
  checkVersion(context, shape.hints.name.one, record, Number(row.version ?? 0), lastOf(row));
  const part = await what(record);
  return rewrite(context, shape, row, { ...record, ...part }, part);
}

/** Validates a whole record by its entity and strips what its conditions hide. */
export async function validateRecord(
  context: Context,
  shape: EntityMapping,
  verb: WriteVerb,
  written: Written & { record: JsonObject },
): Promise<void> {
  const data = written.record;
  const errors = joined(context.inputErrors, schemaErrors(context, shape, data));
  errors.push(...cssErrors(shape.schema, data));
  errors.push(...(await validatedByRules(context, shape, verb, written, errors.length > 0)));
  if (errors.length === 0 && verb !== 'delete') errors.push(...(await missingErrors(context, shape.entity, written.before, data)));
  if (errors.length) throw invalid(errors);
  const shown = strip(shape.schema, data, factsOf(context.session, context.definitions.facts));
  for (const name of Object.keys(data))
    if (shown[name] === undefined) delete data[name];
    else data[name] = shown[name] as JsonValue;
}

/** What the schema of an entity says against a record. */
export const schemaErrors = ({ session, definitions }: Context, { schema }: EntityMapping, record: JsonObject): FieldError[] =>
  validate(schema, compileValidator(schema), record, factsOf(session, definitions.facts));

/** The errors of the call's input and those of the whole record; what both find is reported once. */
const joined = (first: readonly FieldError[], then: readonly FieldError[]): FieldError[] => [
  ...first,
  ...then.filter(error => !first.some(known => known.pointer === error.pointer && known.rule === error.rule)),
];

/** What the entity's rules find. A rule that stumbles over a value which the schema refuses anyway has nothing to add. */
async function validatedByRules(
  context: Context,
  shape: EntityMapping,
  verb: WriteVerb,
  written: Written,
  isRefused: boolean,
): Promise<FieldError[]> {
  try {
    const found = await shape.rules.validate?.(verb, written, context);
    if (found instanceof Refusal) throw found;
    return found ?? [];
  } catch (error) {
    if (isRefused && !(error instanceof Refusal)) return [];
    throw error;
  }
}

/** An entry of the account log about a record that was written. */
export async function logRecord(
  context: Context,
  shape: EntityMapping,
  verb: string,
  record: JsonObject,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Promise<void> {
  await context.log({
    action: `${shape.entity}.${verb}`,
    category: humanise(shape.titleMany),
    description: `${shape.titleOne} "${labelOf(shape, record)}" ${verb}`,
    entity: shape.entity,
    entityId: record[shape.key.name] as string | number,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  });
}
