// Sent e-mails as people look them up, and own domains to send from.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { NOT_OWN, ownDomain, recordsFor } from '../../../domain/messages/sender-domain.ts';
import { rules } from '../../platform/records/rules.ts';
import { forgetUnusedKey, signingKeyOf } from '../../platform/mail/signing.ts';
import { newProof } from './domains.ts';
import { withoutLinks } from './sent.ts';
import { translated } from '../../../domain/text/t.ts';

/** Those of the store to its customers and its team, never the product's own with links to sign in. */
export const sentMail = rules({
  scope: ({ definitions }) => {
    const own = Object.values(definitions.messages).flatMap(({ key, audience }) => (audience === 'user' ? [key] : []));
    return sql`not (r.template = any(${own}::text[]))`;
  },
  narrow: {
    // By the address that they have now, and about their subscriptions.
    customerId: id => sql`(r.contract_id in (select c.id from contracts c where c.store_id = r.store_id and c.customer_id = ${Number(id)})
      or lower(r.recipient) = (select lower(k.email) from customers k where k.store_id = r.store_id and k.id = ${Number(id)}))`,
  },
  derive: {
    needs: ['template'],
    members: ['kind', 'why'],
    of: (mails, { definitions: { messages } }) =>
      mails.map(({ template }): JsonObject => {
        const kind = messages[String(template)];
        return { kind: kind?.title ?? 'Test e-mail', why: kind?.description ?? 'When the words of a message were tried out.' };
      }),
  },
  // Such a link signs its holder in as the customer.
  conceal:
    ({ definitions: { messages } }) =>
    mail =>
      typeof mail.text === 'string' && messages[String(mail.template)]?.always ? { text: withoutLinks(mail.text) } : {},
});

/** An address on an own domain, with the records that prove it. The first one is the default sender. */
export const emailDomain = rules({
  validate(verb, { record }) {
    return verb === 'create' && ownDomain(String(record?.fromEmail)) === undefined
      ? [{ pointer: '/fromEmail', rule: 'domain', message: translated(NOT_OWN) }]
      : undefined;
  },
  async fill(verb, { input }, { trx, storeId, secrets }): Promise<JsonObject> {
    if (verb === 'update') {
      // One default at most: the other one gives way first.
      if (input.isDefault === true)
        await trx
          .updateTable('email_domains')
          .set({ is_default: false })
          .where('store_id', '=', storeId)
          .where('is_default', '=', true)
          .execute();
      return {};
    }
    const domain = ownDomain(String(input.fromEmail));
    if (domain === undefined) return {};
    const token = newProof();
    const others = await trx
      .selectFrom('email_domains')
      .select('id')
      .where('store_id', '=', storeId)
      .where('is_default', '=', true)
      .execute();
    return {
      domainName: domain,
      status: 'NOT_VERIFIED',
      isDefault: others.length === 0,
      records: recordsFor(domain, token, await signingKeyOf({ trx, storeId, secrets }, domain)) as JsonObject[],
    };
  },
  async after(verb, { before }, { trx, storeId }) {
    if (verb === 'delete' && before) await forgetUnusedKey(trx, storeId, String(before.domainName));
  },
});
