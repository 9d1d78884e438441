// Referrals: who may invite whom, and the e-mail that does it.
import { sql } from 'kysely';
import { fillMessage } from '../../platform/mail/message.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { rules } from '../../platform/records/rules.ts';
import { linkPath } from './link.ts';
import { t } from '../../../domain/text/t.ts';

/** Invitations of one store in a day. */
const MOST = 20;

async function refused(email: string, { trx, storeId, session }: Context): Promise<Refusal | undefined> {
  if (!session.isReferralEligible)
    return new Refusal(403, 'FORBIDDEN', t`Your store can refer others once it has been on a paid plan for 30 days.`);
  const { rows } = await sql<{ today: number; isMember: boolean }>`select
      (select count(*) from records where store_id = ${storeId}::integer and entity = 'referral'
        and created_at > now() - interval '1 day') as today,
      exists (select 1 from users where store_id = ${storeId}::integer and removed_at is null
        and lower(email) = lower(${email})) as "isMember"`.execute(trx);
  if (rows[0]?.isMember) return new Refusal(400, 'INVALID', t`This person is on your team already.`);
  return (rows[0]?.today ?? 0) < MOST
    ? undefined
    : new Refusal(429, 'RATE_LIMITED', t`You have invited ${MOST} merchants within a day. Go on tomorrow, or send your link yourself.`);
}

export const referral = rules({
  columns: () => ({ currencyCode: sql`'USD'::text` }),
  validate: (verb, { record }, context) => (verb === 'create' ? refused(String(record?.email), context) : undefined),
  async after(verb, { record }, { trx, storeId, store, user, definitions, config, address, now }) {
    if (verb !== 'create' || !record) return;
    const values = {
      inviter: user.name,
      greeting: typeof record.greeting === 'string' ? record.greeting : '',
      link: `${config.publicUrl ?? address}${linkPath(store.myshopify_domain, String(record.code))}`,
    };
    const letter = fillMessage(definitions.messages, 'REFERRAL_INVITATION', { store: { name: store.name } }, values);
    await enqueueMail(trx, storeId, { ...letter, to: String(record.email), dedupeKey: `REFERRAL:${String(record.id)}` }, now());
  },
});
