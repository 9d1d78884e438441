// The e-mail with the link to a customer's own page (CUSTOMER_PORTAL_LINK). The team can send it, and customers can request it themselves.
import { sql } from 'kysely';
import type { MessageKind } from '../../contract/types.ts';
import type { Context, Message } from '../platform/context.ts';
import { letterFor } from '../platform/mail/letter-for.ts';
import { editsOf, MESSAGES } from '../platform/mail/message-edits.ts';
import { GIFT } from './gifts/gift.ts';
import { mailSpeech } from './mail-speech.ts';
import { contractVariables } from './message-variables.ts';
import { giftsGivenLink, portalLink, validFor } from './portal-link.ts';
import type { CustomerRow } from './rows.ts';

type LetterContext = Pick<Context, 'trx' | 'storeId' | 'store' | 'definitions' | 'setting' | 'config' | 'now'>;
type StoreData = Pick<Context, 'trx' | 'storeId'>;

/**
 * The e-mail, not sent yet, in the customer's language, and the contract that it is about: the leading subscription, or the newest gift of
 * a customer who only gave gifts. Undefined if the customer has neither, or if no link can be made: the address of the portal is not known,
 * or the customer has no secret to sign it with. Whether the portal is on is for the caller to check.
 * @param requestKey identifies the request: with the same key, the same customer gets the e-mail only once
 */
export async function portalLetter(
  context: LetterContext,
  customer: CustomerRow,
  requestKey: string,
): Promise<{ contractId: number; letter: Message } | undefined> {
  const subscriptionId = await leadingContract(context, customer.id);
  const contractId = subscriptionId ?? (await newestGift(context, customer.id));
  const link =
    subscriptionId === null
      ? giftsGivenLink(context.config, customer, context.now())
      : portalLink(context.config, customer, subscriptionId, context.now());
  if (contractId === null || !link) return undefined;

  const contract = await contractVariables(context.trx, context, contractId);
  const { words, speech } = await mailSpeech(context);
  const validForIn = await validFor(context);
  const kind = context.definitions.messages.CUSTOMER_PORTAL_LINK as MessageKind;
  const storeEdit = editsOf(await context.setting(MESSAGES)).CUSTOMER_PORTAL_LINK;
  const content = letterFor(kind, storeEdit, { words, locale: customer.locale }, language => ({
    ...contract?.variables(speech(language)),
    link,
    validFor: validForIn(language),
  }));
  const dedupeKey = `CUSTOMER_PORTAL_LINK:${customer.id}:${requestKey}`;
  return { contractId, letter: { template: kind.key, ...content, to: customer.email, contractId, dedupeKey } };
}

/**
 * The id of the subscription that represents a customer, for example the one that their page opens with; null if they have none. First
 * comes one whose last payment failed (unless it is over), then ACTIVE, PAUSED, FAILED and the rest; among equals the newest. Gifts do not
 * count.
 */
export async function leadingContract({ trx, storeId }: StoreData, customerId: number): Promise<number | null> {
  const { rows } = await sql<{
    id: number;
  }>`select id from contracts where store_id = ${storeId}::integer and customer_id = ${customerId}::bigint
      and source <> ${GIFT}
    order by (status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status is not distinct from 'FAILED') desc, case status
      when 'ACTIVE' then 0 when 'PAUSED' then 1 when 'FAILED' then 2 else 3 end, created_at desc, id desc limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

/** The contract of the newest gift that a customer gave; null if they gave none. A gift has the id of its contract. */
export async function newestGift({ trx, storeId }: StoreData, customerId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select id from gifts where store_id = ${storeId}::integer
    and customer_id = ${customerId}::bigint order by id desc limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}
