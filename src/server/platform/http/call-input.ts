// The input of a call as its schema has it, from the parts of a request.
import type { FastifyRequest } from 'fastify';
import { parseRequest } from '../../../contract/request.ts';
import { compileValidator } from '../../../contract/validation/compile.ts';
import { atPointer, same, schemaAt } from '../../../contract/paths.ts';
import { SWITCHES } from '../../../contract/switches.ts';
import { hiddenByFacts, strip, ways } from '../../../contract/validation/condition.ts';
import { validate } from '../../../contract/validation/validate.ts';
import type { Call, Definitions, FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { WireError } from '../../../domain/codecs/rest-query.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { factsOf } from '../../../navigation/facts.ts';
import type { Caller } from '../auth/sessions.ts';
import { Refusal, invalid } from '../context.ts';
import { takeEmptied } from '../records/emptied.ts';
import { givenReadOnly } from '../records/verbs.ts';
import { withStandIns } from './long-texts.ts';

/** Whether a call changes something that is there, and so may name a part of it. */
export const isChange = (call: Call): boolean => call.does === 'update' || call.does === 'set';

/**
 * The input as the call's schema has it: validated, without what is hidden, without what the session knows anyway. A change that a generic
 * verb makes may name a part of a record: what of that is hidden is known only beside the rest of it, so nothing is taken out here.
 */
export async function readInput(
  definitions: Definitions,
  call: Call,
  schema: Schema,
  request: FastifyRequest,
  caller: Caller | undefined,
  given: JsonObject,
  isPart: boolean,
): Promise<{ input: JsonObject; raw: JsonObject; errors: FieldError[] }> {
  for (const name of definitions.ambient) {
    const value = given[name];
    if (value === undefined) continue;
    if (
      caller &&
      value !== null &&
      value !== '' &&
      String(value).toLowerCase() !== (name === 'storeId' ? String(caller.store.id) : caller.store.myshopify_domain.toLowerCase())
    ) {
      throw new Refusal(404, 'NOT_FOUND', t`This store does not exist, or you are signed in to another one.`);
    }
    if (!call.in.some(param => param.name === name)) delete given[name];
  }
  const facts = caller ? factsOf(caller.session, definitions.facts) : {};
  const emptied = isChange(call) ? takeEmptied(schema, given) : {};
  const errors = validate(schema, compileValidator(schema), await withStandIns(schema, given), facts);
  const body = (request.body ?? {}) as JsonObject;
  const inside = (call.wrap ? body[call.wrap] : body) ?? {};
  // What is wrapped may come as JSON in a text (D142).
  const raw = typeof inside === 'string' ? given : (inside as JsonObject);
  const entity = definitions.entities[call.of];
  if (call.does === 'create') errors.push(...closed(schema, given, facts));
  if (call.does === 'create' && entity && !call.encode) errors.push(...givenReadOnly(call, entity, raw));
  return { input: isPart ? { ...given, ...emptied } : strip(schema, given, facts), raw, errors };
}

/** Refuses values of fields that the store's plan and switches do not open; without them something else would be made than was meant. */
function closed(schema: Schema, given: JsonObject, facts: Record<string, JsonValue>): FieldError[] {
  return hiddenByFacts(schema, given, facts).flatMap(pointer => {
    const [value, field] = [atPointer(given, pointer), schemaAt(schema, pointer)];
    if (value === undefined || value === null || same(value, field?.default)) return [];
    const switches = ways(field?.['x-ui']?.when ?? []).map(lines => String(lines['@switches']));
    const [sentence] = switches.flatMap(name => SWITCHES[name]?.prepaid?.otherwise ?? []);
    const message = sentence ? translated(sentence) : t`The plan or the switches of your store don't open this. Leave it out.`;
    return [{ pointer, rule: 'FEATURE_OFF', message }];
  });
}

/** The members of path, address and body. @throws Refusal 422 naming a member that is not written as it must be */
export function parsed(call: Call, { params, query, body }: FastifyRequest): JsonObject {
  try {
    return parseRequest(call, { params, query, body });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw invalid([{ pointer: `/${error.member}`, rule: 'format', message: error.message }]);
  }
}

/** The version that a writer read, by the if-match header, else by its input. @throws Refusal 400 for a header that is no number */
export function versionOf(header: string | undefined, input: JsonObject): number | undefined {
  if (header !== undefined && header !== '*') {
    const match = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header.trim());
    if (!match) throw new Refusal(400, 'BAD_REQUEST', t`The if-match header holds the version that you read: a whole number.`);
    return Number(match[1]);
  }
  return typeof input.version === 'number' ? input.version : undefined;
}
