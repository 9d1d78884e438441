// A small store for tests of the engine: a few products, customers with test cards, and contracts made by the engine itself, on a clock that the test moves.
import type { Interval } from '../../../src/domain/calendar/interval.ts';
import { withDefaults } from '../../../src/contract/validation/defaults.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { productDefinitions } from '../../support/definitions.ts';
import { act } from '../../../src/server/engine/actions/act.ts';
import { loadAggregates, type Aggregate } from '../../../src/server/engine/aggregate.ts';
import { takeCharges } from '../../../src/server/engine/charging/charge.ts';
import type { EngineContext } from '../../../src/server/engine/context.ts';
import { agendaOf, firstOf } from '../../../src/server/engine/charging/due.ts';
import { createContract } from '../../../src/server/engine/edits/create-contract.ts';
import type { NewContract } from '../../../src/server/engine/edits/new-contract.ts';
import type { PendingCharge } from '../../../src/server/engine/charging/place-order.ts';
import type { AttemptRow, OrderRow } from '../../../src/server/engine/rows.ts';
import { runDue, type RunOptions } from '../../../src/server/engine/charging/run-due.ts';
import { transactIn, type Runtime } from '../../../src/server/engine/runtime.ts';
import type { UnitOfWork } from '../../../src/server/engine/unit-of-work.ts';
import type { Gateway } from '../../../src/server/platform/gateway/gateway.ts';
import { TestGateway } from '../../../src/server/platform/gateway/test-gateway.ts';
import type { Database } from '../../../src/server/platform/db/database.ts';

export const definitions = productDefinitions();
export const DAY = 86_400_000;
export const MONTHLY: Interval = { interval: 'MONTH', intervalCount: 1 };
export const WEEKLY: Interval = { interval: 'WEEK', intervalCount: 1 };
export const ADDRESS = {
  firstName: 'Ann',
  lastName: 'Lee',
  address1: '1 Elm Street',
  city: 'Brooklyn',
  zip: '11201',
  provinceCode: 'NY',
  countryCode: 'US',
};

/** Variants of every shop: 1 tracked with stock 100, 2 not tracked, 3 tracked and sold beyond stock, 4 digital, 5 deleted. */
const VARIANTS = [
  {
    id: 1,
    title: 'Default Title',
    product: 1,
    price: 1200,
    inventory_management: 'shopify',
    inventory_policy: 'deny',
    inventory_quantity: 100,
  },
  { id: 2, title: '250 g', product: 2, price: 2400, inventory_management: null, inventory_policy: 'deny', inventory_quantity: 0 },
  { id: 3, title: '1 kg', product: 2, price: 999, inventory_management: 'shopify', inventory_policy: 'continue', inventory_quantity: 5 },
  {
    id: 4,
    title: 'Default Title',
    product: 3,
    price: 500,
    inventory_management: null,
    inventory_policy: 'deny',
    inventory_quantity: 0,
    requires_shipping: false,
  },
  {
    id: 5,
    title: 'Gone',
    product: 2,
    price: 700,
    inventory_management: null,
    inventory_policy: 'deny',
    inventory_quantity: 0,
    deleted_at: new Date(0),
  },
];

export interface ShopOptions {
  storeId?: number;
  timezone?: string;
  currency?: string;
  details?: JsonObject;
  gateway?: (db: Database) => Gateway;
}

export class Shop {
  readonly storeId: number;
  readonly runtime: Runtime;
  /** What time it is in the store. */
  now: Date;
  readonly #db: Database;
  #customers = 0;

  private constructor(db: Database, now: Date, storeId: number, gateway: Gateway) {
    this.#db = db;
    this.now = now;
    this.storeId = storeId;
    this.runtime = { db, gateway, definitions, config: {} };
  }

  static async open(db: Database, now: string | Date, options: ShopOptions = {}): Promise<Shop> {
    const { storeId = 1, timezone = 'America/New_York', currency = 'USD', details = {} } = options;
    const shop = new Shop(db, new Date(now), storeId, options.gateway?.(db) ?? new TestGateway(db));
    await db.asOwner(async trx => {
      await trx
        .insertInto('stores')
        .values({
          id: storeId,
          myshopify_domain: `shop-${storeId}.myshopify.com`,
          name: 'Fern Shop',
          email: 'team@shop.example',
          timezone,
          currency_code: currency,
          is_demo: true,
          details: JSON.stringify({
            locations: [
              { id: 1, name: 'Roastery', address: { address1: '18 Kiln Yard', city: 'Brooklyn', countryCode: 'US' }, pickup: true },
              { id: 2, name: 'Fern Street', address: {}, pickup: true },
            ],
            shippingOptions: [
              { code: 'STANDARD', title: 'Standard shipping', price: '4.95', freeAbove: '45.00' },
              { code: 'EXPRESS', title: 'Express shipping', price: '14.50' },
            ],
            localDelivery: { code: 'BIKE', title: 'Bicycle courier', price: '6.00', zipPrefixes: ['112'] },
            discountCodes: [
              { code: 'WELCOME', type: 'PERCENTAGE', value: 10, orderLimit: 2 },
              { code: 'OLD', type: 'PERCENTAGE', value: 5, isActive: false },
              { code: 'ONCE', type: 'PERCENTAGE', value: 5, appliesOnSubscription: false },
              { code: 'FULL', type: 'PERCENTAGE', value: 5, usageLimitReached: true },
              { code: 'TEA', type: 'PERCENTAGE', value: 5, productIds: [3] },
            ],
            usdRates: { EUR: 1.1 },
            ...details,
          }),
        })
        .execute();
      for (const id of [1, 2, 3])
        await trx
          .insertInto('products')
          .values({
            store_id: storeId,
            id,
            shopify_id: 800 + id,
            handle: `product-${id}`,
            title: ['Dark roast', 'Decaf', 'Brewing course'][id - 1] as string,
          })
          .execute();
      for (const { product, ...variant } of VARIANTS)
        await trx
          .insertInto('variants')
          .values({ store_id: storeId, product_id: product, shopify_id: 900 + variant.id, weight_in_grams: 250, ...variant })
          .execute();
    });
    return shop;
  }

  /** A transaction of the store in the name of a person at the shop's time. */
  as(source: EngineContext['source'] = 'Admin portal'): <T>(work: (context: EngineContext) => Promise<T>) => Promise<T> {
    const transact = transactIn(this.runtime, this.storeId, () => this.now);
    return work => transact(context => work({ ...context, source, userEmail: 'amira@shop.example' }));
  }

  /** Saves a settings page; what is left out takes the page's defaults. */
  async settings(name: string, data: JsonObject): Promise<void> {
    const document = JSON.stringify(withDefaults(definitions.settings[name] ?? {}, data));
    await this.#db.asOwner(trx =>
      trx
        .insertInto('settings')
        .values({ store_id: this.storeId, name, data: document })
        .onConflict(conflict => conflict.columns(['store_id', 'name']).doUpdateSet({ data: document }))
        .execute(),
    );
  }

  /** A customer with one payment method for each token. */
  async customer(...tokens: string[]): Promise<{ id: number; methods: number[] }> {
    const id = ++this.#customers;
    return this.#db.asOwner(async trx => {
      await trx
        .insertInto('customers')
        .values({
          store_id: this.storeId,
          id,
          shopify_id: 700 + id,
          email: `customer${id}@mail.example`,
          first_name: `Ann${id}`,
          last_name: 'Lee',
          portal_token: 'a'.repeat(32),
        })
        .execute();
      const methods: number[] = [];
      for (const [index, token] of tokens.entries()) {
        const row = await trx
          .insertInto('payment_methods')
          .values({
            store_id: this.storeId,
            shopify_id: `pm_${id}_${index}`,
            customer_id: id,
            last_digits: '4242',
            expiry_month: 12,
            expiry_year: 2090,
            gateway_token: token,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        methods.push(row.id);
      }
      return { id, methods };
    });
  }

  /** A contract as the admin makes one: variant 2 monthly, first order in a month, paid by a card that works. */
  async contract(
    input: Partial<Omit<NewContract, 'lines' | 'nextBillingDateEpoch'>> & {
      token?: string;
      backup?: string;
      first?: string | Date;
      lines?: NewContract['lines'];
      every?: Interval;
    } = {},
  ): Promise<number> {
    const { token = 'tok_success', backup, first, every = MONTHLY, ...rest } = input;
    const customer = await this.customer(...[token, backup].filter((one): one is string => one !== undefined));
    const due = new Date(first ?? this.now.getTime() + 30 * DAY);
    return this.as()(async context => {
      const { subscription } = await createContract(context, {
        customerId: customer.id,
        lines: [{ variantId: 2, quantity: 1, discountType: 'NONE' }],
        billingPolicy: every,
        nextBillingDateEpoch: Math.floor(due.getTime() / 1000),
        paymentMethodId: customer.methods[0] as number,
        address: ADDRESS,
        optionCode: 'STANDARD',
        ...rest,
      });
      if (customer.methods[1])
        await context.trx
          .updateTable('contracts')
          .set({ backup_payment_method_id: customer.methods[1] })
          .where('store_id', '=', this.storeId)
          .where('id', '=', subscription.contract.id)
          .execute();
      return subscription.contract.id;
    });
  }

  /** Runs an action as the admin would, and takes the charge through the gateway when it asks for one. */
  async act(
    id: number,
    action: string,
    change: (work: UnitOfWork, subscription: Aggregate) => unknown,
    more: { expectedVersion?: number; orderIds?: number[]; source?: EngineContext['source'] } = {},
  ): Promise<Aggregate> {
    const transact = this.as(more.source);
    const { subscription, result } = await transact(context => act(context, id, { action, attempts: 2, ...more }, change));
    if (isCharge(result)) await takeCharges(transact, this.runtime.gateway, [result]);
    return subscription;
  }

  /** Does what is due, as the job does. */
  run(options: RunOptions = {}) {
    return runDue(this.runtime, this.storeId, { now: this.now, ...options });
  }

  /** Lets time pass: stops at every moment at which something is due and does it, as the minutes would. */
  async until(date: string | Date): Promise<void> {
    const end = new Date(date);
    for (let last = 0; ;) {
      const due = firstOf(await this.as('System')(agendaOf));
      if (!due || due > end || due.getTime() <= last) break;
      last = due.getTime();
      this.now = new Date(Math.max(last, this.now.getTime()));
      await this.run();
    }
    this.now = end;
  }

  async get(id: number): Promise<Aggregate> {
    const [subscription] = await this.as()(context => loadAggregates(context.trx, this.storeId, [id], { lock: false }));
    if (!subscription) throw new Error(`There is no contract ${id}.`);
    return subscription;
  }
  orders(id: number): Promise<OrderRow[]> {
    return this.#db.inStore(this.storeId, trx =>
      trx.selectFrom('orders').selectAll().where('contract_id', '=', id).orderBy('cycle').execute(),
    );
  }
  attempts(id: number): Promise<AttemptRow[]> {
    return this.#db.inStore(this.storeId, trx =>
      trx.selectFrom('billing_attempts').selectAll().where('contract_id', '=', id).orderBy('id').execute(),
    );
  }
  /** Keys of the activity log, oldest first. */
  async log(id: number): Promise<string[]> {
    return (await this.activity(id)).map(row => row.key);
  }
  activity(id: number) {
    return this.#db.inStore(this.storeId, trx =>
      trx.selectFrom('events').selectAll().where('contract_id', '=', id).orderBy('id').execute(),
    );
  }
  mails(id: number) {
    return this.#db.inStore(this.storeId, trx =>
      trx.selectFrom('outbox').selectAll().where('contract_id', '=', id).orderBy('id').execute(),
    );
  }
  charges() {
    return this.#db.inStore(this.storeId, trx =>
      trx.selectFrom('gateway_charges').selectAll().orderBy('at').orderBy('idempotency_key').execute(),
    );
  }
  async stock(variantId: number): Promise<number> {
    return (
      await this.#db.inStore(this.storeId, trx =>
        trx.selectFrom('variants').select('inventory_quantity').where('id', '=', variantId).executeTakeFirstOrThrow(),
      )
    ).inventory_quantity;
  }
}

const isCharge = (value: unknown): value is PendingCharge =>
  typeof value === 'object' && value !== null && 'charge' in value && 'attemptId' in value;
