// A gift is a prepaid contract without a payment method: its giver has paid for all its orders, and it ends with the last of them.
import { sql } from 'kysely';
import { later, translated } from '../../../domain/text/t.ts';
import type { GiftPreferencesSettings } from '../../../generated/entities.ts';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { madeAt, merchantToken, portalBase, type PortalConfig } from '../portal-link.ts';
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
/** Who acts for themselves: who gives, and who got it. */
const BY_THEMSELVES: ReadonlySet<EngineContext['source']> = new Set(['Customer portal', 'Gift recipient']);
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
  return BY_THEMSELVES.has(context.source) && !customersMay(settings.gift, action) ? translated(NOT_BY_CUSTOMERS) : null;
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

/** Path of the recipient's own page, with the name of its part. */
export const GIFT_PATH = '/a/loop_subscriptions/gift/:gift';
const pageOf = (base: string, id: number, token: string): string => `${base}${GIFT_PATH.replace(':gift', String(id))}?token=${token}`;

type Holder = Pick<GiftRow, 'id' | 'portal_token'>;
/** Links of letters and links of the team have signatures of their own: each is good for its own time. */
const ofLetters = ({ id, portal_token }: Holder): Holder => ({ id, portal_token: portal_token && `${portal_token}:letter` });

const HOUR_MS = 3_600_000;
/** A link of a letter is good for so long; each letter before an order brings a new one. */
const LETTER_DAYS = 30;
const TEAM_HOURS = 24;

/** The recipient's own page, as a letter of `at` leads to it; null without a portal. */
export function giftPage(config: PortalConfig, gift: Holder, at: Date): string | null {
  const base = portalBase(config);
  const token = base === undefined ? null : merchantToken(ofLetters(gift), at);
  return base === undefined || token === null ? null : pageOf(base, gift.id, token);
}

/** For how many more milliseconds a link to the recipient's page is good, 0 or less where it was once; undefined for one that never was. */
export function giftLinkGoodFor(gift: Holder, token: string, now: Date): number | undefined {
  const [letter, team] = [madeAt(ofLetters(gift), token), madeAt(gift, token)];
  const made = letter ?? team;
  if (!made) return undefined;
  const age = now.getTime() - made.getTime();
  return age < -HOUR_MS ? 0 : (letter ? LETTER_DAYS * 24 : TEAM_HOURS) * HOUR_MS - age;
}

/** The same for the team, with a token that is good for 24 hours (D226); without a portal there is the token alone. */
export function giftAccess(config: PortalConfig, gift: Holder, at: Date) {
  const base = portalBase(config);
  const token = merchantToken(gift, at);
  return { token, link: base === undefined || token === null ? null : pageOf(base, gift.id, token) };
}
