// Plans of Perennial on the products of this shop: which are offered on a variant, what a piece costs by them, and the choice on a line of
// the order. Perennial writes which they are (settings `perennial.plans`, and the groups of each variant), so nothing is asked of it here.
'use strict';
const { Args, Mutation, Parent, ResolveField, Resolver } = require('@nestjs/graphql');
const {
  Allow,
  Ctx,
  Permission,
  ProductVariant,
  ProductVariantService,
  RequestContext,
  SettingsStoreService,
  Transaction,
  TransactionalConnection,
} = require('@vendure/core');
const { parse } = require('graphql');
const { decorate } = require('./decorate.js');

const PLANS = 'perennial.plans';

const shopSchema = parse(`
  "A way to subscribe to a variant."
  type PerennialPlan {
    "What the custom field perennialPlan of the order line says of who chooses it."
    id: String!
    name: String!
    "What it is called in the choice, such as “1 month”."
    optionLabel: String!
    description: String!
    "Plans of one group are a choice of how often; groupLabel stands above it, such as “Deliver every”."
    group: String!
    groupLabel: String!
    isDefault: Boolean!
    "One charge pays for so many deliveries."
    deliveriesPerCharge: Int!
    "What the checkout charges for a piece, and what that is for each delivery; taxes included."
    price: Money!
    pricePerDelivery: Money!
  }
  extend type ProductVariant {
    perennialPlans: [PerennialPlan!]!
  }
`);
const adminSchema = parse(`
  input PerennialVariantInput {
    id: ID!
    "Groups of plans that it is offered by, in their order."
    groups: [String!]!
  }
  extend type Mutation {
    "Which variants are offered by which groups. @returns how many of them are there"
    offerPerennialPlans(variants: [PerennialVariantInput!]!): Int!
  }
`);

/** Exact, half up: 15 percent of 0.1 is not left to floating point. */
const SCALE = 1_000_000;
function percentOf(base, percent) {
  const [part, whole] = [BigInt(base) * BigInt(Math.round(percent * SCALE)), BigInt(SCALE) * 100n];
  return Number((2n * part + whole) / (2n * whole));
}

/** What a charge takes for a piece, rounded half up; amounts are in the shop's units. As Perennial reckons it. */
function chargeOf(base, { rule, deliveriesPerCharge }) {
  if (rule.type === 'PERCENTAGE') return Math.max(0, percentOf(base, 100 - rule.value)) * deliveriesPerCharge;
  if (rule.type === 'PRICE') return Math.max(0, rule.value) * deliveriesPerCharge;
  if (rule.type === 'NONE') return base * deliveriesPerCharge;
  return Math.max(0, base * deliveriesPerCharge - rule.value);
}

/** The plans of a variant, in their order. */
async function plansOf(settings, ctx, variant) {
  const ids = variant.customFields?.perennialGroups?.split(' ') ?? [];
  if (ids.length === 0) return [];
  const { groups = [] } = (await settings.get(ctx, PLANS)) ?? {};
  return ids.flatMap(id => {
    const group = groups.find(one => String(one.id) === id);
    const said = group?.words?.[ctx.languageCode] ?? {};
    const [name, groupLabel] = [said.name ?? group?.name, said.optionLabel ?? group?.optionLabel];
    return (group?.plans ?? []).map(plan => ({ group: name, groupLabel, ...plan, ...said.plans?.[plan.id], id: String(plan.id) }));
  });
}

class PlansResolver {
  constructor(settings, variants) {
    Object.assign(this, { settings, variants });
  }
  async perennialPlans(ctx, variant) {
    const plans = await plansOf(this.settings, ctx, variant);
    if (plans.length === 0) return [];
    const base = await this.variants.hydratePriceFields(ctx, variant, 'priceWithTax');
    return plans.map(plan => {
      const price = chargeOf(base, plan);
      return { ...plan, price, pricePerDelivery: Math.round(price / plan.deliveriesPerCharge) };
    });
  }
}
class OfferResolver {
  constructor(connection) {
    Object.assign(this, { connection });
  }
  async offerPerennialPlans(ctx, { variants }) {
    let known = 0;
    for (const { id, groups } of variants) {
      const perennialGroups = groups.length ? groups.join(' ') : null;
      known += (await this.connection.getRepository(ctx, ProductVariant).update(id, { customFields: { perennialGroups } })).affected ?? 0;
    }
    return known;
  }
}

/** What a piece costs on a line with a plan; all else is priced as the shop does without us. */
class PlanPrices {
  constructor(before) {
    this.before = before;
  }
  async init(injector) {
    this.settings = injector.get(SettingsStoreService);
    await this.before.init?.(injector);
  }
  async destroy() {
    await this.before.destroy?.();
  }
  async calculateUnitPrice(ctx, variant, fields, order, quantity) {
    const own = await this.before.calculateUnitPrice(ctx, variant, fields, order, quantity);
    if (!fields?.perennialPlan) return own;
    const plan = (await plansOf(this.settings, ctx, variant)).find(one => one.id === fields.perennialPlan);
    if (!plan) return own;
    const base = own.priceIncludesTax ? own.price : Math.round(variant.taxRateApplied.grossPriceOf(own.price));
    return { price: chargeOf(base, plan), priceIncludesTax: true };
  }
}

/** Nothing is put into an order by a plan that it is not offered by. */
class OfferedPlans {
  init(injector) {
    this.settings = injector.get(SettingsStoreService);
  }
  willAddItemToOrder(ctx, _order, { productVariant, customFields }) {
    return this.problem(ctx, productVariant, customFields);
  }
  willAdjustOrderLine(ctx, _order, { orderLine, customFields }) {
    return this.problem(ctx, orderLine.productVariant, customFields);
  }
  async problem(ctx, variant, fields) {
    const chosen = fields?.perennialPlan;
    if (!chosen || (await plansOf(this.settings, ctx, variant)).some(one => one.id === chosen)) return undefined;
    return 'This product is not offered by this plan. Choose another one.';
  }
}

Reflect.defineMetadata('design:paramtypes', [SettingsStoreService, ProductVariantService], PlansResolver);
decorate(PlansResolver, 'perennialPlans', [ResolveField()], [RequestContext, ProductVariant], [Ctx(), Parent()]);
Resolver('ProductVariant')(PlansResolver);
Reflect.defineMetadata('design:paramtypes', [TransactionalConnection], OfferResolver);
decorate(
  OfferResolver,
  'offerPerennialPlans',
  [Transaction(), Mutation(() => Number), Allow(Permission.UpdateSettings)],
  [RequestContext, Object],
  [Ctx(), Args()],
);
Resolver()(OfferResolver);

module.exports = { OfferedPlans, OfferResolver, PlanPrices, PlansResolver, shopSchema, adminSchema };
