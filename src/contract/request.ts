// A call and its input -> what goes on the wire, and back: the browser builds with the same line that the server reads by.
import type { Call, Definitions, FieldError, Host, JsonObject, JsonValue, Schema } from './types.ts';
import { codecs } from '../domain/codecs/index.ts';
import { LIST_PARAMS, pathParams } from './calls.ts';

export { inputSchema, isRead } from './calls.ts';

export interface HttpRequest {
  method: Call['method'];
  url: string;
  headers: Record<string, string>;
  body?: JsonValue;
}
export interface RequestOptions {
  /** Values of the parameters the session always fills ("shop", "storeId", ...). */
  ambient?: JsonObject;
  /** Address of a host group without a slash at the end; by default our own server under the group's prefix. */
  hosts?: Partial<Record<string, string>>;
}

/**
 * The request of a call. `input` is flat: path, query and body members by name. Path parameters are filled from it; of the rest, names
 * in the call's `query` and everything of GET and DELETE go to the query, otherwise to the body (under `wrap`, when the call has one;
 * ambient parameters stay beside it). Lists repeat in the query, objects are JSON there; undefined is left out.
 * Throws when a path parameter is missing: the message names it.
 */
export function buildRequest(
  definitions: Pick<Definitions, 'hosts' | 'ambient'>,
  call: Call,
  input: JsonObject = {},
  options: RequestOptions = {},
): HttpRequest {
  const host: Host | undefined = definitions.hosts[call.host];
  const all: JsonObject = { ...input };
  for (const param of call.in) {
    // A list is asked by the verb's names (`filter`), whatever its call has for them on the wire (`filters as filter`).
    if (param.as !== undefined && (LIST_PARAMS as readonly string[]).includes(param.as) && all[param.as] !== undefined) {
      all[param.name] = all[param.as] as JsonValue;
      delete all[param.as];
    }
    const ambient = definitions.ambient.includes(param.name) ? options.ambient?.[param.name] : undefined;
    if (all[param.name] === undefined && ambient !== undefined) all[param.name] = ambient;
  }
  const inPath = pathParams(call.path);
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = all[name];
    if (value === undefined || value === null || value === '')
      throw new Error(`${call.method} ${call.path} (${call.name}) needs "${name}".`);
    return encodeURIComponent(String(value));
  });
  const queryOnly = call.method === 'GET' || call.method === 'DELETE';
  const query = new URLSearchParams();
  let body: JsonObject = {};
  const codec = call.encode === undefined ? undefined : codecs[call.encode];
  const sent = codec && call.method === 'GET' ? (codec.encode(all) as JsonObject) : all;
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined) continue;
    if (queryOnly || call.query?.includes(name)) {
      if (!inPath.includes(name) && value !== null)
        for (const one of Array.isArray(value) ? value : [value])
          query.append(name, one !== null && typeof one === 'object' ? JSON.stringify(one) : String(one));
    } else if (!inPath.includes(name) || call.body?.properties?.[name]) body[name] = value;
  }
  const text = query.toString();
  const base = options.hosts?.[call.host] || host?.prefix || '';
  const request: HttpRequest = {
    method: call.method,
    url: base + path + (text ? `?${text}` : ''),
    headers: { accept: 'application/json' },
  };
  if (queryOnly) return request;
  if (codec) body = codec.encode(body) as JsonObject;
  if (call.wrap) {
    const outside = Object.entries(body).filter(([name]) => definitions.ambient.includes(name));
    const inner = Object.entries(body).filter(([name]) => !definitions.ambient.includes(name));
    body = { ...Object.fromEntries(outside), [call.wrap]: Object.fromEntries(inner) };
  }
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' }, body };
}

const object = (value: unknown): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};

/**
 * The server's side of the same line: the flat input of a request. Path and query texts become what the parameter's schema says
 * (numbers, booleans, lists, JSON objects); a text that doesn't fit is left as it is for the validator to name. What the schema
 * marks as read only is dropped, save parameters. Throws WireError where the call's codec can't read it.
 */
export function parseRequest(call: Call, request: { params?: unknown; query?: unknown; body?: unknown }): JsonObject {
  const schemas = new Map(call.in.map(param => [param.name, param.schema]));
  const schemaOf = (name: string): Schema | undefined => schemas.get(name) ?? call.body?.properties?.[name];
  let body = object(request.body);
  if (call.wrap) {
    const { [call.wrap]: wrapped, ...outside } = body;
    body = { ...object(coerce(wrapped, { type: 'object' })), ...outside };
  }
  let query = object(request.query);
  if (call.encode && call.method === 'GET') query = object(codecs[call.encode]?.decode(query));
  else if (call.encode) body = object(codecs[call.encode]?.decode(body));
  const input: JsonObject = {};
  for (const [name, value] of Object.entries(query)) if (name !== '__proto__') input[name] = coerce(value, schemaOf(name));
  for (const [name, value] of Object.entries(body))
    if (name !== '__proto__' && (schemas.has(name) || !call.body?.properties?.[name]?.readOnly)) input[name] = value;
  for (const [name, value] of Object.entries(object(request.params)))
    if (value !== undefined && name !== '*') input[name] = coerce(value, schemaOf(name));
  return input;
}

/**
 * The input as the verb takes it: parameters that the call names otherwise (`collectionId as id`) under the verb's name. A query or command
 * is given what its line says in `where`.
 */
export function forVerb(call: Call, input: JsonObject): JsonObject {
  const fixed = call.does === 'query' || call.does === 'command' ? call.where : undefined;
  if (!fixed && !call.in.some(param => param.as !== undefined)) return input;
  const given = { ...input, ...fixed };
  for (const { name, as } of call.in) {
    if (as === undefined || given[name] === undefined) continue;
    given[as] = given[name] as JsonValue;
    delete given[name];
  }
  return given;
}

/** Errors of fields under the names that the wire has for them. */
export function errorsForWire(call: Call, errors: FieldError[]): FieldError[] {
  const names = new Map([
    ...call.in.flatMap(({ name, as }) => (as === undefined ? [] : [[as, name] as const])),
    ...Object.entries(codecs[call.encode ?? '']?.names ?? {}),
  ]);
  if (names.size === 0) return errors;
  return errors.map(error => {
    const [, first = '', ...rest] = error.pointer.split('/');
    const name = names.get(first);
    return name === undefined ? error : { ...error, pointer: ['', name, ...rest].join('/') };
  });
}

const typesOf = (schema: Schema | undefined): string[] =>
  [schema?.anyOf ? schema.anyOf.flatMap(typesOf) : (schema?.type ?? typesOfOptions(schema))].flat() as string[];
const typesOfOptions = (schema: Schema | undefined): string[] => [
  ...new Set(
    [...(schema?.oneOf ?? []).map(one => one.const), ...(schema?.enum ?? [])]
      .filter(value => value !== undefined && value !== null)
      .map(value => typeof value),
  ),
];

function coerce(value: unknown, schema: Schema | undefined): JsonValue {
  const types = typesOf(schema);
  if (types.includes('array')) {
    if (typeof value === 'string' && value.startsWith('[')) {
      try {
        return JSON.parse(value) as JsonValue;
      } catch {
        return value;
      }
    }
    return (Array.isArray(value) ? value : [value]).map(item => coerce(item, schema?.items));
  }
  if (typeof value !== 'string') return value as JsonValue;
  if (types.includes('object') && value.startsWith('{')) {
    try {
      return JSON.parse(value) as JsonValue;
    } catch {
      return value;
    }
  }
  if (
    (types.includes('number') || types.includes('integer')) &&
    /^-?\d+(\.\d+)?$/.test(value) &&
    Number.isSafeInteger(Math.trunc(Number(value)))
  )
    return Number(value);
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
