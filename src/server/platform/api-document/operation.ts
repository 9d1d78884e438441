// One call of the catalogue as an operation of the API document: its request, its answer, what it needs and how often it may be made.
import { inputSchema, isRead, pathParams } from '../../../contract/calls.ts';
import { strip } from '../../../contract/validation/condition.ts';
import type { Call, Definitions, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { writeAnswer } from '../../../contract/response.ts';
import { accessFor, rateOf, rateWords, scopeOf, scopeTitle } from '../auth/scopes.ts';
import { exampleOf, plainSchema } from './schemas.ts';

/** "selling-plan-group" -> "SellingPlanGroup" */
export const componentName = (entity: string): string => entity.replace(/(^|[-_/ ])(\w)/g, (_, __, letter: string) => letter.toUpperCase());

/** What a call's answer holds at its place, as a schema; open where the catalogue does not say. */
function dataSchema(definitions: Definitions, call: Call): JsonObject {
  const { entities, settings } = definitions;
  const setting = settings[call.of.replace(/^settings\//, '')];
  const record: JsonObject = entities[call.of] && !call.decode ? { $ref: `#/components/schemas/${componentName(call.of)}` } : {};
  const key = entities[call.of]?.['x-record']?.key ?? 'id';
  switch (call.does) {
    case 'list':
      return { type: 'array', items: record };
    case 'read':
      return call.answer === undefined ? record : {};
    case 'create':
    case 'update':
    case 'move':
      return record;
    case 'delete':
      return { type: 'object', properties: { [key]: {} } };
    case 'get':
    case 'set':
      return setting && !call.part && call.answer === undefined && !call.entries ? plainSchema(setting, { answer: '' }) : {};
    case 'count':
      return { type: 'object', additionalProperties: { type: 'integer' } };
    default:
      return {};
  }
}

function dataExample(definitions: Definitions, call: Call): JsonValue | undefined {
  const entity = call.decode ? undefined : definitions.entities[call.of];
  const record = entity && exampleOf(entity, { whole: true });
  if (call.does === 'list') return record === undefined ? undefined : [record];
  if (['read', 'create', 'update', 'move'].includes(call.does) && call.answer === undefined) return record;
  return undefined;
}

/** The envelope of an answer around a schema at the call's place. */
function enveloped(definitions: Definitions, call: Call, data: JsonObject): JsonObject {
  if (call.out === '') return data;
  const within = call.out
    .split('.')
    .reduceRight<JsonObject>((inner, name) => ({ type: 'object', properties: { [name]: inner }, required: [name] }), data);
  const pager = definitions.hosts[call.host]?.pagers[call.page ?? 'whole'] ?? {};
  const isPaged = pager.next !== undefined || pager.total !== undefined;
  return {
    type: 'object',
    properties: {
      success: { const: true },
      message: { type: 'string' },
      code: { const: 'SUCCESS' },
      ...(within.properties as JsonObject),
      ...(isPaged ? { pageInfo: { $ref: '#/components/schemas/PageInfo' } } : {}),
    },
    required: ['success', 'message', 'code', ...(within.required as string[])],
  };
}

const PAGE = { hasNextPage: false, hasPreviousPage: false, nextCursor: null, total: 1 };

function answerOf(definitions: Definitions, call: Call): JsonObject {
  const host = definitions.hosts[call.host];
  if (call.does === 'export') return { description: 'A CSV file', content: { 'text/csv': { schema: { type: 'string' } } } };
  const example = dataExample(definitions, call);
  const pager = host?.pagers[call.page ?? 'whole'] ?? {};
  const whole = example === undefined || !host ? undefined : writeAnswer(call, host, example, pager.total || pager.next ? PAGE : undefined);
  return {
    description: 'It went well',
    content: {
      'application/json': {
        schema: enveloped(definitions, call, dataSchema(definitions, call)),
        ...(whole === undefined ? {} : { example: whole }),
      },
    },
  };
}

const isObject = (schema: Schema): boolean => [schema.type].flat().includes('object');

/** The body of a write, as a schema and with an example that the call takes. */
function bodyOf(definitions: Definitions, call: Call, inQuery: (name: string) => boolean): JsonObject | undefined {
  if (call.encode) return { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
  const input = inputSchema(call);
  const names = Object.keys(input.properties ?? {}).filter(
    name =>
      !inQuery(name) && !input.properties?.[name]?.readOnly && (!definitions.ambient.includes(name) || input.required?.includes(name)),
  );
  if (names.length === 0 && !input.additionalProperties) return undefined;
  const own: Schema = {
    ...input,
    properties: Object.fromEntries(names.map(name => [name, input.properties?.[name] as Schema])),
    required: names.filter(name => input.required?.includes(name)),
  };
  const schema = plainSchema(own);
  const sample = strip(own, exampleOf(own) as JsonObject, {});
  const wrap = call.wrap;
  return {
    required: schema.required !== undefined,
    content: {
      'application/json': {
        schema: wrap ? { type: 'object', properties: { [wrap]: schema }, required: [wrap] } : schema,
        example: wrap ? { [wrap]: sample } : sample,
      },
    },
  };
}

/** What may go wrong: the components that stand for it. */
const ERRORS: Record<string, string> = {
  '400': 'BadRequest',
  '401': 'InvalidToken',
  '403': 'MissingScope',
  '404': 'NotFound',
  '409': 'Conflict',
  '422': 'NotValid',
  '429': 'TooMany',
  '503': 'Busy',
};

/** The operation of a call; undefined: no scope opens the call, so that it is for people alone. */
export function operationOf(definitions: Definitions, call: Call): JsonObject | undefined {
  const scope = scopeOf(definitions, call);
  if (!scope) return undefined;
  const read = isRead(call);
  const inPath = pathParams(call.path);
  const queryOnly = call.method === 'GET' || call.method === 'DELETE';
  const inQuery = (name: string): boolean => inPath.includes(name) || queryOnly || (call.query?.includes(name) ?? false);
  const { rate } = rateOf(definitions, call);
  const input = inputSchema(call);
  const parameters = Object.entries(input.properties ?? {})
    .filter(([name]) => inQuery(name) && !definitions.ambient.includes(name))
    .map(([name, schema]): JsonObject => {
      const isRequired = inPath.includes(name) || (input.required?.includes(name) ?? false);
      const about: JsonObject = { name, in: inPath.includes(name) ? 'path' : 'query', ...(isRequired ? { required: true } : {}) };
      const words = schema.description ?? schema.title;
      const description: JsonObject = words ? { description: words } : {};
      const plain = plainSchema(schema);
      return isObject(schema)
        ? { ...about, ...description, content: { 'application/json': { schema: plain } } }
        : { ...about, ...description, schema: plain, ...(isRequired ? { example: exampleOf(schema, { whole: false, name }) } : {}) };
    });
  const body = queryOnly ? undefined : bodyOf(definitions, call, inQuery);
  const per = rateWords(rate);
  return {
    operationId: call.name,
    tags: [definitions.tables[call.table]?.title ?? call.table],
    summary: call.title ?? call.key,
    description: `Needs the scope ${scopeTitle(definitions, scope)} (\`${scope}\`: \`${accessFor(call)}\`). At most ${per}.`,
    security: [{ token: [`${scope}:${accessFor(call)}`] }, { bearer: [`${scope}:${accessFor(call)}`] }],
    parameters: [...parameters, ...(read ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }])],
    ...(body ? { requestBody: body } : {}),
    responses: {
      '200': answerOf(definitions, call),
      ...Object.fromEntries(Object.entries(ERRORS).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
    },
    'x-scope': { scope, access: accessFor(call) },
    'x-rate': { requests: rate.requests, seconds: rate.seconds },
  };
}
