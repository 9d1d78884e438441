// Orders that a subscription placed, tried to place or skipped. A row opens to its payment attempts with their reasons, and what was in it.
import { ChevronRight, CircleCheck, CircleX, Clock, Copy } from 'lucide-react';
import { Fragment, type MouseEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { FAILURE_CATEGORIES } from '../../src/domain/recovery/failure-codes.ts';
import { fieldOf, optionsOf } from '../../src/contract/paths.ts';
import { type Interval, shortestDays } from '../../src/domain/calendar/interval.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import BadgeCell from '../cells/badge.tsx';
import CopyCell from '../cells/copy.tsx';
import { useSchema } from '../../src/admin/platform/definitions.ts';
import { day, dayTime, instant, money } from '../../src/admin/platform/format.ts';
import { ActionButton } from '../../src/admin/form/actions/buttons.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { Dispute } from '../../src/admin/record/dispute.tsx';
import { More } from '../../src/admin/record/sections.tsx';
import { t, translated } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export const flush = true;

const rows = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
const texts = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const titleOf = (schema: Schema | undefined, field: string, value: JsonValue | undefined): string =>
  optionsOf(fieldOf(schema, field)).find(one => one.value === (value ?? null))?.title ?? '';

export default function OrderHistory({ data, record, section, options, actionsOfRow, start, more, isLoadingMore }: PanelProps) {
  const orders = rows(data);
  const schema = useSchema('entities/order');
  // What failed last is open at first: it is why one looks here.
  const [open, setOpen] = useState<ReadonlySet<JsonValue>>(() => new Set(orders[0]?.status === 'FAILED' ? [orders[0].id ?? null] : []));
  const toggle = (id: JsonValue): void =>
    setOpen(before => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  if (orders.length === 0) return <p className="r-empty p-muted">{t`No orders yet.`}</p>;
  const close = chargedTwice(orders, record.deliveryPolicy);
  return (
    <>
      {close && <CloseCharges orders={close} schema={fieldOf(schema, 'attempts')?.items} />}
      <div className="p-table-wrap">
        <table className="p-table r-table r-history" aria-label={section.title}>
          <thead>
            <tr>
              <th>
                <span className="p-sr">{t.as('verb')`Open`}</span>
              </th>
              <th scope="col">{t`Order`}</th>
              <th scope="col">{t`Date`}</th>
              <th scope="col">{t`Status`}</th>
              <th scope="col" className="p-num">
                {t`Total`}
              </th>
              <th>
                <span className="p-sr">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.map(order => {
              const id = order.id ?? null;
              const isOpen = open.has(id);
              const name = nameOf(order);
              const offers = actionsOfRow(order);
              const onClick = (event: MouseEvent): void => {
                if (!(event.target as Element).closest('button, a')) toggle(id);
              };
              return (
                <Fragment key={String(id)}>
                  <tr className="r-history-row" onClick={onClick} data-state={String(order.status)}>
                    <td>
                      <button
                        type="button"
                        className="r-expand"
                        aria-expanded={isOpen}
                        aria-controls={`order-${String(id)}`}
                        aria-label={isOpen ? t`Close ${name}` : t`Open ${name}`}
                        onClick={() => toggle(id)}
                      >
                        <ChevronRight size={16} aria-hidden="true" />
                      </button>
                    </td>
                    <td>
                      <span className="p-strong">{name}</span>
                      {order.shopifyOrderNumber ? <span className="p-muted"> · #{String(order.shopifyOrderNumber)}</span> : null}
                      {options.subscriptions === true && (
                        <Link className="r-second" to={`/subscriptions/${String(order.contractId)}`}>
                          {tx`Subscription #${String(order.contractId)}`}
                        </Link>
                      )}
                    </td>
                    <td>
                      <time
                        className="p-tabular"
                        dateTime={new Date(happenedAt(order) * 1000).toISOString()}
                        data-tip={instant(happenedAt(order))}
                      >
                        {day(happenedAt(order))}
                      </time>
                    </td>
                    <td>
                      <span className="p-row r-why-row">
                        <BadgeCell value={order.status} record={order} schema={fieldOf(schema, 'status')} options={{}} />
                        <span className="p-hint p-cut">{reasonOf(order, schema)}</span>
                      </span>
                    </td>
                    <td className="p-num">
                      {order.isPrepaidDelivery ? (
                        <span className="p-muted">{t`Prepaid`}</span>
                      ) : (
                        money(order.totalPrice as string, String(order.currencyCode))
                      )}
                    </td>
                    <td className="r-tail">
                      {offers.map(one => (
                        <ActionButton key={one.action.id} offer={one} small look="plain" onStart={() => start(one, order)} />
                      ))}
                    </td>
                  </tr>
                  {isOpen && (
                    <tr className="r-detail" id={`order-${String(id)}`}>
                      <td colSpan={6}>
                        <Detail order={order} schema={schema} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
      <More answer={{ more, isLoadingMore }} />
    </>
  );
}

/**
 * The newest two charges of one subscription that lie so close together that a customer takes them for one;
 * none where orders come as often as that.
 */
function chargedTwice(orders: readonly JsonObject[], policy: JsonValue | undefined): [JsonObject, JsonObject] | undefined {
  if (!policy) return undefined; // orders of several subscriptions
  const near = Math.min(3 * 86_400, (shortestDays(policy as Interval) * 86_400) / 2);
  const charged = orders.filter(order => order.status === 'PAID' && !order.isPrepaidDelivery && Number(order.totalPrice) > 0);
  const i = charged.findIndex((order, k) => {
    const older = charged[k + 1];
    return older !== undefined && Math.abs(happenedAt(order) - happenedAt(older)) < near;
  });
  return i < 0 ? undefined : [charged[i + 1]!, charged[i]!];
}

/** Says of each of two charges what it was for, how much, when, and what set it off. */
function CloseCharges({ orders, schema }: { orders: readonly [JsonObject, JsonObject]; schema: Schema | undefined }) {
  const total = orders.reduce((sum, order) => sum + Number(order.totalPrice), 0);
  return (
    <div className="r-close" role="note">
      <Copy size={16} aria-hidden="true" />
      <div>
        <p>
          {tx`${<span className="p-strong">{t`Two orders were charged close together`}</span>},
            ${money(String(total.toFixed(2)), String(orders[0].currencyCode))} in all. They are different orders:`}
        </p>
        <ul>
          {orders.map(order => {
            const attempt = rows(order.attempts).find(one => one.success === true);
            const name = <span className="p-strong">{nameOf(order)}</span>;
            const number = order.shopifyOrderNumber ? ` (#${String(order.shopifyOrderNumber)})` : '';
            const amount = money(order.totalPrice as string, String(order.currencyCode));
            const [at, due] = [happenedAt(order), Number(order.billingDateEpoch)];
            const how = order.isCheckoutOrder ? t`at the checkout of your store` : startedBy(attempt, schema);
            return (
              <li key={String(order.id)}>
                {day(due) === day(at)
                  ? tx`${name}${number}, ${amount} on ${dayTime(at)}, ${how}.`
                  : tx`${name}${number}, ${amount} on ${dayTime(at)}, ${how}. It was due on ${day(due)}.`}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

/** "by the schedule", "by hand by ana@example.com". */
function startedBy(attempt: JsonObject | undefined, schema: Schema | undefined): string {
  if (attempt?.trigger === 'MANUAL') return typeof attempt.startedBy === 'string' ? t`by hand by ${attempt.startedBy}` : t`by hand`;
  const words: Record<string, string> = {
    SCHEDULED: t`by the schedule`,
    RETRY: t`by a retry of a failed payment`,
    BACKUP: t`to the backup method`,
    CARD_UPDATE: t`after the payment method was changed`,
  };
  return words[String(attempt?.trigger ?? 'SCHEDULED')] ?? titleOf(schema, 'trigger', attempt?.trigger);
}

const nameOf = (order: JsonObject): string =>
  order.isCheckoutOrder ? t`Checkout` : t`Order ${String(order.cycle ?? order.orderNumberInSubscription ?? '')}`;

/** Why it is what it is, where that is not plain: the failure, the skip, what was left out. */
function reasonOf(order: JsonObject, schema: Schema | undefined): string {
  if (order.status === 'FAILED')
    return [
      titleOf(schema, 'errorCategory', order.errorCategory),
      order.nextRetryDateEpoch ? t`next try ${day(Number(order.nextRetryDateEpoch))}` : '',
    ]
      .filter(Boolean)
      .join(', ');
  if (order.unclearSinceEpoch) return t`Your payment provider can’t tell whether it was charged`;
  if (order.disputeStatus) return titleOf(schema, 'disputeStatus', order.disputeStatus);
  if (order.status === 'SKIPPED') return order.skipReason ? titleOf(schema, 'skipReason', order.skipReason) : '';
  const [partial, attempts] = [order.partial as JsonObject | undefined, Number(order.attemptsCount ?? 0)];
  if (partial?.isPartial) return t`Some products left out`;
  if (order.status !== 'PAID') return '';
  const due = day(Number(order.billingDateEpoch));
  const by = rows(order.attempts).find(attempt => attempt.success === true)?.trigger;
  return [
    by === 'MANUAL' ? t`by hand` : attempts > 1 ? t`paid at try ${attempts}` : '',
    due === day(happenedAt(order)) ? '' : t`due ${due}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** When it was paid, else when it was due (epoch seconds). */
const happenedAt = (order: JsonObject): number =>
  Number((order.status === 'PAID' ? order.processedAtEpoch : null) ?? order.billingDateEpoch);

/** What a line of an order is called, with its variant where there are several. */
const lineName = (line: JsonObject): string =>
  String(line.name ?? line.title ?? ([line.productTitle, line.variantTitle].filter(Boolean).join(' - ') || t`Product`));

function Detail({ order, schema }: { order: JsonObject; schema: Schema | undefined }) {
  const attempts = rows(order.attempts);
  const lines = rows(order.lines);
  const omitted = rows((order.partial as JsonObject | null | undefined)?.omittedLines);
  const currency = String(order.currencyCode ?? '');
  const cash = (value: JsonValue | undefined): string => money(value as string, currency);
  const sums = [
    [t`Products`, order.totalLineItemsPrice, ''],
    [t`Discount`, order.totalDiscount, '−'],
    [t`Shipping`, order.totalShippingPrice, ''],
    [t`Tax`, order.totalTax, ''],
    [t`Refunded`, order.totalRefunded, '−'],
    [t`Being refunded`, order.refunding, '−'],
  ] as const;
  return (
    <div className="r-detail-grid">
      <Dispute order={order} title={titleOf(schema, 'disputeStatus', order.disputeStatus)} cash={cash} />
      {attempts.length > 0 && (
        <div>
          <h3>{t`Payment attempts`}</h3>
          <ol className="r-attempts">
            {attempts.map(attempt => (
              <Attempt key={String(attempt.id)} attempt={attempt} cash={cash} schema={fieldOf(schema, 'attempts')?.items} />
            ))}
          </ol>
        </div>
      )}
      {attempts.length === 0 && order.status !== 'SKIPPED' && (
        <p className="p-muted">
          {order.isPrepaidDelivery
            ? t`Paid ahead with an earlier order; nothing was charged.`
            : order.isCheckoutOrder
              ? t`Paid at the checkout of your store.`
              : t`No payment attempt was made.`}
        </p>
      )}
      {lines.length > 0 && (
        <div>
          <h3>{t`In this order`}</h3>
          <ul className="r-detail-lines">
            {lines.map((line, i) => (
              <li key={i}>
                <span>
                  {lineName(line)} × {String(line.quantity ?? 1)}
                </span>
                <span className="p-tabular">{cash(line.discountedPrice ?? line.total ?? line.price)}</span>
              </li>
            ))}
            {sums
              .filter(([, value]) => Number(value ?? 0) !== 0)
              .map(([title, value, sign]) => (
                <li key={title} className="p-muted">
                  <span>{title}</span>
                  <span className="p-tabular">
                    {sign}
                    {cash(value)}
                  </span>
                </li>
              ))}
          </ul>
        </div>
      )}
      {omitted.length > 0 && (
        <div>
          <h3>{t`Left out for lack of stock`}</h3>
          <ul className="r-detail-lines">
            {omitted.map((line, i) => (
              <li key={i} className="p-muted">
                <span>
                  {lineName(line)} × {String(line.quantity ?? 1)}
                </span>
                <span>{t`not charged`}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {texts(order.tags).length > 0 && (
        <div>
          <h3>{t`Tags`}</h3>
          <p className="r-order-tags">
            {texts(order.tags).map(tag => (
              <span key={tag} className="p-tag">
                {tag}
              </span>
            ))}
          </p>
        </div>
      )}
      <p className="p-hint r-inline">
        <span>{t`Order id`}</span>
        <CopyCell value={order.id} record={order} schema={{ title: t`order id` }} options={{}} />
        {order.shopifyId ? (
          <>
            <span>{t`· platform id`}</span>
            <CopyCell value={order.shopifyId} record={order} schema={{ title: t`platform id` }} options={{}} />
          </>
        ) : null}
      </p>
    </div>
  );
}

type Cash = (value: JsonValue | undefined) => string;

function Attempt({ attempt, cash, schema }: { attempt: JsonObject; cash: Cash; schema: Schema | undefined }) {
  const failed = attempt.success === false;
  const category = FAILURE_CATEGORIES.find(one => one.key === attempt.errorCategory);
  const trigger = titleOf(schema, 'trigger', attempt.trigger);
  const charged = `${cash(attempt.amount)}${trigger && ` · ${trigger}`}`;
  const what = typeof attempt.startedBy === 'string' ? t`${charged} by ${attempt.startedBy}` : charged;
  const Icon = attempt.success === true ? CircleCheck : failed ? CircleX : Clock;
  return (
    <li className="r-attempt" data-ok={String(attempt.success ?? null)}>
      <Icon size={16} aria-hidden="true" />
      <div>
        <p>
          <span className="p-strong">
            {attempt.success === true
              ? t`Paid`
              : failed
                ? category
                  ? translated(category.label)
                  : t`Failed`
                : attempt.nextActionUrl
                  ? t`Waits for the customer`
                  : attempt.ready
                    ? t`Not charged`
                    : attempt.lookUpAt
                      ? t`Being processed by the payment provider`
                      : t`Under way`}
          </span>{' '}
          <span className="p-muted">{attempt.isBackup ? t`${what} · backup method` : what}</span>
        </p>
        {!failed && attempt.success !== true && attempt.ready === true && <p className="p-muted">{String(attempt.errorMessage ?? '')}</p>}
        {failed && <p className="p-muted">{category ? translated(category.description) : String(attempt.errorMessage ?? '')}</p>}
        {failed && Boolean(attempt.errorCode) && (
          <p className="p-hint">
            {tx`Gateway: ${String(attempt.errorCode)}${attempt.errorMessage ? `, “${String(attempt.errorMessage)}”` : ''}`}
          </p>
        )}
        {typeof attempt.lookUpAt === 'string' && (
          <p className="p-muted">
            {t`The order is paid when the provider confirms it; bank debits take days. It is looked up again at
              ${dayTime(attempt.lookUpAt)}.`}
          </p>
        )}
        {attempt.success === null && typeof attempt.nextActionUrl === 'string' && (
          <p>
            <a href={attempt.nextActionUrl} target="_blank" rel="noreferrer">
              {t`Page where the customer confirms`}
            </a>
          </p>
        )}
      </div>
      <time className="p-hint p-tabular" dateTime={String(attempt.createdAt)} data-tip={instant(String(attempt.createdAt))}>
        {dayTime(String(attempt.createdAt))}
      </time>
    </li>
  );
}
