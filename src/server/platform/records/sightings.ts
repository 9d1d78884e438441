// What visitors of a shop saw, and touched: counted by day, each visitor once, and read for the records that pages show.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context, Store } from '../context.ts';

/** What pages tell. SEEN: it was on the screen; TOUCHED: something in it was pressed. */
export const HAPPENED = ['SEEN', 'TOUCHED'] as const;
export interface Sight {
  /** The id of a widget, or the public id of a box. */
  what: string;
  happened: (typeof HAPPENED)[number];
}
/** Visitors of one network that count in a day: an office, and not a program. */
const MOST_VISITORS = 60;
/** For how long they are kept. */
export const SEEN_DAYS = 90;
const FIGURE_DAYS = 30;

/** Programs say who they are. */
const PROGRAM = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor|scan|fetch|curl|wget|python|java\/|go-http|axios|node/i;
export const isProgram = (agent: string): boolean => agent === '' || PROGRAM.test(agent);

const hashed = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/**
 * Counts what one visitor saw; what is counted today already is not counted again, and what is not published never.
 * @param of the network and browser of the visitor, which are not stored
 */
export async function countSights(
  { trx, storeId, store, now }: Pick<Context, 'trx' | 'storeId' | 'now'> & { store: Pick<Store, 'timezone'> },
  sights: readonly Sight[],
  of: { network: string; agent: string; secret: string },
): Promise<void> {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: store.timezone }).format(now());
  const network = hashed(of.secret, String(storeId), day, of.network);
  const visitor = hashed(network, of.agent);
  await sql`insert into seen_on_pages (store_id, record_id, day, happened, visitor, network)
    select ${storeId}::integer, r.id, ${day}::date, s.happened, ${visitor}, ${network}
    from unnest(${sights.map(one => one.what)}::text[], ${sights.map(one => one.happened)}::text[]) as s (what, happened)
      join records r on r.store_id = ${storeId}::integer and r.deleted_at is null and r.data ->> 'status' = 'ACTIVE'
        and (r.entity = 'bundle' and r.data ->> 'publicId' = s.what
          or r.entity in ('storefront-widget', 'gift-widget', 'storefront-banner') and r.id::text = s.what)
    where ${visitor} in (select visitor from seen_on_pages
        where store_id = ${storeId}::integer and day = ${day}::date and network = ${network})
      or (select count(distinct visitor) from seen_on_pages where store_id = ${storeId}::integer and day = ${day}::date
        and network = ${network}) < ${MOST_VISITORS}::integer
    on conflict do nothing`.execute(trx);
}

/** Counts that something was bought that came into the cart by records of pages: each once for a purchase, by its name. */
export async function countPurchase(
  { trx, storeId, store, now }: Pick<Context, 'trx' | 'storeId' | 'now'> & { store: Pick<Store, 'timezone'> },
  ids: readonly number[],
  purchase: string,
): Promise<void> {
  if (ids.length === 0) return;
  const name = hashed('purchase', String(storeId), purchase);
  await sql`insert into seen_on_pages (store_id, record_id, day, happened, visitor, network)
    select ${storeId}::integer, r.id, (${now()}::timestamptz at time zone ${store.timezone}::text)::date, 'BOUGHT', ${name}, ${name}
    from records r where r.store_id = ${storeId}::integer and r.id = any(${[...new Set(ids)]}::bigint[])
      and r.entity in ('bundle', 'storefront-widget', 'gift-widget') and r.deleted_at is null
    on conflict do nothing`.execute(trx);
}

export interface Sightings {
  visitorsSaw: number;
  visitorsTouched: number;
  purchases: number;
  /** Since when they are counted. */
  countedSince: string;
}
/** What lists and records derive of it; of what leads to a purchase by itself also `purchases`. */
export const SIGHTINGS = ['visitorsSaw', 'visitorsTouched', 'countedSince'] as const;
/** Of each record, in the last thirty days: visitors, each once a day, and purchases in the store's own shop. */
export async function sightings(
  { trx, storeId, store }: Pick<Context, 'trx' | 'storeId'> & { store: Store },
  ids: readonly number[],
): Promise<Sightings[]> {
  const { rows } = await sql<{ id: number; saw: number; touched: number; bought: number }>`select record_id::float8 as id,
      count(*) filter (where happened = 'SEEN')::integer as saw, count(*) filter (where happened = 'TOUCHED')::integer as touched,
      count(*) filter (where happened = 'BOUGHT')::integer as bought
    from seen_on_pages where store_id = ${storeId}::integer and record_id = any(${[...ids]}::bigint[])
      and day > ((now() + ${store.clock_offset_ms}::float8 * interval '1 millisecond') at time zone ${store.timezone})::date
        - ${FIGURE_DAYS}::integer
    group by 1`.execute(trx);
  const known = new Map(rows.map(row => [row.id, row]));
  const countedSince = store.seen_counted_since.toISOString();
  return ids.map(id => {
    const { saw = 0, touched = 0, bought = 0 } = known.get(id) ?? {};
    return { visitorsSaw: saw, visitorsTouched: touched, purchases: bought, countedSince };
  });
}
