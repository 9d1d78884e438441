// Whether a person gets the advertising of a store: chosen by themselves behind the link of a letter, or for them on their record.
import { sql, type Kysely } from 'kysely';
import type { JsonValue } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Context, Source } from '../../platform/context.ts';
import { emit } from '../../platform/events/emit.ts';
import { allowAdvertising, block } from '../../platform/mail/blocks.ts';
import { isErased, leadingContract, refuseErased } from '../../engine/index.ts';
import { findCustomer } from './customer-reads.ts';

interface Choice {
  address: string;
  getsAdvertising: boolean;
  source: Source;
  /** Address of the person of the store who chose it; empty: the reader. */
  by: string;
  /** The store's clock. */
  at: Date;
  /** The letter whose link was used: a row of the outbox. */
  mail?: number;
}

/** Writes a choice down, with an entry in the customer's activity; safe to repeat. @returns whether it is another one than before */
export async function chooseAdvertising(
  { trx, storeId }: { trx: Kysely<Tables>; storeId: number },
  { address, getsAdvertising, source, by, at, mail }: Choice,
): Promise<boolean> {
  const isNew = getsAdvertising
    ? await allowAdvertising({ trx, storeId }, address)
    : await block({ trx, storeId }, { address, reason: 'UNSUBSCRIBED', by, at, ...(mail === undefined ? {} : { mail }) });
  if (isNew) await noteChoice({ trx, storeId }, { address, getsAdvertising, source, by, at });
  return isNew;
}

/** The entry in the activity of the customer who has the address; none where no customer has a subscription by it. */
export async function noteChoice(
  { trx, storeId }: { trx: Kysely<Tables>; storeId: number },
  { address, getsAdvertising, source, by, at }: Choice,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from customers where store_id = ${storeId}::integer
    and lower(email) = lower(${address})`.execute(trx);
  const contractId = rows[0] ? await leadingContract({ trx, storeId }, rows[0].id) : null;
  if (contractId !== null)
    await emit(trx, {
      storeId,
      contractId,
      key: getsAdvertising ? 'advertising_resumed' : 'advertising_ended',
      payload: {},
      source,
      entity: by,
      at,
    });
}

/** The choice of a customer, as people of the store write it down for them. @throws Refusal 404, 409 for one who was erased */
export async function setAdvertising(
  context: Context,
  { id, getsAdvertising }: { id: number; getsAdvertising: boolean },
): Promise<JsonValue> {
  const { email } = await findCustomer(context, id, true);
  if (isErased(email)) throw refuseErased();
  const { user, source } = context;
  const isNew = await chooseAdvertising(context, { address: email, getsAdvertising, source, by: user.email, at: context.now() });
  if (isNew)
    await context.log({
      action: 'customer.advertisingChosen',
      category: 'Customers',
      description: getsAdvertising ? `Customer #${id} gets advertising again` : `Customer #${id} gets no more advertising`,
      entity: 'customer',
      entityId: id,
      before: { getsAdvertising: !getsAdvertising },
      after: { getsAdvertising },
    });
  return { id, getsAdvertising };
}
