// A gift is a prepaid contract without a payment method: its giver has paid for all its orders, and it ends with the last of them.
import { sql } from 'kysely';
import { later, translated } from '../../../domain/text/t.ts';
import type { GiftPreferencesSettings } from '../../../generated/entities.ts';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { merchantToken, type PortalConfig } from '../portal-link.ts';
import type { ContractRow, GiftRow } from '../rows.ts';

/** Where the contract of a gift comes from; nothing changes it. */
export const GIFT = 'GIFT';
export const isGift = ({ source }: Pick<ContractRow, 'source'>): boolean => source === GIFT;

/** Actions of a subscription that a gift allows too: none of them changes what is sent, when, or to whom. */
const BESIDE_A_GIFT: ReadonlySet<string> = new Set(['updateNote', 'addOrderNote', 'updateTags', 'updateCustomAttributes']);
const NOT_BY_CUSTOMERS = later`The store changes this for you. Write to it.`;
const IS_A_GIFT = later`This is a gift. Its orders are changed on the page of the gift.`;

/** Actions of a gift that customers have only where the store says so. */
const ALLOWED_BY: Readonly<Record<string, keyof GiftPreferencesSettings>> = {
  cancel: 'allowGifterCancel',
  chargeNow: 'allowRecipientOrderNow',
  reschedule: 'allowRecipientReschedule',
  skipOrder: 'allowRecipientSkip',
  unSkipOrder: 'allowRecipientSkip',
  swapLine: 'allowRecipientSwap',
  updateShippingDetails: 'allowRecipientEditAddress',
  updateLocalDeliveryAddress: 'allowRecipientEditAddress',
};
/** Whether giver or recipient may do it by themselves; the team may do everything. */
const customersMay = (gift: GiftPreferencesSettings, action: string): boolean => {
  const key = ALLOWED_BY[action];
  return key !== undefined && gift[key] === true;
};

/** Why an action is not done to a gift: it is for subscriptions, or the store leaves it to its team. Null: it may be. */
export function refusalOfGift(
  { context, settings }: { context: Pick<EngineContext, 'isOfGift' | 'source'>; settings: { gift: GiftPreferencesSettings } },
  action: string,
): string | null {
  if (BESIDE_A_GIFT.has(action)) return null;
  if (!context.isOfGift) return translated(IS_A_GIFT);
  return context.source === 'Customer portal' && !customersMay(settings.gift, action) ? translated(NOT_BY_CUSTOMERS) : null;
}

/** The gifts of contracts, by their ids; others have none. */
export async function giftsOf({ trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>, contracts: readonly Aggregate[]) {
  const ids = contracts.filter(({ contract }) => isGift(contract)).map(({ contract }) => contract.id);
  if (ids.length === 0) return new Map<number, GiftRow>();
  const { rows } = await sql<GiftRow>`select * from gifts where store_id = ${storeId}::integer
    and id = any(${ids}::bigint[])`.execute(trx);
  return new Map(rows.map(row => [row.id, row]));
}

/** Orders of a gift that are still to come. */
export const ordersLeft = ({ contract }: Pick<Aggregate, 'contract'>): number => contract.prepaid_credits;

const pageOf = (portalUrl: string, id: number, token: string): string => `${portalUrl}/a/loop_subscriptions/gift/${id}?token=${token}`;

/** The recipient's own page, as their e-mails lead to it; null without a portal. */
export const giftPage = ({ portalUrl }: PortalConfig, { id, portal_token }: Pick<GiftRow, 'id' | 'portal_token'>): string | null =>
  portalUrl === undefined ? null : pageOf(portalUrl, id, portal_token);

/** The same for the team, with a token that is good for 24 hours (D226); without a portal there is the token alone. */
export function giftAccess({ portalUrl }: PortalConfig, gift: Pick<GiftRow, 'id' | 'portal_token'>, at: Date) {
  const token = merchantToken(gift, at);
  return { token, link: portalUrl === undefined || token === null ? null : pageOf(portalUrl, gift.id, token) };
}
