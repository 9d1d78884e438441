// What of single sign-on has to be known before a store is, kept beside the store; and who is in by a way that is closed now.
import { sql, type Kysely } from 'kysely';
import type { SingleSignOnSettings } from '../../../../generated/entities.ts';
import type { Tables } from '../../../../generated/tables.ts';

/** Writes down what a page says, in the transaction that saves it. */
export async function keepWaysIn(trx: Kysely<Tables>, storeId: number, page: SingleSignOnSettings, wasOnly: boolean): Promise<void> {
  const domains = page.enabled ? (page.domains ?? []) : [];
  const isOnly = page.enabled === true && page.isRequired === true;
  await sql`update stores set sso_domains = ${[...domains]}::text[], sso_required = ${isOnly} where id = ${storeId}::integer`.execute(trx);
  // Who is in by a link has to come in again by the only way that is left.
  if (isOnly && !wasOnly)
    await sql`update sessions set revoked_at = now() where store_id = ${storeId}::integer and revoked_at is null and not by_sso
      and user_id in (select id from users where store_id = ${storeId}::integer and type <> 'OWNER')`.execute(trx);
}
