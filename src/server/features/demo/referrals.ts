// Merchants whom the owner of the demo store has referred.
import type { Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAY = 86_400_000;
/** Days ago: invited, joined, earned. */
const REFERRALS: { email: string; storeName?: string; days: [invited: number, joined?: number, earned?: number] }[] = [
  { email: 'jo@tallow-and-tansy.example', storeName: 'Tallow & Tansy', days: [260, 255, 221] },
  { email: 'hello@northbeans.example', storeName: 'North Beans Roastery', days: [174, 150, 118] },
  { email: 'mira@saltwaterskin.example', storeName: 'Saltwater Skin', days: [41, 19] },
  { email: 'pete@barkandbowl.example', days: [33] },
  { email: 'shop@quietcandles.example', days: [6] },
];

export async function writeReferrals(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  const at = (days: number | undefined): string | null => (days === undefined ? null : new Date(now - days * DAY).toISOString());
  await trx
    .insertInto('records')
    .values(
      REFERRALS.map(({ email, storeName = null, days: [invited, joined, earned] }, i) => ({
        store_id: store.id,
        entity: 'referral',
        position: i + 1,
        data: JSON.stringify({
          email,
          storeName,
          greeting: null,
          code: `demo-referral-${store.id}-${i + 1}`,
          status: earned !== undefined ? 'EARNED' : joined !== undefined ? 'JOINED' : 'SENT',
          joinedAt: at(joined),
          earnedAt: at(earned),
          earned: earned === undefined ? null : '100.00',
        }),
        created_at: new Date(now - invited * DAY),
        updated_at: new Date(now - (earned ?? joined ?? invited) * DAY),
        updated_by: store.email,
      })),
    )
    .execute();
}
