// What a figure says of itself: what exactly it counts, where it comes from and how fresh it is.
import { sql } from 'kysely';
import { FACTS, type FactSource } from '../../../domain/analytics/facts.ts';
import { intlLocale, t, translated } from '../../../domain/text/t.ts';
import type { Metric } from '../../../contract/types.ts';
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

/** The last day whose amounts in the ledger were worked out afterwards; undefined where all of them were written as they happened. */
async function estimatedUntil({ trx, store }: ChartContext): Promise<string | undefined> {
  const { rows } = await sql<{ day: string }>`select to_char(day, 'YYYY-MM-DD') as day from movements
    where store_id = ${store.id}::integer and is_estimated order by movements.day desc limit 1`.execute(trx);
  return rows[0]?.day;
}

/** The explanation of each of some metrics, in the language of the person. */
export async function aboutOf(context: ChartContext, metrics: readonly Metric[]): Promise<(metric: Metric) => string> {
  const last = metrics.some(isOfLedgerMoney) ? await estimatedUntil(context) : undefined;
  const day =
    last && new Intl.DateTimeFormat(intlLocale(), { timeZone: 'UTC', dateStyle: 'medium' }).format(Date.parse(`${last}T00:00:00Z`));
  return metric => {
    const sources = [...new Set(factsOf(metric).flatMap(({ fact }) => FACTS[fact]?.source ?? []))];
    return [
      translated(metric.about),
      ...sources.map(source => SOURCES[source]()),
      ...(day && isOfLedgerMoney(metric)
        ? [t`Movements up to ${day} were worked out from the log: they have the amounts that subscriptions had when the ledger began.`]
        : []),
    ].join(' ');
  };
}
