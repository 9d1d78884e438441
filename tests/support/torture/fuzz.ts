// Calls every line of the catalogue with generated inputs and validates the answers: never 5xx, always one form, nothing of our insides,
// the same again for the same key. It notes which calls answered well: a line in a table is no working call.
import * as fc from 'fast-check';
import { compileValidator } from '../../../src/contract/validation/compile.ts';
import { buildRequest, isRead } from '../../../src/contract/request.ts';
import { at } from '../../../src/contract/paths.ts';
import { readAnswer } from '../../../src/contract/response.ts';
import { validate } from '../../../src/contract/validation/validate.ts';
import type { Call, JsonObject, JsonValue, Schema } from '../../../src/contract/types.ts';
import { anyInput } from '../arbitrary.ts';
import { idsOf } from '../stores.ts';
import { ask, type Asked } from '../ask.ts';
import type { TestServer } from '../serve.ts';

/** Requests to each call between two others: when the time is over early, every call had its share. */
const IN_A_ROW = 20;

export interface FuzzReport {
  seed: number;
  /** Requests that were sent, of those that were meant. */ requests: number;
  of: number;
  answered: Record<number, number>;
  /** Calls that answered 200, with a body that is true to their schema. */ well: Set<string>;
  /** Writes that were sent a second time with the key of the first. */ twice: number;
  failures: string[];
}
export interface FuzzOptions {
  seed: number;
  perCall: number;
  /** By call: an input that it is known to answer, tried first. */
  inputs?: Readonly<Record<string, JsonObject>>;
  calls?: (call: Call) => boolean;
  progress?: (call: string) => void;
  isOver?: () => boolean;
}

/** What no answer may hold: stacks, SQL, names of our files. */
const INSIDES = /\bat [\w.<>]+ \(|node_modules|\.ts:\d+|\bselect\b.+\bfrom\b|violates|pg_|SQLSTATE|syntax error/i;
const CODES = /^[A-Z][A-Z0-9_]+$/;

/** The same seed makes the same requests against the same database. */
export async function fuzz(
  server: TestServer,
  { seed, perCall, inputs: known = {}, calls = () => true, progress, isOver = () => false }: FuzzOptions,
): Promise<FuzzReport> {
  const { definitions, db } = server.services;
  const report: FuzzReport = { seed, requests: 0, of: 0, answered: {}, well: new Set(), twice: 0, failures: [] };
  const pool = await idsOf(db, 1);
  const chosen = Object.values(definitions.calls).filter(calls);
  // What is known to be answered is asked before the random writes change what it is about.
  const opening = chosen.flatMap(call => {
    const input = known[call.name] ?? (isRead(call) && !call.in.some(param => param.required) ? {} : undefined);
    return input && !call.public ? [{ call, inputs: [input], from: 0 }] : [];
  });
  const plans = chosen.map((call, i) => ({ call, inputs: fc.sample(anyInput(call, pool), { numRuns: perCall, seed: seed + i }) }));
  report.of = opening.length + plans.length * perCall;
  const isOfPeople = ({ call }: { call: Call }): boolean => call.table === 'sign-in' || call.table === 'users';
  // What changes the people comes last: an owner who is one no more would be refused everything else.
  const random = [plans.filter(plan => !isOfPeople(plan)), plans.filter(isOfPeople)].flatMap(part =>
    Array.from({ length: Math.ceil(perCall / IN_A_ROW) }, (_, turn) => part.map(plan => ({ ...plan, from: turn * IN_A_ROW }))).flat(),
  );
  for (const { call, inputs, from } of [...opening, ...random]) {
    progress?.(call.name);
    let token = await server.signIn('owner');
    for (const input of inputs.slice(from, from + IN_A_ROW)) {
      if (isOver()) return report;
      let request;
      try {
        request = buildRequest(definitions, call, input);
      } catch {
        report.of--;
        continue;
      } // a path parameter that no address can hold
      // Signing out, and handing the store over, are answered by signing in again.
      if (isOfPeople({ call })) {
        await db.ownerQuery('delete from login_attempts');
        token = await server.signIn('owner');
      }
      const key = report.requests % 3 === 0 ? `fuzz-${seed}-${report.requests}` : undefined;
      const { url, method, headers, body } = request;
      const send = (): Promise<Asked> =>
        ask(server.url + url, {
          method,
          headers: { ...headers, authorization: token, ...(key === undefined ? {} : { 'idempotency-key': key }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const response = await send();
      const { text } = response;
      report.requests++;
      report.answered[response.status] = (report.answered[response.status] ?? 0) + 1;
      let wrong = validateAnswer(server, call, response);
      if (!wrong && response.status === 200) report.well.add(call.name);
      if (!wrong && response.status === 200 && key !== undefined && !isRead(call) && !isOfPeople({ call })) {
        report.twice++;
        const again = await send();
        if (again.status !== 200 || again.text !== withoutToldOnce(text))
          wrong = `answered otherwise to the same key: ${again.status} ${again.text.slice(0, 400)}`;
      }
      if (wrong)
        report.failures.push(`${call.name} ${JSON.stringify(input).slice(0, 500)}\n  ${response.status} ${wrong}\n  ${text.slice(0, 400)}`);
    }
  }
  return report;
}

function validateAnswer(server: TestServer, call: Call, { status, headers, text }: Asked): string | undefined {
  if (status >= 500) return 'the server failed';
  if (!headers.get('x-request-id')) return 'no request id';
  if (!headers.get('content-type')?.startsWith('application/json'))
    return status === 200 && headers.get('content-disposition') ? undefined : 'not JSON';
  let body: JsonObject;
  try {
    body = JSON.parse(text) as JsonObject;
  } catch {
    return 'not JSON in spite of its type';
  }
  if (status >= 400) {
    if (
      body.success !== false ||
      typeof body.code !== 'string' ||
      !CODES.test(body.code) ||
      typeof body.message !== 'string' ||
      !/^[\p{L}"“(\d]/u.test(body.message) ||
      typeof body.requestId !== 'string'
    )
      return 'not the form of a refusal';
    if (INSIDES.test(text.replace(body.requestId, ''))) return 'shows insides';
    if (
      status === 422 &&
      body.code === 'VALIDATION' &&
      body.errors !== undefined &&
      !(body.errors as JsonValue[]).every(
        error =>
          typeof at(error, 'pointer') === 'string' && typeof at(error, 'message') === 'string' && typeof at(error, 'rule') === 'string',
      )
    )
      return 'errors without pointer, rule and message';
    return undefined;
  }
  return validateRecords(server, call, body);
}

/** Calls that answer with records of other entities too, by what they are asked for (D219, D220). */
const ALSO: Readonly<Record<string, readonly string[]>> = { 'widgets.list': ['storefront-banner', 'gift-widget'] };
const shaped = new WeakMap<Schema, Schema>();
/** What records of an entity may be like in answers. */
function shapeOf(entity: Schema): Schema {
  let schema = shaped.get(entity);
  if (!schema) {
    // Of a secret only its mask is shown, which may be shorter than any secret.
    const properties = Object.fromEntries(
      Object.entries(entity.properties ?? {}).map(([name, field]) => [
        name,
        field['x-ui']?.secret ? { ...field, minLength: undefined } : field,
      ]),
    ) as Record<string, Schema>;
    shaped.set(entity, (schema = { ...entity, properties, required: undefined, additionalProperties: true }));
  }
  return schema;
}
/** Records of lists and reads have the types that their entity says. */
function validateRecords(server: TestServer, call: Call, body: JsonObject): string | undefined {
  const { entities } = server.services.definitions;
  if (call.answer !== undefined || !entities[call.of]?.properties || !['list', 'read', 'create', 'update', 'move'].includes(call.does))
    return undefined;
  const schemas = [call.of, ...(ALSO[call.name] ?? [])].flatMap(key => entities[key] ?? []).map(shapeOf);
  const host = server.services.definitions.hosts[call.host];
  if (!host) return 'a call without a host';
  const { data } = readAnswer(call, host, body);
  if (call.does === 'list' && !Array.isArray(data)) return 'a list without a list';
  for (const record of Array.isArray(data) ? data : [data]) {
    const [errors = [], ...others] = schemas.map(schema => validate(schema, compileValidator(schema), record));
    if (errors.length && others.every(found => found.length))
      return `an answer that its entity does not allow: ${JSON.stringify(errors.slice(0, 3))}`;
  }
  return undefined;
}

/** An answer as it is kept for a repeated request: without a token or secret, which is shown the first time only. */
function withoutToldOnce(text: string): string {
  if (!/"token":"[0-9a-f]{32}"|"secret":"whsec_/.test(text)) return text;
  const { data, ...rest } = JSON.parse(text) as { data: Record<string, unknown> };
  const { token: _token, secret: _secret, ...kept } = data;
  return JSON.stringify({ ...rest, data: kept });
}
