// What a figure says of itself: what exactly it counts, where it comes from and how fresh it is.
import { sql, type RawBuilder } from 'kysely';
import { FACTS, type FactSource } from '../../../domain/analytics/facts.ts';
import { intlLocale, t, translated } from '../../../domain/text/t.ts';
import type { Metric } from '../../../contract/types.ts';
import { countedAt } from './facts-sql.ts';
import type { ChartContext } from './wire.ts';

const SOURCES: Readonly<Record<FactSource, () => string>> = {
  ledger: () => t`Source: the ledger of movements, up to this moment.`,
  orders: () => t`Source: orders, up to this moment.`,
  payments: () => t`Source: payments and their tries, up to this moment.`,
  subscriptions: () => t`Source: subscriptions as they are at this moment.`,
  log: () => t`Source: the log of subscriptions, up to this moment.`,
  cancellations: () => t`Source: attempts to cancel, up to this moment.`,
  offers: () => t`Source: offers that customers saw, up to this moment.`,
};

const factsOf = ({ numerator, denominator }: Metric) => [...numerator, ...denominator];
/** Whether it sums up amounts of the ledger, of which the oldest may have been worked out afterwards. */
const isOfLedgerMoney = (metric: Metric): boolean =>
  factsOf(metric).some(({ fact, measure }) => FACTS[fact]?.source === 'ledger' && measure === 'mrr');

/** What of a store was worked out or filled in afterwards: the last day of which that is so, as people read it. */
interface FilledIn {
  movements: string | undefined;
  orders: string | undefined;
  payments: string | undefined;
  areSpans: boolean;
}
async function filledIn({ trx, store }: ChartContext): Promise<FilledIn> {
  const own = sql`store_id = ${store.id}::integer and is_estimated`;
  const dayIn = (at: RawBuilder<unknown>) => sql`to_char(${at} at time zone ${store.timezone}::text, 'YYYY-MM-DD')`;
  const { rows } = await sql<Record<'movements' | 'orders' | 'payments', string | null> & { spans: boolean }>`select
    (select to_char(m.day, 'YYYY-MM-DD') from movements m where ${own} order by m.day desc limit 1) as movements,
    (select ${dayIn(countedAt('o'))} from orders o where ${own} order by ${countedAt('o')} desc limit 1) as orders,
    (select ${dayIn(sql`max(created_at)`)} from billing_attempts where ${own}) as payments,
    exists (select from contract_spans where ${own}) as spans`.execute(trx);
  const [found] = rows;
  const said = (day: string | null | undefined): string | undefined =>
    day
      ? new Intl.DateTimeFormat(intlLocale(), { timeZone: 'UTC', dateStyle: 'medium' }).format(Date.parse(`${day}T00:00:00Z`))
      : undefined;
  return {
    movements: said(found?.movements),
    orders: said(found?.orders),
    payments: said(found?.payments),
    areSpans: found?.spans ?? false,
  };
}

/** The sentences about it that concern a metric. */
function saysFilledIn(metric: Metric, { movements, orders, payments, areSpans }: FilledIn): string[] {
  const sources = new Set(factsOf(metric).flatMap(({ fact }) => FACTS[fact]?.source ?? []));
  const about = (day: string | undefined, isSaid: boolean, say: (day: string) => string): string[] => (day && isSaid ? [say(day)] : []);
  return [
    ...about(
      movements,
      isOfLedgerMoney(metric),
      day => t`Movements up to ${day} were worked out from the log: they have the amounts that subscriptions had when the ledger began.`,
    ),
    ...(areSpans && isAsOfThen(metric) ? [t`Of days before the ledger began they are those that subscriptions had when it began.`] : []),
    ...about(
      orders,
      metric.unit === 'money' && sources.has('orders'),
      day => t`Orders in other currencies up to ${day} are converted with a later rate where that of their day is not known.`,
    ),
    ...about(
      payments,
      sources.has('payments'),
      day => t`Cards and rates of payments up to ${day} are filled in where those of their day are not known.`,
    ),
  ];
}

/** Whether it counts what happened to subscriptions under what they were then. */
const isAsOfThen = (metric: Metric): boolean =>
  factsOf(metric).some(({ fact }) => {
    const { kind, source, ofSubscription } = FACTS[fact] ?? {};
    return kind === 'flow' && source !== 'ledger' && ofSubscription === true;
  });

/** The explanation of each metric, in the language of the person. */
export async function aboutOf(context: ChartContext): Promise<(metric: Metric) => string> {
  const filled = await filledIn(context);
  return metric => {
    const sources = [...new Set(factsOf(metric).flatMap(({ fact }) => FACTS[fact]?.source ?? []))];
    return [
      translated(metric.about),
      ...sources.map(source => SOURCES[source]()),
      ...(isAsOfThen(metric) ? [t`Country, frequency, plan and products are those of that day.`] : []),
      ...saysFilledIn(metric, filled),
    ].join(' ');
  };
}
