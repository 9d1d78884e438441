// What the engine refuses, told at the row and the column that it is about.
import type { Refusal } from '../../../platform/context.ts';
import type { FieldKey } from './columns.ts';
import type { ImportRow, ImportUnit } from './read-file.ts';
import { COLUMN_OF_ADDRESS, type RowProblem } from './read-unit.ts';

/** Pointers of the engine's input -> the column that holds it; the longest that fits counts. */
const COLUMNS: Record<string, FieldKey> = {
  '/billingPolicy': 'billing_interval',
  '/billingPolicy/intervalCount': 'billing_interval_count',
  '/billingPolicy/maxCycles': 'max_cycles',
  '/billingPolicy/minCycles': 'min_cycles',
  '/billingPolicy/anchorDay': 'anchor_day',
  '/billingPolicy/anchorType': 'anchor_day',
  '/deliveryPolicy': 'delivery_interval',
  '/deliveryPolicy/intervalCount': 'delivery_interval_count',
  '/nextBillingDateEpoch': 'next_billing_date',
  '/currencyCode': 'currency',
  '/deliveryPrice': 'shipping_price',
  '/optionCode': 'shipping_country_code',
  '/address': 'shipping_address1',
  '/discount': 'discount_type',
  '/discount/value': 'discount_value',
};
const OF_LINES: Record<string, FieldKey> = { variantId: 'variant_id', sku: 'sku', quantity: 'quantity', price: 'price' };

/** The column and row that a pointer means. */
function placeOf(pointer: string, { rows }: ImportUnit): Pick<RowProblem, 'position' | 'field'> {
  const [first] = rows as [ImportRow, ...ImportRow[]];
  const line = /^\/lines\/(\d+)\/(\w+)/.exec(pointer);
  if (line) {
    const row = rows[Number(line[1])] ?? first;
    const field = OF_LINES[line[2] as string];
    const named = field === 'variant_id' && !row.cells.variant_id ? 'sku' : field;
    return { position: row.position, ...(named ? { field: named } : {}) };
  }
  const part = /^\/address\/(\w+)/.exec(pointer)?.[1];
  const ofAddress = part === undefined ? undefined : COLUMN_OF_ADDRESS[part];
  if (ofAddress) return { position: first.position, field: ofAddress };
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/')))
    if (COLUMNS[at]) return { position: first.position, field: COLUMNS[at] };
  return { position: first.position };
}

/** The problems of a unit that the engine refused. */
export const problemsOf = (refusal: Refusal, unit: ImportUnit): RowProblem[] =>
  refusal.errors?.length
    ? refusal.errors.map(({ pointer, message }) => ({ ...placeOf(pointer, unit), message: sentence(message) }))
    : [{ ...placeOf('', unit), message: sentence(refusal.message) }];

const sentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);
