// Where the rows of the ledger stand that a figure is the sum of: the report of movements, narrowed to what the figure counts.
import type { Metric } from '../../../contract/types.ts';
import { addDays, type Period } from '../../../domain/calendar/plain-days.ts';
import type { Filters } from './measure.ts';

/** The filters of pages of figures as the report has them. */
const COLUMNS = { plan: 'planGroupId', product: 'productId', country: 'countryCode', frequency: 'frequency' } as const;

/**
 * The address below the report's own: kinds and days of the movements that add up to a figure; undefined where it is not made of one kind
 * of term of the ledger.
 */
export function rowsBehind({ numerator, denominator }: Metric, { startDate, endDate }: Period, filters: Filters): string | undefined {
  const [term, ...others] = numerator;
  if (!term || others.length || denominator.length || term.measure !== 'mrr') return undefined;
  const query = new URLSearchParams();
  if (term.fact === 'movement') {
    if (term.when.happened) query.set('kind', term.when.happened.map(String).join(','));
    query.set('day', `${startDate}..${endDate}`);
  } else if (term.fact === 'subscription') query.set('day', `..${term.at === 'start' ? addDays(startDate, -1) : endDate}`);
  else return undefined;
  for (const [name, column] of Object.entries(COLUMNS)) {
    const values = filters[name as keyof typeof COLUMNS];
    if (values?.length) query.set(column, values.join(','));
  }
  return `?${query.toString().replaceAll('%2C', ',')}`;
}
