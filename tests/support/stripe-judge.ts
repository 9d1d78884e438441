// Stripe's own description of its API between the product and a server that plays Stripe: what either of them says that does not fit it is
// a mistake. The description is a package that others publish (tests/judges).
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { Ajv, type ValidateFunction } from 'ajv';
import { ensureJudges } from '../../scripts/ensure.mjs';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';

interface Media {
  schema: JsonObject;
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: JsonObject }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content: Record<string, Media> }>;
}

export interface StripeJudge {
  url: string;
  /** What did not fit, of requests and of answers, each with its call. */
  mistakes: string[];
  /** "before" loses requests, "after" answers: what was asked for is done. */
  fault: 'before' | 'after' | null;
  /** An object of Stripe's as text, which must fit its description. */
  fits(schema: string, object: object): string;
  close(): Promise<void>;
}

class LineBroke extends Error {}

/** As JSON Schema has it: null is a type, and what could be expanded on demand is the id that it is. */
function plain(_name: string, value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { nullable, 'x-expansionResources': expandable, ...rest } = value;
  const schema: JsonObject = expandable ? { type: 'string' } : rest;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** "metadata[a]=1" as the object that it stands for. */
function nested(form: URLSearchParams): JsonObject {
  const root: JsonObject = {};
  for (const [name, value] of form) {
    const path = name.replaceAll(']', '').split('[');
    let at = root;
    for (const step of path.slice(0, -1)) at = (at[step] ??= {}) as JsonObject;
    at[path.at(-1) ?? ''] = value;
  }
  return listed(root) as JsonObject;
}
/** "a[0]=x" is a list. */
function listed(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.length && names.every((name, i) => name === String(i))) return names.map(name => listed(value[name] ?? null));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, listed(one ?? null)]));
}

/** Stands in front of the server at `target`, which plays Stripe at /stripe, and listens at / (for the official client) and at /stripe. */
export async function startStripeJudge(target: string): Promise<StripeJudge> {
  const file = join(ensureJudges(), 'node_modules', '@opensdks', 'sdk-stripe', 'stripe.oas.json');
  const api = JSON.parse(readFileSync(file, 'utf8'), plain) as JsonObject & {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, JsonObject> };
  };
  const options = { strict: false, validateFormats: false, allErrors: true };
  const forms = new Ajv({ ...options, coerceTypes: true });
  const answers = new Ajv({ ...options, inlineRefs: false });
  answers.addSchema({ $id: 'https://stripe/', ...api });
  const compiled = new Map<JsonObject, ValidateFunction>();
  const judgeOf = (ajv: Ajv, schema: JsonObject): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://stripe/#/')));
    compiled.set(schema, known);
    return known;
  };
  const mistakes: string[] = [];
  const judge = (what: string, ajv: Ajv, schema: JsonObject | undefined, value: JsonValue): void => {
    if (!schema) return void mistakes.push(`${what}: not described`);
    const fits = judgeOf(ajv, schema);
    if (!fits(value)) mistakes.push(`${what}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(value)}`);
  };

  const { schemas } = api.components;
  const fits = (schema: string, object: object): string => {
    judge(schema, answers, schemas[schema], object as JsonObject);
    return JSON.stringify(object);
  };
  const judging: StripeJudge = { url: '', mistakes, fault: null, fits, close: () => Promise.resolve() };
  const server = http.createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += String(part);
      const url = new URL(request.url ?? '/', 'http://stripe');
      const path = url.pathname.replace(/^\/stripe/, '');
      const call = `${request.method} ${path}`;
      const named = Object.keys(api.paths).find(one => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
      const operation = named === undefined ? undefined : api.paths[named]?.[String(request.method).toLowerCase()];
      const query = nested(url.searchParams);
      const { parameters = [], requestBody, responses } = operation ?? {};
      const inQuery = parameters.filter(one => one.in === 'query');
      if (!operation) mistakes.push(`${call}: there is no such call`);
      judge(
        `${call}, query`,
        forms,
        {
          type: 'object',
          additionalProperties: false,
          required: inQuery.filter(one => one.required).map(one => one.name),
          properties: Object.fromEntries(inQuery.map(one => [one.name, one.schema])),
        },
        query,
      );
      if (request.method === 'POST')
        judge(`${call}, body`, forms, requestBody?.content['application/x-www-form-urlencoded']?.schema, nested(new URLSearchParams(body)));
      const {
        host: _host,
        connection: _connection,
        'content-length': _length,
        'transfer-encoding': _transfer,
        ...headers
      } = request.headers;
      if (judging.fault === 'before') throw new LineBroke();
      const answer = await fetch(`${target}/stripe${path}${url.search}`, {
        method: request.method,
        headers: headers as Record<string, string>,
        ...(request.method === 'POST' ? { body } : {}),
      });
      const text = await answer.text();
      const described = responses?.[String(answer.status)] ?? responses?.default;
      judge(`${call}, answer ${answer.status}`, answers, described?.content['application/json']?.schema, JSON.parse(text) as JsonValue);
      if (judging.fault === 'after') throw new LineBroke();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    })().catch((error: unknown) => {
      if (!(error instanceof LineBroke)) mistakes.push(error instanceof Error ? `${error.stack} ${String(error.cause)}` : String(error));
      request.socket.destroy();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(judging, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
