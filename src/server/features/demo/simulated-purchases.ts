// New subscribers of a demo store while its clock is moved: as many a day as in the two months before, of what sold then.
import { sql } from 'kysely';
import { dayOf } from '../../../domain/calendar/calendar.ts';
import { Refusal } from '../../platform/context.ts';
import { type EngineContext, newIds } from '../../engine/index.ts';
import { purchase, type Buyer } from '../shop/purchase.ts';
import { languageOf, person } from './people.ts';
import type { Random } from './random.ts';

const DAYS_BACK = 60;
/** A store that has sold for less than these days, or nothing in them: so many a day. Its few purchases say no rate yet. */
const FIRST_SALES = 2;
/** Every so often something else of what the store offers is bought than what sold before. */
const SOMETHING_NEW = 0.2;

interface Basket {
  planId: number;
  variantIds: number[];
}

/** Lets the new customers of a day buy. */
export async function buy(context: EngineContext, chance: Random): Promise<void> {
  const { sold, offered, rate } = await lookBack(context);
  const baskets = sold.length + offered.length;
  if (baskets === 0) return;
  for (let n = howMany(rate ?? FIRST_SALES, chance); n > 0; n--) {
    const mine = chance.fork(n);
    const at = new Date(context.now().getTime() - mine.between(0, 14 * 60) * 60_000);
    const isNew = sold.length === 0 || (offered.length > 0 && mine.chance(SOMETHING_NEW));
    await checkOutAs({ ...context, now: () => at }, mine, mine.pick(isNew ? offered : sold));
  }
}

/** A number of arrivals with this mean (Poisson; Knuth's method). */
function howMany(mean: number, chance: Random): number {
  const limit = Math.exp(-mean);
  let n = 0;
  for (let product = chance.next(); product > limit; product *= chance.next()) n++;
  return n;
}

/** What was bought lately and can still be, what else is offered, and purchases a day of the last 60 days (younger: undefined). */
async function lookBack({ trx, storeId, now }: EngineContext): Promise<{ sold: Basket[]; offered: Basket[]; rate: number | undefined }> {
  const since = new Date(now().getTime() - DAYS_BACK * 86_400_000);
  const sellable = sql`v.deleted_at is null and p.deleted_at is null and p.status = 'ACTIVE'
    and (v.inventory_management is null or v.inventory_policy = 'continue' or v.inventory_quantity > 0)`;
  const [sold, offered, count] = await Promise.all([
    sql<{ plan: number; variants: number[] }>`
      select min(l.selling_plan_id) as plan, array_agg(l.variant_id order by l.position) as variants
      from (select id from contracts
        where store_id = ${storeId}::integer and source = 'CHECKOUT' and created_at > ${since} order by id desc limit 300) c
      join contract_lines l on l.store_id = ${storeId}::integer and l.contract_id = c.id
      left join variants v on v.store_id = l.store_id and v.id = l.variant_id
      left join products p on p.store_id = v.store_id and p.id = v.product_id
      group by c.id having bool_and(coalesce(${sellable}, false)) and count(distinct l.selling_plan_id) = 1 order by c.id`.execute(trx),
    sql<{ plan: number; variant: number }>`
      select (plan->>'lspId')::bigint as plan, v.id as variant
      from records g cross join lateral jsonb_array_elements(g.data->'sellingPlans') plan
      join plan_products m on m.store_id = g.store_id and m.group_id = g.id
      join variants v on v.store_id = m.store_id and v.product_id = m.product_id and (m.variant_id is null or m.variant_id = v.id)
      join products p on p.store_id = v.store_id and p.id = v.product_id
      where g.store_id = ${storeId}::integer and g.entity = 'selling-plan-group' and g.deleted_at is null
        and g.data->>'status' = 'ACTIVE' and ${sellable}
      order by 1, 2 limit 500`.execute(trx),
    sql<{ n: number; isOld: boolean }>`select count(*) filter (where created_at > ${since})::integer as n,
        coalesce(min(created_at) <= ${since}, false) as "isOld"
      from contracts where store_id = ${storeId}::integer and source = 'CHECKOUT'`.execute(trx),
  ]);
  return {
    sold: sold.rows.map(row => ({ planId: row.plan, variantIds: row.variants })),
    offered: offered.rows.map(row => ({ planId: row.plan, variantIds: [row.variant] })),
    rate: count.rows[0]?.isOld && count.rows[0].n > 0 ? count.rows[0].n / DAYS_BACK : undefined,
  };
}

/** One new customer and their subscription; where the basket can't be bought any more, they only leave their name. */
async function checkOutAs(context: EngineContext, chance: Random, basket: Basket): Promise<void> {
  const { trx, store } = context;
  const [id] = (await newIds(trx, 'customers', 1)) as [number];
  const who = person(chance, id);
  const brand = chance.pick(['visa', 'visa', 'visa', 'mastercard', 'mastercard', 'amex']);
  const { usdRates = {} } = (store.details ?? {}) as { usdRates?: Record<string, number> };
  const buyer: Buyer = {
    id,
    email: who.email,
    firstName: who.firstName,
    lastName: who.lastName,
    phone: who.phone,
    countryCode: who.country.code,
    locale: languageOf(who.country.code),
    address: who.address,
    card: {
      brand,
      lastDigits: String(chance.between(0, 9999)).padStart(4, '0'),
      name: `${who.firstName} ${who.lastName}`,
      expiryMonth: chance.between(1, 12),
      expiryYear: dayOf(context.now().getTime(), store.timezone).year + chance.between(1, 5),
      token: 'tok_success',
    },
  };
  try {
    await purchase(context, buyer, [
      {
        sellingPlanId: basket.planId,
        lines: basket.variantIds.map(variantId => ({ variantId, quantity: chance.weighted(QUANTITIES) })),
        currencyCode: who.country.currency in usdRates ? who.country.currency : store.currency_code,
        deliveryType: 'SHIPPING',
        address: who.address,
      },
    ]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

const QUANTITIES = [
  [1, 78],
  [2, 17],
  [3, 5],
] as const;
