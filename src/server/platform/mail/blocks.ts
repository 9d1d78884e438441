// Addresses that a store sends nothing more to, or no advertising: what mail servers reported and readers chose.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { MessageKind } from '../../../contract/types.ts';
import { later } from '../../../domain/text/t.ts';

export const BLOCK_REASONS = ['HARD_BOUNCE', 'SOFT_BOUNCES', 'COMPLAINT', 'UNSUBSCRIBED'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** Why an e-mail did not leave, as its record says it. */
export const NOT_SENT: Readonly<Record<BlockReason, string>> = {
  HARD_BOUNCE: later`Not sent: this address does not exist, an earlier e-mail to it came back.`,
  SOFT_BOUNCES: later`Not sent: several e-mails in a row to this address came back.`,
  COMPLAINT: later`Not sent: the reader reported an e-mail of your store as spam.`,
  UNSUBSCRIBED: later`Not sent: the reader wants no advertising.`,
};

interface Scope {
  trx: Kysely<Tables>;
  storeId: number;
}
export interface NewBlock {
  address: string;
  reason: BlockReason;
  /** What the other mail server wrote. */
  detail?: string;
  /** Row of the outbox by which it came about. */
  mail?: number;
  /** Address of the person of the store who did it. */
  by?: string;
  at: Date;
}

/** Writes a block down, once for each address. @returns whether it is new */
export async function block({ trx, storeId }: Scope, { address, reason, detail = '', mail, by = '', at }: NewBlock): Promise<boolean> {
  const { rows } = await sql`insert into mail_blocks (store_id, address, reason, detail, outbox_id, created_by, created_at)
    values (${storeId}::integer, lower(${address}), ${reason}, ${detail}, ${mail ?? null}::bigint, ${by}, ${at}::timestamptz)
    on conflict do nothing returning id`.execute(trx);
  return rows.length > 0;
}

/** Lets an address get advertising again. @returns whether it had chosen to get none */
export async function allowAdvertising({ trx, storeId }: Scope, address: string): Promise<boolean> {
  const { rows } = await sql`delete from mail_blocks where store_id = ${storeId}::integer and address = lower(${address})
    and reason = 'UNSUBSCRIBED' returning id`.execute(trx);
  return rows.length > 0;
}

export interface Block {
  id: number;
  address: string;
  reason: BlockReason;
}
/** The blocks of some addresses. */
export async function blocksOf({ trx, storeId }: Scope, addresses: readonly string[]): Promise<Block[]> {
  const { rows } = await sql<Block>`select id, address, reason from mail_blocks where store_id = ${storeId}::integer
    and address = any(${addresses.map(one => one.toLowerCase())}::text[])`.execute(trx);
  return rows;
}

/** A customer whose address changes has the same choice at the new one; what was undeliverable is of the old one alone. */
export async function takeChoiceAlong({ trx, storeId }: Scope, before: string, after: string): Promise<void> {
  await sql`insert into mail_blocks (store_id, address, reason, created_by, created_at)
    select store_id, lower(${after}), reason, created_by, created_at from mail_blocks
    where store_id = ${storeId}::integer and address = lower(${before}) and reason = 'UNSUBSCRIBED' on conflict do nothing`.execute(trx);
}

/**
 * What keeps a message from an address: a block of all e-mails, or the reader's choice where it is advertising. Links to sign in
 * are sent in any case: who needs one has requested it, and could never come in again to remove the block.
 */
export function blockFor(kind: MessageKind | undefined, blocks: readonly Pick<Block, 'reason'>[]): BlockReason | undefined {
  if (kind?.audience === 'user' && kind.always) return undefined;
  const isAdvertising = kind?.purpose === 'advertising';
  return (
    blocks.find(({ reason }) => reason !== 'UNSUBSCRIBED')?.reason ??
    (isAdvertising ? blocks.find(({ reason }) => reason === 'UNSUBSCRIBED')?.reason : undefined)
  );
}
