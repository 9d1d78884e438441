// Checkout upgrades: what the platform says of the store's checkout, and what a cart is offered.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { engineOf } from '../../../engine/index.ts';
import { offersFor, type OfferedLine } from '../offers.ts';

interface Platform {
  customerAccountsVersion?: 'LEGACY' | 'NEW';
  checkoutProfiles?: { id: number; name: string; isPublished: boolean }[];
}
const platformOf = ({ store }: Context): Platform => (store.details ?? {}) as Platform;

/** C482: which customer accounts the store has. Stores that say nothing have the old ones. */
export const getStoreCustomerAccountVersion = async (context: Context): Promise<JsonObject> => ({
  version: platformOf(context).customerAccountsVersion ?? 'LEGACY',
});

/** C483: the checkouts of the store at the platform, each with where it is edited. */
export const getStoreCheckoutProfiles = async (context: Context): Promise<JsonValue> =>
  (platformOf(context).checkoutProfiles ?? []).map(profile => ({
    ...profile,
    editorUrl: `https://${context.store.myshopify_domain}/admin/settings/checkout/editor/profiles/${profile.id}`,
  }));

/** What may be subscribed to of a cart, at which price; nothing while the widget is not published. */
export const offers = async (context: Context, { lines, locale }: { lines: OfferedLine[]; locale?: string }): Promise<JsonValue> => [
  ...(await offersFor({ ...engineOf(context), session: context.session }, lines, locale)),
];
