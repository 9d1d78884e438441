// Benefits pages and offers of the demo store, and who went through its cancellation flow in the last months: everybody who cancelled, and
// some who stayed.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { variantOf, winnerOf } from '../../../domain/experiments/experiment.ts';
import { resultsOf, type Results } from '../cancellation-flows/experiments.ts';
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;
const DAYS = 120;

const after = (orders: number): JsonObject => ({
  match: 'ALL',
  rows: [{ conditionKey: 'SUBSCRIPTION_ORDERS', operator: 'GTE', value: orders }],
});
const does = (action: string, input: JsonObject): JsonObject => ({ action, input });
const discount = (value: string, orders: number): JsonObject =>
  does('ADD_DISCOUNT', {
    kind: 'MANUAL',
    title: 'Thank you for staying',
    type: 'PERCENTAGE',
    value,
    targetType: 'LINE_ITEM',
    orderLimit: orders,
  });

const asList = (text: string, ...points: string[]): string => `<p>${text}</p><ul>${points.map(one => `<li>${one}</li>`).join('')}</ul>`;

const BENEFITS: JsonObject[] = [
  {
    name: 'Long-standing subscribers',
    status: 'ACTIVE',
    conditions: after(6),
    title: 'You have been with us for a long time',
    bodyHtml: asList(
      'Six orders and more: thank you. Here is what stays yours.',
      '15% off every bag',
      'First pick of new harvests',
      'Skip or move any order',
    ),
    primaryCtaText: 'Keep my subscription',
    secondaryCtaText: 'Continue to cancel',
    primaryCtaAction: 'CLOSE',
  },
  {
    name: 'Everybody',
    status: 'ACTIVE',
    title: 'Before you go',
    bodyHtml: asList(
      'As a subscriber you have',
      '<strong>15% off</strong> each order',
      'Coffee roasted on the day it ships',
      'Free delivery',
    ),
    primaryCtaText: 'Keep my subscription',
    secondaryCtaText: 'Continue to cancel',
    primaryCtaAction: 'CLOSE',
  },
];
const OFFERS = (reasons: Map<string, number>): JsonObject[] => {
  const named = (...titles: string[]): number[] => titles.flatMap(title => reasons.get(title) ?? []);
  const words = { acceptCtaText: 'Accept and stay', rejectCtaText: 'No, thank you', usageLimitPerCustomer: 1, isAvailableUnderArl: false };
  return [
    {
      ...words,
      name: '20% off the next two orders',
      status: 'ACTIVE',
      reasonIds: named('Too expensive'),
      incentives: [discount('20', 2)],
      title: 'Stay, and save 20% twice',
      bodyHtml: '<p>Your next two orders cost a fifth less. Nothing else changes.</p>',
      isAvailableUnderArl: true,
      arlBodyHtml: '<p>Your next two orders cost a fifth less. You can cancel now all the same.</p>',
    },
    {
      ...words,
      name: 'Skip one, and 10% off',
      status: 'ACTIVE',
      reasonIds: named('I have too much of it', 'I am moving or travelling'),
      incentives: [does('SKIP_ORDER', { count: 1, notify: false }), discount('10', 1)],
      title: 'Take a break, and come back to a discount',
      bodyHtml: '<p>We skip your next order, and the one after it is 10% off.</p>',
    },
    {
      ...words,
      name: 'Another roast',
      status: 'DRAFT',
      reasonIds: named('I did not like it', 'I found another product'),
      conditions: after(2),
      incentives: [discount('25', 1)],
      title: 'Try another roast for a quarter less',
      bodyHtml: '<p>Tell us what you like, and your next bag is 25% off.</p>',
    },
  ];
};

async function insert(
  trx: Kysely<Tables>,
  store: SeedStore,
  entity: string,
  documents: readonly JsonObject[],
  at: Date,
): Promise<number[]> {
  const rows = documents.map((data, i) => ({ position: i + 1, data }));
  const { rows: made } = await sql<{
    id: number;
  }>`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
    select ${store.id}::integer, ${entity}, (r ->> 'position')::integer, r -> 'data', ${at}::timestamptz, ${at}::timestamptz, ${store.email}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) r order by (r ->> 'position')::integer returning id`.execute(trx);
  return made.map(({ id }) => id);
}

/** Writes them for one store. What is random follows from the number of each subscription. */
export async function writeCancellationFlows(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  const at = new Date(now - DAYS * DAY_MS);
  const { rows } = await sql<{ id: number; title: string }>`select id, data ->> 'title' as title from records
    where store_id = ${store.id}::integer and entity = 'cancellation-reason'`.execute(trx);
  const reasons = new Map(rows.map(row => [row.title, row.id]));
  const [long = 0, everybody = 0] = await insert(trx, store, 'subscription-benefit', BENEFITS, at);
  const guids = OFFERS(reasons).map((one, i) => ({ ...one, guid: `${i + 1}`.repeat(32) }));
  const [twenty = 0, skip = 0] = await insert(trx, store, 'incentive', guids, at);
  await sql`insert into cancellation_attempts (store_id, contract_id, customer_id, source, benefit_id, benefit_outcome, reason_id, reason,
      treatment, treatment_outcome, offer_id, offer_outcome, comment, outcome, order_value, completed_orders, started_at, finished_at)
    select c.store_id, c.id, c.customer_id, c.source, c.benefit, case when c.way = 'BENEFIT' then 'ACCEPTED' else 'REJECTED' end,
      case when c.way <> 'BENEFIT' then c.reason_id end, case when c.way <> 'BENEFIT' then c.reason end,
      case when c.way = 'TREATMENT' then 'Skip the next order' end, case when c.way = 'TREATMENT' then 'ACCEPTED' end,
      case when c.way in ('OFFER', 'CANCEL') then c.offer end,
      case when c.way = 'OFFER' then 'ACCEPTED' when c.way = 'CANCEL' and c.offer is not null then 'REJECTED' end,
      case when c.way = 'CANCEL' then c.comment end,
      case when c.way = 'CANCEL' then 'CANCELLED' when c.way = 'OPEN' then 'OPEN' else 'SAVED' end,
      c.total, c.completed_orders, c.at - interval '4 minutes', case when c.way <> 'OPEN' then c.at end
    from (select x.store_id, x.id, x.customer_id, x.total, x.completed_orders, r.id as reason_id, r.title as reason,
        x.cancellation_comment as comment,
        case when x.completed_orders >= 6 then ${long}::bigint else ${everybody}::bigint end as benefit,
        case when r.title = 'Too expensive' then ${twenty}::bigint
          when r.title in ('I have too much of it', 'I am moving or travelling') then ${skip}::bigint end as offer,
        case when x.id % 9 = 0 then 'MERCHANT' else 'CUSTOMER' end as source,
        case when x.status = 'CANCELLED' then x.cancelled_at else ${new Date(now)}::timestamptz - (x.id * 7919 % ${DAYS}) * interval '1 day'
          - (x.id * 31 % 1440) * interval '1 minute' end as at,
        case when x.status = 'CANCELLED' then 'CANCEL' when x.id * 13 % 10 < 3 then 'BENEFIT' when x.id * 13 % 10 < 5 then 'OPEN'
          when r.title = 'I have too much of it' and x.id % 2 = 0 then 'TREATMENT'
          when r.title in ('Too expensive', 'I have too much of it', 'I am moving or travelling') then 'OFFER' else 'OPEN' end as way
      from contracts x
      join lateral (select id, data ->> 'title' as title from records where store_id = x.store_id and entity = 'cancellation-reason'
        and (data ->> 'title' = x.cancellation_reason or (x.cancellation_reason is null and data ->> 'audience' = 'EVERYBODY'))
        order by (id * 37 + x.id * 101) % 11, id limit 1) r on true
      where x.store_id = ${store.id}::integer and ((x.status = 'CANCELLED' and x.cancellation_source = 'CUSTOMER'
          and x.cancelled_at > ${at}::timestamptz) or (x.status = 'ACTIVE' and x.id * 17 % 12 = 0))) c
    where c.at > ${at}::timestamptz and c.at < ${new Date(now)}::timestamptz`.execute(trx);
  await writeExperiments(trx, store, { benefitId: everybody, incentiveId: twenty }, now);
}

/** One that has ended and waits for a choice, and one that runs. */
async function writeExperiments(
  trx: Kysely<Tables>,
  store: SeedStore,
  { benefitId, incentiveId }: { benefitId: number; incentiveId: number },
  now: number,
): Promise<void> {
  const day = (back: number): string => new Date(now - back * DAY_MS).toISOString();
  const both = { variantPercent: 50, controlPercent: 50, winningCriteriaPercent: 20, liveVariant: null };
  const ended = {
    ...both,
    name: 'Benefits: a list or a thank you',
    experimentId: 'demoBenefitsListOrThanks',
    state: 'EXPERIMENT_COMPLETED',
    entityType: 'CANCELLATION_FLOW_BENEFIT',
    benefitId,
    control: BENEFITS[1] ?? {},
    variant: { title: 'Thank you for being with us', bodyHtml: '<p>Each bag is roasted for you. What can we do better?</p>' },
    controlTag: 'benefits-A',
    variantTag: 'benefits-B',
    completionType: 'DAYS',
    completionValue: 60,
    startedAt: day(63),
    completedAt: day(3),
    chooseUntil: day(-4),
  };
  const running = {
    ...both,
    name: 'Offer: 20% twice or 30% once',
    experimentId: 'demoOfferTwentyOrThirty',
    state: 'EXPERIMENT_IN_PROGRESS',
    entityType: 'CANCELLATION_OFFER',
    incentiveId,
    control: { title: 'Stay, and save 20% twice' },
    variant: { title: 'Stay, and save 30% on the next order', incentives: [discount('30', 1)] },
    controlTag: 'offer-A',
    variantTag: 'offer-B',
    completionType: 'ATTEMPTS',
    completionValue: 400,
    startedAt: day(100),
    completedAt: null,
    chooseUntil: null,
    winner: null,
  };
  const made: Results[] = [];
  const ids = await insert(trx, store, 'experiment', [ended, running] as JsonObject[], new Date(now - 63 * DAY_MS));
  for (const [i, experiment] of [ended, running].entries()) {
    const { rows } = await sql<{ id: number; customer_id: number }>`select id, customer_id from cancellation_attempts
      where store_id = ${store.id}::integer and started_at > ${experiment.startedAt}::timestamptz
        and started_at < ${experiment.completedAt ?? day(0)}::timestamptz
        and ${i === 0 ? sql`benefit_id = ${benefitId}::bigint` : sql`offer_id = ${incentiveId}::bigint`}`.execute(trx);
    const variants = rows.map(row => variantOf(experiment.experimentId, row.customer_id, experiment.variantPercent));
    await sql`update cancellation_attempts a set variants = a.variants || jsonb_build_object(${String(ids[i])}::text, v.variant)
      from unnest(${rows.map(row => row.id)}::bigint[], ${variants}::text[]) as v (id, variant)
      where a.store_id = ${store.id}::integer and a.id = v.id`.execute(trx);
    const came = await resultsOf({ trx, storeId: store.id }, [ids[i] ?? 0], new Date(now));
    made.push(came.get(ids[i] ?? 0) as Results);
  }
  const [came] = made;
  const winner = came ? winnerOf(came.A, came.B, ended.winningCriteriaPercent) : 'NONE';
  await sql`update records set data = data || ${JSON.stringify({ winner })}::jsonb
    where store_id = ${store.id}::integer and id = ${ids[0] ?? 0}::bigint`.execute(trx);
}
