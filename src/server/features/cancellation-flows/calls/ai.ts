// A benefits page to begin with, put together from what the store sells and how: nothing leaves the server, and nothing is saved.
import { sql } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';

type Tone = 'WARM' | 'PLAIN' | 'PLAYFUL';
interface Asked {
  productTitles?: string[];
  brandTone?: Tone;
  storeIndustry?: string;
  length?: 'SHORT' | 'LONG';
}

/** Words that customers read: in English, to be changed and translated by the person who takes them over. */
const SAYS: Record<Tone, { title: string; opens: (what: string) => string; ends: string }> = {
  WARM: {
    title: 'Before you go',
    opens: what => `It has been good to have you with us. This is what comes with your subscription of ${what}:`,
    ends: 'We would love to keep sending it to you.',
  },
  PLAIN: {
    title: 'What you keep as a subscriber',
    opens: what => `Your subscription of ${what} includes:`,
    ends: 'All of it ends with the subscription.',
  },
  PLAYFUL: {
    title: 'Wait, there is more in the box',
    opens: what => `${what} without these? Have one more look:`,
    ends: 'Still here? So are we.',
  },
};
const escaped = (text: string): string => text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);
const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** What the store sells, as it said when it began. */
const soldBy = ({ store }: Context): string => (store.onboarding as { storeBizDetails?: string } | null)?.storeBizDetails ?? '';

/** `{ title, bodyHtml }` for a benefits page (C425). Products that are not named are those that most active subscriptions hold. */
export async function subscriptionBenefits(
  context: Context,
  { productTitles = [], brandTone = 'WARM', storeIndustry = soldBy(context), length = 'SHORT' }: Asked,
): Promise<JsonObject> {
  const { least, most, products } = await factsOf(context);
  const named = (productTitles.length ? productTitles : products).slice(0, length === 'LONG' ? 3 : 1);
  const what = escaped(listed(named) || storeIndustry.trim() || 'our products');
  const points = [
    ...(most ? [`<strong>${least === most ? '' : 'Up to '}${most}% off</strong> every order`] : []),
    'Skip, move or pause any order, as often as you like',
    ...(length === 'LONG'
      ? [
          storeIndustry.trim()
            ? `${escaped(storeIndustry.trim())} at your door without thinking of it`
            : 'At your door without thinking of it',
          'Change products and frequency whenever you want',
        ]
      : []),
  ];
  const { title, opens, ends } = SAYS[brandTone];
  const list = `<ul>${points.map(point => `<li>${point}</li>`).join('')}</ul>`;
  return { title, bodyHtml: `<p>${opens(what)}</p>${list}${length === 'LONG' ? `<p>${ends}</p>` : ''}` };
}

/**
 * The percentages that plans on sale take off every order, where a discount of the first orders alone is none; and the products of most
 * active subscriptions.
 */
async function factsOf({ trx, storeId }: Context): Promise<{ least: number; most: number; products: string[] }> {
  const { rows: plans } = await sql<{
    least: number | null;
    most: number | null;
  }>`select min(l.value)::float as least, max(l.value)::float as most
    from records r cross join lateral jsonb_array_elements(r.data -> 'sellingPlans') p
      cross join lateral (select case when p ->> 'recurringDiscountType' is null then 'fixed' else 'recurring' end as name) d
      cross join lateral (select case when p ->> (d.name || 'DiscountType') = 'PERCENTAGE'
        then (p ->> (d.name || 'DiscountValue'))::numeric else 0 end as value) l
    where r.store_id = ${storeId}::integer and r.entity = 'selling-plan-group' and r.deleted_at is null
      and r.data ->> 'status' = 'ACTIVE'`.execute(trx);
  const { rows: products } = await sql<{ title: string }>`select p.title from (select unnest(product_ids) as id from contracts
      where store_id = ${storeId}::integer and status = 'ACTIVE' order by contracts.id desc limit 2000) c
    join products p on p.store_id = ${storeId}::integer and p.id = c.id and p.deleted_at is null
    group by p.id, p.title order by count(*) desc, p.id limit 3`.execute(trx);
  return { least: plans[0]?.least ?? 0, most: plans[0]?.most ?? 0, products: products.map(({ title }) => title) };
}
