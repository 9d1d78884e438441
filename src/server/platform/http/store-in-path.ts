// The store that the address of a public page names by its number.
import type { Database } from '../db/database.ts';

/** The number of a store that is there; 0 for everything else. */
export async function storeNamed({ db }: { db: Database }, given: string | undefined): Promise<number> {
  const id = /^[1-9]\d{0,8}$/.test(given ?? '') ? Number(given) : 0;
  if (!id) return 0;
  const { rows } = await db.ownerQuery('select 1 from stores where id = $1', [id]);
  return rows.length ? id : 0;
}
