// What a webhook sends: one event in JSON, without what it tells of a person, which receivers read by the API.
import type { EventKind, JsonObject, JsonValue } from '../../contract/types.ts';

export interface ToldEvent {
  id: number | string;
  /** The subscription it happened to. */
  contractId: number | null;
  payload: JsonObject;
  source: string;
  at: Date;
}

/** The id that every try of an event has, so that a receiver can ignore an event that it has had already. */
export const webhookId = (event: number | string): string => `evt_${event}`;

/** The body of a webhook. `store` is the store's domain. */
export function eventBody(kind: Pick<EventKind, 'personal' | 'webhook'>, event: ToldEvent, store: string): JsonObject {
  const payload = Object.fromEntries(Object.entries(event.payload).filter(([name]) => !kind.personal.includes(name)));
  return {
    id: webhookId(event.id),
    topic: kind.webhook ?? '',
    createdAt: event.at.toISOString(),
    store,
    source: event.source,
    data: { subscriptionId: event.contractId, ...payload },
  };
}

/** Sample values by the names of fields: the first that fits counts. */
const SAMPLES: [ending: RegExp, value: JsonValue][] = [
  [/Epoch$/, 1_799_999_999],
  [/^(is|was|by)[A-Z]/, false],
  [/Ids$/, [12]],
  [/Id$/, 12],
  [/^(amount|total|price|totalBefore|totalAfter|value)$/, '24.00'],
  [/^currencyCode$/, 'USD'],
  [/Number$/, 1001],
  [/^(quantity|attempt|days|credits|deliveriesLeft|completedOrders|maxCycles|orderLimit|retry)$/, 1],
  [/^lastDigits$/, '4242'],
  [/^brand$/, 'visa'],
  [/^name$/, 'House blend'],
  [/^(before|after)$/, null],
];

/** An event as it might be, with a value for everything that its kind tells. */
export const sampleEvent = (kind: Pick<EventKind, 'payload' | 'personal' | 'webhook'>, store: string, at: Date, id: string): JsonObject =>
  eventBody(
    kind,
    {
      id,
      contractId: 12,
      source: 'Admin portal',
      at,
      payload: Object.fromEntries(
        kind.payload.map((name): [string, JsonValue] => [name, SAMPLES.find(([ending]) => ending.test(name))?.[1] ?? 'text']),
      ),
    },
    store,
  );
