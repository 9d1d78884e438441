// A shop elsewhere that a store's products and customers come from: what every kind of it can do. A store without a connection is ours
// alone. We ask; what the shop tells by itself is a hint, after which it is asked.
import type { Outgoing } from '../outgoing/outgoing.ts';

/** How the shop is reached. */
export interface ShopLink {
  /** The address that the merchant entered. */
  address: string;
  key: string;
  send: Outgoing['send'];
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
export interface Subject {
  kind: 'product' | 'variant' | 'customer';
  id: string;
}

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

/** Every function throws ShopError where the shop does not do what is wanted. */
export interface StorePlatform {
  /** Whether the key is good; the currency of the shop. */
  check(link: ShopLink): Promise<{ currency: string }>;
  /** Lets the shop tell of changes at an address, signed with a secret, until that is refused there. Whether it can. */
  listen(link: ShopLink, to: { address: string; secret: string }): Promise<boolean>;
  products(link: ShopLink, from: string | null): Promise<ShopPage<ShopProduct>>;
  /** At most 50 at once; those that are gone are left out. */
  productsById(link: ShopLink, ids: readonly string[]): Promise<ShopProduct[]>;
  /** The products that variants belong to. */
  productsOf(link: ShopLink, variants: readonly string[]): Promise<string[]>;
  customers(link: ShopLink, from: string | null): Promise<ShopPage<ShopCustomer>>;
  customersById(link: ShopLink, ids: readonly string[]): Promise<ShopCustomer[]>;
  /** Makes the order, or finds the one that was made for its key. WRONG: the shop refuses it, and says why. */
  placeOrder(link: ShopLink, order: ShopOrder): Promise<{ id: string; number: string }>;
}
