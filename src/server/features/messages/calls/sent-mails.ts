// A sent e-mail as it was read, and sent once more.
import { framed, type Scheme } from '../../../../domain/messages/frame.ts';
import type { JsonValue } from '../../../../contract/types.ts';
import { Refusal, Reply, invalidState, notFound, type Context } from '../../../platform/context.ts';
import { oneAtATime } from '../../../platform/records/one-at-a-time.ts';
import { brandAt } from '../../../platform/mail/letterhead.ts';
import { withoutLinks, withoutTargets } from '../sent.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** The e-mail, locked where it is sent again; the product's own (links to sign in) are not found here. @throws Refusal 404 */
async function needMail({ trx, storeId, definitions }: Context, id: number, lock = false) {
  const query = trx.selectFrom('outbox').selectAll().where('store_id', '=', storeId).where('id', '=', id);
  const mail = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!mail || definitions.messages[mail.template]?.audience === 'user') throw notFound(later`e-mail`);
  return mail;
}

/** Both parts, in the branding that it was sent with; links that sign in are left out. @throws Refusal 404 */
export async function letter(context: Context, { id, scheme = 'light' }: { id: number; scheme?: Scheme }): Promise<JsonValue> {
  const { subject, html, text, language, template, branding_version: version } = await needMail(context, id);
  const isSecret = context.definitions.messages[template]?.always === true;
  const brand = await brandAt(context, version, context.mailBase);
  return {
    subject,
    text: isSecret ? withoutLinks(text) : text,
    html: html && framed({ subject, html: isSecret ? withoutTargets(html) : html, language, storeName: context.store.name, brand, scheme }),
  };
}

/** Times that one e-mail is sent again within a day. */
const MOST_A_DAY = 3;
const DAY_MS = 86_400_000;

/**
 * Sends an e-mail once more, to a customer at the address that they have now. @throws Refusal 404, 409 for one that still waits or whose
 * link is used up, 429 after three in a day
 */
export async function resend(context: Context, { id }: { id: number }): Promise<Reply> {
  await oneAtATime(context, 'sent-mail');
  const mail = await needMail(context, id, true);
  const kind = context.definitions.messages[mail.template];
  if (mail.status === 'WAITING') throw invalidState(t`This e-mail has not left yet. It is sent by itself.`);
  if (kind?.always)
    throw invalidState(t`The link in this e-mail works for a short time only. Send a new one from the subscription instead.`);
  const first = mail.resends ?? mail.id;
  const again = await context.trx
    .selectFrom('outbox')
    .select('created_at')
    .where('store_id', '=', context.storeId)
    .where('resends', '=', first)
    .where('created_at', '>', new Date(context.now().getTime() - DAY_MS))
    .orderBy('created_at')
    .execute();
  const [oldest] = again;
  if (oldest && again.length >= MOST_A_DAY) {
    const wait = Math.max(1, Math.ceil((oldest.created_at.getTime() + DAY_MS - context.now().getTime()) / 1000));
    const message = t`This e-mail was sent again three times within a day. Write to the customer yourself instead.`;
    throw new Refusal(429, 'TOO_MANY_REQUESTS', message, undefined, undefined, wait);
  }
  const to = kind?.audience === 'customer' ? ((await addressNow(context, mail.contract_id)) ?? mail.recipient) : mail.recipient;
  const { template, subject, text, html, language } = mail;
  await context.mail({
    template,
    subject,
    text,
    html,
    language,
    to,
    resends: first,
    ...(mail.contract_id ? { contractId: mail.contract_id } : {}),
  });
  await context.log({
    action: 'email.resent',
    category: 'Settings',
    description: `E-mail “${subject}” sent again`,
    entity: 'sent-mail',
    entityId: id,
    after: { to },
  });
  return new Reply({ id, to }, { message: t`The e-mail is on its way to ${to}.` });
}

async function addressNow({ trx, storeId }: Context, contractId: number | null): Promise<string | undefined> {
  if (contractId === null) return undefined;
  const contract = await trx
    .selectFrom('contracts')
    .select('customer_email')
    .where('store_id', '=', storeId)
    .where('id', '=', contractId)
    .executeTakeFirst();
  return contract?.customer_email || undefined;
}
