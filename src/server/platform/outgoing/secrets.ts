// The table of secrets: what records hold is a mask, and what is behind it stands here, sealed.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Database } from '../db/database.ts';
import type { StoreLog } from '../db/engine.ts';
import type { SecretBox, SecretPlace } from './secret-box.ts';

/** What is shown of a secret: its last four characters, of a short one none. */
export const maskOf = (secret: string): string => (secret.length < 8 ? '••••' : `••••${secret.slice(-4)}`);
/** Whether a text is a mask that a form sent back. */
export const isMask = (text: unknown): boolean => typeof text === 'string' && text.startsWith('••••');

interface Scope {
  trx: Kysely<Tables>;
  secrets: SecretBox;
}

/** Keeps a secret, or with null forgets it. @returns its mask, for the record */
export async function writeSecret({ trx, secrets }: Scope, place: SecretPlace, secret: string | null): Promise<string> {
  const { storeId, table, column, id } = place;
  if (secret === null || secret === '') {
    await forgetSecrets(trx, storeId, table, id, column);
    return '';
  }
  const sealed = secrets.seal(secret, place);
  await sql`insert into secrets (store_id, table_name, column_name, record_id, sealed)
      values (${storeId}::integer, ${table}, ${column}, ${String(id)}, ${sealed})
    on conflict (store_id, table_name, column_name, record_id) do update set sealed = excluded.sealed`.execute(trx);
  return maskOf(secret);
}

/** The secret in full, for the code that uses it; undefined if there is none. Never to be answered or logged. @throws SecretUnreadable */
export async function readSecret({ trx, secrets }: Scope, place: SecretPlace): Promise<string | undefined> {
  const row = await trx
    .selectFrom('secrets')
    .select('sealed')
    .where('store_id', '=', place.storeId)
    .where('table_name', '=', place.table)
    .where('column_name', '=', place.column)
    .where('record_id', '=', String(place.id))
    .executeTakeFirst();
  return row && secrets.open(row.sealed, place);
}

/** Forgets the secrets of a record, or one of them. */
export async function forgetSecrets(
  trx: Kysely<Tables>,
  storeId: number,
  table: string,
  id: string | number,
  column?: string,
): Promise<void> {
  let rows = trx.deleteFrom('secrets').where('store_id', '=', storeId).where('table_name', '=', table).where('record_id', '=', String(id));
  if (column !== undefined) rows = rows.where('column_name', '=', column);
  await rows.execute();
}

const BATCH = 100;

/**
 * Seals with the first key what was sealed with another one. It can be stopped at any time and begins where it was; one that can't be
 * opened is logged and left as it is.
 * @returns how many were sealed again, and how many can't be opened
 */
export async function rotateSecrets(
  { db, secrets, log }: { db: Database; secrets: SecretBox; log: StoreLog },
  signal?: AbortSignal,
): Promise<{ sealed: number; unreadable: number }> {
  const done = { sealed: 0, unreadable: 0 };
  const { rows: stores } = await db.ownerQuery<{ store_id: number }>('select distinct store_id from secrets order by 1');
  if (stores.length === 0) return done;
  for (const { store_id: storeId } of stores) {
    let after: readonly string[] = ['', '', ''];
    for (let isMore = true; isMore;) {
      signal?.throwIfAborted();
      isMore = await db.inStore(storeId, async trx => {
        const { rows } = await sql<{ t: string; c: string; id: string; sealed: string }>`
          select table_name as t, column_name as c, record_id as id, sealed from secrets where store_id = ${storeId}::integer
            and split_part(sealed, '.', 2) <> ${secrets.keyId}
            and (table_name, column_name, record_id) > (${after[0]}, ${after[1]}, ${after[2]})
          order by table_name, column_name, record_id limit ${BATCH} for update`.execute(trx);
        for (const { t, c, id, sealed } of rows) {
          const place = { storeId, table: t, column: c, id };
          try {
            await writeSecret({ trx, secrets }, place, secrets.open(sealed, place));
            done.sealed++;
          } catch (error) {
            done.unreadable++;
            log.error({ storeId, place, error: error instanceof Error ? error.message : String(error) }, 'A secret can’t be opened.');
          }
        }
        const last = rows.at(-1);
        if (last) after = [last.t, last.c, last.id];
        return rows.length === BATCH;
      });
    }
  }
  return done;
}
