// What lists about subscriptions can be narrowed to.
import { sql } from 'kysely';
import { keysOfKind } from '../../../domain/text/event-kinds.ts';
import { mayReadOf } from '../../../contract/mask.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { CARDS } from '../../platform/auth/personal-data.ts';
import { concealedData, NOTES } from './concealed.ts';
import { rules } from '../../platform/records/rules.ts';

/** The log of a subscription, or of all subscriptions of a customer; `kind` is one of `EVENT_KINDS`. */
export const activity = rules({
  conceal({ session }) {
    const may = mayReadOf(session);
    if (may(NOTES) && may(CARDS)) return undefined;
    return ({ key, data }) => ({ data: concealedData(String(key), (data ?? {}) as JsonObject, may) });
  },
  narrow: {
    customerId: (id, { storeId }) =>
      sql`r.contract_id = any(array(select id from contracts where store_id = ${storeId}::integer and customer_id = ${id}::bigint))`,
    kind: kind => sql`r.key ~ ${keysOfKind(String(kind)) ?? '.'}`,
  },
});
