// Collections and selling plan groups: mapping, and the sync that keeps a group's products in step with a collection's members.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { Refusal, invalid, invalidState, notFound, type Context } from '../../platform/context.ts';
import { needsOfCall, tellEnded, withdrawn } from '../../platform/auth/acting.ts';
import { MAPPING_LIMIT } from './mapping.ts';
import { later, t } from '../../../domain/text/t.ts';

export const SYNC_JOB = 'collection-sync';
/** Members that one step takes over; a step is one transaction. */
const STEP = 200;

export type SyncKind = 'seed' | 'sync';
export interface SyncData {
  storeId: number;
  collectionId: number;
  kind: SyncKind;
}

/** The collections that are mapped to a group, as its own record shows them; at most 250. */
export async function collectionsOf({ trx, storeId }: Context, groupId: number): Promise<JsonObject[]> {
  const { rows } = await sql<JsonObject>`select c.id, c.title, c.image, c.type, c.sync_status as "syncStatus",
      (select count(*) from collection_products m join products p on p.store_id = m.store_id and p.id = m.product_id
        and p.deleted_at is null
        where m.store_id = ${storeId} and m.collection_id = c.id) as "productsCount"
    from plan_collections g join collections c on c.store_id = g.store_id and c.id = g.collection_id
    where g.store_id = ${storeId} and g.group_id = ${groupId} order by lower(c.title), c.id limit 250`.execute(trx);
  return rows;
}

/** Checks that the collections are there. @throws Refusal 422 naming each that is not */
async function needCollections({ trx, storeId }: Context, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) throw invalid([{ pointer: '/collectionIds', rule: 'minItems', message: t`Choose at least one collection.` }]);
  if (ids.length > MAPPING_LIMIT)
    throw invalid([{ pointer: '/collectionIds', rule: 'maxItems', message: t`Choose at most ${MAPPING_LIMIT} collections at a time.` }]);
  const found = new Set(
    (
      await trx
        .selectFrom('collections')
        .select('id')
        .where('store_id', '=', storeId)
        .where('id', 'in', [...ids])
        .execute()
    ).map(row => row.id),
  );
  const errors = ids.flatMap((id, index) =>
    found.has(id)
      ? []
      : [{ pointer: `/collectionIds/${index}`, rule: 'COLLECTION_DOES_NOT_EXIST', message: t`This collection no longer exists` }],
  );
  if (errors.length) throw invalid(errors);
}

/** Maps collections to a group; their members follow by a job, at once and whenever the collection is synced. */
export async function mapCollections(context: Context, groupId: number, ids: number[]): Promise<{ mapped: number }> {
  await needCollections(context, ids);
  const added = await sql<{ collection_id: number }>`insert into plan_collections (store_id, group_id, collection_id, created_at)
    select ${context.storeId}, ${groupId}, c, ${context.now()} from unnest(${ids}::bigint[]) c on conflict do nothing
      returning collection_id`.execute(context.trx);
  for (const { collection_id: id } of added.rows) await startSync(context, id, 'sync', { again: true });
  return { mapped: added.rows.length };
}

/** Takes collections off a group, and the products that only they brought. */
export async function unmapCollections(context: Context, groupId: number, ids: number[]): Promise<{ unmapped: number }> {
  await needCollections(context, ids);
  const { trx, storeId } = context;
  const removed = await sql`delete from plan_collections where store_id = ${storeId} and group_id = ${groupId}
        and collection_id = any(${ids}::bigint[])`.execute(trx);
  await sql`delete from plan_products where store_id = ${storeId} and group_id = ${groupId}
      and collection_id = any(${ids}::bigint[])`.execute(trx);
  return { unmapped: Number(removed.numAffectedRows ?? 0n) };
}

export interface CollectionStatus extends JsonObject {
  status: string;
  total: number;
  done: number;
  lastSyncedAt: string | null;
  error: string | null;
}

/** The state of the first copy (seed) or of the latest sync of a collection. */
export async function collectionStatus({ trx, storeId }: Context, id: number, kind: SyncKind): Promise<CollectionStatus> {
  const row = await trx.selectFrom('collections').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound(later`collection`);
  return {
    collectionId: row.id,
    status: kind === 'seed' ? row.seed_status : row.sync_status,
    total: row.sync_total,
    done: row.sync_done,
    lastSyncedAt: row.last_synced_at?.toISOString() ?? null,
    error: row.sync_error,
  };
}

/**
 * Queues the copying of a collection's members into the groups it is mapped to. A collection that was never seeded is seeded first;
 * `again` lets a mapping follow a sync that is already running. @throws Refusal 409 while one runs
 */
export async function startSync(context: Context, id: number, kind: SyncKind, { again = false } = {}): Promise<CollectionStatus> {
  const { trx, storeId } = context;
  const row = await trx
    .selectFrom('collections')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound(later`collection`);
  const runs = ['QUEUED', 'IN_PROGRESS'].includes(row.sync_status) || ['QUEUED', 'IN_PROGRESS'].includes(row.seed_status);
  if (runs && !again) throw new Refusal(409, 'INVALID_STATE', t`This collection is being synced already. Wait until it is done.`);
  if (kind === 'sync' && !again && row.seed_status === 'NOT_STARTED')
    throw invalidState(t`Copy the products of this collection once (seed) before syncing it.`);
  const isFirst = row.seed_status !== 'COMPLETED';
  const { n } = await trx
    .selectFrom('collection_products')
    .select(sql<number>`count(*)`.as('n'))
    .where('store_id', '=', storeId)
    .where('collection_id', '=', id)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('collections')
    .set({
      sync_status: 'QUEUED',
      ...(isFirst || kind === 'seed' ? { seed_status: 'QUEUED' } : {}),
      sync_done: 0,
      sync_total: n,
      sync_error: null,
      acting_user_id: context.user.id,
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute();
  await context.queue.send(SYNC_JOB, { storeId, collectionId: id, kind: isFirst ? 'seed' : kind } satisfies SyncData, {
    trx,
    singletonKey: `${storeId}:${id}`,
  });
  return collectionStatus(context, id, kind);
}

/** Runs work in a transaction of the store. */
export type InStore = <T>(work: (trx: Kysely<Tables>) => Promise<T>) => Promise<T>;

/**
 * Brings the groups of a collection in step with its members, some 200 products a step: members are mapped with the collection as their
 * reason, products that left lose that reason only, so what was mapped by hand stays. Gift cards are passed over. Safe to repeat.
 */
export async function syncCollection(
  inStore: InStore,
  definitions: Definitions,
  storeId: number,
  id: number,
  now: () => Date,
  signal?: AbortSignal,
): Promise<void> {
  const needs = needsOfCall(definitions, 'collections.sync');
  /** Asked before each step: true where the person who started it last may not do it any more. It is ended then. */
  const isEnded = async (trx: Kysely<Tables>): Promise<boolean> => {
    const row = await trx
      .selectFrom('collections')
      .select(['title', 'acting_user_id'])
      .where('store_id', '=', storeId)
      .where('id', '=', id)
      .executeTakeFirst();
    const reason = row && (await withdrawn({ trx, storeId }, definitions, row.acting_user_id, needs));
    if (!row || reason === undefined) return row === undefined;
    await failSync(work => work(trx), storeId, id, `${reason} What was copied before stays.`);
    const about = { action: 'collection.sync_ended', category: 'Selling plans', entity: 'collection', entityId: id };
    await tellEnded({ trx, storeId, messages: definitions.messages }, now(), {
      what: `The sync of the collection “${row.title}”`,
      reason,
      ...about,
    });
    return true;
  };
  const set = (
    values: Partial<{
      sync_status: string;
      seed_status: string;
      sync_done: number;
      sync_total: number;
      sync_error: string | null;
      last_synced_at: Date;
    }>,
  ) => inStore(trx => trx.updateTable('collections').set(values).where('store_id', '=', storeId).where('id', '=', id).execute());
  const there = await inStore(trx =>
    trx.selectFrom('collections').select('seed_status').where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst(),
  );
  if (!there || (await inStore(isEnded))) return;
  await set({ sync_status: 'IN_PROGRESS', sync_done: 0, ...(there.seed_status === 'COMPLETED' ? {} : { seed_status: 'IN_PROGRESS' }) });
  let done = 0;
  for (let after = 0; ;) {
    signal?.throwIfAborted();
    const before = done;
    const step = await inStore(async trx => {
      if (await isEnded(trx)) return 'over';
      const { rows } = await sql<{
        product_id: number;
        is_gift_card: boolean;
      }>`select m.product_id, p.is_gift_card from collection_products m join products p on p.store_id = m.store_id and p.id = m.product_id
        and p.deleted_at is null
        where m.store_id = ${storeId} and m.collection_id = ${id} and m.product_id > ${after} order by m.product_id limit ${STEP}`.execute(
        trx,
      );
      if (rows.length === 0) return undefined;
      const products = rows.filter(row => !row.is_gift_card).map(row => row.product_id);
      await sql`insert into plan_products (store_id, group_id, product_id, variant_id, collection_id, created_at)
        select ${storeId}, g.group_id, p, null, ${id}, ${now()} from plan_collections g cross join unnest(${products}::bigint[]) p
        where g.store_id = ${storeId} and g.collection_id = ${id} on conflict do nothing`.execute(trx);
      await trx
        .updateTable('collections')
        .set({ sync_done: before + rows.length })
        .where('store_id', '=', storeId)
        .where('id', '=', id)
        .execute();
      return { last: rows.at(-1)?.product_id ?? after, count: rows.length };
    });
    if (step === 'over') return;
    if (!step) break;
    after = step.last;
    done += step.count;
  }
  const isOver = await inStore(async trx => {
    if (await isEnded(trx)) return true;
    await sql`delete from plan_products m where m.store_id = ${storeId} and m.collection_id = ${id} and (
      not exists (select 1 from collection_products c join products p on p.store_id = c.store_id and p.id = c.product_id
        and p.deleted_at is null where c.store_id = m.store_id and c.collection_id = m.collection_id and c.product_id = m.product_id)
      or not exists (select 1 from plan_collections g where g.store_id = m.store_id and g.group_id = m.group_id
        and g.collection_id = m.collection_id))`.execute(trx);
    return false;
  });
  if (isOver) return;
  await set({
    sync_status: 'COMPLETED',
    seed_status: 'COMPLETED',
    sync_done: done,
    sync_total: done,
    sync_error: null,
    last_synced_at: now(),
  });
}

/** Notes that a sync gave up, with a sentence for the merchant. */
export async function failSync(
  inStore: InStore,
  storeId: number,
  id: number,
  error = 'The products could not be copied. Start the sync again; what was copied before stays.',
): Promise<void> {
  await inStore(trx =>
    trx
      .updateTable('collections')
      .set({
        sync_status: 'FAILED',
        seed_status: sql<string>`case when seed_status = 'COMPLETED' then seed_status else 'FAILED' end`,
        sync_error: error,
      })
      .where('store_id', '=', storeId)
      .where('id', '=', id)
      .execute(),
  );
}
