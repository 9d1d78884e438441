// One-time links that sign a person in.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { hashToken, newToken } from './tokens.ts';

/** How long a link is good (minutes). */
export const LINK_MINUTES = 15;

/**
 * Makes a link of a person that signs them in once, below the admin's address `base`, within some minutes. The store's rows must be visible
 * to `trx`.
 */
export async function makeLoginLink(
  trx: Kysely<Tables>,
  storeId: number,
  userId: number,
  base: string,
  minutes = LINK_MINUTES,
): Promise<string> {
  const token = newToken();
  await sql`insert into login_links (store_id, token_hash, user_id, expires_at)
    values (${storeId}, ${hashToken(token)}, ${userId}, now() + make_interval(mins => ${minutes}))`.execute(trx);
  return `${base}/login?link=${token}`;
}

/** Where people of a store sign in at its own service, below the admin's address `base`. */
export const ssoAddress = (base: string, storeId: number): string => `${base}/login?store=${storeId}`;
