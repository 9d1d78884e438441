// Questions from the help center: each goes by e-mail to those who answer.
import { sql } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { Refusal, type Store } from '../../platform/context.ts';
import { fillMessage } from '../../platform/mail/message.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { rules } from '../../platform/records/rules.ts';
import { t } from '../../../domain/text/t.ts';

/** Questions of one store in an hour. */
const MOST = 10;

/** What the store told when it began, in the words of its form; "" for what it did not say. */
function aboutStore({ onboarding }: Store, { entities }: Definitions): { sells: string; cameFrom: string; heardOf: string } {
  const form = (onboarding ?? {}) as { storeBizDetails?: string; previousSubscriptionPlatformName?: string; referralSource?: string };
  const wordsOf = (field: string, value: string | undefined): string =>
    entities['onboarding-form']?.properties?.[field]?.oneOf?.find(one => one.const === value)?.title ?? value ?? '';
  return {
    sells: form.storeBizDetails ?? '',
    cameFrom: wordsOf('previousSubscriptionPlatformName', form.previousSubscriptionPlatformName),
    heardOf: wordsOf('referralSource', form.referralSource),
  };
}

export const helpRequest = rules({
  fill: (verb, _written, { user }): JsonObject => (verb === 'create' ? { askedBy: user.email } : {}),
  async validate(verb, _written, { trx, storeId }) {
    if (verb !== 'create') return undefined;
    const { rows } = await sql<{ n: number }>`select count(*) as n from records where store_id = ${storeId}::integer
      and entity = 'help-request' and created_at > now() - interval '1 hour'`.execute(trx);
    return (rows[0]?.n ?? 0) < MOST
      ? undefined
      : new Refusal(429, 'RATE_LIMITED', t`You have sent ${MOST} questions within an hour. Wait a little before the next one.`);
  },
  async after(verb, { record }, { trx, storeId, store, user, definitions, config, now }) {
    if (verb !== 'create' || !record) return;
    const values = {
      question: String(record.subject),
      from: user.email,
      shop: `${store.name} (${store.myshopify_domain})`,
      text: String(record.message),
      ...aboutStore(store, definitions),
    };
    const letter = fillMessage(definitions.messages, 'HELP_REQUEST', {}, values);
    await enqueueMail(trx, storeId, { ...letter, to: config.supportEmail, dedupeKey: `HELP_REQUEST:${String(record.id)}` }, now());
  },
});
