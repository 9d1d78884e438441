// What happens to the payment methods of customers. A method belongs to a customer, not to one subscription, so its event is written once.
import type { JsonObject } from '../../contract/types.ts';
import type { EventKey, EventPayloads } from '../../generated/families.ts';
import { addEvents } from '../platform/events/emit.ts';
import { actorOf, type EngineContext } from './context.ts';
import type { MethodRow } from './rows.ts';

type Scope = Pick<EngineContext, 'trx' | 'storeId' | 'now' | 'source' | 'userEmail' | 'mails'>;
type Method = Pick<MethodRow, 'id' | 'customer_id' | 'brand' | 'last_digits'>;

const cardOf = ({ id, brand, last_digits }: Method) => ({ paymentMethodId: id, brand, lastDigits: last_digits });

function emit<K extends EventKey>(context: Scope, key: K, payloads: readonly EventPayloads[K][], contractId: number | null): Promise<void> {
  return addEvents(
    context.trx,
    payloads.map(data => ({
      store_id: context.storeId,
      contract_id: contractId,
      key,
      source: context.source,
      entity: actorOf(context),
      // The members of an event's payload are JSON, whichever event it is.
      data: data as JsonObject,
      messages: context.mails ?? 'ALL',
      created_at: context.now(),
    })),
  );
}

/** A customer has a further payment method; `contractId` is the subscription that it was entered for, in whose log it then stands. */
export const tellMethodAdded = (context: Scope, method: Method, contractId: number | null = null): Promise<void> =>
  emit(context, 'payment_method_added', [{ customerId: method.customer_id, ...cardOf(method) }], contractId);

/** Cards were replaced by others, or renewed by their bank; the subscriptions that they pay for keep the method. */
export const tellMethodsUpdated = (context: Scope, changes: readonly { before: Method; after: Method }[]): Promise<void> =>
  emit(
    context,
    'payment_method_updated',
    changes.map(({ before, after }) => ({
      customerId: after.customer_id,
      paymentMethodId: after.id,
      before: cardOf(before),
      after: cardOf(after),
    })),
    null,
  );
