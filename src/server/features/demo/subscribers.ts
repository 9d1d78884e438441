// The customers and subscriptions of a store, streamed: nobody is held in memory once written.
import type { Random } from './random.ts';
import type { StoreCalendar } from './days.ts';
import { labelOf } from '../subscriptions/engine/price.ts';
import { customerSearch } from '../customers/customer-reads.ts';
import type { RetryState } from '../subscriptions/engine/charging/stock.ts';
import { publicOrderId } from '../subscriptions/engine/rows.ts';
import { live, usd, type Life, type PastOrder, type Sale } from './history.ts';
import { person, priceIn, type Person } from './people.ts';
import { planPrice } from './plans.ts';
import { PRODUCTS } from './catalogue.ts';
import { demoToken, type SeedStore, type Stocked } from './store.ts';
import type { BulkWriter } from './write.ts';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const money = (minor: number, currency: string) => (currency === 'JPY' ? String(minor) : (minor / 100).toFixed(2));
const CARDS = [
  ['visa', 46],
  ['mastercard', 30],
  ['amex', 9],
  ['discover', 4],
  ['shoppay', 7],
  ['paypal', 4],
] as const;
const NOTES = [
  'Please leave with the neighbour at number 12.',
  'No plastic tape, please.',
  'Grind a little finer if you can.',
  'Gate code 4411.',
  'Birthday card in the first box.',
];
const TAGS = [
  ['vip', 4],
  ['wholesale', 2],
  ['founding member', 3],
  ['office', 3],
  ['gift', 2],
] as const;

/** A customer's payment methods, the first one first, and the day from which that one is no longer good. */
interface Card {
  methods: number[];
  expiredOn: number | null;
}
export interface Progress {
  (done: number, total: number): void;
}

/**
 * Writes `count` subscriptions and their customers. `firstId` is the id of the first contract; ids are given in the order of their start.
 */
export async function subscribe(
  writer: BulkWriter,
  store: SeedStore,
  stocked: Stocked,
  calendar: StoreCalendar,
  chance: Random,
  count: number,
  firstId: number,
  history: 'whole' | 'latest',
  progress?: Progress,
): Promise<void> {
  const offers = stocked.offers.filter(offer => offer.group.weight > 0).map(offer => [offer, offer.group.weight] as const);
  const span = Math.floor((calendar.now - store.openedAt) / 86_400_000) - 1;
  let orderNumber = 1000;
  let customers = 0;
  let current: { who: Person; id: number; card: Card; left: number } | null = null;
  for (let n = 0; n < count; n++) {
    const mine = chance.fork(n);
    // Started days grow denser toward today, with a bump before the winter holidays.
    const startedOn = calendar.today - span + Math.floor(span * Math.pow((n + 0.5) / count, 0.72));
    if (!current || current.left === 0) {
      customers++;
      const who = person(mine, firstId + n);
      const id = store.id * 10_000_000 + customers;
      const card = await writeCustomer(writer, store, calendar, mine, who, id, startedOn);
      current = {
        who,
        id,
        card,
        left: mine.weighted([
          [1, 86],
          [2, 11],
          [3, 3],
        ] as const),
      };
    }
    current.left--;
    const offer = mine.weighted(offers);
    const { plan, id: planId } = mine.weighted(offer.plans.map(one => [one, one.plan.share ?? 1] as const));
    const products = offer.products.filter(product => product.appeal > 0);
    const chosen = mine.weighted(products.map(product => [product, product.appeal] as const));
    const lines = [
      {
        variant: mine.pick(stocked.variants.get(chosen)!),
        quantity: mine.weighted([
          [1, 78],
          [2, 17],
          [3, 4],
          [6, 1],
        ] as const),
      },
    ];
    const second = products.length > 1 && mine.chance(0.2) ? mine.pick(products.filter(product => product !== chosen)) : null;
    if (second) lines.push({ variant: mine.pick(stocked.variants.get(second)!), quantity: 1 });
    // Some early subscribers still have a lot that was archived since.
    const archived = PRODUCTS.find(product => product.status === 'ARCHIVED')!;
    if (n < count * 0.7 && chosen.type === 'Coffee' && mine.chance(0.06))
      lines.push({ variant: stocked.variants.get(archived)![0]!, quantity: 1 });
    const sale: Sale = {
      group: offer.group,
      groupId: offer.groupId,
      plan,
      planId,
      lines,
      startedOn,
      minutes: mine.between(-300, 780),
      cardExpiredOn: current.card.expiredOn,
    };
    const life = live(mine.fork('life'), calendar, current.who, sale);
    if (history === 'latest') {
      life.orders = life.orders.slice(-1);
      life.events = life.events.slice(-2);
    }
    orderNumber = await writeContract(writer, store, calendar, mine, {
      id: firstId + n,
      who: current.who,
      customerId: current.id,
      methods: current.card.methods,
      sale,
      life,
      orderNumber,
    });
    if (progress && (n + 1) % 1000 === 0) progress(n + 1, count);
  }
}

async function writeCustomer(
  writer: BulkWriter,
  store: SeedStore,
  calendar: StoreCalendar,
  chance: Random,
  who: Person,
  id: number,
  since: number,
): Promise<Card> {
  const createdAt = iso(calendar.near(since, -400));
  await writer.add('customers', {
    store_id: store.id,
    id,
    shopify_id: 7_000_000_000 + id,
    email: who.email,
    first_name: who.firstName,
    last_name: who.lastName,
    phone: who.phone,
    country_code: who.country.code,
    tags: chance.chance(0.05) ? ['Newsletter'] : [],
    portal_token: demoToken(store.id, id),
    search: customerSearch({ id, first_name: who.firstName, last_name: who.lastName, email: who.email, phone: who.phone }),
    created_at: createdAt,
    updated_at: createdAt,
  });
  await writer.add('customer_addresses', { store_id: store.id, id, customer_id: id, is_default: true, address: who.address });
  const methods = Array.from({ length: chance.chance(0.16) ? 2 : 1 }, (_, i) => id * 2 + i);
  const now = new Date(calendar.now);
  const year = now.getUTCFullYear();
  // One card in eighty ran out at the end of last month; its next charge will fail, or has failed already.
  const hasExpired = chance.chance(0.0125);
  const [lastMonth, itsYear] = now.getUTCMonth() === 0 ? [12, year - 1] : [now.getUTCMonth(), year];
  for (const [i, method] of methods.entries()) {
    const expired = hasExpired && i === 0;
    const brand = expired ? 'visa' : chance.weighted(CARDS);
    await writer.add('payment_methods', {
      store_id: store.id,
      id: method,
      shopify_id: `pm_${method}`,
      customer_id: id,
      type: brand === 'paypal' ? 'PAYPAL' : brand === 'shoppay' ? 'SHOP_PAY' : 'CREDIT_CARD',
      brand,
      last_digits: brand === 'paypal' ? null : String(chance.between(0, 9999)).padStart(4, '0'),
      name: `${who.firstName} ${who.lastName}`,
      expiry_month: brand === 'paypal' ? null : expired ? lastMonth : chance.between(1, 12),
      expiry_year: brand === 'paypal' ? null : expired ? itsYear : year + chance.between(1, 5),
      paypal_account_email: brand === 'paypal' ? who.email : null,
      gateway_token: expired
        ? 'tok_decline_expired_card'
        : chance.weighted([
            ['tok_success', 94],
            ['tok_decline_insufficient_funds', 2],
            ['tok_decline_card_declined', 1.5],
            ['tok_decline_do_not_honor', 1],
            ['tok_requires_action', 0.8],
            ['tok_fail_n_1_then_success', 0.7],
          ] as const),
      created_at: createdAt,
      updated_at: createdAt,
    });
  }
  return { methods, expiredOn: hasExpired ? Math.round(Date.UTC(year, now.getUTCMonth(), 1) / 86_400_000) : null };
}

interface Contract {
  id: number;
  who: Person;
  customerId: number;
  methods: number[];
  sale: Sale;
  life: Life;
  orderNumber: number;
}

/** Writes a contract with its lines, orders, attempts and log; answers the next order number of the store. */
async function writeContract(
  writer: BulkWriter,
  store: SeedStore,
  calendar: StoreCalendar,
  chance: Random,
  contract: Contract,
): Promise<number> {
  const { id, who, customerId, methods, sale, life } = contract;
  const { plan } = sale;
  const currency = who.country.currency;
  const convert = (cents: number) => priceIn(currency, cents);
  const delivery = plan.delivery ?? plan.billing;
  const nextNumber = life.completed + 1;
  const prices = sale.lines.map(line => planPrice(plan, convert(line.variant.price), nextNumber, convert));
  const subtotal = sale.lines.reduce((sum, line, i) => sum + prices[i]! * line.quantity, 0);
  const { shipping, createdAt } = life;
  const failing = life.orders.findLast(order => order.failures.length > 0 && order.status === 'FAILED');
  const last = life.orders.findLast(
    order => !order.credit && order.type === 'RECURRING' && (order.status === 'PAID' || order.failures.length > 0),
  );
  const shopifyId = 12_000_000_000 + id;
  const frequency = `Every ${delivery[1] === 1 ? delivery[0].toLowerCase() : `${delivery[1]} ${delivery[0].toLowerCase()}s`}`;
  const pickup = who.address.zip.startsWith('112') && chance.chance(0.5) ? (chance.chance(0.5) ? 'PICKUP' : 'LOCAL_DELIVERY') : 'SHIPPING';
  const tags = chance.chance(0.09) ? [chance.weighted(TAGS)] : [];
  const products = labelOf(
    sale.lines.map(line => ({
      quantity: line.quantity,
      product_title: line.variant.productTitle,
      variant_title: line.variant.variantTitle,
    })),
  );
  const retriesLeft = failing?.nextRetryAt ? 1 + Math.max(0, 4 - failing.failures.length) : 0;
  const lastFailure = failing?.failures.at(-1);
  const dunning =
    failing && lastFailure
      ? {
          state: failing.nextRetryAt ? 'IN_RECOVERY' : 'LOST',
          orderId: id * 10_000 + failing.cycle,
          cycleNumber: failing.cycle,
          firstFailedAtEpoch: Math.floor(failing.failures[0]!.at / 1000),
          attemptsMade: failing.failures.length,
          attemptsMax: 5,
          retriesLeft,
          nextRetryDateEpoch: failing.nextRetryAt ? Math.floor(failing.nextRetryAt / 1000) : null,
          lastErrorCategory: lastFailure.category,
          lastErrorCode: lastFailure.code,
          isHardDecline: lastFailure.category === 'card_expired',
          successiveFailedCycles: life.failedInARow,
          finalAction: 'SKIP',
          recoveredVia: null,
        }
      : null;
  const deliveryMethod =
    pickup === 'PICKUP'
      ? {
          type: 'PICKUP',
          pickup: { pickupOption: { code: 'LOCATION-2', title: 'Shop on Fern Street', location: { id: 2, name: 'Shop on Fern Street' } } },
        }
      : pickup === 'LOCAL_DELIVERY'
        ? {
            type: 'LOCAL_DELIVERY',
            localDelivery: {
              address: who.address,
              localDeliveryOption: { code: 'BIKE', title: 'Bicycle courier', phone: who.phone, instructions: '' },
            },
          }
        : { type: 'SHIPPING', shipping: { address: who.address, shippingOption: { code: 'STANDARD', title: 'Standard shipping' } } };
  await writer.add('contracts', {
    store_id: store.id,
    id,
    shopify_id: shopifyId,
    version: 1,
    status: life.status,
    source: 'CHECKOUT',
    customer_id: customerId,
    origin_order_shopify_id: publicOrderId(contract.orderNumber),
    currency_code: currency,
    billing_interval: plan.billing[0],
    billing_interval_count: plan.billing[1],
    delivery_interval: delivery[0],
    delivery_interval_count: delivery[1],
    min_cycles: plan.min ?? null,
    max_cycles: plan.max ?? null,
    anchor_type: plan.anchor?.type ?? null,
    anchor_day: plan.anchor?.day ?? null,
    anchor_month: plan.anchor?.month ?? null,
    cut_off_days: plan.anchor?.cutOff ?? null,
    pre_anchor_behavior: plan.anchor?.behavior ?? null,
    base_at: iso(life.baseAt),
    base_cycle: life.baseCycle,
    next_cycle: life.nextCycle,
    next_billing_at: life.status === 'ACTIVE' ? iso(life.nextAt) : null,
    charge_offset_days: 0,
    resume_at: iso(life.resumeAt),
    completed_orders: life.completed,
    is_prepaid: life.deliveriesPerCharge > 1,
    prepaid_credits: life.status === 'CANCELLED' ? 0 : life.credits,
    is_marked_for_cancellation: life.marked,
    has_custom_plan: false,
    delivery_price: shipping,
    delivery_method: deliveryMethod,
    shipping_address: who.address,
    payment_method_id: methods[0],
    backup_payment_method_id: methods[1] && chance.chance(0.4) ? methods[1] : null,
    note: chance.chance(0.07) ? chance.pick(NOTES) : '',
    custom_attributes: chance.chance(0.06)
      ? [{ key: 'Found us through', value: chance.pick(['A friend', 'The market', 'A podcast']) }]
      : [],
    dunning,
    successive_failed_cycles: life.failedInARow,
    last_payment_status: last ? (last.status === 'PAID' ? 'SUCCESS' : 'FAILED') : null,
    last_payment_category: last && last.status !== 'PAID' ? (last.failures.at(-1)?.category ?? null) : null,
    last_inventory_action: null,
    cancellation_reason: life.reason,
    cancellation_comment: life.comment,
    cancellation_source: life.source,
    paused_at: life.status === 'PAUSED' ? iso(life.endedAt) : null,
    cancelled_at: life.status === 'CANCELLED' ? iso(life.endedAt) : null,
    expired_at: life.status === 'EXPIRED' ? iso(life.endedAt) : null,
    created_at: iso(createdAt),
    updated_at: iso(Math.min(calendar.now, life.updatedAt)),
    customer_name: `${who.firstName} ${who.lastName}`,
    customer_email: who.email,
    country_code: who.country.code,
    delivery_type: pickup,
    frequency,
    products_label: products,
    subtotal: subtotal * life.deliveriesPerCharge,
    total: subtotal * life.deliveriesPerCharge + shipping,
    product_ids: [...new Set(sale.lines.map(line => line.variant.productId))],
    variant_ids: sale.lines.map(line => line.variant.variantId),
    plan_group_ids: [sale.groupId],
    tags,
    search: `${id} ${shopifyId} ${who.firstName} ${who.lastName} ${who.email} ${products}`.toLowerCase(),
  });
  const base = sale.lines.map(line => convert(line.variant.price));
  for (const [i, line] of sale.lines.entries()) {
    await writer.add('contract_lines', {
      store_id: store.id,
      id: id * 10 + i,
      contract_id: id,
      shopify_id: `gl_${id * 10 + i}`,
      product_id: line.variant.productId,
      variant_id: line.variant.variantId,
      product_title: line.variant.productTitle,
      variant_title: line.variant.variantTitle,
      sku: line.variant.sku,
      image: line.variant.image,
      quantity: line.quantity,
      base_price: base[i],
      price: prices[i],
      price_is_manual: false,
      pricing_policy: pricingPolicy(sale, base[i]!, currency, convert),
      selling_plan_id: sale.planId,
      plan_group_id: sale.groupId,
      selling_plan_name: plan.name,
      selling_plan_group_name: sale.group.name,
      attributes: [],
      one_time_added: false,
      is_upsell: i > 0 && chance.chance(0.4),
      weight_in_grams: line.variant.grams,
      requires_shipping: true,
      taxable: true,
      position: i + 1,
      created_at: iso(createdAt),
    });
  }
  let storeOrder = contract.orderNumber;
  for (const order of life.orders) {
    const orderId = id * 10_000 + order.cycle;
    const paid = order.status === 'PAID';
    storeOrder += paid ? 1 : 0;
    const failure = order.failures.at(-1);
    const attempts =
      order.type === 'CHECKOUT' || order.credit || (order.status === 'SKIPPED' && !failure) ? 0 : order.failures.length + (paid ? 1 : 0);
    await writer.add('orders', {
      store_id: store.id,
      id: orderId,
      contract_id: id,
      customer_id: customerId,
      cycle: order.cycle,
      order_number: order.number,
      shopify_id: paid ? publicOrderId(storeOrder) : null,
      shopify_order_number: paid ? storeOrder : null,
      status: order.status,
      order_type: order.type,
      is_prepaid_delivery: order.credit,
      is_rescheduled: false,
      scheduled_at: iso(order.scheduledAt),
      billing_at: iso(order.at),
      delivery_at: iso(order.at),
      processed_at: iso(order.paidAt),
      currency_code: currency,
      subtotal: order.subtotal,
      discount: 0,
      shipping: order.shipping,
      tax: 0,
      total: order.total,
      total_usd: usd(currency, order.total),
      lines: sale.lines.map((line, i) => ({
        lineId: id * 10 + i,
        productId: line.variant.productId,
        variantId: line.variant.variantId,
        productTitle: line.variant.productTitle,
        variantTitle: line.variant.variantTitle,
        sku: line.variant.sku,
        image: line.variant.image,
        quantity: line.quantity,
        price: money(order.prices[i]!, currency),
        total: money(order.prices[i]! * line.quantity, currency),
      })),
      shipping_address: null,
      tags: paid
        ? [
            'Subscription',
            order.type === 'CHECKOUT' ? 'Subscription First Order' : 'Subscription Recurring Order',
            `Subscription #${shopifyId}`,
          ]
        : [],
      skip_reason: order.skipReason,
      error_code: paid ? null : (failure?.code ?? null),
      error_message: paid ? null : (failure?.message ?? null),
      error_category: paid ? null : (failure?.category ?? null),
      attempts,
      next_retry_at: iso(order.nextRetryAt),
      retry: failure && !paid ? retryState(order) : null,
      idempotency_key: attempts ? `${orderId}-${attempts}` : null,
      fulfillment_status: paid ? 'FULFILLED' : null,
      created_at: iso(order.at),
      updated_at: iso(order.paidAt ?? failure?.at ?? order.at),
    });
    for (let n = 1; n <= attempts; n++) {
      const failed = order.failures[n - 1];
      const at = failed?.at ?? order.paidAt!;
      await writer.add('billing_attempts', {
        store_id: store.id,
        order_id: orderId,
        contract_id: id,
        attempt_number: n,
        trigger: n === 1 ? 'SCHEDULED' : 'RETRY',
        idempotency_key: `${orderId}-${n}`,
        payment_method_id: methods[0],
        is_backup: false,
        amount: order.total,
        currency_code: currency,
        ready: true,
        success: !failed,
        error_code: failed?.code ?? null,
        error_message: failed?.message ?? null,
        error_category: failed?.category ?? null,
        gateway_reference: failed ? null : `ch_${orderId}_${n}`,
        created_at: iso(at - 3000),
        completed_at: iso(at),
      });
    }
  }
  for (const event of life.events) {
    const { total, amount } = event.data;
    await writer.add('activity', {
      store_id: store.id,
      contract_id: id,
      key: event.key,
      source: event.source,
      entity: event.entity,
      data:
        typeof total === 'number'
          ? { ...event.data, total: money(total, currency), currencyCode: currency }
          : typeof amount === 'number'
            ? { ...event.data, amount: money(amount, currency), currencyCode: currency }
            : event.data,
      created_at: iso(event.at),
    });
  }
  return storeOrder + 1;
}

/** What the engine remembers of a recovery between its tries. */
function retryState({ failures, nextRetryAt }: PastOrder): RetryState {
  const made = failures.length - 1;
  return {
    kind: 'PAYMENT',
    firstFailedAt: failures[0]!.at,
    lastAttemptAt: failures.at(-1)!.at,
    retriesMade: made,
    maxRetries: 4,
    ...(nextRetryAt ? { plannedAt: nextRetryAt, isLast: made === 3 } : { isFinal: true }),
  };
}

/** The prices a contract carries from its plan (subscriptions.md, line item): the first, and the one after a number of orders. */
function pricingPolicy(sale: Sale, base: number, currency: string, convert: (cents: number) => number) {
  const { plan } = sale;
  const cycle = (rule: readonly [string, number, ...unknown[]] | undefined, afterCycle: number) =>
    rule
      ? [
          {
            afterCycle,
            adjustmentType: rule[0],
            adjustmentValue: rule[0] === 'PERCENTAGE' ? rule[1] : Number(money(convert(rule[1]), currency)),
            computedPrice: money(planPrice(plan, base, afterCycle + 1, convert), currency),
          },
        ]
      : [];
  const cycleDiscounts = [...cycle(plan.discount, 0), ...cycle(plan.then, plan.then?.[2] ?? 0)];
  return cycleDiscounts.length ? { basePrice: money(base, currency), cycleDiscounts } : null;
}
