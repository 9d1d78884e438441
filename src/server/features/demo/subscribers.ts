// The customers and subscriptions of a store, streamed: what is written is not held in memory.
import { dayNumber, dayOf } from '../../../domain/calendar/calendar.ts';
import type { Random } from './random.ts';
import type { StoreCalendar } from './days.ts';
import { customerSearch } from '../customers/customer-reads.ts';
import { live } from './history.ts';
import type { Sale } from './life.ts';
import { languageOf, person, type Person } from './people.ts';
import { PRODUCTS } from './catalogue.ts';
import { demoToken, type SeedStore, type Stocked } from './store.ts';
import type { BulkWriter } from './write.ts';
import { iso, writeContract, type SoldMethod } from './contract-rows.ts';

const CARDS = [
  ['visa', 46],
  ['mastercard', 30],
  ['amex', 9],
  ['discover', 4],
  ['shoppay', 7],
  ['paypal', 4],
] as const;

/** A customer's payment methods, the first one first, and the day from which that one is no longer good. */
interface Card {
  methods: SoldMethod[];
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
    locale: languageOf(who.country.code),
    tags: chance.chance(0.05) ? ['Newsletter'] : [],
    portal_token: demoToken(store.id, id),
    search: customerSearch({ id, first_name: who.firstName, last_name: who.lastName, email: who.email, phone: who.phone }),
    created_at: createdAt,
    updated_at: createdAt,
  });
  await writer.add('customer_addresses', { store_id: store.id, id, customer_id: id, is_default: true, address: who.address });
  const count = chance.chance(0.16) ? 2 : 1;
  const methods: SoldMethod[] = [];
  const { year, month } = dayOf(calendar.now, calendar.zone);
  // One card in eighty ran out at the end of last month; its next charge will fail, or has failed already.
  const hasExpired = chance.chance(0.0125);
  const [lastMonth, itsYear] = month === 1 ? [12, year - 1] : [month - 1, year];
  for (let i = 0; i < count; i++) {
    const expired = hasExpired && i === 0;
    const brand = expired ? 'visa' : chance.weighted(CARDS);
    const method = { id: id * 2 + i, type: brand === 'paypal' ? 'PAYPAL' : brand === 'shoppay' ? 'SHOP_PAY' : 'CREDIT_CARD', brand };
    methods.push(method);
    await writer.add('payment_methods', {
      store_id: store.id,
      id: method.id,
      shopify_id: `pm_${method.id}`,
      customer_id: id,
      type: method.type,
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
  return { methods, expiredOn: hasExpired ? dayNumber({ year, month, day: 1 }) : null };
}
