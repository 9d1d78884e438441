// The e-mail with the link to a customer's own page, as it is asked for: by the team, or by the customer who has none.
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

type Scope = Pick<Context, 'trx' | 'storeId' | 'store' | 'definitions' | 'setting' | 'config' | 'now'>;

/**
 * The subscription that a link to the customer's own page leads to: one with a failed payment first, then the active ones, then the newest.
 * Gifts are not on it.
 */
export async function leadingContract({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, customerId: number): Promise<number | null> {
  const { rows } = await sql<{
    id: number;
  }>`select id from contracts where store_id = ${storeId}::integer and customer_id = ${customerId}::bigint
      and source <> ${GIFT}
    order by (status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status is not distinct from 'FAILED') desc, case status
      when 'ACTIVE' then 0 when 'PAUSED' then 1 when 'FAILED' then 2 else 3 end, created_at desc, id desc limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

/** The newest gift that a customer gave; null where they gave none. */
export async function newestGift({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, customerId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select id from gifts where store_id = ${storeId}::integer
    and customer_id = ${customerId}::bigint order by id desc limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

/**
 * The letter in the customer's language, with the subscription that it leads to; undefined where there is no page of theirs. `once`: a word
 * of its own for each letter.
 */
export async function portalLetter(
  context: Scope,
  customer: CustomerRow,
  once: string,
): Promise<{ contractId: number; letter: Message } | undefined> {
  const subscription = await leadingContract(context, customer.id);
  // Who only gives has a page of what was given.
  const contractId = subscription ?? (await newestGift(context, customer.id));
  const link =
    subscription === null
      ? giftsGivenLink(context.config, customer, context.now())
      : portalLink(context.config, customer, subscription, context.now());
  if (contractId === null || !link) return undefined;
  const variables = await contractVariables(context.trx, context, contractId);
  const { words, speech } = await mailSpeech(context);
  const isGood = await validFor(context);
  const kind = context.definitions.messages.CUSTOMER_PORTAL_LINK as MessageKind;
  const edit = editsOf(await context.setting(MESSAGES)).CUSTOMER_PORTAL_LINK;
  const written = letterFor(kind, edit, { words, locale: customer.locale }, language => ({
    ...variables?.variables(speech(language)),
    link,
    validFor: isGood(language),
  }));
  return {
    contractId,
    letter: { template: kind.key, ...written, to: customer.email, contractId, dedupeKey: `CUSTOMER_PORTAL_LINK:${customer.id}:${once}` },
  };
}
