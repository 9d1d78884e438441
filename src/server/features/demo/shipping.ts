// The shipping profiles of the demo store: the general one with the rates that its subscriptions were sold at, and one for tea.
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { keepProfiles } from '../shipping/keep-profiles.ts';
import { COUNTRIES } from './people.ts';
import { GROUPS } from './plans.ts';
import type { SeedStore } from './store.ts';
import { BulkWriter } from './write.ts';

const everywhere = COUNTRIES.map(({ code }) => ({ code, provinces: [] }));
const PROFILES: { name: string; groups: string[]; zones: JsonObject[] }[] = [
  {
    name: 'General rates',
    groups: [],
    zones: [
      {
        name: 'Everywhere we ship',
        countries: everywhere,
        rates: [
          {
            id: 'standard',
            name: 'Standard shipping',
            description: '3 to 5 working days',
            type: 'PRICE',
            price: '4.95',
            minPrice: '0',
            maxPrice: '45.00',
          },
          {
            id: 'standard-free',
            name: 'Standard shipping',
            description: '3 to 5 working days',
            type: 'PRICE',
            price: '0.00',
            minPrice: '45.00',
          },
          { id: 'express', name: 'Express shipping', description: 'Next working day', type: 'FLAT', price: '14.50' },
        ],
      },
    ],
  },
  {
    name: 'Tea by letter',
    groups: ['tea-core'],
    zones: [
      {
        name: 'Home',
        countries: [{ code: 'US', provinces: [] }],
        rates: [
          { id: 'letter', name: 'Letter', description: '2 to 4 working days', type: 'WEIGHT', price: '2.50', minWeight: 0, maxWeight: 0.5 },
          { id: 'parcel', name: 'Standard shipping', description: '3 to 5 working days', type: 'WEIGHT', price: '4.95', minWeight: 0.5 },
        ],
      },
      {
        name: 'Abroad',
        countries: everywhere.filter(({ code }) => code !== 'US'),
        rates: [{ id: 'abroad', name: 'What the carrier asks', type: 'CARRIER', price: '0.00', markup: 10 }],
      },
    ],
  },
];

/** Writes them, and what the engine needs of them. The store's selling plan groups are there. */
export async function addShippingProfiles(trx: Kysely<Tables>, store: SeedStore): Promise<void> {
  const writer = new BulkWriter(trx);
  const base = store.id * 1000;
  const at = new Date(store.openedAt).toISOString();
  for (const [i, { name, groups, zones }] of PROFILES.entries())
    await writer.add('records', {
      store_id: store.id,
      entity: 'shipping-profile',
      // Above the groups, whose ids come from the same sequence.
      id: base + GROUPS.length + i + 1,
      version: 1,
      position: i + 1,
      created_at: at,
      updated_at: at,
      updated_by: store.email,
      data: {
        name,
        isDefault: groups.length === 0,
        sellingPlanGroupIds: groups.map(code => base + GROUPS.findIndex(group => group.code === code) + 1),
        zones,
      },
    });
  await writer.end();
  await keepProfiles(trx, store.id);
}
