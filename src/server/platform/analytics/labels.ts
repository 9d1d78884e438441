// What groups of a chart are called: names of plans and products, options of fields, countries, numbers of orders.
import { sql } from 'kysely';
import { LAST_ORDER } from '../../../domain/analytics/facts.ts';
import { frequencyLabel, intervalIn } from '../../../domain/calendar/interval.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { Definitions } from '../../../contract/types.ts';
import { atStart, inFigures, intlLocale, t, translated } from '../../../domain/text/t.ts';
import type { Asking } from './measure.ts';

export type Key = string | number | boolean | null;
export type Naming = (key: Key) => string;

/** The field of an entity whose options a dimension has. */
const OPTIONS: Readonly<Record<string, [entity: string, field: string]>> = {
  origin: ['subscription', 'source'],
  provider: ['payment-method', 'type'],
  happened: ['movement', 'kind'],
  cancelledBy: ['subscription', 'cancellationSource'],
  type: ['order', 'orderType'],
  skipReason: ['order', 'skipReason'],
  category: ['order', 'errorCategory'],
  outcome: ['cancellation-attempt', 'outcome'],
  benefitOutcome: ['cancellation-attempt', 'benefitOutcome'],
  treatmentOutcome: ['cancellation-attempt', 'treatmentOutcome'],
  offerOutcome: ['cancellation-attempt', 'offerOutcome'],
  offerKind: ['offer', 'kind'],
};
/** Fates of payments, ways of recovery, kinds of plans and subscribers. */
const WORDS: Readonly<Record<string, () => string>> = {
  PAID: () => t`Paid at once`,
  RECOVERED: () => t`Recovered`,
  OPEN: () => t`In recovery`,
  LOST: () => t`Lost`,
  RETRY: () => t`By a retry`,
  BACKUP: () => t`By the backup method`,
  BY_HAND: () => t`By hand or by the customer`,
  STANDARD: () => t`Paid order by order`,
  PREPAID: () => t`Paid ahead`,
  FIRST: () => t`First subscription`,
  RETURNING: () => t`Had one before`,
};

const orders = (first: number): string =>
  first >= LAST_ORDER ? t`51 and more` : first > 10 ? `${inFigures(first)}–${inFigures(first + 4)}` : inFigures(first);

const none = (key: Key): boolean => key === null || key === '';

/** How the groups of a dimension are called; `keys` are those that there are. */
export async function namesOf(
  asking: Asking,
  definitions: Definitions,
  dimension: string,
  keys: readonly Key[],
  status: 'subscription' | 'order' = 'subscription',
): Promise<Naming> {
  const ids = keys.filter(key => typeof key === 'number' || (typeof key === 'string' && /^\d+$/.test(key))).map(Number);
  const byId = async (query: ReturnType<typeof sql<{ id: number; name: string }>>, gone: (key: Key) => string): Promise<Naming> => {
    const { rows } = await query.execute(asking.trx);
    const names = new Map(rows.map(({ id, name }) => [Number(id), name]));
    return key => names.get(Number(key)) ?? gone(key);
  };
  const { id: store } = asking.store;
  switch (dimension) {
    case 'plan':
      return byId(
        // Groups of the same name are distinguished by their own code.
        sql`select id, name || case when n > 1 and code is not null then ' (' || code || ')' else '' end as name from (
          select id, data ->> 'name' as name, data ->> 'merchantCode' as code, count(*) over (partition by data ->> 'name') as n
            from records
            where store_id = ${store}::integer and entity = 'selling-plan-group') plans where id = any(${ids}::bigint[])`,
        key => (none(key) ? t`No plan` : t`Plan ${String(key)}`),
      );
    case 'benefit':
    case 'offer':
      return byId(
        sql`select id, coalesce(data ->> 'name', data ->> 'title') as name from records where store_id = ${store}::integer
          and entity = ${dimension === 'benefit' ? 'subscription-benefit' : 'incentive'} and id = any(${ids}::bigint[])`,
        key => (none(key) ? t`None` : t`Deleted (${String(key)})`),
      );
    case 'offerProfile':
      return byId(
        sql`select id, data ->> 'name' as name from records where store_id = ${store}::integer
          and entity in ('swap-profile', 'upsell-profile', 'upgrade-profile', 'storefront-banner') and id = any(${ids}::bigint[])`,
        key => (Number(key) === 0 ? t`General settings` : t`Deleted (${String(key)})`),
      );
    case 'product':
      return byId(sql`select id, title as name from products where store_id = ${store}::integer and id = any(${ids}::bigint[])`, key =>
        none(key) ? t`No product` : t`Product ${String(key)}`,
      );
    case 'variant':
      return byId(
        sql`select v.id, p.title || case when v.title in ('', 'Default', 'Default Title') then '' else ' – ' || v.title end as name
          from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
          where v.store_id = ${store}::integer and v.id = any(${ids}::bigint[])`,
        key => (none(key) ? t`No product` : t`Variant ${String(key)}`),
      );
    case 'country': {
      const names = new Intl.DisplayNames(intlLocale(), { type: 'region' });
      return key => (typeof key === 'string' && /^[A-Z]{2}$/.test(key) ? (names.of(key) ?? key) : t`No country`);
    }
    case 'frequency':
      return key => {
        const interval = typeof key === 'string' ? intervalIn(key) : undefined;
        return interval ? atStart(frequencyLabel(interval)) : String(key ?? '');
      };
    case 'orderNumber':
      return key => orders(Number(key));
    case 'event':
      return key => translated(definitions.events[String(key)]?.title ?? String(key));
    case 'status':
      return optionNames(definitions, status, 'status');
    case 'success':
    case 'isBackup':
    case 'isPaidAhead':
    case 'sameDay':
      return key => (String(key) === 'true' ? t`Yes` : t`No`);
    case 'fate':
    case 'recovery':
    case 'planType':
    case 'subscriberType':
      return key => WORDS[String(key)]?.() ?? t`None`;
    case 'reason':
      return key => (none(key) ? t`No reason given` : translated(String(key)));
    case 'brand':
      return key => (none(key) ? t`No method` : atStart(String(key).toLowerCase().replaceAll('_', ' ')));
    default: {
      const [entity, field] = OPTIONS[dimension] ?? [];
      return entity && field ? optionNames(definitions, entity, field) : key => String(key ?? '');
    }
  }
}

function optionNames(definitions: Definitions, entity: string, field: string): Naming {
  const options = optionsOf(definitions.entities[entity]?.properties?.[field] ?? {});
  const titles = new Map(options.map(({ value, title }) => [String(value ?? ''), title]));
  return key => {
    const title = titles.get(String(key ?? ''));
    return title === undefined ? (none(key) ? t`None` : String(key)) : translated(title);
  };
}
