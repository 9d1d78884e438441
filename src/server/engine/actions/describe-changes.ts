// What a change did to a subscription, in words: title, before and after of everything that a person would look at.
import schema from '../../../../schemas/entities/subscription.json' with { type: 'json' };
import { frequencyLabel } from '../../../domain/calendar/interval.ts';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import type { Aggregate } from '../aggregate.ts';
import type { ContractRow, DiscountRow, LineRow, MethodRow, OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { deliveryOf } from '../schedule.ts';
import { labelOf, nameOf, pieceInCharge } from '../price.ts';
import { atStart, intlLocale, language, later, t, translated } from '../../../domain/text/t.ts';

export type Change = {
  title: string;
  before: string;
  after: string;
};

const STATUS = new Map(schema.properties.status.oneOf.map(one => [one.const, one.title]));
const ORDER = new Map([
  ['SCHEDULED', later`scheduled`],
  ['SKIPPED', later`skipped`],
  ['PROCESSING', later`being charged`],
  ['PAID', later`paid`],
  ['FAILED', later`payment failed`],
]);
const none = (): string => t`none`;
const statusOf = (status: string): string => translated(STATUS.get(status) ?? status);
const stateOf = (status: string): string => translated(ORDER.get(status) ?? status);

/** Dates in words, by the quarter of an hour: a bulk action names the same few days thousands of times. */
const labels = new Map<string, string>();
function date(at: Date | null, zone: string): string {
  if (!at) return none();
  const key = `${language()} ${zone} ${Math.floor(at.getTime() / 900_000)}`;
  let label = labels.get(key);
  if (label === undefined) {
    if (labels.size > 5000) labels.clear();
    labels.set(key, (label = dateLabel(at.getTime(), zone, intlLocale())));
  }
  return label;
}
const same = (a: unknown, b: unknown): boolean =>
  a === b || (a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : JSON.stringify(a) === JSON.stringify(b));
const optionTitle = (row: ContractRow): string => {
  const method = row.delivery_method as { type?: string; shipping?: { shippingOption?: { title?: string } } } | null;
  return method?.shipping?.shippingOption?.title ?? method?.type?.toLowerCase().replace('_', ' ') ?? none();
};
const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
const number = (value: number | null): string => (value === null ? none() : String(value));
const methodName = (methods: readonly MethodRow[], id: number | null): string => {
  const method = methods.find(one => one.id === id);
  return method
    ? [method.brand, method.last_digits ? `•••• ${method.last_digits}` : method.paypal_account_email].filter(Boolean).join(' ') ||
        t`saved method`
    : none();
};

/** A column that a person would look at: its title (English, for `translated`), and its value in words. */
type Column = [title: string, name: keyof ContractRow, words: (row: ContractRow, zone: string, methods: readonly MethodRow[]) => string];
const STATE: readonly Column[] = [
  [later`Status`, 'status', row => statusOf(row.status)],
  [later`Next order`, 'next_billing_at', (row, zone) => date(row.next_billing_at, zone)],
  [later`Resumes`, 'resume_at', (row, zone) => date(row.resume_at, zone)],
];
const CYCLES: readonly Column[] = [
  [later`Minimum orders`, 'min_cycles', row => number(row.min_cycles)],
  [later`Maximum orders`, 'max_cycles', row => number(row.max_cycles)],
];
const OTHERS: readonly Column[] = [
  [later`Shipping price`, 'delivery_price', row => formatMoney(row.delivery_price, row.currency_code, intlLocale())],
  [later`Delivery`, 'delivery_method', optionTitle],
  [later`Total`, 'total', row => formatMoney(row.total, row.currency_code, intlLocale())],
  [later`Tags`, 'tags', row => row.tags.join(', ') || none()],
  [later`Note`, 'note', row => row.note || none()],
  [later`Note on the next order`, 'next_order_note', row => row.next_order_note || none()],
  [
    later`Attributes`,
    'custom_attributes',
    row => (row.custom_attributes as { key: string; value: string }[]).map(one => `${one.key}: ${one.value}`).join(', ') || none(),
  ],
  [later`Backup payment method`, 'backup_payment_method_id', (row, _, methods) => methodName(methods, row.backup_payment_method_id)],
];

/** The differences between what a contract was and what it is; only what differs is put into words. */
export function changesOf(work: UnitOfWork, was: Aggregate['before'], subscription: Aggregate): Change[] {
  if (!was.contract) return [];
  const { zone } = work;
  const [x, y] = [was.contract, subscription.contract];
  const changes: Change[] = [];
  const tell = (title: string, from: string, to: string): void => {
    if (from !== to) changes.push({ title, before: cut(from), after: cut(to) });
  };
  const tellColumns = (columns: readonly Column[]): void => {
    for (const [title, name, words] of columns)
      if (!same(x[name], y[name])) tell(translated(title), words(x, zone, subscription.methods), words(y, zone, subscription.methods));
  };
  tellColumns(STATE);
  if (frequencyChanged(x, y)) tell(t`Frequency`, atStart(frequencyLabel(deliveryOf(x))), atStart(frequencyLabel(deliveryOf(y))));
  tellColumns(CYCLES);
  if (linesDiffer(was.lines, subscription.lines))
    tell(t`Products`, labelOf([...was.lines.values()]) || none(), labelOf(subscription.lines) || none());
  for (const now of subscription.lines) {
    const line = was.lines.get(now.id);
    if (
      !line ||
      now.variant_id !== line.variant_id ||
      (now.price === line.price && now.base_price === line.base_price && same(now.pricing_policy, line.pricing_policy))
    )
      continue;
    const price = (one: LineRow, row: ContractRow): string =>
      formatMoney(pieceInCharge(one, row.completed_orders + 1, 1, row.currency_code), row.currency_code, intlLocale());
    tell(t`Price of ${nameOf(line)}`, price(line, x), price(now, y));
  }
  if (was.discounts.size !== subscription.discounts.length || subscription.discounts.some(one => !was.discounts.has(one.id))) {
    const titles = (list: Iterable<DiscountRow>): string => [...list].map(one => one.code ?? one.title).join(', ') || none();
    tell(t`Discounts`, titles(was.discounts.values()), titles(subscription.discounts));
  }
  tellColumns(OTHERS);
  const orderOf = (order: OrderRow): string => t`Order of ${date(order.billing_at, zone)}`;
  for (const order of subscription.orders) {
    const known = was.orders.get(order.id);
    if (known?.status !== order.status) tell(orderOf(order), stateOf(known?.status ?? 'SCHEDULED'), stateOf(order.status));
  }
  // What was arranged for single orders ahead and ends with this.
  for (const known of was.orders.values()) {
    if (known.cycle < x.next_cycle) continue;
    const now = subscription.orders.find(order => order.id === known.id);
    if (known.status === 'SKIPPED' && now?.status === 'SKIPPED' && now.cycle < y.next_cycle)
      tell(orderOf(known), stateOf('SKIPPED'), t`skipped for good`);
    if (known.status === 'SCHEDULED' && known.is_rescheduled && !now) tell(orderOf(known), t`moved by itself`, t`counted with the others`);
  }
  if (y.status === 'ACTIVE')
    for (const known of was.orders.values())
      if (known.status === 'SKIPPED' && !subscription.orders.some(order => order.id === known.id))
        tell(orderOf(known), stateOf('SKIPPED'), stateOf('SCHEDULED'));
  return changes;
}

const linesDiffer = (was: ReadonlyMap<number, LineRow>, now: readonly LineRow[]): boolean =>
  was.size !== now.length ||
  now.some(line => {
    const before = was.get(line.id);
    return (
      !before ||
      before.variant_id !== line.variant_id ||
      before.quantity !== line.quantity ||
      before.one_time_removed_cycle !== line.one_time_removed_cycle
    );
  });
const frequencyChanged = (x: ContractRow, y: ContractRow): boolean =>
  x.billing_interval !== y.billing_interval ||
  x.billing_interval_count !== y.billing_interval_count ||
  x.delivery_interval !== y.delivery_interval ||
  x.delivery_interval_count !== y.delivery_interval_count;

/** One side of the changes as a cell: "Status: Active; Next order: Wed, Mar 4, 2026". */
export const sideOf = (changes: readonly Change[], side: 'before' | 'after'): string | null =>
  changes.length === 0 ? null : changes.map(change => `${change.title}: ${change[side]}`).join('; ');
