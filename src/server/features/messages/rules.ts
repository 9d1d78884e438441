// Sent e-mails as people look them up: those of the store to its customers and its team, never the product's own with links to sign in.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { rules } from '../../platform/records/rules.ts';
import { withoutLinks } from './sent.ts';

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
        return { kind: kind?.title ?? 'Test e-mail', why: kind?.description ?? 'When somebody tried out the words of a message.' };
      }),
  },
  // Whoever holds such a link is let in as the customer.
  conceal:
    ({ definitions: { messages } }) =>
    mail =>
      typeof mail.text === 'string' && messages[String(mail.template)]?.always ? { text: withoutLinks(mail.text) } : {},
});
