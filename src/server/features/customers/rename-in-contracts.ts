// Subscriptions keep the name and e-mail address of their customer, for lists and searches.
import { sql } from 'kysely';
import type { Context } from '../../platform/context.ts';

interface Named {
  first_name: string;
  last_name: string;
  email: string;
}

/** Subscriptions take over the name and e-mail address of a customer that were changed. */
export async function renameInContracts(
  { trx, storeId }: Pick<Context, 'trx' | 'storeId'>,
  before: Named & { id: number },
  after: Named,
): Promise<void> {
  const [was, is] = [before, after].map(one => `${one.first_name} ${one.last_name}`.trim()) as [string, string];
  // The words of a subscription begin with its ids and its customer; the same letters further on are its products'.
  await sql`update contracts set customer_name = ${is}, customer_first_name = ${after.first_name}, customer_email = ${after.email},
    search = concat_ws(' ', id, shopify_id, ${`${is} ${after.email}`}::text) ||
      substr(search, length(folded(concat_ws(' ', id, shopify_id, ${`${was} ${before.email}`}::text))) + 1)
    where store_id = ${storeId}::integer and customer_id = ${before.id}::bigint`.execute(trx);
}
