// Tags, note and attributes; e-mails; the backup payment method; the export.
import { sql } from 'kysely';
import type { JsonValue } from '../../../../contract/types.ts';
import {
  type Aggregate,
  details,
  isUsable,
  requestUpdate,
  sendPortalLink as sendLink,
  switchBackup,
  type UnitOfWork,
  whyNoPortal,
} from '../../../engine/index.ts';
import { skip, type ActionCode, type Undoing } from '../bulk-action.ts';
import { t } from '../../../../domain/text/t.ts';
import { nameKey } from '../../../../domain/text/names.ts';

type Mode = 'ADD' | 'REMOVE' | 'REPLACE';
interface Attribute {
  key: string;
  value: string;
}
const MAX_TAGS = 50;
const MAX_ATTRIBUTES = 50;
const LONGEST_NOTE = 5000;
/** The way back of an edit that sets one column of the contract. */
const setsBack = <C extends 'note' | 'tags' | 'custom_attributes'>(
  action: string,
  column: C,
  set: (work: UnitOfWork, subscription: Aggregate, value: Aggregate['contract'][C]) => void,
): Undoing => ({
  action,
  remember: (_work, was) => ({ value: was.contract?.[column] as JsonValue }),
  apply: (work, subscription, { value }) => set(work, subscription, value as Aggregate['contract'][C]),
});

export const updateTags: ActionCode<{ mode: Mode; tags: string[] }> = {
  undoing: setsBack('updateTags', 'tags', (work, subscription, tags) => details.updateTags(work, subscription, { tags })),
  apply: (work, subscription, { mode, tags }) => {
    const present = subscription.contract.tags;
    const named = new Set(tags.map(nameKey));
    const wanted = mode === 'ADD' ? [...present, ...tags] : mode === 'REMOVE' ? present.filter(tag => !named.has(nameKey(tag))) : tags;
    details.updateTags(work, subscription, { tags: wanted });
    if (subscription.contract.tags.length > MAX_TAGS) throw skip(t`A subscription can have at most ${MAX_TAGS} tags.`);
  },
};

export const updateNote: ActionCode<{ mode: Mode; note?: string }> = {
  undoing: setsBack('updateNote', 'note', (work, subscription, note) => details.updateNote(work, subscription, { note })),
  apply: (work, subscription, { mode, note = '' }) => {
    const wanted = mode === 'REMOVE' ? '' : mode === 'ADD' && subscription.contract.note ? `${subscription.contract.note}\n${note}` : note;
    if (wanted.length > LONGEST_NOTE) throw skip(t`A note can have at most 5,000 characters.`);
    details.updateNote(work, subscription, { note: wanted });
  },
};

export const updateAttributes: ActionCode<{ mode: Mode; customAttributes?: Attribute[]; names?: string[] }> = {
  undoing: setsBack('updateCustomAttributes', 'custom_attributes', (work, subscription, value) =>
    details.updateAttributes(work, subscription, { customAttributes: value as unknown as Attribute[] }),
  ),
  check: ({ mode, customAttributes = [] }) => {
    if (mode === 'REMOVE') return [];
    const twice = customAttributes.findIndex((one, index) => customAttributes.some((other, i) => i < index && other.key === one.key));
    return twice < 0 ? [] : [{ pointer: `/customAttributes/${twice}/key`, rule: 'unique', message: t`This name is in the list already.` }];
  },
  apply: (work, subscription, { mode, customAttributes = [], names = [] }) => {
    const present = subscription.contract.custom_attributes as Attribute[];
    const wanted =
      mode === 'REPLACE'
        ? customAttributes
        : mode === 'REMOVE'
          ? present.filter(one => !names.includes(one.key))
          : [
              ...present.map(one => customAttributes.find(other => other.key === one.key) ?? one),
              ...customAttributes.filter(one => !present.some(other => other.key === one.key)),
            ];
    if (wanted.length > MAX_ATTRIBUTES) throw skip(t`A subscription can have at most ${MAX_ATTRIBUTES} attributes.`);
    if (JSON.stringify(present) !== JSON.stringify(wanted)) details.updateAttributes(work, subscription, { customAttributes: wanted });
  },
};

export const sendPaymentUpdate: ActionCode = {
  refusals: async (work, aggregates) => {
    const since = new Date(work.at.getTime() - 86_400_000);
    const { rows } = await sql<{
      id: number;
    }>`select distinct contract_id as id from events where store_id = ${work.context.storeId}::integer
        and key = 'payment_method_update_requested'
      and created_at > ${since} and contract_id = any(${aggregates.map(subscription => subscription.contract.id)}::bigint[])`.execute(
      work.context.trx,
    );
    return new Map(rows.map(row => [row.id, t`The customer was asked in the last 24 hours.`]));
  },
  apply: async (work, subscription) => {
    if (!subscription.contract.customer_email) throw skip(t`The customer has no e-mail address.`);
    await requestUpdate(work, subscription);
  },
};

export const sendPortalLink: ActionCode = {
  unavailable: whyNoPortal,
  apply: sendLink,
};

export const assignBackup: ActionCode = {
  apply: (work, subscription) => {
    if (subscription.contract.backup_payment_method_id !== null) throw skip(t`This subscription has a backup payment method already.`);
    const method = subscription.methods.filter(one => one.id !== subscription.contract.payment_method_id && isUsable(one, work)).at(-1);
    if (!method) throw skip(t`The customer has no other payment method that can be charged.`);
    switchBackup(work, subscription, { paymentMethodId: method.id });
  },
};

export const exportSubscription: ActionCode = {
  apply: () => undefined,
};

/** Puts a note on the next order, as its call does to one subscription. */
export const addOrderNote: ActionCode<{ note: string }> = {
  undoing: {
    action: 'addOrderNote',
    remember: (_work, was) => ({ note: was.contract?.next_order_note ?? '' }),
    apply: (work, subscription, { note }) => details.addOrderNote(work, subscription, { note: String(note) }),
  },
  apply: details.addOrderNote,
};
