// Fills one store: team, products, collections, selling plan groups and what they are offered on.
import { createHash } from 'node:crypto';
import { SWITCHES_OF_NEW_STORES } from '../../../contract/switches.ts';
import { minorDigits } from '../../../domain/money/money.ts';
import { groupType, type SellingPlan } from '../../../domain/selling-plans/selling-plan.ts';
import { COLLECTIONS, PRODUCTS, type SeedProduct, type SeedVariant } from './catalogue.ts';
import { CURRENCIES } from './people.ts';
import { GROUPS, planDocument, type SeedGroup, type SeedPlan } from './plans.ts';
import type { SoldVariant } from './life.ts';
import { SCOPES } from '../../platform/auth/open-store.ts';
import type { BulkWriter } from './write.ts';

export interface SeedStore {
  id: number;
  domain: string;
  name: string;
  email: string;
  owner: string;
  isDemo: boolean;
  openedAt: number;
}
export interface Offer {
  group: SeedGroup;
  groupId: number;
  plans: { plan: SeedPlan; id: number }[];
  products: SeedProduct[];
}
export interface Stocked {
  offers: Offer[];
  variants: Map<SeedProduct, SoldVariant[]>;
}

const iso = (at: number) => new Date(at).toISOString();
const token = (...parts: (string | number)[]) => createHash('sha256').update(parts.join('/')).digest('hex').slice(0, 32);

/** The people of a demo store: one of each kind of rights. */
export const TEAM = [
  { first: 'Amira', last: 'Fontaine', type: 'OWNER', title: 'Owner' },
  { first: 'Jonah', last: 'Whitfield', type: 'ADMIN', title: 'Admin' },
  { first: 'Soren', last: 'Lindqvist', type: 'MEMBER', title: 'Support, mixed rights' },
  { first: 'Nadia', last: 'Petrov', type: 'MEMBER', title: 'Bookkeeping, read only' },
] as const;

/** What the member with mixed rights may do; everything else is READ or nothing. */
const MIXED: Record<string, string> = {
  changeSubscriptionStatus: 'WRITE',
  subscriptionDetails: 'WRITE',
  subscriptionOrderActions: 'WRITE',
  subscriptionProduct: 'WRITE',
  subscriptionDiscount: 'READ',
  subscriptionShipping: 'WRITE',
  subscriptionPaymentDetails: 'READ',
  orderNotesAndAttributes: 'WRITE',
  accessCustomerPortal: 'WRITE',
  sellingPlan: 'READ',
  generalSettings: 'READ',
  paymentRecovery: 'READ',
  inventory: 'WRITE',
  autoUpdates: 'NO_ACCESS',
  subscriptionTags: 'WRITE',
  accountLogs: 'NO_ACCESS',
  updateUserPermission: 'NO_ACCESS',
  updateUserType: 'NO_ACCESS',
  deleteUser: 'NO_ACCESS',
  pricingSettings: 'NO_ACCESS',
  homeDashboard: 'READ',
  alertCentre: 'READ',
  bulkActions: 'NO_ACCESS',
};

/** Where subscriptions are picked up. */
export const SHOP_LOCATION = {
  id: 2,
  name: 'Shop on Fern Street',
  address: {
    address1: '204 Fern Street',
    city: 'Brooklyn',
    zip: '11215',
    provinceCode: 'NY',
    province: 'New York',
    countryCode: 'US',
    country: 'United States',
  },
  pickup: true,
  pickupTime: 'Usually ready the next day',
};

/** What the platform says of a demo store: where it ships from, what shipping costs, which discounts it knows. */
export const STORE_DETAILS = {
  paymentProviders: ['Shopify Payments'],
  customerAccountsVersion: 'NEW',
  checkoutProfiles: [
    { id: 1, name: 'Fern & Ember checkout', isPublished: true },
    { id: 2, name: 'Holiday checkout', isPublished: false },
  ],
  locations: [
    {
      id: 1,
      name: 'Roastery',
      address: {
        address1: '18 Kiln Yard',
        city: 'Brooklyn',
        zip: '11231',
        provinceCode: 'NY',
        province: 'New York',
        countryCode: 'US',
        country: 'United States',
      },
      pickup: true,
      pickupTime: 'Usually ready in 2 hours',
    },
    SHOP_LOCATION,
  ],
  shippingOptions: [
    { code: 'STANDARD', title: 'Standard shipping', description: '3 to 5 working days', price: '4.95', freeAbove: '45.00' },
    { code: 'EXPRESS', title: 'Express shipping', description: 'Next working day', price: '14.50' },
  ],
  usdRates: Object.fromEntries(Object.entries(CURRENCIES).map(([code, { usd }]) => [code, minorDigits(code) === 0 ? usd / 100 : usd])),
  discountCodes: [
    { code: 'WELCOME10', title: 'Welcome', type: 'PERCENTAGE', value: 10, orderLimit: 3 },
    { code: 'FREESHIP', title: 'Free shipping', type: 'FREE_SHIPPING' },
    { code: 'SUMMER24', type: 'PERCENTAGE', value: 20, isActive: false },
    { code: 'ONETIME5', type: 'FIXED_AMOUNT', value: '5.00', appliesOnSubscription: false },
  ],
  localDelivery: {
    code: 'BIKE',
    title: 'Bicycle courier',
    description: 'Within Brooklyn, weekday evenings',
    price: '6.00',
    zipPrefixes: ['112'],
  },
};

/** Writes the store row and its users. `areas` are all permission areas. */
export async function openStore(writer: BulkWriter, store: SeedStore, areas: readonly string[]): Promise<void> {
  await writer.add('stores', {
    id: store.id,
    myshopify_domain: store.domain,
    name: store.name,
    email: store.email,
    shop_owner: store.owner,
    country_code: 'US',
    currency_code: 'USD',
    timezone: 'America/New_York',
    plan_name: 'basic',
    billing_plan_id: 4,
    storefront_widget_version: 2,
    scopes: [...SCOPES],
    feature_switches: [...SWITCHES_OF_NEW_STORES],
    onboarding: {
      storeIndustry: 'food&beverages',
      storeBizDetails: 'Coffee, tea and everyday wellness',
      alreadyRunningSubscriptions: 0,
      previousSubscriptionPlatformName: '',
      referralSource: 'friend',
      completedAt: iso(store.openedAt),
    },
    details: STORE_DETAILS,
    is_demo: store.isDemo,
    created_at: iso(store.openedAt),
  });
  for (const [i, one] of TEAM.entries()) {
    const email = `${one.first.toLowerCase()}@${store.domain.replace('.myshopify.com', '')}.example`;
    const permissions =
      one.type !== 'MEMBER'
        ? {}
        : Object.fromEntries(
            areas.map(area => [
              area,
              i === 2
                ? (MIXED[area] ?? 'READ')
                : area === 'updateUserPermission' || area === 'updateUserType' || area === 'deleteUser' || area === 'manageApiToken'
                  ? 'NO_ACCESS'
                  : 'READ',
            ]),
          );
    await writer.add('users', {
      store_id: store.id,
      id: store.id * 1000 + i + 1,
      shopify_id: 90_000_000 + store.id * 100 + i,
      email,
      first_name: one.first,
      last_name: one.last,
      type: one.type,
      role_id: null,
      permissions,
      created_at: iso(store.openedAt),
    });
  }
}

/** Writes products, variants, collections and selling plan groups; answers what can be sold. */
export async function stock(writer: BulkWriter, store: SeedStore): Promise<Stocked> {
  const base = store.id * 1000;
  const variants = new Map<SeedProduct, SoldVariant[]>();
  const productIds = new Map<SeedProduct, number>();
  for (const [i, product] of PRODUCTS.entries()) {
    const id = base + i + 1;
    const image = `/demo/${product.handle}.svg`;
    productIds.set(product, id);
    await writer.add('products', {
      store_id: store.id,
      id,
      shopify_id: 8_100_000_000 + id,
      handle: product.handle,
      title: product.title,
      vendor: product.vendor,
      product_type: product.type,
      description: `<p>${product.description}</p>`,
      status: product.status ?? 'ACTIVE',
      tags: product.tags,
      metafields: product.metafields ?? {},
      image,
      options: product.options,
      is_gift_card: product.isGiftCard ?? false,
      search: `${product.title} ${product.handle} ${product.variants.map(v => v.sku).join(' ')}`.toLowerCase(),
      created_at: iso(store.openedAt),
      updated_at: iso(store.openedAt),
    });
    variants.set(
      product,
      product.variants.map((variant, n) => ({
        productId: id,
        variantId: id * 20 + n,
        productTitle: product.title,
        variantTitle: variant.title === 'Default' ? '' : variant.title,
        sku: variant.sku,
        image,
        price: variant.price,
        grams: variant.grams,
      })),
    );
    for (const [n, variant] of product.variants.entries()) await writer.add('variants', variantRow(store.id, id, n, variant, image));
  }
  const inCollection = (handle: string) =>
    PRODUCTS.filter(product => product.collections.includes(handle) && product.status !== 'ARCHIVED');
  for (const [i, collection] of COLLECTIONS.entries()) {
    const id = base + i + 1;
    const members = inCollection(collection.handle);
    await writer.add('collections', {
      store_id: store.id,
      id,
      shopify_id: 4_400_000_000 + id,
      title: collection.title,
      type: collection.type,
      image: members[0] ? `/demo/${members[0].handle}.svg` : null,
      seed_status: 'COMPLETED',
      sync_status: 'COMPLETED',
      sync_done: members.length,
      sync_total: members.length,
      last_synced_at: iso(store.openedAt),
    });
    for (const [n, product] of members.entries())
      await writer.add('collection_products', {
        store_id: store.id,
        collection_id: id,
        product_id: productIds.get(product)!,
        position: n + 1,
      });
  }
  const offers: Offer[] = [];
  for (const [i, group] of GROUPS.entries()) {
    const groupId = base + i + 1;
    const plans = group.plans.map((plan, n) => ({ plan, id: groupId * 10 + n + 1 }));
    const createdAt = iso(store.openedAt + i * 5 * 86_400_000);
    const documents = plans.map(({ plan, id }, n) => planDocument(plan, id, n + 1));
    await writer.add('records', {
      store_id: store.id,
      entity: 'selling-plan-group',
      id: groupId,
      version: 1,
      position: i + 1,
      created_at: createdAt,
      updated_at: createdAt,
      updated_by: 'amira@fernandember.example',
      data: {
        shopifyId: group.status === 'ACTIVE' ? 3_300_000 + groupId : null,
        name: group.name,
        merchantCode: group.code,
        optionLabel: group.label,
        description: '',
        status: group.status,
        type: groupType({ sellingPlans: documents as SellingPlan[] }),
        sellingPlans: documents,
      },
    });
    const own = PRODUCTS.filter(product => group.handles?.includes(product.handle));
    for (const product of own)
      await writer.add('plan_products', {
        store_id: store.id,
        group_id: groupId,
        product_id: productIds.get(product)!,
        variant_id: null,
        collection_id: null,
        created_at: createdAt,
      });
    const bought: SeedProduct[] = [...own];
    for (const handle of group.collections ?? []) {
      const collectionId = base + COLLECTIONS.findIndex(collection => collection.handle === handle) + 1;
      await writer.add('plan_collections', { store_id: store.id, group_id: groupId, collection_id: collectionId, created_at: createdAt });
      for (const product of inCollection(handle)) {
        bought.push(product);
        await writer.add('plan_products', {
          store_id: store.id,
          group_id: groupId,
          product_id: productIds.get(product)!,
          variant_id: null,
          collection_id: collectionId,
          created_at: createdAt,
        });
      }
    }
    offers.push({ group, groupId, plans, products: bought });
  }
  return { offers, variants };
}

function variantRow(storeId: number, productId: number, n: number, variant: SeedVariant, image: string) {
  return {
    store_id: storeId,
    id: productId * 20 + n,
    product_id: productId,
    shopify_id: 46_000_000_000 + productId * 20 + n,
    title: variant.title,
    sku: variant.sku,
    price: variant.price,
    compare_at_price: null,
    position: n + 1,
    image,
    option_values: variant.options,
    inventory_management: variant.stock == null ? null : 'shopify',
    inventory_policy: variant.policy ?? 'deny',
    inventory_quantity: variant.stock ?? 0,
    weight_in_grams: variant.grams,
    requires_shipping: variant.grams > 0,
    taxable: true,
  };
}

/** A 32-hex token that belongs to these parts and to nothing else (D102). Deterministic, for demo customers only. */
export const demoToken = token;
