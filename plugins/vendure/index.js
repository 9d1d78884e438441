// Tells Perennial what changes in this shop: product, stock and customer events of Vendure's EventBus are posted, signed, as hints.
// Perennial reads what they name again, so they may be lost, doubled or late. And makes the orders that were paid with Perennial.
'use strict';
const { createHmac, randomUUID } = require('node:crypto');
const {
  CustomerEvent,
  EventBus,
  Logger,
  Permission,
  PluginCommonModule,
  ProductEvent,
  ProductVariantEvent,
  RequestContextService,
  SettingsStoreService,
  StockMovementEvent,
  VendurePlugin,
} = require('@vendure/core');

const { PlaceOrderResolver, schema } = require('./place-order.js');

const KEY = 'perennial.events';
/** Waits (ms) before each try to post. After the last one Perennial's own look at the shop finds the change. */
const TRIES = [0, 1000, 5000];
/** Changes within this time (ms) are posted at once. */
const GATHER = 150;

class PerennialPlugin {
  constructor(eventBus, settings, contexts) {
    Object.assign(this, { eventBus, settings, contexts, subjects: new Map() });
  }

  onApplicationBootstrap() {
    this.listen(ProductEvent, event => [['product', event.entity.id]]);
    this.listen(ProductVariantEvent, event => event.entity.map(variant => ['variant', variant.id]));
    this.listen(StockMovementEvent, event => event.stockMovements.map(movement => ['variant', movement.productVariant.id]));
    this.listen(CustomerEvent, event => [['customer', event.entity.id]]);
  }

  async onApplicationShutdown() {
    for (const one of this.listening ?? []) one.unsubscribe();
    clearTimeout(this.timer);
    await this.post();
  }

  listen(event, subjectsOf) {
    const subscription = this.eventBus.ofType(event).subscribe(one => {
      for (const [kind, id] of subjectsOf(one)) this.subjects.set(`${kind} ${id}`, { kind, id: String(id) });
      this.timer ??= setTimeout(() => void this.post(), GATHER);
    });
    this.listening = [...(this.listening ?? []), subscription];
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

Reflect.defineMetadata('design:paramtypes', [EventBus, SettingsStoreService, RequestContextService], PerennialPlugin);
VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '>=3.6.0 <4',
  adminApiExtensions: { schema, resolvers: [PlaceOrderResolver] },
  configuration: config => {
    const { tokenMethod = 'cookie' } = config.authOptions;
    // Perennial signs in with an API key.
    config.authOptions.tokenMethod = [...new Set([tokenMethod, 'api-key'].flat())];
    // Where events go, and what signs them: Perennial writes it when the shop is connected.
    config.settingsStoreFields = {
      ...config.settingsStoreFields,
      perennial: [{ name: 'events', requiresPermission: Permission.UpdateSettings }],
    };
    // By which an order is known that Perennial wants: the database lets no second one have it.
    config.customFields.Order.push({ name: 'perennialKey', type: 'string', nullable: true, unique: true, public: false, readonly: true });
    return config;
  },
})(PerennialPlugin);

exports.PerennialPlugin = PerennialPlugin;
