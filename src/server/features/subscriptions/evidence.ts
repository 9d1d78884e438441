// What speaks for the store when a customer disputes a payment: a page to print, with the purchase, the order, what was sent and written.
import { sql } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import { language, later, t } from '../../../domain/text/t.ts';
import { inLine, notFound, Reply, type Context } from '../../platform/context.ts';
import { escapeHtml as e } from '../../platform/http/public-pages.ts';
import type { Address } from '../../../domain/places/address.ts';
import { loadAggregates, methodById, nameOf, orderById, type OrderDispute } from '../../engine/index.ts';

type Cells = (string | number | null | undefined)[];

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#1f1d1a}h1{font-size:1.5rem}' +
  'h2{font-size:1.1rem;margin:2rem 0 .5rem;border-bottom:1px solid #dedad3}table{border-collapse:collapse;width:100%}' +
  'td,th{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid #eee}th{font-weight:600}';

const table = (head: readonly string[], rows: readonly Cells[]): string =>
  rows.length === 0
    ? `<p>${e(t`None.`)}</p>`
    : `<table>${head.length ? `<tr>${head.map(one => `<th>${e(one)}</th>`).join('')}</tr>` : ''}` +
      `${rows.map(cells => `<tr>${cells.map(one => `<td>${e(String(one ?? ''))}</td>`).join('')}</tr>`).join('')}</table>`;

/** The page for one order of a subscription. @throws Refusal 404 where the order is not disputed */
export const disputeEvidence = inLine(
  'exports',
  async (context: Context, { id, orderId }: { id: number; orderId: number }): Promise<Reply> => {
    const { trx, storeId, store } = context;
    const [subscription] = await loadAggregates(trx, storeId, [id], { lock: false, orderIds: [orderId] });
    const order = subscription && orderById(subscription, orderId);
    const dispute = order?.dispute as OrderDispute | null | undefined;
    if (!subscription || !order || !dispute) throw notFound(later`order`);
    const { contract } = subscription;
    const day = (at: Date | null): string => (at ? `${dateLabel(at.getTime(), store.timezone)} (${at.toISOString()})` : '');
    const cash = (minor: number): string => `${toDecimal(minor, order.currency_code)} ${order.currency_code}`;
    const where = (given: unknown): string => {
      const { firstName, lastName, address1, address2, zip, city, provinceCode, countryCode } = (given ?? {}) as Partial<Address>;
      const name = [firstName, lastName].filter(Boolean).join(' ');
      return [name, address1, address2, [zip, city].filter(Boolean).join(' '), provinceCode, countryCode].filter(Boolean).join(', ');
    };
    const orders = await trx
      .selectFrom('orders')
      .select(['id', 'status', 'order_type', 'billing_at', 'processed_at', 'delivery_at', 'total', 'refunded', 'fulfillment_status'])
      .select(['shopify_order_number', 'shipping_address'])
      .where('store_id', '=', storeId)
      .where('contract_id', '=', id)
      .where('status', '=', 'PAID')
      .orderBy('processed_at')
      .execute();
    const letters = await trx
      .selectFrom('outbox')
      .select(['subject', 'sent_at'])
      .where('store_id', '=', storeId)
      .where('contract_id', '=', id)
      .where('recipient', '=', contract.customer_email)
      .where('sent_at', 'is not', null)
      .orderBy('sent_at')
      .execute();
    // What the customer did themselves: that they know the subscription and use it.
    const { rows: done } = await sql<{ key: string; at: Date }>`select key, created_at as at from events
      where store_id = ${storeId}::integer and contract_id = ${id}::bigint and source = 'Customer portal' order by id limit 500`.execute(
      trx,
    );
    const method = methodById(subscription, contract.payment_method_id);
    const titleOf = (key: string): string => context.definitions.events[key]?.title ?? key;
    const lines = order.lines as { name?: string; quantity?: number; total?: string }[];
    const html =
      `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><title>${e(dispute.reference)}</title>` +
      `<style>${STYLE}</style></head><body>` +
      `<h1>${e(t`Evidence for dispute ${dispute.reference}`)}</h1>` +
      table(
        [],
        [
          [t`Store`, `${store.name}, ${store.email}`],
          [t`Customer`, `${contract.customer_name}, ${contract.customer_email}`],
          [t`Disputed`, `${cash(dispute.amount)}, ${dispute.reason.replaceAll('_', ' ')}`],
          [t`Payment`, `${cash(order.total)}, ${day(order.processed_at)}`],
          [t`Payment method`, method ? [method.brand, method.last_digits].filter(Boolean).join(' •••• ') : ''],
        ],
      ) +
      `<h2>${e(t`What the customer agreed to`)}</h2>` +
      table(
        [],
        [
          [t`Subscription`, `#${id}`],
          [t`Made`, day(contract.created_at)],
          [t`Made by`, contract.source],
          [t`Billing`, `${contract.billing_interval_count} × ${contract.billing_interval}`],
          [t`Deliveries`, `${contract.delivery_interval_count} × ${contract.delivery_interval}`],
          [t`Products`, subscription.lines.map(one => `${one.quantity} × ${nameOf(one)}`).join(', ')],
        ],
      ) +
      `<h2>${e(t`The order`)}</h2>` +
      table(
        [t`Product`, t`Quantity`, t`Total`],
        lines.map(one => [one.name, one.quantity, one.total]),
      ) +
      `<p>${e(t`Sent to`)}: ${e(where(order.shipping_address))}</p>` +
      `<h2>${e(t`Orders and deliveries`)}</h2>` +
      table(
        [t`Order`, t`Paid`, t`Delivery`, t`Total`, t`Refunded`, t`Sent to`],
        orders.map(one => [
          one.shopify_order_number ?? one.id,
          day(one.processed_at),
          [day(one.delivery_at), one.fulfillment_status].filter(Boolean).join(', '),
          cash(one.total),
          one.refunded ? cash(one.refunded) : '',
          where(one.shipping_address),
        ]),
      ) +
      `<h2>${e(t`What the customer did`)}</h2>` +
      table(
        [t`When`, t`What`],
        done.map(({ key, at }) => [day(at), titleOf(key)]),
      ) +
      `<h2>${e(t`E-mails to the customer`)}</h2>` +
      table(
        [t`Sent`, t`Subject`],
        letters.map(one => [day(one.sent_at), one.subject]),
      ) +
      `</body></html>\n`;
    return new Reply(null, { file: { name: `dispute-${orderId}.html`, contentType: 'text/html; charset=utf-8', content: html } });
  },
);
