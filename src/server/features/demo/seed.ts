// Makes the demo store, or many stores of any size for measuring: the same seed and day give the same rows.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Definitions } from '../../../contract/types.ts';
import type { Database } from '../../platform/db/database.ts';
import { StoreCalendar } from './days.ts';
import { random } from './random.ts';
import { openStore, stock, type SeedStore } from './store.ts';
import { subscribe } from './subscribers.ts';
import { writeAccountLog } from './account-log.ts';
import { addShippingProfiles } from './shipping.ts';
import { furnishLater } from './furnish.ts';
import { writeGerman, writeLanguages } from './languages.ts';
import { writeMails } from './mails.ts';
import { writeBundles } from './bundles.ts';
import { raiseAlerts } from './alerts.ts';
import { writeCancellationFlows } from './cancellation-flows.ts';
import { writeFlows } from './flows.ts';
import { writeGifts } from './gifts.ts';
import { DEFAULT_REASONS, writeReasons } from '../cancellation-flows/default-reasons.ts';
import { writeOffers } from './offers.ts';
import { writeCheckout } from './checkout.ts';
import { writeLinks } from './links.ts';
import { writeOwnCharts } from './own-charts.ts';
import { writeStreaks } from './streaks.ts';
import { writeReferrals } from './referrals.ts';
import { writePortalThemes } from './portal-themes.ts';
import { writeThemes } from './themes.ts';
import { simulateCustomers } from './simulated-days.ts';
import { writeWidgets } from './widgets.ts';
import { BulkWriter } from './write.ts';

export interface SeedOptions {
  /** Any whole number; 1 by default. */
  seed?: number;
  /** Subscriptions in all; 5,000 by default. */
  contracts?: number;
  /** Stores they are spread over: the first gets 30 percent of many, the others share the rest. 1 by default. */
  stores?: number;
  /** The whole past of every subscription (default), or only its latest order and events: for measuring lists of a million. */
  history?: 'whole' | 'latest';
  /** A store to try the product in: its account log begins with what the team did, and its customers go on when the clock is moved. */
  isLiving?: boolean;
  /** Its e-mails and words: a living store has languages and wrote to its customers. */
  definitions?: Definitions;
  /** All permission areas, for the rights of the team. */
  areas: readonly string[];
  now?: number;
  progress?: (done: number, total: number) => void;
}

export const DEMO_DOMAIN = 'fernandember.myshopify.com';
const ZONE = 'America/New_York';
const BILLING_HOUR = 9;
const YEARS_BACK = 730;
const DAY_MS = 86_400_000;
const OWNER = 'Amira Fontaine';
/** The number of a store's first subscription. */
const FIRST_ID = 10_001;
/** So many subscriptions are written sooner than the indexes are dropped and built again. */
const FEW = 100;

/**
 * Writes the stores in one transaction, so that a seeding that was cut off leaves nothing behind, neither half a store nor a missing index.
 * Safe to repeat: stores that are there are left alone.
 */
export async function seedStores(db: Database, options: SeedOptions): Promise<{ storeId: number; contracts: number }[]> {
  const { seed = 1, contracts = 5000, stores = 1, now = Date.now() } = options;
  return db.asOwner(async trx => {
    const there = new Set((await trx.selectFrom('stores').select('id').execute()).map(row => row.id));
    const made: { storeId: number; contracts: number }[] = [];
    const written: SeedStore[] = [];
    const restore = there.size === 0 && contracts > FEW ? await dropIndexes(trx) : undefined;
    let done = 0;
    let firstId = FIRST_ID;
    for (const [i, size] of share(contracts, stores).entries()) {
      const id = i + 1;
      const store: SeedStore = {
        id,
        domain: i === 0 ? DEMO_DOMAIN : `store-${id}.myshopify.com`,
        name: i === 0 ? 'Fern & Ember' : `Store ${id}`,
        email: i === 0 ? 'hello@fernandember.example' : `hello@store-${id}.example`,
        owner: OWNER,
        isDemo: true,
        openedAt: now - YEARS_BACK * DAY_MS,
      };
      if (!there.has(id)) {
        await writeStore(trx, store, { ...options, seed, now, size, firstId }, part => options.progress?.(done + part, contracts));
        made.push({ storeId: id, contracts: size });
        written.push(store);
      }
      done += size;
      firstId += size;
      options.progress?.(done, contracts);
    }
    await restore?.();
    // Without indexes and statistics counting would take minutes a store.
    await sql`analyze`.execute(trx);
    for (const { storeId } of made) await sql`select fill_movements(${storeId}::integer)`.execute(trx);
    if (options.isLiving)
      for (const store of written) {
        await addShippingProfiles(trx, store);
        await writeAccountLog(trx, store);
        await writeFlows(trx, store, now);
        await writeCancellationFlows(trx, store, now);
        await writeOffers(trx, store, now);
        await writeStreaks(trx, store, now);
        await writeLinks(trx, store, now);
        await writeOwnCharts(trx, store, now);
        await writeCheckout(trx, store, now);
        await writeReferrals(trx, store, now);
        await writeThemes(trx, store, now);
        if (options.definitions) {
          await writeLanguages(trx, store, options.definitions, now);
          await writeMails(trx, store, options.definitions, now);
          await sql.raw(BUMP_SEQUENCES).execute(trx);
          await writeGifts(trx, store, { definitions: options.definitions, now, contracts });
          await writeBundles(trx, store, options.definitions, now);
          await writeWidgets(trx, store, options.definitions, now);
          await writePortalThemes(trx, store, options.definitions, now);
          await writeGerman(trx, store, options.definitions, now);
        }
        await furnishLater(trx, store.id);
        await simulateCustomers(trx, store.id);
      }
    for (const { storeId } of made) await raiseAlerts(trx, storeId, now);
    await sql.raw(BUMP_SEQUENCES).execute(trx);
    return made;
  });
}

/** Adds one small store to a database that has stores already, in the transaction of the caller. */
export async function seedStore(
  trx: Kysely<Tables>,
  store: Pick<SeedStore, 'id' | 'name' | 'domain' | 'email'>,
  { areas, contracts, now }: Required<Pick<SeedOptions, 'areas' | 'contracts' | 'now'>>,
): Promise<void> {
  const opened = { ...store, owner: OWNER, isDemo: true, openedAt: now - YEARS_BACK * DAY_MS };
  await writeStore(trx, opened, { areas, seed: store.id, now, size: contracts, firstId: FIRST_ID }, () => undefined);
  await sql`select fill_movements(${store.id}::integer)`.execute(trx);
  await raiseAlerts(trx, store.id, now);
  await sql.raw(BUMP_SEQUENCES).execute(trx);
}

interface StoreOptions extends SeedOptions {
  seed: number;
  now: number;
  size: number;
  firstId: number;
}

async function writeStore(
  trx: Kysely<Tables>,
  store: SeedStore,
  { seed, now, size, firstId, areas, history = 'whole' }: StoreOptions,
  progress: (part: number) => void,
): Promise<void> {
  const writer = new BulkWriter(trx);
  await openStore(writer, store, areas);
  await writer.end();
  await trx
    .insertInto('settings')
    .values({
      store_id: store.id,
      name: 'general',
      data: JSON.stringify({
        billingHour: BILLING_HOUR,
        prepaidShippingCharge: 'FIRST_ONLY',
        multipleDeliveryOptions: ['SHIPPING', 'PICKUP', 'LOCAL_DELIVERY'],
      }),
      updated_by: store.email,
    })
    .execute();
  await writeReasons(trx, store.id, store.email, DEFAULT_REASONS, now);
  const stocked = await stock(writer, store);
  await writer.end();
  await sql`select set_config('app.counts_later', 'yes', true)`.execute(trx);
  await subscribe(
    writer,
    store,
    stocked,
    new StoreCalendar(now, ZONE, BILLING_HOUR),
    random(seed).fork(store.id),
    size,
    firstId,
    history,
    progress,
  );
  await writer.end();
  await sql`select continue_order_numbers(${store.id}::integer)`.execute(trx);
  await sumUpCustomers(trx, store.id);
}

/**
 * Writes beside each customer what their subscriptions amount to, and the tag that follows from it:
 * triggers leave it alone in this transaction.
 */
async function sumUpCustomers(trx: Kysely<Tables>, storeId: number): Promise<void> {
  await sql`update customers k set active_subscriptions_count = c.active, paused_subscriptions_count = c.paused,
      cancelled_subscriptions_count = c.cancelled, all_subscriptions_count = c.n, failing_subscriptions_count = c.failing,
      tags = k.tags || array[case when c.active > 0 then 'Active Subscriber' when c.paused > 0 then 'Paused Subscriber'
        else 'Inactive Subscriber' end]
    from (select customer_id, count(*) as n, count(*) filter (where status = 'ACTIVE') as active,
      count(*) filter (where status = 'PAUSED') as paused, count(*) filter (where status = 'CANCELLED') as cancelled,
        count(*) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED') as failing
      from contracts where store_id = ${storeId}::integer group by 1) c
    where k.store_id = ${storeId}::integer and k.id = c.customer_id`.execute(trx);
}

/**
 * Drops every index that only makes reading faster; gives the way to build them again, which is quicker at
 * the end than to keep them while writing.
 */
async function dropIndexes(trx: Kysely<Tables>): Promise<() => Promise<void>> {
  const { rows } = await sql<{
    name: string;
    definition: string;
  }>`select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = 'public' and not i.indisunique and t.relname in ('contracts', 'contract_lines', 'customers', 'customer_addresses',
      'payment_methods', 'orders', 'billing_attempts', 'events')`.execute(trx);
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(trx);
  return async () => {
    await sql`set local maintenance_work_mem = '512MB'`.execute(trx);
    for (const { definition } of rows) await sql.raw(definition).execute(trx);
  };
}

/** 30 percent to the first of many stores, the rest in shrinking shares; every store gets at least one. */
function share(total: number, stores: number): number[] {
  if (stores <= 1) return [total];
  const weights = Array.from({ length: stores }, (_, i) => (i === 0 ? 0 : 1 / Math.sqrt(i)));
  const sum = weights.reduce((a, b) => a + b, 0);
  const first = Math.round(total * 0.3);
  const rest = weights.slice(1).map(weight => Math.max(1, Math.floor(((total - first) * weight) / sum)));
  return [total - rest.reduce((a, b) => a + b, 0), ...rest];
}

/** Rows were written with ids of their own; the next id of every table continues after them. */
const BUMP_SEQUENCES = `do $$ declare r record; begin
  for r in select c.table_name, c.column_name from information_schema.columns c
    where c.table_schema = 'public' and c.is_identity = 'YES' loop
    execute format('select setval(pg_get_serial_sequence(%L, %L), greatest((select coalesce(max(%I), 0) from %I), 1))',
      r.table_name, r.column_name, r.column_name, r.table_name);
  end loop;
end $$`;

/** True when no store is there yet. */
export async function isEmpty(db: Database): Promise<boolean> {
  const { rows } = await db.asOwner(trx => sql<{ n: number }>`select count(*)::int as n from stores`.execute(trx));
  return rows[0]!.n === 0;
}
