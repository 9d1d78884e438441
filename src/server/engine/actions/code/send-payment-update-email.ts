// Asks the customer by e-mail for another payment method, once in 24 hours.
import { sql } from 'kysely';
import { t } from '../../../../domain/text/t.ts';
import { requestUpdate } from '../../edits/payment-methods.ts';
import { skip, type ActionCode } from '../action.ts';

export const action: ActionCode = {
  one: requestUpdate,
  refusals: async (work, aggregates) => {
    const since = new Date(work.at.getTime() - 86_400_000);
    const { rows } = await sql<{
      id: number;
    }>`select distinct contract_id as id from events where store_id = ${work.context.storeId}::integer
        and key = 'payment_method_update_requested'
      and created_at > ${since} and contract_id = any(${aggregates.map(subscription => subscription.contract.id)}::bigint[])`.execute(
      work.context.trx,
    );
    return new Map(rows.map(row => [row.id, t`The customer was asked in the last 24 hours.`]));
  },
  apply: async (work, subscription) => {
    if (!subscription.contract.customer_email) throw skip(t`The customer has no e-mail address.`);
    await requestUpdate(work, subscription);
  },
};
