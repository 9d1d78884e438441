// The Stripe account of a store, as it was connected.
import type { Database } from '../db/database.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import { readSecret } from '../outgoing/secrets.ts';

export interface StripeAccount {
  id: string;
  key: string;
  /** Tells this installation's store from those of others; the same for ever. */
  mark: string;
}

/** The account; undefined where none is connected. The key goes into no answer and no log. @throws SecretUnreadable */
export const accountOf = ({ db, secrets }: { db: Database; secrets: SecretBox }, storeId: number): Promise<StripeAccount | undefined> =>
  db.inStore(
    storeId,
    async trx => {
      const row = await trx
        .selectFrom('payment_providers as p')
        .innerJoin('stores as s', 's.id', 'p.store_id')
        .select(['p.id', 'p.account_id', 's.created_at'])
        .where('p.store_id', '=', storeId)
        .where('p.provider', '=', 'STRIPE')
        .executeTakeFirst();
      const key = row && (await readSecret({ trx, secrets }, { storeId, table: 'payment-provider', column: 'apiKey', id: row.id }));
      return row && key ? { id: row.account_id, key, mark: row.created_at.getTime().toString(36) } : undefined;
    },
    { readOnly: true },
  );
