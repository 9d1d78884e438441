// The product's definitions with a few of a test's own, read by the same loader.
import { load } from '../../src/contract/load.ts';
import type { Definitions } from '../../src/contract/types.ts';
import { loadDefinitions, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

/** Makes everything in it read-only. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

let loaded: Definitions | undefined;
/** The product's definitions, read once for the files of a process; they can't be changed. */
export const productDefinitions = (): Definitions => (loaded ??= frozen(loadDefinitions()));

/** `extra`: path from the root ("schemas/calls/parcel.json") -> what the file holds. */
export const definitionsWith = (extra: Record<string, unknown>): Definitions =>
  load({
    ...readDefinitionFiles(),
    ...Object.fromEntries(Object.entries(extra).map(([path, content]) => [path, JSON.stringify(content)])),
  });

/**
 * A small kind of record that has everything the generic verbs serve: order, states, unique names, conditions, read-only and nested fields.
 */
export const PARCELS: Record<string, unknown> = {
  'schemas/entities/parcel.json': {
    title: 'Parcel',
    type: 'object',
    additionalProperties: false,
    'x-record': {
      name: { one: 'parcel', many: 'parcels' },
      key: 'id',
      label: '{name}',
      filter: ['status', 'weight', 'tags', 'isFragile', 'price', 'sentOn', 'name'],
      sort: ['name', 'weight', 'updatedAt'],
      search: ['name', 'note'],
      unique: ['name'],
    },
    'x-states': {
      field: 'status',
      moves: {
        send: { from: ['DRAFT'], to: 'SENT', guard: 'isHeavyEnough', error: 'Only a draft can be sent.' },
        lose: { from: ['SENT'], to: 'LOST' },
      },
    },
    required: ['id', 'name', 'weight'],
    properties: {
      id: { title: 'Parcel', type: 'integer', readOnly: true },
      version: { title: 'Version', type: 'integer', readOnly: true },
      status: {
        title: 'Status',
        type: 'string',
        readOnly: true,
        default: 'DRAFT',
        oneOf: [
          { const: 'DRAFT', title: 'Draft' },
          { const: 'SENT', title: 'Sent' },
          { const: 'LOST', title: 'Lost' },
        ],
      },
      name: { title: 'Name', type: 'string', minLength: 1, maxLength: 50 },
      note: { title: 'Note', type: 'string', maxLength: 500 },
      weight: { title: 'Weight', type: 'integer', minimum: 0, maximum: 1_000_000 },
      price: { title: 'Price', type: ['string', 'null'], format: 'money' },
      tags: { title: 'Tags', type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 20 },
      isFragile: { title: 'Fragile', type: 'boolean', default: false },
      sentOn: { title: 'Sent on', type: ['string', 'null'], format: 'date' },
      padding: { title: 'Padding', type: 'string', maxLength: 20, 'x-ui': { when: { isFragile: true } } },
      lines: {
        title: 'Lines',
        type: 'array',
        maxItems: 50,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['text'],
          properties: {
            id: { type: 'integer', title: 'Line' },
            text: { type: 'string', title: 'Text', maxLength: 100 },
            serial: { type: 'string', title: 'Serial', readOnly: true },
          },
        },
      },
      createdAt: { title: 'Created', type: 'string', format: 'date-time', readOnly: true },
      updatedAt: { title: 'Updated', type: 'string', format: 'date-time', readOnly: true },
    },
  },
  'schemas/calls/parcels.json': {
    title: 'Parcels',
    host: 'main',
    base: '/api/test/parcels',
    permission: 'bundleManagement',
    of: 'parcel',
    params: { note: { title: 'Note', type: 'string' } },
    calls: {
      list: { route: 'GET /list', does: 'list', page: 'cursor' },
      read: { route: 'GET /{id}', does: 'read' },
      create: { route: 'POST /create', does: 'create' },
      update: { route: 'PUT /{id}', does: 'update' },
      patch: {
        route: 'PATCH /{id}',
        does: 'update',
        in: {
          type: 'object',
          additionalProperties: false,
          properties: {
            weight: { type: 'integer', minimum: 0, title: 'Weight' },
            isFragile: { type: 'boolean', title: 'Fragile' },
            padding: { type: 'string', title: 'Padding' },
            version: { type: 'integer' },
          },
        },
      },
      delete: { route: 'DELETE /{id}', does: 'delete' },
      send: { route: 'POST /{id}/send', does: 'move' },
      lose: { route: 'POST /{id}/lose', does: 'move', in: ['id', 'note?'] },
      order: { route: 'POST /order', does: 'order' },
    },
  },
};

/** A list over the subscriptions table, which has counters, a search text and lists of ids. */
export const CONTRACT_LIST: Record<string, unknown> = {
  'schemas/calls/contract-list.json': {
    title: 'Contract list',
    host: 'main',
    base: '/api/test/contracts',
    permission: 'subscriptionDetails',
    of: 'subscription',
    calls: { list: { route: 'GET /list', does: 'list', page: 'cursor' } },
  },
};
