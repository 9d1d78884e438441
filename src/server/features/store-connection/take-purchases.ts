// What was bought by a plan in the shop becomes a subscription here, by the function of our own checkout: its customer, its first order as
// it was paid there, and the schedule of the plan from then on.
import { sql } from 'kysely';
import { commonPlans, type EngineContext, type OfferedPlan, transactIn } from '../../engine/index.ts';
import { Refusal } from '../../platform/context.ts';
import { countPurchase } from '../../platform/records/sightings.ts';
import type { Vaulted } from '../../platform/gateway/card-vault.ts';
import { NoOutcome, takesCardsBy } from '../../platform/gateway/gateway.ts';
import { OutgoingError } from '../../platform/outgoing/outgoing.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import type { ShopAddress, ShopCustomer, SoldOrder } from '../../platform/store-platform/store-platform.ts';
import { platformNumber } from '../shop/product-plans.ts';
import { purchase, type Bought } from '../shop/purchase.ts';
import { afterRefusal, type Connection, type ConnectionServices } from './connection.ts';
import { plansIn } from './follow-orders.ts';
import { remember } from './mirror-products.ts';

interface Due {
  id: number;
  platform_id: string;
  number: string;
  plan: string;
  tries: number;
}

/** Makes the next subscription that is due. @throws ShopError where the shop as a whole can't be reached or refuses the key */
export async function takePurchase(services: ConnectionServices, connection: Connection): Promise<void> {
  const { row, platform, link } = connection;
  const storeId = row.store_id;
  const { rows } = await services.db.inStore(storeId, trx =>
    sql<Due>`select id, platform_id, number, plan, tries from platform_purchases
      where store_id = ${storeId}::integer and state = 'WAITING' and try_at <= now() order by try_at, id limit 1`.execute(trx),
  );
  const [due] = rows;
  if (!due) return;
  try {
    const [order] = await platform.ordersById(link, [due.platform_id]);
    if (order?.number !== due.number || order.state !== 'PAID') throw new ShopError('WRONG', 'ORDER_GONE');
    const card = await cardOf(services, storeId, order);
    await transactIn(services, storeId)(context => make(context, due, order, card)).catch(inWords);
  } catch (error) {
    if (!(error instanceof ShopError) || error.code !== 'WRONG') throw error;
    await services.db.inStore(storeId, trx =>
      trx
        .updateTable('platform_purchases')
        .set(afterRefusal(due.tries, error.fault))
        .where('store_id', '=', storeId)
        .where('id', '=', due.id)
        .where('state', '<>', 'MADE')
        .execute(),
    );
  }
}

/** @throws ShopError WRONG in place of what the engine refuses */
function inWords(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const [first] = error.errors ?? [];
  if (first?.rule === 'PLAN_DOES_NOT_EXIST') throw new ShopError('WRONG', 'PLAN_NOT_OFFERED', {}, { cause: error });
  throw new ShopError('WRONG', 'NOT_TAKEN', { text: first?.message ?? error.message }, { cause: error });
}

/**
 * The card of an order that was paid in the Stripe account of the store, and stored there for later charges: renewals are charged by it.
 * @throws ShopError WRONG where Stripe does not say
 */
async function cardOf({ db, stripe }: ConnectionServices, storeId: number, { payments }: SoldOrder): Promise<Vaulted | null> {
  const payment = payments.find(({ reference }) => reference.startsWith('pi_'));
  if (!payment) return null;
  const store = await db.inStore(storeId, trx =>
    trx.selectFrom('stores').select(['charges_through', 'is_demo']).where('id', '=', storeId).executeTakeFirstOrThrow(),
  );
  if (takesCardsBy(store) !== 'STRIPE') return null;
  return (
    (await stripe.cardOfPayment(storeId, payment.reference).catch((error: unknown) => {
      if (error instanceof NoOutcome || error instanceof OutgoingError) throw new ShopError('WRONG', 'CARD_NOT_SAID', {}, { cause: error });
      throw error;
    })) ?? null
  );
}

async function make(reached: EngineContext, due: Due, order: SoldOrder, card: Vaulted | null): Promise<void> {
  const { trx, storeId } = reached;
  const { rows } = await sql`select 1 from platform_purchases
    where store_id = ${storeId}::integer and id = ${due.id}::bigint and state <> 'MADE' for update`.execute(trx);
  if (rows.length === 0) return;
  // It was bought when it was placed there, however late that is heard of.
  const placed = (order.placedAt?.getTime() ?? Infinity) + reached.store.clock_offset_ms;
  const at = new Date(Math.min(placed, reached.now().getTime()));
  const context: EngineContext = { ...reached, source: 'Shopify', now: () => at };
  const lines = order.lines.filter(one => one.plan === due.plan && one.quantity > 0);
  const variants = await variantsOf(context, lines);
  const basket = lines.map(line => ({ variantId: variants.get(line.variant) ?? 0, quantity: line.quantity }));
  const plan = await planOf(context, basket, due.plan);
  const customer = await buyerOf(context, order);
  const address = order.address && addressOf(order.address, customer.buyer);
  const bought = await purchase(context, { ...customer.buyer, card, ...(address ? { address } : {}) }, [
    {
      lines: basket,
      sellingPlanId: plan.plan.lspId,
      askForPaymentMethod: true,
      shippedAs: address && { address, title: order.shipping.title, price: order.shipping.price },
      paidAs: {
        lines: lines.map(({ price, paid }) => ({ price, paid })),
        // The shop asks it once for the whole order.
        shipping: plansIn(order)[0] === due.plan ? order.shipping.price : 0,
      },
    },
  ]);
  // However many plans are in the order, it is one purchase.
  const widgets = lines.flatMap(({ widget }) => (/^[1-9]\d{0,14}$/.test(widget ?? '') ? [Number(widget)] : []));
  await countPurchase(context, widgets, `order ${order.number}`);
  await note(reached, due, order, bought);
  // Who was here before is linked only where the shop knows that the address is theirs.
  if (order.customer && (bought.isNew || order.customer.isVerified))
    await remember(context, 'CUSTOMER', [{ id: bought.customerId, there: order.customer.id, isNew: bought.isNew }]);
}

/** The order is in the shop already, so none is made there; what is left of its products is read again. */
async function note({ trx, storeId, now }: EngineContext, due: Due, order: SoldOrder, { subscriptions }: Bought): Promise<void> {
  const [subscription] = subscriptions;
  const [first] = subscription?.orders ?? [];
  if (!subscription || !first) throw new Error('The purchase made no subscription.');
  await sql`insert into platform_orders (store_id, id, contract_id, state, platform_id, number, created_at, made_at)
    values (${storeId}::integer, ${first.id}::bigint, ${subscription.contract.id}::bigint, 'MADE', ${order.id}, ${order.number},
      ${now()}::timestamptz, ${now()}::timestamptz)`.execute(trx);
  await sql`update platform_purchases set state = 'MADE', error = null, tries = tries + 1,
      contract_id = ${subscription.contract.id}::bigint, made_at = ${now()}::timestamptz
    where store_id = ${storeId}::integer and id = ${due.id}::bigint`.execute(trx);
  const there = [...new Set(order.lines.map(line => line.variant))].sort();
  await sql`insert into platform_changes (store_id, kind, platform_id, told_at)
    select ${storeId}::integer, 'VARIANT', id, clock_timestamp() from unnest(${there}::text[]) as v(id)
    on conflict (store_id, kind, platform_id) do update set told_at = excluded.told_at`.execute(trx);
}

/** @throws ShopError WRONG for a variant that did not come over yet */
async function variantsOf({ trx, storeId }: EngineContext, lines: SoldOrder['lines']): Promise<Map<string, number>> {
  const { rows } = await sql<{ there: string; id: number }>`select platform_id as there, id from platform_ids
    where store_id = ${storeId}::integer and kind = 'VARIANT' and platform_id = any(${lines.map(line => line.variant)}::text[])`.execute(
    trx,
  );
  const known = new Map(rows.map(row => [row.there, row.id]));
  for (const { variant } of lines) if (!known.has(variant)) throw new ShopError('WRONG', 'NOT_YET_HERE', { variant });
  return known;
}

async function planOf(context: EngineContext, basket: { variantId: number }[], number: string): Promise<OfferedPlan> {
  const plan = (await commonPlans(context, basket)).find(one => String(platformNumber(one)) === number);
  if (!plan) throw new ShopError('WRONG', 'PLAN_NOT_OFFERED');
  return plan;
}

/** Who bought it: the customer who is linked, or the customer who has the address, as in our own checkout. */
async function buyerOf({ trx, storeId, store }: EngineContext, { customer, address }: SoldOrder) {
  if (!customer?.email) throw new ShopError('WRONG', 'NO_CUSTOMER');
  const { rows } = await sql<{
    email: string;
  }>`select c.email from platform_ids i join customers c on c.store_id = i.store_id and c.id = i.id
    where i.store_id = ${storeId}::integer and i.kind = 'CUSTOMER' and i.platform_id = ${customer.id} and c.erased_at is null`.execute(trx);
  return {
    buyer: {
      email: rows[0]?.email ?? customer.email,
      firstName: customer.firstName,
      lastName: customer.lastName,
      phone: customer.phone,
      countryCode: address?.countryCode ?? customer.countryCode ?? store.country_code,
      locale: null,
    },
  };
}

/** The shop's address in our words. It has whole names, which are not taken apart: that of another person than the buyer stays whole. */
function addressOf(given: ShopAddress, buyer: Pick<ShopCustomer, 'firstName' | 'lastName'>) {
  const isBuyer = given.name === '' || given.name === `${buyer.firstName} ${buyer.lastName}`.trim();
  return {
    firstName: isBuyer ? buyer.firstName : '',
    lastName: isBuyer ? buyer.lastName : given.name,
    company: given.company || null,
    address1: given.street,
    address2: given.street2 || null,
    city: given.city,
    zip: given.postalCode || null,
    countryCode: given.countryCode,
    provinceCode: given.province || null,
    phone: given.phone || null,
  };
}
