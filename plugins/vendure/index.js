// Tells Perennial what changes in this shop: events of Vendure's EventBus about products, stock, customers and orders of subscriptions are
// posted, signed, as hints. Perennial reads what they name again, so they may be lost, doubled or late. The rest stands in plans.js (plans on
// products) and place-order.js (orders that were paid with Perennial).
'use strict';
const { createHmac, randomUUID } = require('node:crypto');
const { concatAST } = require('graphql');
const {
  CustomerEvent,
  EventBus,
  Logger,
  OrderLine,
  OrderStateTransitionEvent,
  Permission,
  PluginCommonModule,
  ProductEvent,
  ProductVariantEvent,
  RefundStateTransitionEvent,
  RequestContextService,
  SettingsStoreService,
  StockMovementEvent,
  TransactionalConnection,
  VendurePlugin,
} = require('@vendure/core');

const { PlaceOrderResolver, schema } = require('./place-order.js');
const { OfferedPlans, OfferResolver, PlanPrices, PlansResolver, adminSchema, shopSchema } = require('./plans.js');

const KEY = 'perennial.events';
/** Waits (ms) before each try to post. After the last one Perennial's own look at the shop finds the change. */
const TRIES = [0, 1000, 5000];
/** Changes within this time (ms) are posted at once. */
const GATHER = 150;

/** Before it is placed nothing of an order is told. */
const isCart = state => ['Created', 'Draft', 'AddingItems', 'ArrangingPayment'].includes(state);

class PerennialPlugin {
  constructor(eventBus, settings, contexts, connection) {
    Object.assign(this, { eventBus, settings, contexts, connection, subjects: new Map() });
  }

  onApplicationBootstrap() {
    this.listen(ProductEvent, event => [['product', event.entity.id]]);
    this.listen(ProductVariantEvent, event => event.entity.map(variant => ['variant', variant.id]));
    this.listen(StockMovementEvent, event => event.stockMovements.map(movement => ['variant', movement.productVariant.id]));
    this.listen(CustomerEvent, event => [['customer', event.entity.id]]);
    this.listen(OrderStateTransitionEvent, event => (isCart(event.toState) ? [] : this.ofSubscriptions(event.order)));
    this.listen(RefundStateTransitionEvent, event => this.ofSubscriptions(event.order));
  }

  async onApplicationShutdown() {
    for (const one of this.listening ?? []) one.unsubscribe();
    clearTimeout(this.timer);
    await this.post();
  }

  listen(event, subjectsOf) {
    const subscription = this.eventBus.ofType(event).subscribe(async one => {
      try {
        for (const [kind, id] of await subjectsOf(one)) this.subjects.set(`${kind} ${id}`, { kind, id: String(id) });
      } catch (error) {
        Logger.warn(`A change could not be looked at: ${error.message}`, 'PerennialPlugin');
      }
      if (this.subjects.size > 0) this.timer ??= setTimeout(() => void this.post(), GATHER);
    });
    this.listening = [...(this.listening ?? []), subscription];
  }

  /** The order, where Perennial made it or something in it is bought by a plan; of others nothing is told. */
  async ofSubscriptions({ id, customFields }) {
    if (customFields?.perennialKey) return [['order', id]];
    const lines = await this.connection.rawConnection.getRepository(OrderLine).find({ where: { order: { id } } });
    return lines.some(line => line.customFields.perennialPlan) ? [['order', id]] : [];
  }

  /** Posts what has changed, to where Perennial wants it. */
  async post() {
    this.timer = undefined;
    const subjects = [...this.subjects.values()];
    this.subjects.clear();
    if (subjects.length === 0) return;
    try {
      const ctx = await this.contexts.create({ apiType: 'admin' });
      const { address, secret } = (await this.settings.get(ctx, KEY)) ?? {};
      if (!address || !secret) return;
      for (let at = 0; at < subjects.length; at += 100)
        if ((await this.send(address, secret, subjects.slice(at, at + 100))) === 401) {
          // No store is connected there any more. When a shop is connected again, the address comes again.
          await this.settings.set(ctx, KEY, {});
          await this.settings.set(ctx, 'perennial.plans', {});
          return;
        }
    } catch (error) {
      Logger.warn(`Changes could not be posted: ${error.message}`, 'PerennialPlugin');
    }
  }

  async send(address, secret, subjects) {
    const body = JSON.stringify({ subjects });
    const headers = {
      'content-type': 'application/json',
      'x-perennial-event-id': randomUUID(),
      'x-perennial-signature': createHmac('sha256', secret).update(body).digest('base64'),
    };
    let problem = '';
    for (const wait of TRIES) {
      await new Promise(resolve => setTimeout(resolve, wait));
      try {
        const { status } = await fetch(address, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(5000) });
        if (status < 300 || status === 401) return status;
        problem = `it answered ${status}`;
        if (status < 500 && status !== 429) break;
      } catch (error) {
        problem = error.message;
      }
    }
    Logger.warn(`Perennial was not told of ${subjects.length} changes: ${problem}`, 'PerennialPlugin');
    return undefined;
  }
}

Reflect.defineMetadata(
  'design:paramtypes',
  [EventBus, SettingsStoreService, RequestContextService, TransactionalConnection],
  PerennialPlugin,
);
VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '>=3.6.0 <4',
  adminApiExtensions: {
    schema: concatAST([schema, shopSchema, adminSchema]),
    resolvers: [PlaceOrderResolver, OfferResolver, PlansResolver],
  },
  shopApiExtensions: { schema: shopSchema, resolvers: [PlansResolver] },
  configuration: config => {
    const { tokenMethod = 'cookie' } = config.authOptions;
    // Perennial signs in with an API key.
    config.authOptions.tokenMethod = [...new Set([tokenMethod, 'api-key'].flat())];
    // Where events go, and what signs them; which plans there are. Perennial writes both.
    config.settingsStoreFields = {
      ...config.settingsStoreFields,
      perennial: [
        { name: 'events', requiresPermission: Permission.UpdateSettings },
        { name: 'plans', requiresPermission: Permission.UpdateSettings },
      ],
    };
    // By which an order is known that Perennial wants: the database lets no second one have it.
    config.customFields.Order.push({ name: 'perennialKey', type: 'string', nullable: true, unique: true, public: false, readonly: true });
    // The groups of plans that a variant is offered by, the plan by which something is bought, and the widget in which it was chosen.
    config.customFields.ProductVariant.push({ name: 'perennialGroups', type: 'string', length: 1000, nullable: true, internal: true });
    config.customFields.OrderLine.push(
      { name: 'perennialPlan', type: 'string', nullable: true },
      { name: 'perennialWidget', type: 'string', nullable: true },
    );
    const { orderOptions } = config;
    orderOptions.orderItemPriceCalculationStrategy = new PlanPrices(orderOptions.orderItemPriceCalculationStrategy);
    orderOptions.orderInterceptors = [...(orderOptions.orderInterceptors ?? []), new OfferedPlans()];
    return config;
  },
})(PerennialPlugin);

exports.PerennialPlugin = PerennialPlugin;
