// The API document as the reference page reads it: operations by group, in the form in which they are drawn.
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { t, translated } from '../../../domain/text/t.ts';

export interface ApiParameter {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  schema: Schema;
  description: string;
  example: JsonValue | undefined;
}
export interface Operation {
  id: string;
  group: string;
  method: string;
  path: string;
  title: string;
  description: string;
  parameters: ApiParameter[];
  /** Of an event that is sent to webhooks: there is nothing to call. */
  isEvent: boolean;
  /** Whether the call changes something: it takes an idempotency key. */
  isWrite: boolean;
  body: JsonValue | undefined;
  answer: JsonValue | undefined;
  errors: { status: string; description: string; message: string }[];
}
export interface ApiDocument {
  about: string;
  /** `name` is that of the document, which links name; `title` is what people read. */
  groups: { name: string; title: string; about: string; operations: Operation[] }[];
}

const object = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
const list = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const json = (value: JsonValue | undefined): JsonObject => object(object(object(value).content)['application/json']);

/** "#/components/responses/Busy" followed; anything else as it is. */
function followed(document: JsonObject, value: JsonValue | undefined): JsonObject {
  const $ref = object(value).$ref;
  if (typeof $ref !== 'string') return object(value);
  return object(
    $ref
      .slice(2)
      .split('/')
      .reduce<JsonValue | undefined>((here, step) => object(here)[step], document),
  );
}

function bodyParameters(schema: JsonObject): ApiParameter[] {
  const required = list(schema.required);
  return Object.entries(object(schema.properties)).map(([name, one]) => ({
    name,
    in: 'body',
    required: required.includes(name),
    schema: one as Schema,
    description: translated(text(object(one).description) || text(object(one).title)),
    example: undefined,
  }));
}

function operationFrom(document: JsonObject, method: string, path: string, raw: JsonObject, isEvent = false): Operation {
  const given = list(raw.parameters).map(one => followed(document, one));
  const body = json(raw.requestBody);
  const answer = json(object(raw.responses)['200']);
  return {
    id: text(raw.operationId),
    group: text(list(raw.tags)[0]),
    method: method.toUpperCase(),
    path,
    title: translated(text(raw.summary)),
    description: text(raw.description),
    parameters: [
      ...given
        .filter(one => one.in !== 'header')
        .map((one): ApiParameter => ({
          name: text(one.name),
          in: one.in === 'path' ? 'path' : 'query',
          required: one.required === true,
          schema: (one.schema ?? json(one).schema ?? {}) as Schema,
          description: translated(text(one.description)),
          example: one.example,
        })),
      ...bodyParameters(object(body.schema)),
    ],
    isEvent,
    isWrite: given.some(one => one.in === 'header'),
    body: raw.requestBody === undefined ? undefined : (body.example ?? {}),
    answer: answer.example,
    errors: Object.entries(object(raw.responses))
      .filter(([status]) => status !== '200')
      .map(([status, one]) => {
        const error = followed(document, one);
        return { status, description: text(error.description), message: text(object(json(error).example).message) };
      }),
  };
}

/** The document in the form in which it is drawn. */
export function readDocument(document: JsonObject): ApiDocument {
  const from = (member: 'paths' | 'webhooks'): Operation[] =>
    Object.entries(object(document[member])).flatMap(([path, methods]) =>
      Object.entries(object(methods)).map(([method, raw]) => operationFrom(document, method, path, object(raw), member === 'webhooks')),
    );
  const operations = [...from('paths'), ...from('webhooks')];
  const abouts = new Map(list(document.tags).map(tag => [text(object(tag).name), text(object(tag).description)]));
  const names = [...new Set(operations.map(({ group }) => group))];
  return {
    about: text(object(document.info).description),
    groups: names
      .map(name => ({
        name,
        title: translated(name),
        about: translated(abouts.get(name) ?? ''),
        operations: operations.filter(({ group }) => group === name),
      }))
      .sort((a, b) => a.title.localeCompare(b.title)),
  };
}

/** "integer or null", "one of 3 values", for the table of parameters. */
export function typeWords(schema: Schema): string {
  if (schema.enum?.length) return schema.enum.length > 4 ? t`one of ${schema.enum.length} values` : schema.enum.map(String).join(' · ');
  const type = [schema.type ?? (schema.anyOf ? t`one of several` : t`any`)].flat().join(t` or `);
  return schema.items ? t`${type} of ${typeWords(schema.items)}` : schema.format ? `${type} (${schema.format})` : type;
}

/** The operation as a command line, with its examples filled in. */
export function asCurl(operation: Operation, origin: string): string {
  const query = operation.parameters
    .filter(one => one.in === 'query' && one.required)
    .map(one => `${one.name}=${encodeURIComponent(String(one.example ?? ''))}`)
    .join('&');
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(operation.parameters.find(one => one.name === name)?.example ?? name),
  );
  return [
    `curl${operation.method === 'GET' ? '' : ` -X ${operation.method}`} '${origin}${path}${query ? `?${query}` : ''}'`,
    "-H 'X-Loop-Token: YOUR_TOKEN'",
    ...(operation.isWrite ? ["-H 'Idempotency-Key: any-new-text'"] : []),
    ...(operation.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(operation.body).replace(/'/g, "'\\''")}'`]),
  ].join(' \\\n  ');
}
