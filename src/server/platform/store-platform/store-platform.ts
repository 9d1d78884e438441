// A shop elsewhere that a store's products and customers come from: what every kind of it can do. A store without a connection is ours
// alone. We ask; what the shop tells by itself is a hint, after which it is asked.
import type { PublishedGroup } from '../../../domain/widgets/published.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';

/** How the shop is reached. */
export interface ShopLink {
  /** The address that the merchant entered. */
  address: string;
  key: string;
  send: Outgoing['send'];
  /** Of the store, which is the shop's, and the decimals that the shop counts all money with. */
  currency: string;
  precision: number;
}
export interface ShopVariant {
  id: string;
  /** One value for each option of the product. */
  options: string[];
  sku: string;
  /** What a customer pays, taxes included, in minor units of the shop's currency. */
  price: number;
  /** How many can be sold; null where the shop does not count. */
  stock: number | null;
}
export interface ShopProduct {
  id: string;
  handle: string;
  title: string;
  description: string;
  isActive: boolean;
  image: string | null;
  options: string[];
  /** Those that can be bought. */
  variants: ShopVariant[];
}
export interface ShopCustomer {
  id: string;
  email: string;
  /** They have an account there and have shown that the address is theirs. */
  isVerified: boolean;
  firstName: string;
  lastName: string;
  phone: string | null;
  /** ISO 3166, of the default address. */
  countryCode: string | null;
}
/** A page, and where the next one begins; null: this was the last. */
export interface ShopPage<T> {
  items: T[];
  next: string | null;
}
/** Something in the shop that may have changed. */
export type Subject = {
  kind: 'product' | 'variant' | 'customer' | 'order';
  id: string;
};

/** An order that was paid here, to be made in the shop. */
export interface ShopOrder {
  /** Ours: the shop makes one order for it, however often it is wanted. */
  key: string;
  customer: { id: string | null; email: string; firstName: string; lastName: string; phone: string | null };
  lines: { variant: string; quantity: number }[];
  /** Null where nothing is shipped. */
  address: ShopAddress | null;
  /** What was paid, taxes included, in minor units. */
  total: number;
  /** By which charge, for the books of the shop. */
  payment: string;
}
export interface ShopAddress {
  name: string;
  company: string;
  street: string;
  street2: string;
  city: string;
  province: string;
  postalCode: string;
  countryCode: string;
  phone: string;
}

/** An order of the shop in which something is bought by a plan, or that was made for us. Amounts are minor units, taxes included. */
export interface SoldOrder {
  id: string;
  number: string;
  /** Our key of an order that was made for us. */
  key: string | null;
  state: 'OPEN' | 'PAID' | 'CANCELLED';
  /** By the shop's clock; null before it is placed. */
  placedAt: Date | null;
  changedAt: Date;
  currency: string;
  customer: ShopCustomer | null;
  address: ShopAddress | null;
  shipping: { title: string; price: number };
  /**
   * `plan`: as `offerPlans` calls it; `widget`: the number of the one in which it was chosen, as the shop's page says; `price` for one
   * piece, `paid` for all of them after discounts.
   */
  lines: { variant: string; quantity: number; plan: string | null; widget: string | null; price: number; paid: number }[];
  payments: { id: string; method: string; reference: string; amount: number; refunds: ShopRefund[] }[];
}
export interface ShopRefund {
  id: string;
  amount: number;
  state: 'PENDING' | 'DONE' | 'FAILED';
  /** Our key of one that was made for us. */
  key: string | null;
}

/** Plans as the shop shows them, in the words of the storefront's files; `variants`: which groups each is offered by, in their order. */
export interface ShopOffer {
  groups: readonly PublishedGroup[];
  variants: readonly { id: string; groups: readonly number[] }[];
}

/** Every function throws ShopError where the shop does not do what is wanted. */
export interface StorePlatform {
  /** Whether the key is good; the currency of the shop, and the decimals that it counts money with. */
  check(link: ShopLink): Promise<{ currency: string; precision: number }>;
  /** Lets the shop tell of changes at an address, signed with a secret, until that is refused there. Whether it can. */
  listen(link: ShopLink, to: { address: string; secret: string }): Promise<boolean>;
  products(link: ShopLink, from: string | null): Promise<ShopPage<ShopProduct>>;
  /** At most 50 at once; those that are gone are left out. */
  productsById(link: ShopLink, ids: readonly string[]): Promise<ShopProduct[]>;
  /** The products that variants belong to. */
  productsOf(link: ShopLink, variants: readonly string[]): Promise<string[]>;
  customers(link: ShopLink, from: string | null): Promise<ShopPage<ShopCustomer>>;
  customersById(link: ShopLink, ids: readonly string[]): Promise<ShopCustomer[]>;
  /** Shows plans on the shop's variants. False: the shop can't. */
  offerPlans(link: ShopLink, offer: ShopOffer): Promise<boolean>;
  /** Orders that changed after an instant of the shop's clock, the earliest first. */
  orders(link: ShopLink, since: Date, from: string | null): Promise<ShopPage<SoldOrder>>;
  ordersById(link: ShopLink, ids: readonly string[]): Promise<SoldOrder[]>;
  /** Makes the order, or finds the one that was made for its key. WRONG: the shop refuses it, and says why. */
  placeOrder(link: ShopLink, order: ShopOrder): Promise<{ id: string; number: string }>;
  /** Calls a product otherwise, in the shop's own language. */
  rename(link: ShopLink, product: string, title: string): Promise<void>;
  /** Lets customers pay a price (minor units, taxes included) for a variant. WRONG: it can't come to exactly that. */
  reprice(link: ShopLink, variant: string, price: number): Promise<void>;
  /** Writes down that money of an order was given back here, once for the key; no money moves there. WRONG: as `placeOrder`. */
  refund(link: ShopLink, refund: { order: string; key: string; amount: number }): Promise<{ id: string }>;
}
