// The API document: valid, complete, with examples that the calls take; and a client that is generated from it, compiled and used.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureApiTools } from '../../../../scripts/ensure.mjs';
import { inputSchema, isRead, pathParams } from '../../../../src/contract/calls.ts';
import { parseRequest } from '../../../../src/contract/request.ts';
import type { Call, JsonObject } from '../../../../src/contract/types.ts';
import { compileValidator } from '../../../../src/contract/validation/compile.ts';
import { validate } from '../../../../src/contract/validation/validate.ts';
import { apiDocument } from '../../../../src/server/platform/api-document/document.ts';
import { rateOf, scopeOf } from '../../../../src/server/platform/auth/scopes.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

interface Operation {
  operationId: string;
  parameters: { name?: string; in?: string; required?: boolean; example?: unknown; $ref?: string }[];
  requestBody?: { content: { 'application/json': { example?: JsonObject } } };
  description: string;
  'x-scope': JsonObject;
}

describe('the API document', () => {
  let server: TestServer;
  let document: JsonObject;
  let folder: string;
  let tools: string;
  beforeAll(async () => {
    tools = ensureApiTools();
    server = await startTestServer({ engine: 'postgres' });
    document = (await server.request('GET', '/api/openapi.json')).json as JsonObject;
    folder = mkdtempSync(join(tmpdir(), 'perennial-client-'));
    symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  afterAll(async () => {
    await server?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  const operations = (): { path: string; method: string; operation: Operation }[] =>
    Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );

  it('is served to everybody, and not again to who has it', async () => {
    const first = await server.request('GET', '/api/openapi.json');
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toContain('application/json');
    const again = await server.request('GET', '/api/openapi.json', { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it('is a valid OpenAPI 3.1 document by the rules of a linter that is not ours', async () => {
    const required = createRequire(join(tools, 'package.json'));
    const redocly = (await import(pathToFileURL(required.resolve('@redocly/openapi-core')).href)) as {
      lintFromString(given: {
        source: string;
        config: unknown;
      }): Promise<{ message: string; ruleId: string; location: { pointer?: string }[] }[]>;
      createConfig(rules: object): Promise<unknown>;
    };
    const config = await redocly.createConfig({
      rules: {
        struct: 'error',
        spec: 'error',
        'no-unresolved-refs': 'error',
        'operation-operationId-unique': 'error',
        'path-parameters-defined': 'error',
        'path-declaration-must-exist': 'error',
        'no-identical-paths': 'error',
        'security-defined': 'error',
        'no-invalid-parameter-examples': 'error',
        'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
        'operation-summary': 'error',
        'no-enum-type-mismatch': 'error',
        'no-unused-components': 'error',
      },
    });
    const problems = await redocly.lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  it('has every call that a scope opens and no other, with its scope and rate', () => {
    const { definitions } = server.services;
    const wanted = Object.values(definitions.calls).filter(call => scopeOf(definitions, call) && !call.public);
    expect(
      operations()
        .map(({ operation }) => operation.operationId)
        .sort(),
    ).toEqual(wanted.map(({ name }) => name).sort());
    for (const { operation } of operations()) {
      const call = definitions.calls[operation.operationId]!;
      expect(operation['x-scope']).toEqual({ scope: scopeOf(definitions, call), access: isRead(call) ? 'READ' : 'READ_WRITE' });
      expect(operation.description).toContain(`in ${rateOf(definitions, call).rate.seconds === 1 ? 'a second' : '2 seconds'}`);
    }
  });

  it('shows requests that the calls take', () => {
    const { definitions } = server.services;
    const refused: string[] = [];
    for (const { operation } of operations()) {
      const call = definitions.calls[operation.operationId] as Call;
      if (call.encode) continue;
      const body = operation.requestBody?.content['application/json'].example ?? {};
      const query: JsonObject = {};
      const params: JsonObject = {};
      for (const one of operation.parameters)
        if (one.name && one.example !== undefined)
          (pathParams(call.path).includes(one.name) ? params : query)[one.name] = String(one.example);
      const schema = inputSchema(call, definitions.ambient);
      const errors = validate(schema, compileValidator(schema), parseRequest(call, { params, query, body }), {});
      if (errors.length) refused.push(`${call.name}: ${errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`);
    }
    expect(refused).toEqual([]);
  });

  it('is the same for a store with other settings: it says nothing of one', () => {
    expect(JSON.stringify(apiDocument(server.services.definitions, ''))).toBe(JSON.stringify(document));
    expect(JSON.stringify(document)).not.toMatch(/x-ui|x-record|Fern/);
  });

  it('a typed client generated from it compiles, calls, and is refused what does not fit by its compiler', async () => {
    const node = (args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    node([join(tools, 'node_modules/openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'api.d.ts']);
    writeFileSync(
      join(folder, 'client.ts'),
      `import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';
export type Subscription = components['schemas']['Subscription'];
export async function pauseFirst(baseUrl: string, token: string): Promise<Subscription['status']> {
  const client = createClient<paths>({ baseUrl, headers: { 'X-Loop-Token': token } });
  const { data, error } = await client.GET('/host/main/api/merchant/subscriptionContract/list', { params: { query: { pageSize: 1 } } });
  if (!data) throw new Error(error?.message);
  const id: number | undefined = data.data[0]?.id;
  const read = await client.GET('/host/main/api/merchant/subscriptionContract/read', { params: { query: { id: id ?? 0 } } });
  return read.data?.data.status;
}
// @ts-expect-error a page size is a number
export const wrongType = () => createClient<paths>().GET('/host/main/api/merchant/subscriptionContract/list', { params: { query: { pageSize: 'ten' } } });
// @ts-expect-error there is no such call
export const wrongCall = () => createClient<paths>().GET('/host/main/api/merchant/subscriptionContract/lists');
`,
    );
    const strict = [
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
      '--rewriteRelativeImportExtensions',
      '--skipLibCheck',
    ];
    try {
      node([join(tools, 'node_modules/typescript/bin/tsc'), ...strict, 'client.ts']);
    } catch (error) {
      throw new Error(String((error as { stdout?: string }).stdout), { cause: error });
    }
    const { data: made } = await server.call('api-keys.generate', { name: 'Client', type: 'ADMIN', scopes: { SUBSCRIPTIONS: 'READ' } });
    const { pauseFirst } = (await import(pathToFileURL(join(folder, 'client.js')).href)) as {
      pauseFirst(url: string, token: string): Promise<string>;
    };
    expect(['ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED']).toContain(
      await pauseFirst(server.url, (made as { token: string }).token),
    );
  });
});
