// The events of webhooks in the API document: how to receive them, and what each topic tells.
import { sampleEvent } from '../../../domain/webhooks/event-body.ts';
import type { Definitions, EventKind, JsonObject } from '../../../contract/types.ts';

export const EVENTS = 'Events';

/** A receiver that verifies and takes each event once; a test runs it as it stands here. */
export const RECEIVER = `import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const seen = new Set(); // keep it in a database, so that it outlives the program
createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = request.headers;
  const wanted = 'v1,' + createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest('base64');
  const isOurs = signatures.split(' ').includes(wanted) && Math.abs(Date.now() / 1000 - Number(time)) < 300;
  if (isOurs && !seen.has(id)) console.log(JSON.parse(body).topic); // do what is to be done
  if (isOurs) seen.add(id);
  response.writeHead(isOurs ? 204 : 401).end();
}).listen(Number(process.env.PORT ?? 8080));`;

export const ABOUT_EVENTS = [
  'Add a webhook under Settings > Webhooks, choose its events, and copy its secret. Each event is then sent to its address by POST.',
  '**Signature.** `webhook-signature` holds `v1,` and the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots, ' +
    'in base64 (Standard Webhooks). The key is the part of the secret after `whsec_`, decoded from base64. While a secret is changed ' +
    'there are two signatures, separated by a space.',
  '**Answer** with a status of 2xx within 5 seconds. Anything else is tried again, after 5 seconds at first and 8 hours at last, ' +
    'for 48 hours; then the webhook is switched off and we write to you. What was not delivered can be sent again.',
  '**Once.** A try that you answered may come again when your answer was lost: `webhook-id` is the same then.',
  '**Order.** Several are under way at once, so that a later event may come first. `createdAt` says when each happened.',
  '**People.** Names, addresses and free text are not sent. Read the subscription by the API where you need them.',
  `A whole receiver:\n\`\`\`js\n${RECEIVER}\n\`\`\``,
].join('\n\n');

const HEADERS: [name: string, description: string][] = [
  ['webhook-id', 'The same for every try of an event.'],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970.'],
  ['webhook-signature', 'One or two signatures, separated by a space.'],
];

function webhookOf(kind: EventKind): JsonObject {
  const members = kind.payload.filter(name => !kind.personal.includes(name));
  return {
    post: {
      operationId: `webhook.${kind.key}`,
      tags: [EVENTS],
      summary: kind.title,
      description: `The topic \`${kind.webhook}\`.`,
      security: [],
      parameters: HEADERS.map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                id: { type: 'string' },
                topic: { const: kind.webhook ?? '' },
                createdAt: { type: 'string', format: 'date-time' },
                store: { type: 'string', description: 'The domain of the store.' },
                source: { type: 'string', description: 'Where it came from: the admin, the API, the customer, or by itself (System).' },
                data: {
                  type: 'object',
                  properties: { subscriptionId: { type: ['integer', 'null'] }, ...Object.fromEntries(members.map(name => [name, {}])) },
                  required: ['subscriptionId'],
                },
              },
              required: ['id', 'topic', 'createdAt', 'store', 'source', 'data'],
            },
            example: sampleEvent(kind, 'example.myshopify.com', new Date('2027-01-15T09:00:00.000Z'), '4711'),
          },
        },
      },
      responses: { '204': { description: 'Taken' } },
    },
  };
}

/** Topic -> what is sent. */
export const webhooksOf = ({ events }: Pick<Definitions, 'events'>): JsonObject =>
  Object.fromEntries(Object.values(events).flatMap(kind => (kind.webhook ? [[kind.webhook, webhookOf(kind)]] : [])));
