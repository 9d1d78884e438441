// The API document: OpenAPI 3.1, made of the catalogue, for every call that a scope opens to API tokens.
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { componentName, operationOf } from './operation.ts';
import { plainSchema } from './schemas.ts';
import { ABOUT_EVENTS, EVENTS, webhooksOf } from './webhooks.ts';

const ERROR = {
  type: 'object',
  properties: {
    success: { const: false },
    code: { type: 'string', description: 'For programs: "VALIDATION", "NOT_FOUND", "INVALID_STATE".' },
    message: { type: 'string', description: 'For people: what is wrong, where, and what would be right.' },
    requestId: { type: 'string', description: 'Quote it to support.' },
    errors: {
      type: 'array',
      description: 'Each field that is not valid.',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string', description: 'Where it stands in the request: "/lines/0/quantity".' },
          rule: { type: 'string' },
          message: { type: 'string' },
        },
        required: ['pointer', 'rule', 'message'],
      },
    },
  },
  required: ['success', 'code', 'message', 'requestId'],
};
const PAGE_INFO = {
  type: 'object',
  properties: {
    hasNextPage: { type: 'boolean' },
    hasPreviousPage: { type: 'boolean' },
    nextCursor: { type: ['string', 'null'], description: 'Give it as `after` to get the next page.' },
    previousCursor: { type: ['string', 'null'] },
    total: { type: 'integer' },
    totalIsCapped: { type: 'boolean', description: 'There are more than `total`.' },
  },
};

const refusal = (description: string, code: string, message: string, more: JsonObject = {}): JsonObject => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: { success: false, code, message, requestId: 'req_3Fq8' },
    },
  },
  ...more,
});
const AGAIN = { headers: { 'Retry-After': { description: 'Seconds until the next try.', schema: { type: 'integer' } } } };

const RESPONSES: JsonObject = {
  BadRequest: refusal('The request can not be read', 'BAD_REQUEST', 'The body must be a JSON object.'),
  InvalidToken: refusal('The token is missing, wrong or revoked', 'UNAUTHORIZED', 'Invalid token'),
  MissingScope: refusal(
    'The token lacks the scope, or the plan the API',
    'MISSING_SCOPE',
    "This token doesn't have access to Subscriptions. Give it the scope SUBSCRIPTIONS with READ.",
  ),
  NotFound: refusal('There is no such record in this store', 'NOT_FOUND', 'This subscription does not exist or was deleted.'),
  Conflict: refusal(
    'The state of the record does not allow it, or it was changed meanwhile',
    'INVALID_STATE',
    'Only active subscriptions can be paused.',
  ),
  NotValid: refusal('A value is not valid', 'VALIDATION', 'Enter a quantity of 1 or more.'),
  TooMany: refusal('The token called too often', 'TOO_MANY_REQUESTS', 'This token may make calls 5 times in a second.', AGAIN),
  Busy: refusal('The server is busy; nothing was saved', 'BUSY', 'The server is busy. Try again in a few seconds.', AGAIN),
};

/** What holds for all calls: paragraphs with the marks of Markdown. */
const ABOUT = [
  'Calls answer JSON in one envelope: `success`, `message`, `code`, `data`, and `pageInfo` where a list comes in pages.',
  '**Tokens.** Make one under Settings > API tokens and send it as `X-Loop-Token` (or `Authorization: Bearer`). ' +
    'It reaches what its scopes open.',
  '**Ids.** A record is named by its id, which may be written `loop-12`, or by the id of the store platform as `shopify-6204811`.',
  '**Money** is a decimal number in a text ("24.00") beside one `currencyCode`. Times are ISO 8601 in UTC, ' +
    'or seconds since 1970 where the name ends in `Epoch`.',
  '**Repeating.** Every write takes an `Idempotency-Key`: sent again with the same key within 24 hours, it answers what it answered then ' +
    'and does nothing twice.',
  '**Rates.** 5 calls a second, lists 1 a second; beyond, the answer is 429 with `Retry-After`.',
].join('\n\n');

/** The document. `server`: where the API answers, without a slash at the end. */
export function apiDocument(definitions: Definitions, server: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const tags = new Set<string>();
  for (const call of Object.values(definitions.calls)) {
    const host = definitions.hosts[call.host];
    const operation = host && !call.public ? operationOf(definitions, call) : undefined;
    if (!host || !operation) continue;
    (paths[host.prefix + call.path] ??= {})[call.method.toLowerCase()] = operation;
    tags.add((operation.tags as string[])[0] as string);
  }
  const text = JSON.stringify(paths);
  const used = Object.keys(definitions.entities).filter(name => text.includes(`"#/components/schemas/${componentName(name)}"`));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perennial API',
      version: '1',
      description: ABOUT,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: server || '/' }],
    tags: [{ name: EVENTS, description: ABOUT_EVENTS }, ...[...tags].map(name => ({ name }))],
    security: [{ token: [] }, { bearer: [] }],
    paths,
    webhooks: webhooksOf(definitions),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Loop-Token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Any text that is new for each change; a repeated request with the same one is done once.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      responses: RESPONSES,
      schemas: {
        Error: ERROR,
        PageInfo: PAGE_INFO,
        ...Object.fromEntries(
          used.sort().map(name => {
            const schema = definitions.entities[name];
            return [componentName(name), schema ? plainSchema(schema, { answer: schema['x-record']?.key ?? 'id' }) : {}];
          }),
        ),
      },
    },
  };
}
