// Products and prices of a subscription: each line with what it costs and why, discounts, shipping, and what the next order comes to.
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { useAnswer } from '../../src/admin/record/use-rows.ts';
import { type Interval, multipleOf } from '../../src/domain/calendar/interval.ts';
import { count, money, percent } from '../../src/admin/platform/format.ts';
import { RowMenu } from '../../src/admin/form/actions/buttons.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { Picture } from '../../src/admin/ui/thumbnail.tsx';
import { type BadgeName, toneOf } from '../../src/admin/ui/tone.ts';
import { t } from '../../src/domain/text/t.ts';

export const flush = true;

const rows = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
/** How many properties of a line are shown at first. */
const FEW = 3;
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export default function ContractLines({ record, actionsOfRow, offer, start }: PanelProps) {
  const currency = text(record.currencyCode);
  const cash = (value: JsonValue | undefined): string => money(value as string, currency);
  const lines = rows(record.lines);
  const next = useNextOrder(record);
  // A delivery that is paid already costs nothing: then the next charge is what matters.
  const paidAhead = next?.isPrepaidDelivery === true;
  const creditsLeft = Number(record.prepaidCreditsLeft ?? 0);
  const sums = paidAhead ? undefined : (next?.estimatedTotal as JsonObject | undefined);
  const deliveries = multipleOf(record.billingPolicy as Interval, record.deliveryPolicy as Interval) ?? 1;
  return (
    <>
      <ul className="r-lines">
        {lines.map(line => (
          <Line
            key={String(line.id)}
            line={line}
            cash={cash}
            deliveries={deliveries}
            bundle={text(rows(record.bundles).find(one => one.bundleTransactionId === line.bundleTransactionId)?.name)}
            offers={() => actionsOfRow(line)}
            onStart={one => start(one, line)}
          />
        ))}
      </ul>
      <dl className="r-sums">
        <Sum title={t`Products`} value={cash(sums?.subtotal ?? record.totalLineItemPrice)} />
        {rows(record.discounts).map(discount => (
          <Discount
            key={String(discount.id)}
            discount={discount}
            cash={cash}
            offer={offer('removeDiscount', discount)}
            onRemove={one => start(one, discount)}
          />
        ))}
        <Sum
          title={t`Shipping`}
          note={text((record.deliveryMethod as JsonObject | null)?.type) ? shippingTitle(record) : ''}
          value={isFree(sums?.shipping ?? record.deliveryPrice) ? t`Free` : cash(sums?.shipping ?? record.deliveryPrice)}
          action={<EditShipping offer={offer('updateShipping')} onStart={one => start(one)} />}
        />
        <Sum
          isTotal
          title={paidAhead ? t`Next charge` : next ? t`Next order` : t`Regular order`}
          note={
            paidAhead
              ? creditsLeft === 1
                ? t`before tax, after 1 paid delivery`
                : t`before tax, after ${count(creditsLeft)} paid deliveries`
              : t`before tax`
          }
          value={cash(sums?.total ?? record.total)}
        />
      </dl>
    </>
  );
}

/** The next order as planned: its sums hold one-time changes and discounts of few orders, which the regular total does not. */
function useNextOrder(record: JsonObject): JsonObject | undefined {
  const call = record.nextOrderId ? definitions.calls['subscription-contract.ordersSchedule'] : undefined;
  const { data } = useAnswer(call, { id: record.id ?? null });
  return rows(data).find(order => order.id === record.nextOrderId);
}

const isFree = (value: JsonValue | undefined): boolean => Number(value ?? 0) === 0;
function shippingTitle(record: JsonObject): string {
  const method = record.deliveryMethod as JsonObject;
  const branch = (method.shipping ?? method.pickup ?? method.localDelivery) as JsonObject | undefined;
  const option = (branch?.shippingOption ?? branch?.pickupOption ?? branch?.localDeliveryOption) as JsonObject | undefined;
  return text(option?.presentmentTitle) || text(option?.title);
}

interface LineProps {
  line: JsonObject;
  /** The name of the bundle that it belongs to; empty: none. */
  bundle: string;
  deliveries: number;
  cash: (value: JsonValue | undefined) => string;
  offers: () => ReturnType<PanelProps['actionsOfRow']>;
  onStart: (offer: ReturnType<PanelProps['actionsOfRow']>[number]) => void;
}
function Line({ line, bundle, cash, deliveries, offers, onStart }: LineProps) {
  const name = text(line.productTitle) || text(line.name);
  const variant = text(line.variantTitle);
  const quantity = Number(line.quantity ?? 1);
  const isCheaper = Number(line.basePrice) > Number(line.price);
  const isOut = line.isOneTimeRemoved === true;
  const own = rows(line.discounts);
  const properties = rows(line.attributes);
  const list = offers();
  return (
    <li {...(isOut ? { 'data-out': true } : {})}>
      <Picture src={text(line.image)} size={44} />
      <div className="r-line-text">
        <span className="r-line-name">
          <span className="p-strong">{name}</span>
          {variant && <span className="p-muted"> · {variant}</span>}
        </span>
        <span className="p-hint">
          {[text(line.sku) && `SKU ${text(line.sku)}`, text(line.sellingPlanGroupName) || text(line.sellingPlanName)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {bundle && line.bundleTransactionId ? <span className="p-hint">{t`Part of the bundle “${bundle}”`}</span> : null}
        <Properties pairs={properties} of={name} />
        {own.map((one, i) => (
          <span key={`d${i}`} className="p-hint">
            {text(one.title)} <span className="r-nowrap">−{cash(one.amount)}</span>
          </span>
        ))}
        <Flags line={line} />
      </div>
      <div className="r-line-price">
        <span className="p-strong">{cash(line.discountedPrice)}</span>
        <span className="p-hint">
          {isCheaper && (
            <>
              <s className="r-strike">
                <span className="p-sr">{t`instead of`} </span>
                {cash(line.basePrice)}
              </s>{' '}
            </>
          )}
          {deliveries > 1 && !line.isOneTimeAdded
            ? t`${cash(line.price)} × ${count(quantity)} × ${count(deliveries)} deliveries`
            : `${cash(line.price)} × ${count(quantity)}`}
        </span>
      </div>
      <div className="r-line-menu">{list.length > 0 && <RowMenu name={name} offers={offers} onStart={onStart} />}</div>
    </li>
  );
}

/** What a line says of itself, the first few of many. */
function Properties({ pairs, of }: { pairs: JsonObject[]; of: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = pairs.length > FEW + 1;
  const rest = pairs.length - FEW;
  return (
    <>
      {(isLong && !isOpen ? pairs.slice(0, FEW) : pairs).map((one, i) => (
        <span key={i} className="p-hint">
          {String(one.key)}: {String(one.value)}
        </span>
      ))}
      {isLong && (
        <span>
          <button
            type="button"
            className="p-link p-hint"
            aria-expanded={isOpen}
            aria-label={isOpen ? t`Fewer properties of ${of}` : t`All properties of ${of}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t`Show fewer` : t`and ${rest} more properties`}
          </button>
        </span>
      )}
    </>
  );
}

function Flags({ line }: { line: JsonObject }) {
  const stock = line.inventory as JsonObject | null | undefined;
  const isShort =
    stock && stock.inventory_management && stock.inventory_policy === 'deny' && Number(stock.inventory_quantity) < Number(line.quantity);
  const flags = [
    line.isDeleted === true && ['deleted', t`No longer in the store`],
    isShort && [
      'shortOfStock',
      Number(stock.inventory_quantity) > 0 ? t`Only ${count(Number(stock.inventory_quantity))} in stock` : t`Out of stock`,
    ],
    line.isOneTimeAdded === true && ['nextOrderOnly', t`Next order only`],
    line.isOneTimeRemoved === true && ['leftOut', t`Left out of the next order`],
    line.priceIsManual === true && ['manualPrice', t`Price set by hand`],
    line.isUpsell === true && ['upsell', t`Upsell`],
  ].filter((flag): flag is [BadgeName, string] => Array.isArray(flag));
  return flags.length ? (
    <span className="r-line-flags">
      {flags.map(([badge, title]) => (
        <span key={title} className="p-badge" data-tone={toneOf(badge)}>
          {title}
        </span>
      ))}
    </span>
  ) : null;
}

function Sum({
  title,
  note,
  value,
  isTotal = false,
  action,
}: {
  title: string;
  note?: string;
  value: string;
  isTotal?: boolean;
  action?: React.ReactNode;
}) {
  const className = isTotal ? 'r-total' : undefined;
  return (
    <>
      <dt className={className}>
        {title}
        {note && <span className="p-hint">{note}</span>}
      </dt>
      <dd className={className}>{value}</dd>
      <dd>{action}</dd>
    </>
  );
}

function Discount({
  discount,
  cash,
  offer,
  onRemove,
}: {
  discount: JsonObject;
  cash: LineProps['cash'];
  offer: ReturnType<PanelProps['offer']>;
  onRemove: LineProps['onStart'];
}) {
  const limit = Number(discount.orderLimit ?? 0);
  const size =
    discount.type === 'PERCENTAGE'
      ? percent(Number(discount.value))
      : discount.type === 'FREE_SHIPPING'
        ? t`free shipping`
        : discount.type === 'FIXED_PRICE'
          ? t`${cash(discount.value)} in all`
          : discount.appliesOnEachItem
            ? t`${cash(discount.value)} each`
            : cash(discount.value);
  const notes = [
    size,
    limit > 0 ? (limit === 1 ? t`one more order` : t`${count(limit)} more orders`) : t`every order`,
    discount.rejectionReason ? t`not applied` : '',
  ]
    .filter(Boolean)
    .join(' · ');
  const title = text(discount.code) || text(discount.title);
  return (
    <Sum
      title={title}
      note={notes}
      value={isFree(discount.amount) ? '–' : `−${cash(discount.amount)}`}
      action={offer && discount.kind !== 'BUNDLE' && <RowMenu name={t`discount ${title}`} offers={() => [offer]} onStart={onRemove} />}
    />
  );
}

function EditShipping({ offer, onStart }: { offer: ReturnType<PanelProps['offer']>; onStart: LineProps['onStart'] }) {
  if (!offer) return null;
  return (
    <button
      type="button"
      className="p-icon-btn p-icon-btn-s"
      aria-label={offer.action.title}
      {...(offer.refusal === undefined ? { 'data-tip': offer.action.title } : { 'aria-disabled': true, 'data-tip': offer.refusal })}
      onClick={() => onStart(offer)}
    >
      <Pencil size={15} aria-hidden="true" />
    </button>
  );
}
