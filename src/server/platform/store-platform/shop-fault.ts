// Why a shop did not do what was wanted. It is kept as a code with what it is about, and said to each reader in their language.
import type { JsonObject } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

type Values = Readonly<Record<string, string | number>>;

const SAYS = {
  KEY_REFUSED: () => t`The shop refuses the API key.`,
  RIGHT_MISSING: () => t`The shop refuses the API key, or its role may not read products, customers and settings.`,
  ORDERS_REFUSED: () => t`The role of the API key may not make orders: it lacks the permission CreateOrder.`,
  REFUNDS_REFUSED: () => t`The role of the API key may not change orders: it lacks the permission UpdateOrder.`,
  CHANGES_REFUSED: () => t`The role of the API key may not change products: it lacks the permission UpdateCatalog.`,
  OTHER_PRICE: ({ price = '' }) => t`With its tax the shop can’t come to exactly this price. The nearest is ${price}.`,
  KEY_SEALED: () => t`The key of the shop can’t be opened any more. Enter it again.`,
  NO_API: () => t`There is no Admin API at this address. It usually ends with /admin-api.`,
  NOT_ALLOWED: () => t`This address may not be called from here. The log of the server says why.`,
  TOO_LATE: () => t`The shop did not answer in time.`,
  TOO_LARGE: () => t`The shop answered more than can be read at once.`,
  NOT_REACHED: () => t`The shop could not be reached.`,
  STATUS: ({ status = '' }) => t`The shop answered with status ${status}.`,
  UNREADABLE: ({ what = '' }) => t`The shop answered what can’t be read: ${what}.`,
  SHOP_SAYS: ({ text = '' }) => t`The shop answered with an error: ${text}`,
  CURRENCIES: ({ shop = '', store = '' }) => t`The shop sells in ${shop}, this store in ${store}. Both need the same currency.`,
  PRODUCTS_GONE: ({ missing = 0, total = 0 }) =>
    t`${missing} of ${total} products are gone from the shop. Nothing was removed here. If that is right, disconnect it and connect it
      again.`,
  CUSTOMER_ERASED: () => t`The customer was erased.`,
  OTHER_CURRENCY: ({ paid = '', shop = '' }) => t`This order was paid in ${paid}, and the shop sells in ${shop}.`,
  NO_PRODUCT_THERE: ({ name = '' }) => t`“${name}” is no product of the shop.`,
  OTHER_TOTAL: ({ total = '' }) => t`The shop has this order with another total (${total}).`,
  TOO_FINE: ({ amount = '', currency = '', decimals = 0 }) =>
    t`The shop counts money with ${decimals} decimals, too few for ${amount} ${currency}. Set up its MoneyStrategy with more.`,
  PLAN_NOT_OFFERED: () => t`This plan is no longer offered on every product that was bought by it. Offer it again, then try again.`,
  NOT_YET_HERE: ({ variant = '' }) => t`The product that was bought (variant ${variant} of the shop) is not here yet.`,
  CARD_NOT_SAID: () => t`Stripe did not say which card paid for it.`,
  NO_CUSTOMER: () => t`The order in the shop has no customer.`,
  ORDER_GONE: () => t`The shop no longer has this order, or it is not paid any more.`,
  NOT_TAKEN: ({ text = '' }) => t`No subscription could be made of it: ${text}`,
  OURS: () => t`Something went wrong here while the shop was being read or an order made in it. It is tried again by itself.`,
} satisfies Record<string, (values: Values) => string>;

export type FaultCode = keyof typeof SAYS;

/** A fault as it is kept: its code and what it is about. */
export const keptFault = (is: FaultCode, values: Values): string => JSON.stringify({ is, ...values });

/** A fault in the reader's words. What was kept in words before stays as it is. */
export function faultText(kept: unknown): string | null {
  if (typeof kept !== 'string') return null;
  if (!kept.startsWith('{')) return kept;
  const { is, ...values } = JSON.parse(kept) as JsonObject & { is: FaultCode };
  return SAYS[is](values as Values);
}

/**
 * The shop did not do what was wanted. REFUSED: the key is not good, or lacks a right: a person has to act. WRONG: its answer makes no
 * sense. UNREACHABLE: none came, or it is overloaded: later.
 */
export class ShopError extends Error {
  readonly code: 'REFUSED' | 'WRONG' | 'UNREACHABLE';
  /** Why, as `faultText` says it. */
  readonly fault: string;
  constructor(code: ShopError['code'], is: FaultCode, values: Values = {}, options?: ErrorOptions) {
    super(SAYS[is](values), options);
    this.name = 'ShopError';
    this.code = code;
    this.fault = keptFault(is, values);
  }
}
